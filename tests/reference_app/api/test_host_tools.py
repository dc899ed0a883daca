"""A tool of the host's own suspends like a browser call, and its result is the host's whatever the tab posts."""

from __future__ import annotations

from dataclasses import replace

from fake_model import FakeModel, call, say, script, step
from reference_app.domain.actor import Actor
from reference_app.host.records import StepKey
from reference_app.runtime.conversation import ToolCall
from reference_app.settings import Settings
from reference_app.strict_json import JsonObject, JsonValue
from tests.reference_app.running import Person, Tab, running, user, view_tool, with_model


class Slip:
    """A tool that hands somebody a slip of paper."""

    wire_name = "slip_hand"
    canonical_id = "domain:slip-hand"
    description = "Hand over a slip."

    def __init__(self) -> None:
        self.parameters: JsonObject = {"type": "object", "properties": {"text": {"type": "string"}}}
        self.presented: list[tuple[str, str, JsonValue]] = []

    def refuse(self, call: ToolCall) -> JsonValue | None:
        """Only a slip with a text can be handed over."""
        is_fine = isinstance(call.input, dict) and "text" in call.input
        return (
            None if is_fine else {"status": "error", "error": {"code": "INPUT_INVALID", "retryable": False}}
        )

    async def present(self, owner: Actor, key: StepKey, call: ToolCall) -> None:
        """Note that it was handed over."""
        self.presented.append((owner.id, key.conversation_id, call.input))

    async def settle(self, owner: Actor, conversation_id: str, call: ToolCall) -> JsonValue:
        """What came of it."""
        del owner, conversation_id
        return {"status": "submitted", "call": call.id}


def test_the_hosts_own_tool_is_offered_suspends_and_settles_itself() -> None:
    """The tab posts that it is pending; what the model reads is what the host knows."""
    slip = Slip()
    with FakeModel() as model, running(with_model(Settings(), model.url), lambda _: (slip,)) as url:
        person = Person(url, "carla")
        run = model.play(script(step(call("slip_hand", {"text": "Hello."})), say("Done.")))
        tab = Tab("c", (user(run.prompt("go")),))
        first = person.step(tab.body())
        person.step(tab.after(first, {"status": "pending"}).body())
        person.close()
    result = run.exchanges[1].request.last_result

    assert (
        run.exchanges[0].request.offers("domain:slip-hand")
        or "slip_hand" in run.exchanges[0].request.tool_names
    )
    assert "slip_hand" in [tool["wireName"] for tool in first.frames[0]["domainTools"]]
    assert ["browser"] == [frame["executor"] for frame in first.of("tool-call")]
    assert ["domain:slip-hand"] == [pending["canonicalId"] for pending in first.finish["pendingToolCalls"]]
    assert [("carla@ledger.example", "c", {"text": "Hello."})] == slip.presented
    assert result is not None
    assert "submitted" == result.status
    run.assert_complete()


def test_wrong_arguments_are_refused_in_the_same_run_and_no_tab_declares_it() -> None:
    """The host's tool is one path; a tab's claim to it is a collision like any other."""
    slip = Slip()
    claim = view_tool("domain_slip-hand", wireName="other_slip")
    with FakeModel() as model, running(with_model(Settings(), model.url), lambda _: (slip,)) as url:
        person = Person(url, "carla")
        run = model.play(script(step(call("slip_hand", {})), say("I see.")))
        stepped = person.step(replace(Tab("c", (user(run.prompt("go")),)), tools=(claim,)).body())
        person.close()

    assert ("INPUT_INVALID", []) == (stepped.results[0]["error"]["code"], slip.presented)
    assert [{"capabilityIds": ["domain:slip-hand"]}] == stepped.events("catalog.collision")
    assert "other_slip" not in run.exchanges[0].request.tool_names
