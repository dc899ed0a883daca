"""The application on a real socket, in a thread of the test's own process, and people who talk to it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from reference_app.assembly import MakeHostTools, assemble, no_host_tools
from reference_app.main import create_app
from reference_app.serve import Server, listen
from reference_app.settings import ModelSettings, Settings

SIGN_IN = {"content-type": "application/json"}


@contextmanager
def running(settings: Settings, host_tools: MakeHostTools = no_host_tools) -> Iterator[str]:
    """Serve the application while the block runs; gives its address."""
    ready = threading.Event()
    state: dict[str, Any] = {}

    async def serve() -> None:
        async with assemble(settings, host_tools) as parts:
            listener = listen("127.0.0.1", 0)
            state["url"] = f"http://127.0.0.1:{listener.getsockname()[1]}"
            server = Server(create_app(parts), settings, ready.set)
            state["server"] = server
            await server.serve(sockets=[listener])
            listener.close()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as problem:
            state["problem"] = problem
            raise
        finally:
            ready.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    if "problem" in state:
        thread.join()
        raise state["problem"]
    try:
        yield state["url"]
    finally:
        state["server"].should_exit = True
        thread.join()


def with_model(settings: Settings, url: str) -> Settings:
    """Settings that use a model at an address."""
    return replace(settings, model=ModelSettings("openai-chat", f"{url}/v1", "unused", ("scripted", "other")))


def client(url: str) -> httpx.Client:
    """A client without a session; without TLS too, whose set-up would take longer than most tests."""
    return httpx.Client(base_url=url, timeout=30, verify=False)


@dataclass(frozen=True)
class Stepped:
    """One step as its client saw it."""

    status: int
    headers: Mapping[str, str]
    frames: tuple[dict[str, Any], ...]
    body: Any = None

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The frames of one type."""
        return [frame for frame in self.frames if frame["type"] == kind]

    def events(self, event_type: str) -> list[dict[str, Any]]:
        """The data of the inspector frames of one type."""
        return [frame["data"] for frame in self.of("inspector") if frame["eventType"] == event_type]

    @property
    def finish(self) -> dict[str, Any]:
        """The last frame."""
        return self.frames[-1]

    @property
    def results(self) -> list[Any]:
        """The results of the tools, in order."""
        return [frame["result"] for frame in self.of("tool-result")]


class Person:
    """Somebody who is signed in, and a tab that declares what it is told to."""

    def __init__(self, url: str, user: str) -> None:
        self.http = client(url)
        answer = self.http.post("/api/session", json={"user": user})
        assert answer.status_code == 200, answer.text
        self.token = self.http.cookies["ledger_session"]

    def close(self) -> None:
        """Let go of the connections."""
        self.http.close()

    def rpc(self, procedure: str, value: Any = None, **envelope: Any) -> httpx.Response:
        """Call a procedure."""
        return self.http.post(f"/rpc/{procedure}", json={"json": {} if value is None else value, **envelope})

    def call(self, procedure: str, value: Any = None) -> Any:
        """Call a procedure and take its output."""
        answer = self.rpc(procedure, value)
        assert answer.status_code == 200, answer.text
        return answer.json()["json"]

    def cards(self) -> list[dict[str, Any]]:
        """The approvals that wait."""
        cards: list[dict[str, Any]] = self.http.get("/api/approvals").json()
        return cards

    def decide(self, approval: str, approved: bool, **more: Any) -> httpx.Response:
        """Decide about an approval."""
        return self.http.post(f"/api/approvals/{approval}", json={"approved": approved, **more})

    def step(self, body: Mapping[str, Any]) -> Stepped:
        """Post a step and read it to its end."""
        with self.http.stream("POST", "/agent/chat", json=body) as answer:
            if answer.status_code != 200:
                answer.read()
                return Stepped(answer.status_code, answer.headers, (), answer.json())
            frames = tuple(json.loads(line) for line in answer.iter_lines())
        return Stepped(answer.status_code, answer.headers, frames)


@dataclass(frozen=True)
class Tab:
    """What a tab posts."""

    conversation: str
    messages: tuple[Any, ...]
    turn: str = "turn-1"
    index: int = 0
    pathname: str = "/receivables/pending"
    tools: tuple[dict[str, Any], ...] = ()
    state: tuple[dict[str, Any], ...] = ()
    catalog: Mapping[str, Any] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        """The body of the step."""
        return {
            "protocolVersion": 2,
            "conversationId": self.conversation,
            "turnId": self.turn,
            "stepIndex": self.index,
            "pathname": self.pathname,
            "messages": list(self.messages),
            "catalog": {"frontendTools": list(self.tools), "frontendState": list(self.state), **self.catalog},
        }

    def after(self, step: Stepped, *results: Any) -> Tab:
        """The next step of the turn, with a result for each call that was left to the tab."""
        pending = step.finish["pendingToolCalls"]
        answers = [
            {"role": "tool", "content": [tool_result(call, value)]}
            for call, value in zip(pending, results, strict=True)
        ]
        history = (*self.messages, *step.finish["responseMessages"], *answers)
        return replace(self, messages=history, index=self.index + 1)


def tool_result(call: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """A result part as a tab writes it."""
    return {
        "type": "tool-result",
        "toolCallId": call["toolCallId"],
        "toolName": call["wireName"],
        "output": {"type": "json", "value": value},
    }


def user(text: str) -> dict[str, Any]:
    """A message of the person."""
    return {"role": "user", "content": text}


def view_tool(name: str = "view_invoices__pending__setFilters", **changes: Any) -> dict[str, Any]:
    """A declaration of a view capability."""
    canonical = name.replace("_", ":", 1).replace("__", ".")
    return {
        "wireName": name,
        "canonicalId": canonical,
        "plane": canonical.partition(":")[0],
        "description": "Narrow what the table shows.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
        "effect": "local-state",
        "confirmation": "never",
        **changes,
    }
