"""What the stream carries: all of it, as it comes, and in order in every ending."""

from dataclasses import replace

import pytest

from conformance.drivers.step import Step, call_ids_in
from conformance.errors import Untested
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import last_word
from conformance.stage import App
from conformance.wire.chat import Catalog, Declaration
from conformance.wire.frames import Inspector, TextDelta, ToolCall
from conformance.wire.grammar import grammar_problems
from fake_model import (
    Script,
    at_bytes,
    call,
    cut,
    error_event,
    every,
    gate,
    reason,
    repeat,
    say,
    script,
    silence,
    status,
    step,
)

PANEL = Declaration("view:suite.panel.show")
THOUGHT = "Privately I wonder about the drafts."
TEXT = "Überfällig: 3 Rechnungen — 四 — \U0001f9fe."
TWO_MEGABYTES = 2_000_000
CUTS = {"every byte": every(1), "every third byte": every(3), "within a character": at_bytes(100, 101, 317)}


@pytest.mark.requirement("FRAME-09")
def test_reasoning_is_shown_and_not_kept(people: People) -> None:
    """The person may see the model think; the next turn must not be built on it."""
    chat = people.full.chat()

    done = chat.send(script(step(reason(THOUGHT), say("Three drafts."))))

    assert done.reasoning == THOUGHT
    assert THOUGHT not in str(done.messages), "the reasoning is part of the history"


@pytest.mark.requirement("FRAME-10")
def test_frames_come_as_they_are_made(people: People) -> None:
    """A person reads along; what is kept back until the end looks like silence."""
    chat = people.full.chat()
    request = chat.prepare(script(step(say("First words, "), gate("later"), say("last words."))))

    with chat.start(request) as live:
        chat.run.wait_held("later")
        early = live.wait_for(lambda frames: any(isinstance(f, TextDelta) for f in frames), "the first words")
        chat.run.release("later")
        done = live.end()

    assert early.text == "First words, "
    assert done.text == "First words, last words."


@pytest.mark.requirement("FRAME-11")
def test_two_megabytes_arrive_whole(people: People, roles: Roles) -> None:
    """One line may be long; a reader's or a writer's buffer is no reason to cut it."""
    big = roles("big")

    done = people.full.chat(big.route).send(script(call(big.capability, big.input), last_word()))

    lines = [
        line for line in done.log.lines if isinstance(line.frame, ToolCall) or len(line.raw) > TWO_MEGABYTES
    ]
    result = done.result_of(big.capability)
    assert result.ok, f"{big.capability} was answered with {str(result.result)[:200]}"
    assert len(str(result.result)) >= TWO_MEGABYTES, "the result was cut"
    assert len(lines) >= 2, "no frame holds two megabytes"
    assert grammar_problems(done.log) == ()


ENDINGS = (
    "provider fails at once",
    "provider fails in the middle",
    "provider fails after a server call",
    "provider breaks off",
    "operation fails",
    "run limit",
)


@pytest.mark.requirement("FRAME-12")
@pytest.mark.parametrize("ending", ENDINGS)
def test_order_holds_in_every_ending(ending: str, people: People, roles: Roles) -> None:
    """A reader that has learned the order relies on it most when something goes wrong."""
    route = roles("canary").route if ending == "operation fails" else roles("read").route

    done = people.full.chat(route, catalog=Catalog((PANEL,))).send(ending_with(ending, roles))

    assert grammar_problems(done.log) == ()


@pytest.mark.requirement("FRAME-12")
def test_order_holds_in_silence(app: App, people: People, roles: Roles) -> None:
    """Also when the host gave up on a model that had called something and then fell silent."""
    read = roles("read")
    impatient = People(people.stage, app.variant("impatient"))

    done = impatient.full.chat().send(script(step(call(read.capability, read.input)), step(silence())))

    assert grammar_problems(done.log) == ()


@pytest.mark.requirement("FRAME-13")
@pytest.mark.parametrize("gated", [False, True], ids=["plain call", "gated call"])
def test_every_call_is_introduced(gated: bool, people: People, roles: Roles) -> None:
    """A card is opened by its call's frame; what comes before it about that call has nowhere to go."""
    role = roles("gated_counted" if gated else "read")
    chat = people.full.chat(role.route, catalog=Catalog((PANEL,)))

    done = chat.send(script(step(call(role.capability, role.input), call(PANEL.canonical_id)), last_word()))

    introduced = {frame.tool_call_id for frame in done.calls}
    assert set(call_ids_in(done.messages)) == introduced, "the history holds calls that no frame introduced"
    assert early_mentions(done) == [], "something was sent about a call before its frame"


@pytest.mark.requirement("FRAME-14")
@pytest.mark.parametrize("how", CUTS)
def test_answer_does_not_depend_on_packets(how: str, people: People, roles: Roles) -> None:
    """Networks cut where they like: in the middle of a line, of an event, of a character."""
    read = roles("read_too")
    first = step(say(TEXT), call(read.capability, read.input, pieces=3))
    chunks = CUTS[how]

    done = people.full.chat(read.route).send(
        script(replace(first, chunks=chunks), replace(step(say(TEXT)), chunks=chunks))
    )

    assert done.text == TEXT * 2
    assert done.errors == ()
    assert [frame.input for frame in done.calls] == [read.input]


def ending_with(ending: str, roles: Roles) -> Script:
    """A turn that goes wrong in a certain way."""
    read = roles("read")
    reading = step(say("Reading."), call(read.capability, read.input))
    match ending:
        case "provider fails at once":
            return script(step(status(500), asked=None))
        case "provider fails in the middle":
            return script(step(say("One, ", "two, ", "three."), error_event(2), asked=None))
        case "provider fails after a server call":
            return script(reading, step(status(500), asked=None))
        case "provider breaks off":
            return script(step(say("One, ", "two, ", "three."), cut(after_events=3), asked=None))
        case "operation fails":
            canary = roles("canary")
            return script(step(say("Now."), call(canary.capability, canary.input)), last_word())
        case "run limit":
            return script(repeat(step(call(read.capability, read.input), optional=True), 40), last_word())
    raise Untested(ending)


def early_mentions(done: Step) -> list[str]:
    """Frames that mention a call before the frame that introduces it."""
    known: set[str] = set()
    ids = {frame.tool_call_id for frame in done.calls}
    found = []
    for frame in done.frames:
        if isinstance(frame, ToolCall):
            known.add(frame.tool_call_id)
        elif isinstance(frame, Inspector):
            mentioned = set((frame.correlation or {}).values()) & ids
            found += [f"{frame.event_type} of {name}" for name in mentioned - known]
        else:
            name = getattr(frame, "tool_call_id", None)
            found += [f"{frame.type} of {name}"] if name in ids - known else []
    return found
