"""Cards as a test presents and answers them, over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import httpx

from fake_model import FakeModel, Run, call, say, script, step
from tests.reference_app.running import Person, Stepped, Tab, user

PENDING = {"status": "pending"}
NOT_PENDING = {"accepted": False, "reason": "not-pending"}
BAD = {"accepted": False, "reason": "bad-response"}
ACCEPTED = {"accepted": True}


@dataclass(frozen=True)
class Presented:
    """A card that waits, and everything around it."""

    person: Person
    run: Run
    tab: Tab
    step: Stepped

    @property
    def session(self) -> str:
        """The conversation."""
        return self.tab.conversation

    @property
    def call(self) -> str:
        """The call."""
        return str(self.step.finish["pendingToolCalls"][0]["toolCallId"])

    def payload(self, data_model: Mapping[str, Any], action: str = "send") -> dict[str, Any]:
        """What a click posts."""
        event = {
            "name": action,
            "surfaceId": f"a2ui:{quote(self.session, safe='')}:{quote(self.call, safe='')}",
            "sourceComponentId": f"action-{action}",
            "timestamp": "2026-11-30T12:00:00Z",
            "context": {},
        }
        message = {"version": "v0.9", "action": event}
        return {"session": self.session, "call": self.call, "message": message, "dataModel": dict(data_model)}

    def answer(self, data_model: Mapping[str, Any], action: str = "send") -> Any:
        """Answer it."""
        return post(self.person.http, "action", self.payload(data_model, action))

    def withdraw(self) -> Any:
        """Close it."""
        return post(self.person.http, "cancel", {"session": self.session, "call": self.call})

    def look(self, person: Person | None = None) -> httpx.Response:
        """Look at it, also as somebody else."""
        place = f"{quote(self.session, safe='')}/{quote(self.call, safe='')}"
        return (person or self.person).http.get(f"/api/a2ui/{place}")

    @property
    def status(self) -> str:
        """What it stands at."""
        return str(self.look().json()["status"])

    def go_on(self, posted: Any = None) -> tuple[Stepped, Any]:
        """The next step, and the result that the model read in it."""
        stepped = self.person.step(self.tab.after(self.step, PENDING if posted is None else posted).body())
        result = self.run.exchanges[-1].request.last_result
        assert result is not None
        return stepped, result.value


@dataclass
class Cards:
    """A running application that offers cards."""

    url: str
    model: FakeModel
    nobody: httpx.Client
    signed_in: list[Person] = field(default_factory=list)

    def person(self, name: str) -> Person:
        """Sign somebody in."""
        self.signed_in.append(Person(self.url, name))
        return self.signed_in[-1]

    def leave(self) -> None:
        """Sign everybody out."""
        for person in self.signed_in:
            person.close()
        self.signed_in.clear()

    def present(self, template: Any, name: str = "carla", **tab: Any) -> Presented:
        """Have the model present a card."""
        person = self.person(name)
        run = self.model.play(script(step(call("a2ui_present", template)), say("Done.")))
        posted = replace(Tab(f"c-{run.token}", (user(run.prompt("go")),)), **tab)
        return Presented(person, run, posted, person.step(posted.body()))


def envelope(method: str, payload: Any, **changes: Any) -> dict[str, Any]:
    """A request of the connection RPC."""
    return {"type": "client-request", "rpcId": "r1", "method": method, "payload": payload, **changes}


def post(http: httpx.Client, method: str, payload: Any) -> Any:
    """Post a request, and take the value of its reply."""
    answer = http.post(f"/a2ui/{method}", json=envelope(method, payload))
    assert answer.status_code == 200, answer.text
    reply = answer.json()
    assert ("server-response", "r1", True) == (reply["type"], reply["rpcId"], reply["result"]["ok"])
    return reply["result"]["value"]
