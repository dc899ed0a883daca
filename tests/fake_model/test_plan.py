"""From a reply to bytes and waits: what faults and chunk plans make of a stream, without a socket."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_model import (
    ChunkPlan,
    Cut,
    Endless,
    Gate,
    Pause,
    Reply,
    Reset,
    Say,
    at_bytes,
    broken_event,
    cut,
    error_event,
    every,
    not_a_stream,
    reset,
    silence,
    status,
)
from fake_model.plan import Abort, Action, Hangup, Plan, of_reply
from fake_model.providers.base import Identity, Loop
from fake_model.providers.openai_chat import OpenAIChat

CHAT = OpenAIChat()
IDENTITY = Identity("dp-k7-0-0", "m", 1)


def plan(reply: Reply, *, stream: bool = True) -> Plan:
    """Return the plan of a reply in the Chat Completions format."""
    return of_reply(reply, CHAT, IDENTITY, stream=stream)


def events(reply: Reply) -> list[bytes]:
    """Return the events of a reply, each as it goes out."""
    return [event for event in CHAT.stream(reply, IDENTITY) if isinstance(event, bytes)]


def body(actions: tuple[Action, ...]) -> bytes:
    """Return what actions send."""
    return b"".join(action for action in actions if isinstance(action, bytes))


def test_a_reply_without_waits_is_one_write() -> None:
    """Nothing else happens than sending it, so that it can be sent at once."""
    reply = Reply((Say(("a", "b")),))

    assert plan(reply).at_once == b"".join(events(reply))
    assert plan(reply).wire is not None
    assert plan(reply, stream=False).at_once == CHAT.document(reply, IDENTITY)


@pytest.mark.parametrize("wait", [Gate("g"), Pause(0.5)])
def test_a_wait_parts_what_is_sent(wait: Gate | Pause) -> None:
    """What stands before a wait is sent before it, in one write, and the rest after it."""
    reply = Reply((Say(("a",)), wait, Say(("b",))))
    sent = events(reply)

    assert plan(reply).actions == (b"".join(sent[:2]), wait, b"".join(sent[2:]))
    assert plan(reply).wire is None


def test_a_hold_comes_before_everything() -> None:
    """The first byte of the answer waits too."""
    held = plan(Reply((Say(("a",)),), hold="g"))

    assert (held.hold, held.wire) == ("g", None)


@given(st.lists(st.integers(1, 400), unique=True).map(sorted), st.integers(1, 60))
def test_a_chunk_plan_splits_and_changes_nothing(offsets: list[int], stride: int) -> None:
    """However the body is split, it is the same body, and no write is empty."""
    reply = Reply((Say(("Hello", " there ✓")),))
    whole = b"".join(events(reply))

    for chunks in (ChunkPlan(tuple(offsets)), ChunkPlan(every=stride), ChunkPlan(tuple(offsets), stride)):
        actions = plan(Reply(reply.parts, chunks=chunks)).actions
        assert body(actions) == whole
        assert all(actions)


def test_a_chunk_plan_goes_down_to_the_byte() -> None:
    """The writes end where the plan says, also in the middle of an event or of a character."""
    reply = Reply((Say(("✓",)),))
    whole = b"".join(events(reply))
    middle = whole.index("✓".encode()) + 1

    assert plan(Reply(reply.parts, chunks=at_bytes(3, middle))).actions == (
        whole[:3],
        whole[3:middle],
        whole[middle:],
    )
    assert plan(Reply(reply.parts, chunks=every(100))).actions[0] == whole[:100]


def test_a_chunk_plan_counts_over_waits() -> None:
    """Offsets are those of the whole body, wherever a gate parts it."""
    reply = Reply((Say(("a",)), Gate("g"), Say(("b",))), chunks=every(100))

    actions = plan(reply).actions

    assert body(actions) == b"".join(events(Reply((Say(("a", "b")),))))
    sizes = [len(action) for action in actions if isinstance(action, bytes)]
    assert sum(sizes[:2]) == 200


def test_a_cut_after_events_hangs_up_there() -> None:
    """So many events are sent, and then the connection closes in the middle of the message."""
    reply = Reply((Say(("a", "b", "c")),))
    sent = events(reply)

    assert plan(Reply(reply.parts, faults=(cut(after_events=2),))).actions == (b"".join(sent[:2]), Hangup())
    assert plan(Reply(reply.parts, faults=(cut(after_events=2, clean=True),))).actions == (
        b"".join(sent[:2]),
    )


@given(st.integers(0, 1000))
def test_a_cut_after_bytes_sends_that_many(count: int) -> None:
    """The body ends at the byte, or where it ends anyway."""
    reply = Reply((Say(("Hello", " there")),))
    whole = b"".join(events(reply))

    actions = plan(Reply(reply.parts, faults=(Cut(after_bytes=count),))).actions

    assert body(actions) == whole[:count]
    assert actions[-1] == Hangup()


def test_a_cut_keeps_the_waits_before_it() -> None:
    """A test can say when the connection breaks, by a gate between the last event and the cut."""
    reply = Reply((Say(("a",)), Gate("g"), Say(("b",))), faults=(cut(after_events=2),))

    assert plan(reply).actions[1:] == (Gate("g"), b"", Hangup())


def test_a_reset_is_an_abort() -> None:
    """After events it follows them; before the first byte it stands alone."""
    reply = Reply((Say(("a", "b")),))

    assert plan(Reply(reply.parts, faults=(reset(2),))).actions == (b"".join(events(reply)[:2]), Abort())
    assert plan(Reply(faults=(Reset(),))).actions == (Abort(),)


def test_a_broken_event_keeps_its_frame() -> None:
    """The JSON is cut in its middle; the lines around it stay, so that the reader finds the next event."""
    reply = Reply((Say(("a", "b")),))
    sent = events(reply)

    broken = plan(Reply(reply.parts, faults=(broken_event(1),))).at_once

    assert broken is not None
    pieces = broken.split(b"\n\n")
    assert pieces[0] + b"\n\n" == sent[0]
    assert sent[1].startswith(pieces[1])
    assert len(pieces[1]) < len(sent[1]) - 2
    assert pieces[2] + b"\n\n" == sent[2]


def test_an_error_event_ends_the_stream() -> None:
    """What came before stays, and nothing follows."""
    reply = Reply((Say(("a", "b")),))

    sent = plan(Reply(reply.parts, faults=(error_event(2, "sorry", "overloaded"),))).at_once

    assert sent == b"".join(events(reply)[:2]) + CHAT.error_event("sorry", "overloaded", 2)


def test_an_error_inside_a_whole_200_is_the_providers_error_body() -> None:
    """A document has no events: the error is all of it."""
    whole = plan(Reply((Say(("a",)),), faults=(error_event(2, "sorry", "overloaded"),)), stream=False)

    assert (whole.status, whole.at_once) == (200, CHAT.error(500, "sorry", "overloaded"))


def test_faults_apply_in_their_order() -> None:
    """A broken event can be the last one before the cut."""
    reply = Reply((Say(("a", "b")),), faults=(broken_event(1), cut(after_events=2)))

    actions = plan(reply).actions

    assert isinstance(actions[0], bytes)
    assert actions[0].count(b"\n\n") == 2
    assert actions[1] == Hangup()


def test_a_status_stands_in_place_of_the_reply() -> None:
    """With the provider's error body, or with the script's own."""
    refused = plan(Reply((Say(("a",)),), faults=(status(429, "slow down", retry_after=3),)))
    page = plan(Reply(faults=(status(502, body="<h1>"),)))

    assert (refused.status, refused.retry_after, refused.at_once) == (
        429,
        "3",
        CHAT.error(429, "slow down", None),
    )
    assert b"retry-after: 3\r\n" in refused.head
    assert (page.at_once, page.content_type) == (b"<h1>", "text/plain; charset=utf-8")


def test_something_else_than_a_stream_is_a_200() -> None:
    """A page is sent as it is, with its own type."""
    page = plan(Reply(faults=(not_a_stream("<h1>", "text/html"),)))

    assert (page.status, page.content_type, page.at_once, page.length) == (200, "text/html", b"<h1>", 4)


def test_silence_waits_at_a_gate_and_says_nothing() -> None:
    """No byte comes, not even a head, until the gate is released; then the connection closes."""
    quiet = plan(Reply(faults=(silence("quiet"),)))

    assert (quiet.hold, quiet.actions) == ("quiet", (Hangup(),))


def test_an_endless_delta_is_a_loop() -> None:
    """It is sent until somebody stops; a cut after events bounds it."""
    reply = Reply((Endless("more ", 50),))

    assert any(isinstance(action, Loop) and action.at_most == 50 for action in plan(reply).actions)
    bounded = plan(Reply(reply.parts, faults=(cut(after_events=10),))).actions
    assert [action.at_most for action in bounded if isinstance(action, Loop)] == [9]


def test_a_document_that_breaks_off_announces_its_whole_length() -> None:
    """A reader that was promised more than came notices."""
    reply = Reply((Say(("Hello.",)),), faults=(cut(after_bytes=10),))
    whole = CHAT.document(reply, IDENTITY)

    broken = plan(reply, stream=False)

    assert (broken.length, body(broken.actions)) == (len(whole), whole[:10])
