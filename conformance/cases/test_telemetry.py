"""What is recorded of every call: that it was made, how it ended, for whom; and nothing of what was in it."""

from collections.abc import Iterator, Mapping

import pytest

from conformance.drivers.audit import Event
from conformance.drivers.step import Step
from conformance.errors import Untested
from conformance.likeness import Named, differences
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.scripts import answer, calling, calling_unoffered, last_word
from conformance.stage import App
from conformance.wire.frames import Inspector
from fake_model import call, gate, say, script, step

ENDS = frozenset({"denied", "completed", "failed", "cancelled", "approval_requested"})
INVENTED = ("no-such-operation", "never-was-one-here")
MARK = "inv-of-the-suite-4711"


def events_of(done: Step, role: Prepared) -> list[Inspector]:
    """The events of a stream that are about one operation."""
    return [
        frame
        for frame in done.of(Inspector)
        if (frame.correlation or {}).get("capabilityId") in (role.procedure, role.capability)
    ]


def kinds(events: list[Inspector]) -> list[str]:
    """What the events say, without their common prefix."""
    return [event.event_type.removeprefix("capability.") for event in events]


@pytest.mark.requirement("TELEMETRY-01")
@pytest.mark.parametrize("name", ["read", "write", "failing"])
def test_execution_is_audited(name: str, people: People, roles: Roles) -> None:
    """What an assistant did must be found six weeks later, under a name that still means something."""
    role = roles(name)
    value = role.failing_input if role.failing_input is not None else role.input

    done = people.full.chat(role.route).send(script(call(role.capability, value), last_word()))

    ended = [kind for kind in kinds(events_of(done, role)) if kind in ("completed", "failed")]
    assert len(ended) == 1, f"the events say {kinds(events_of(done, role))}"


@pytest.mark.requirement("TELEMETRY-02")
@pytest.mark.parametrize("caller", ["model", "page"])
def test_denial_is_audited(caller: str, people: People, roles: Roles) -> None:
    """The worst that a fooled model comes to at the server is a line in this record, so the line must be there."""
    role = roles("denied")

    if caller == "model":
        done = people.full.chat(role.route).send(script(call(role.capability, role.input), last_word()))
        seen = kinds(events_of(done, role))
    else:
        people.full.rpc.call(role.procedure, role.input)
        seen = [event.kind for event in people.full.audit.events() if event.capability_id == role.procedure]

    assert seen.count("denied") == 1, f"the events say {seen}"


@pytest.mark.requirement("TELEMETRY-03")
@pytest.mark.parametrize(
    "name", ["read", "failing", "canary", "bad_output", "denied", "failing_policy", "gated_counted"]
)
def test_execution_ends_once(name: str, people: People, roles: Roles) -> None:
    """A record that says both that it failed and that it was done says nothing."""
    role = roles(name)
    value = role.failing_input if role.failing_input is not None else role.input

    done = people.full.chat(role.route).send(script(call(role.capability, value), last_word()))

    events = events_of(done, role)
    assert len([kind for kind in kinds(events) if kind in ENDS]) == 1, f"the events say {kinds(events)}"
    assert kinds(events)[-1] in ENDS, "an event comes after the one that ends it"


@pytest.mark.requirement("TELEMETRY-03")
def test_timeout_ends_once(app: App, people: People, roles: Roles) -> None:
    """Also when an operation was given up and might still come back."""
    slow = roles("slow")
    impatient = People(people.stage, app.variant("impatient"))

    done = impatient.full.chat(slow.route).send(script(call(slow.capability, slow.input), last_word()))

    ended = [kind for kind in kinds(events_of(done, slow)) if kind in ENDS]
    assert ended == ["cancelled"]


@pytest.mark.requirement("TELEMETRY-04")
def test_events_carry_no_inputs_or_outputs(people: People, roles: Roles) -> None:
    """A record is kept longer, and read by more people, than what it is about."""
    write = roles("write")

    done = people.full.chat(write.route).send(calling(write))

    result = done.result_of(write.capability).result
    secret = distinctive(write.input) | distinctive(result)
    if not secret:
        raise Untested("roles.write.input", "a value that could be recognised")
    shown = [leaf for frame in events_of(done, write) for leaf in leaves(frame.data)]
    assert [leaf for leaf in shown if leaf in secret] == []


