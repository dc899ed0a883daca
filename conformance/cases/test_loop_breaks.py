"""A conversation that is opened again, an application that was away, a host that misbehaves."""

import json

import pytest

from conformance.drivers.tabs import scripted_host
from conformance.errors import Departure
from conformance.people import People
from conformance.scripts import answer, last_word
from conformance.seat import Seat
from conformance.stage import App
from conformance.target import Target
from conformance.target_tables import ViewRole
from fake_model import call, say, script, step


def seat_that_has_asked(people: People, role: ViewRole) -> tuple[Seat, str]:
    """A tab on a role's screen, and the wire name under which it offers the role's capability."""
    seat = people.full.tab()
    seat.open(role.route)
    seat.send(answer())
    for tool in json.loads(seat.steps_posted[-1].body)["catalog"]["frontendTools"]:
        if tool["canonicalId"] == role.capability:
            return seat, tool["wireName"]
    raise Departure(f"the tab does not declare {role.capability} on its screen")


@pytest.mark.requirement("LOOP-09")
def test_conversation_opened_again_carries_nothing_out(people: People, target: Target) -> None:
    """The tab was closed while calls were open. They were meant for a screen that is gone; nobody asked for them again."""
    held, counted = target.view_role("held"), target.view_role("counted")
    seat = people.full.tab()
    plain = seat.open(held.route)
    calls = step(call(held.capability, held.input), call(counted.capability, counted.input))
    seat.start(script(calls, last_word()))
    seen = seat.look_until(lambda seen: seen.cards, "began to carry a call out")
    other = people.full.tab(beside=seat)
    seat.close()

    reopened = other.open(held.route, seen.conversation)
    other.named_act("let_go")

    assert reopened.conversation == seen.conversation
    assert other.visible().screen == plain.screen


@pytest.mark.requirement("LOOP-10")
def test_conversation_opened_again_goes_on(people: People) -> None:
    """What was said is on the page, and the model is told it with the next message."""
    seat = people.full.tab()
    seat.open("main")
    seat.send(script(say("Noted: the blue folder.")), "Remember the blue folder.")
    seen = seat.visible()

    reopened = seat.open("main", seen.conversation)
    seat.send(answer(), "Where is it?")

    said = [(line.role, line.text) for line in seen.transcript]
    assert said, "nothing was shown of what was said"
    assert [(line.role, line.text) for line in reopened.transcript] == said
    assert [text for text in seat.asked[0].user_texts if "blue folder" in text]


@pytest.mark.requirement("LOOP-11")
@pytest.mark.parametrize("how", ["away", "restarted"])
def test_tab_outlives_an_application_that_was_away(
    how: str, people: People, app: App, target: Target
) -> None:
    """The person's page stays open for days; the application does not."""
    action = target.view_role("action")
    seat = people.full.tab()
    seat.open(action.route)
    if how == "restarted":
        app.restart()
    else:
        seat.wire.cut()
        failed = seat.send(answer())
        seat.wire.mend()
        assert failed.status == "error", f"the turn ended as {failed.status} without an application"

    end = seat.send(script(call(action.capability, action.input), last_word()))

    assert (end.status, seat.told.code) == ("completed", None)


@pytest.mark.requirement("LOOP-12")
def test_broken_step_carries_nothing_out(people: People, target: Target) -> None:
    """The call came, the end of the step did not: whether the call stands, nobody has said."""
    action = target.view_role("action")
    seat, wire_name = seat_that_has_asked(people, action)
    before = seat.visible()
    late = {
        "toolCallId": "call_suite_1",
        "wireName": wire_name,
        "canonicalId": action.capability,
        "input": action.input,
    }
    seat.wire.answer(target.paths.chat, scripted_host.step(call=late, cut=True))

    end = seat.tab.send("Please go on.")

    assert end.status == "error", f"the turn ended as {end.status}"
    assert seat.visible().screen == before.screen


@pytest.mark.requirement("LOOP-13")
def test_call_that_comes_again_is_carried_out_once(people: People, target: Target) -> None:
    """Hosts retry and streams are replayed; the id says that it is the same call."""
    counted = target.view_role("counted")
    seat, wire_name = seat_that_has_asked(people, counted)
    once = people.full.tab()
    once.open(counted.route)
    once.send(script(call(counted.capability, counted.input), last_word()))
    same = {
        "toolCallId": "call_suite_1",
        "wireName": wire_name,
        "canonicalId": counted.capability,
        "input": counted.input,
    }
    again = scripted_host.step(call=same)
    seat.wire.answer(target.paths.chat, again, again, scripted_host.step(text="Done."))

    seat.tab.send("Please go on.")

    assert len(seat.steps_posted) >= 3, "the tab did not go on after the first call"
    assert seat.visible().screen == once.visible().screen


@pytest.mark.requirement("LOOP-14")
def test_unknown_frame_is_passed_over(people: People, target: Target) -> None:
    """The protocol may grow; a page that was opened yesterday must live with what the application says today."""
    seat = people.full.tab()
    seat.open("main")
    novelty = {"type": "weather-report", "outlook": "fair"}
    seat.wire.answer(target.paths.chat, scripted_host.step(text="Sunny.", extra=(novelty,)))

    end = seat.tab.send("How is the weather?")

    assert end.status == "completed", f"the turn ended as {end.status}: {end.error}"
    assert "Sunny." in [said.text for said in seat.visible().transcript]
