"""A first look at a running application: which of the usual addresses answer, and a target file to begin with.

Only harmless requests are made: reads, a step in a version that nobody serves, and a procedure that nobody has.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx

from conformance.catalogue import Profile
from conformance.errors import LaunchError
from conformance.inventory.plain import shown

DEADLINE = 5.0
"""Seconds for one answer."""

WITHIN = 30.0
"""Seconds for all of them."""

MOST_BYTES = 4 * 1024 * 1024
MOST_PROCEDURES = 40
CANDIDATES: Mapping[str, Sequence[str]] = {
    "health": ("/api/health", "/health", "/healthz"),
    "session": ("/api/session", "/session"),
    "approvals": ("/api/approvals",),
    "threads": ("/api/threads",),
    "openapi": ("/openapi.json", "/api/openapi.json"),
    "audit": ("/api/audit",),
}
CHATS = ("/agent/chat", "/api/agent/chat")
PREFIXES = ("/rpc", "/api/rpc")


@dataclass(frozen=True)
class Seen:
    """What was seen at an application.

    Attributes:
        url: its address.
        paths: where something of the protocol answers, by the key of `[paths]`.
        procedures: ids of procedures that its published description names.
        notes: what was seen, as sentences.
    """

    url: str
    paths: Mapping[str, str]
    procedures: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Answer:
    status: int = 0
    media_type: str = ""
    body: bytes = b""


@dataclass
class _Looker:
    """Asks, and takes what does not answer in time for nothing; `late` are the addresses that did not."""

    client: httpx.Client
    clock: Callable[[], float]
    until: float
    late: list[str] = field(default_factory=list)

    def ask(self, method: str, path: str, body: Any = None) -> _Answer:
        left = min(DEADLINE, self.until - self.clock())
        if left <= 0:
            self.late.append(path)
            return _Answer()
        try:
            return self._read(method, path, body, self.clock() + left)
        except httpx.TimeoutException:
            self.late.append(path)
        except httpx.HTTPError:
            pass
        return _Answer()

    def _read(self, method: str, path: str, body: Any, until: float) -> _Answer:
        """Read an answer, of one that does not end only as much as arrives in time."""
        read = bytearray()
        timeout = max(0.01, until - self.clock())
        with self.client.stream(method, path, json=body, timeout=timeout) as response:
            for chunk in response.iter_raw():
                read += chunk
                if len(read) > MOST_BYTES or self.clock() > until:
                    break
            media_type = response.headers.get("content-type", "").partition(";")[0]
            return _Answer(response.status_code, media_type, bytes(read))


def look(url: str, clock: Callable[[], float] = time.monotonic) -> Seen:
    """Look around.

    Raises:
        LaunchError: the address is none, or nothing answers there.
    """
    base = _origin(url)
    headers = {"accept-encoding": "identity"}
    with httpx.Client(base_url=base, trust_env=False, headers=headers) as client:
        _reach(client, base)
        looker = _Looker(client, clock, clock() + WITHIN)
        paths = {key: path for key, found in CANDIDATES.items() if (path := _answering(looker, found))}
        notes = [f"GET {path} answers" for path in paths.values()]
        if chat := next((path for path in CHATS if _is_chat(looker, path)), ""):
            paths["chat"] = chat
            notes.append(f"POST {chat} refuses an unknown version as the protocol has it")
        if prefix := next((prefix for prefix in PREFIXES if _is_rpc(looker, prefix)), ""):
            paths["rpc"] = f"{prefix}/{{procedure}}"
            notes.append(f"POST {prefix}/… is served")
        procedures = _procedures(looker, paths.get("openapi", ""))
    notes += [f"{path} did not answer in time" for path in looker.late]
    return Seen(base, paths, procedures, tuple(notes))


def _origin(url: str) -> str:
    """An address without a path, as `connect.url` takes it."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        if fits and parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc):
            return f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        pass  # said below
    raise LaunchError(
        f"{shown(url)!r} is no address of an application; expected one like http://127.0.0.1:3000, without a path"
    )


def _reach(client: httpx.Client, base: str) -> None:
    """See whether anything answers at all."""
    try:
        with client.stream("GET", "/", timeout=DEADLINE):
            return
    except httpx.TimeoutException:
        raise LaunchError(f"nothing answers at {base} within {DEADLINE:g} s") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise LaunchError(f"nothing answers at {base}: {str(error) or type(error).__name__}") from None


def _answering(looker: _Looker, paths: Sequence[str]) -> str:
    """The first address that answers with JSON, or asks for a token."""
    for path in paths:
        answer = looker.ask("GET", path)
        is_json = answer.media_type == "application/json"
        if (answer.status == 200 and is_json) or answer.status in (401, 403):
            return path
    return ""