@pytest.mark.requirement("TELEMETRY-05")
@pytest.mark.parametrize("caller", ["model", "page"])
def test_nobody_sees_somebody_elses_events(caller: str, people: People, roles: Roles) -> None:
    """Two people work at the same time; neither watches the other."""
    write = roles("write")
    chat = people.full.chat()
    request = chat.prepare(script(step(say("One moment, "), gate("meanwhile"), say("done."))))

    with chat.start(request) as live:
        chat.run.wait_held("meanwhile")
        act(people.peer, caller, write)
        chat.run.release("meanwhile")
        done = live.end()

    assert kinds(events_of(done, write)) == [], "the stream shows what somebody else did meanwhile"


@pytest.mark.requirement("TELEMETRY-05")
def test_conversation_id_opens_nobodys_record(people: People, roles: Roles) -> None:
    """Whoever borrows a conversation's id leaves their events in their own record all the same."""
    read = roles("read")
    own = people.full.chat()
    own.send(answer())
    before = len(people.full.audit.events())
    borrowed = people.peer.chat(read.route)
    borrowed.id = own.id

    borrowed.post(borrowed.prepare(calling(read)))

    assert len(people.full.audit.events()) == before, "somebody else's call is in this person's record"


@pytest.mark.requirement("TELEMETRY-06")
def test_events_carry_conversation_and_turn(people: People, roles: Roles) -> None:
    """Without them nobody can say which words led to which deed."""
    read = roles("read")
    chat = people.full.chat(read.route)

    done = chat.send(calling(read))

    events = events_of(done, read)
    assert events != [], "the operation left no events"
    named = {
        (event.correlation or {}).get("conversationId"): (event.correlation or {}).get("turnId")
        for event in events
    }
    assert named == {chat.id: done.start.turn_id}


@pytest.mark.requirement("TELEMETRY-07")
def test_waiting_call_is_audited_as_waiting(people: People, roles: Roles) -> None:
    """A record that says it is done, of what somebody may still deny, is wrong."""
    gated = roles("gated_counted")

    done = people.full.chat(gated.route).send(calling(gated))

    ended = [kind for kind in kinds(events_of(done, gated)) if kind in ENDS]
    assert ended == ["approval_requested"]


@pytest.mark.requirement("TELEMETRY-12")
def test_sent_correlation_is_recorded_as_untrusted(people: People, roles: Roles) -> None:
    """It helps whoever reads the record, as long as they can see that anybody could have written it."""
    header = people.stage.target.correlation_header
    if not header:
        raise Untested("correlation_header")
    write = roles("write")

    people.full.rpc.raw("POST", write.procedure, json={"json": write.input}, headers={header: MARK})

    marked = [event for event in people.full.audit.events() if MARK in str(event.correlation)]
    assert marked != [], "what the caller sent along is not recorded"
    trusted = [(event.correlation or {}).get("trusted") for event in marked]
    assert set(trusted) == {False}, f"it is not marked as untrusted: {marked[0].correlation}"


@pytest.mark.requirement("AUTHORITY-18")
@pytest.mark.parametrize("caller", ["model", "page"])
def test_own_record_does_not_tell_hidden_from_invented(caller: str, people: People, roles: Roles) -> None:
    """A caller may read what they tried; the record must not answer what the refusal kept back."""
    hidden = [roles(name) for name in roles.hidden_from_restricted()]
    first, second = (recorded(people.restricted, caller, name, {}) for name in INVENTED)

    found = [
        line
        for role in hidden
        for line in differences(
            recorded(people.restricted, caller, role.procedure, role.input), first, second
        )
    ]

    assert found == []


def recorded(person: Person, caller: str, procedure: str, value: object) -> Named:
    """What a caller's own record says about a call to something that they may not use."""
    before = len(person.audit.events())
    if caller == "model":
        person.chat().send(calling_unoffered(f"domain:{procedure}", value))
    else:
        person.rpc.call(procedure, value)
    events = person.audit.events()[before:]
    return Named(procedure, [timeless(event) for event in events])


def timeless(event: Event) -> Mapping[str, object]:
    """An event without what differs from call to call anyway."""
    return {"kind": event.kind, "capability": event.capability_id, "data": event.data}


def act(person: Person, caller: str, role: Prepared) -> None:
    """Use an operation, through the model or as the page does."""
    if caller == "model":
        person.chat(role.route).send(calling(role))
    else:
        person.rpc.value(role.procedure, role.input)


def distinctive(value: object) -> set[object]:
    """The values in some JSON by which it could be recognised: long texts and large numbers."""
    return {
        leaf
        for leaf in leaves(value)
        if (isinstance(leaf, str) and len(leaf) >= 5 and not leaf.isupper())
        or (isinstance(leaf, int | float) and not isinstance(leaf, bool) and abs(leaf) >= 1000)
    }


def leaves(value: object) -> Iterator[object]:
    """Every value in some JSON that holds no others."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value