def _is_chat(looker: _Looker, path: str) -> bool:
    answer = looker.ask("POST", path, {"protocolVersion": 99})
    return answer.status in (400, 401, 403, 409, 415)


def _is_rpc(looker: _Looker, prefix: str) -> bool:
    answer = looker.ask("POST", f"{prefix}/no-such-procedure", {"json": {}})
    return answer.status in (400, 401, 403, 404) and b"json" in answer.body[:200]


def _procedures(looker: _Looker, path: str) -> tuple[str, ...]:
    if not path:
        return ()
    try:
        described = json.loads(looker.ask("GET", path).body)
    except (ValueError, RecursionError):
        return ()
    found = described.get("paths", {}) if isinstance(described, dict) else {}
    return tuple(name.rpartition("/")[2] for name in found if "/rpc/" in name)


def starting_file(seen: Seen) -> str:
    """A target file to complete, with a comment wherever something is to be said."""
    return "\n".join(_lines(seen)) + "\n"


def _lines(seen: Seen) -> Iterator[str]:
    host = urlsplit(seen.url).netloc
    yield "#:schema ./target.schema.json"
    yield f"# A target file for {seen.url}, begun by `dualplane target init`."
    yield from (f"# seen: {note}" for note in seen.notes)
    yield "# `dualplane target check FILE` says what is missing; docs/target-file.md explains each table."
    yield f"name = {json.dumps(host[:80])}"
    yield ""
    yield "# What you claim, and are held to. Begin with little: what is claimed and can't be tested is red."
    yield f"# There are {', '.join(Profile)}."
    if "rpc" not in seen.paths:
        yield "# Procedures were not seen at /rpc/…: if people call them there all the same, claim domain; if elsewhere, say where in [paths]."
    yield f"profiles = {json.dumps(_profiles(seen))}"
    yield ""
    yield "# It runs already, so its model must be the fake one: start it with its model's address at, say, port 9099, and run"
    yield "#     dualplane run --target FILE --model-port 9099"
    yield "[connect]"
    yield f"url = {json.dumps(seen.url)}"
    yield ""
    yield "# Better: let the suite start it, on a free port, as often as it needs. [connect] goes away then."
    yield "# [launch]"
    yield '# command = ["npm", "run", "start"]'
    yield '# env = { PORT = "{port}" }'
    yield f'# ready = {{ path = "{seen.paths.get("health", "/")}" }}'
    yield "# [model]"
    yield '# provider = "openai-chat"              # or openai-responses, anthropic'
    yield '# env = { OPENAI_BASE_URL = "{model_url}/v1", OPENAI_API_KEY = "unused" }'
    yield ""
    yield "[paths]"
    yield from (f"{key} = {json.dumps(path)}" for key, path in sorted(seen.paths.items()))
    yield from _to_complete(seen)


def _profiles(seen: Seen) -> list[str]:
    by_path = {"chat": "host-v2", "rpc": "domain", "approvals": "approvals", "threads": "threads"}
    return [profile for key, profile in by_path.items() if key in seen.paths] or ["host-v2"]


def _to_complete(seen: Seen) -> Iterator[str]:
    known = ", ".join(shown(name) for name in seen.procedures[:MOST_PROCEDURES]) or "none"
    yield ""
    yield "# How the data is put back before each case. Without it a run needs --allow-writes."
    yield "# [controls]"
    yield '# reset = { path = "/api/demo/reset" }'
    yield ""
    yield "# Who can sign in, and the cookie (or bearer token) that they get."
    yield "# [identities.alice]"
    yield '# rights = "full"                        # another one with rights = "restricted" is worth having'
    yield f'# sign_in = {{ path = "{seen.paths.get("session", "/api/session")}", body = {{ user = "alice" }} }}'
    yield '# token = { name = "session", scheme = "payload.signature" }'
    yield ""
    yield "# Pages, as a chat step names them, with the scope that the page gives the catalog."
    yield "# [routes]"
    yield '# main = { pathname = "/", scope = [] }'
    yield ""
    yield "# What a case looks at to see whether data moved."
    yield "# [reads]"
    yield '# everything = { procedure = "list-things", input = {} }'
    yield ""
    yield f"# Which of your capabilities play which role. Procedures that were seen: {known}."
    yield "# [roles.read]"
    yield '# capability = "domain:list-things"'
    yield "# [roles.write]"
    yield '# capability = "domain:change-thing"'
    yield '# prepare = { procedure = "create-thing", input = { name = "one" }, pick = "/id" }'
    yield '# input = { id = "{prepared}", name = "two" }'
    yield '# invalid_input = { id = "{prepared}", name = 7 }'
    yield '# effect = { read = "everything", find = { id = "{prepared}" }, at = "/name" }'
