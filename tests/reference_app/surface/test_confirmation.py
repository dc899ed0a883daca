"""Asking a person: bound to the exact input, good once, and only for a while."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_app.surface.audit import AuditType
from reference_app.surface.confirmation import Question, Record, matches
from reference_app.surface.contract_binding import Doing
from reference_app.surface.events import ConfirmationRequested, ConfirmationResolved
from reference_app.surface.limits import Limits
from reference_app.surface.policy import Consumer
from reference_app.surface.signal import Signal
from tests.reference_app.surface.world import TABLE, World, code_of, make_world

pytestmark = pytest.mark.anyio

RUNS: list[Any] = []


def _world(**more: Any) -> World:
    RUNS.clear()
    world = make_world(**more)
    world.mount(doings={"forget": Doing(lambda given, _context: RUNS.append(given["ids"]))})
    return world


async def _ask(world: World, ids: list[int], **more: Any) -> str:
    result = await world.call("forget", {"ids": ids}, **more)
    assert result.error is not None
    assert result.error.details is not None
    return str(result.error.details["confirmationId"])


async def _approved(world: World, ids: list[int]) -> str:
    confirmation_id = await _ask(world, ids)
    world.registry.confirmations.resolve(confirmation_id, approved=True)
    return confirmation_id


def _reason(result: Any) -> Any:
    return result.error.details["reason"] if code_of(result) == "CONFIRMATION_INVALID" else code_of(result)


async def test_the_call_stops_and_says_what_is_asked() -> None:
    """Nothing has run; the person is asked about exactly this input, for two minutes."""
    world = _world()

    result = await world.call("forget", {"ids": [4]})

    record = world.registry.confirmations.pending()[0]
    assert result.error is not None
    assert result.error.to_json() == {
        "code": "CONFIRMATION_REQUIRED",
        "message": "A person has to confirm this call first.",
        "retry": "with-confirmation",
        "details": {
            "confirmationId": record.id,
            "summary": 'Forget. — input: {"ids":[4]}',
            "expiresAt": "2027-01-15T08:02:00.000Z",
            "effect": "local-state",
            "origin": "client",
        },
    }
    assert (record.input, RUNS) == ({"ids": [4]}, [])


async def test_an_approved_call_runs_once() -> None:
    """The evidence is used up by the call that it allowed."""
    world = _world()
    confirmation_id = await _approved(world, [4])

    first = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)
    second = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)

    assert (code_of(first), _reason(second), RUNS) == ("ok", "consumed", [[4]])


@pytest.mark.parametrize("ids", [[5], [4, 4], [4, 5], []])
async def test_evidence_is_for_one_input(ids: list[int]) -> None:
    """Any other input, also of the same shape and length, is not what was allowed; the evidence stays good."""
    world = _world()
    confirmation_id = await _approved(world, [4])

    other = await world.call("forget", {"ids": ids}, confirmation_id=confirmation_id)
    meant = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)

    assert (_reason(other), code_of(meant), RUNS) == ("mismatch", "ok", [[4]])


async def test_a_declined_call_never_runs() -> None:
    """And asking again with the same evidence is no use."""
    world = _world()
    confirmation_id = await _ask(world, [4])
    world.registry.confirmations.resolve(confirmation_id, approved=False)

    result = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)

    assert result.error is not None
    assert (_reason(result), result.error.retry.value, RUNS) == ("denied", "no", [])


@pytest.mark.parametrize(("wait_ms", "outcome"), [(119_999, "ok"), (120_000, "expired")])
async def test_an_answer_is_good_for_a_while(wait_ms: int, outcome: str) -> None:
    """At the very moment of its expiry it has expired; one may then ask anew."""
    world = _world()
    confirmation_id = await _approved(world, [4])

    world.clock.advance(wait_ms)
    result = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)

    assert _reason(result) == outcome
    if result.error is not None:
        assert result.error.retry.value == "with-confirmation"


async def test_a_question_that_nobody_answers_expires() -> None:
    """It is no longer open, and can't be answered any more."""
    world = _world()
    confirmation_id = await _ask(world, [4])

    world.clock.advance(120_000)
    answered = world.registry.confirmations.resolve(confirmation_id, approved=True)
    result = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)

    assert (answered, _reason(result), RUNS) == (False, "expired", [])
    assert world.events_of(ConfirmationResolved) == [ConfirmationResolved(confirmation_id, "expired")]


async def test_a_question_is_asked_once() -> None:
    """The same call finds the open question again, another one asks another."""
    world = _world()

    asked = [await _ask(world, ids) for ids in ([4], [4], [5])]

    assert (asked[0] == asked[1], asked[0] == asked[2]) == (True, False)
    assert len(world.events_of(ConfirmationRequested)) == 2


async def test_pending_evidence_is_no_evidence() -> None:
    """A call that brings an unanswered question is told to wait; one that brings another's is told nothing."""
    world = _world()
    confirmation_id = await _ask(world, [4])

    waiting = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)
    foreign = await world.call("forget", {"ids": [9]}, confirmation_id=confirmation_id)
    unknown = await world.call("forget", {"ids": [4]}, confirmation_id="cnf_000000000000")

    assert [_reason(result) for result in (waiting, foreign, unknown)] == [
        "CONFIRMATION_REQUIRED",
        "mismatch",
        "mismatch",
    ]


async def test_evidence_is_for_one_consumer_and_one_mount() -> None:
    """Neither another caller nor a component that took the place may spend it."""
    world = _world()
    confirmation_id = await _approved(world, [4])

    stranger = await world.call(
        "forget", {"ids": [4]}, confirmation_id=confirmation_id, consumer=Consumer("b", "test")
    )
    for registration in list(world.registry._core.live):
        world.registry.unregister(registration)
    world.mount()
    replaced = await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)

    assert ([_reason(stranger), _reason(replaced)], RUNS) == (["mismatch", "mismatch"], [])


async def test_a_gone_component_outranks_its_confirmation() -> None:
    """There is nothing left that could be allowed."""
    world = _world()
    handle = world.mount(instance="b")
    result = await world.call("forget", {"ids": [4]}, registration_id=handle.registration_id)
    assert result.error is not None
    assert result.error.details is not None
    confirmation_id = str(result.error.details["confirmationId"])
    world.registry.confirmations.resolve(confirmation_id, approved=True)

    handle.unregister()
    gone = await world.call(
        "forget", {"ids": [4]}, registration_id=handle.registration_id, confirmation_id=confirmation_id
    )

    assert code_of(gone) == "STALE_CAPABILITY"


async def test_bound_values_are_part_of_what_is_asked() -> None:
    """The person sees the target; when the page moves on before the call, the evidence is for something else."""
    bound = {"deviceId": 7}
    world = make_world()
    world.mount(bound=bound)
    asked = await world.call("devices.wipe", {"reason": "lost"})
    record = world.registry.confirmations.pending()[0]
    world.registry.confirmations.resolve(record.id, approved=True)

    bound["deviceId"] = 8
    result = await world.call("devices.wipe", {"reason": "lost"}, confirmation_id=record.id)

    assert code_of(asked) == "CONFIRMATION_REQUIRED"
    assert record.input == {"reason": "lost", "deviceId": 7}
    assert (_reason(result), world.executor.calls) == ("mismatch", [])


@pytest.mark.parametrize("given", [{"ids": "x"}, {}])
async def test_a_call_that_could_not_run_asks_nothing(given: dict[str, Any]) -> None:
    """Nobody is bothered about an input that is invalid anyway."""
    world = _world()

    await world.call("forget", given)
    await world.call("devices.wipe", {"deviceId": 7, "reason": "locked"})

    assert world.registry.confirmations.pending() == ()


async def test_open_questions_are_bounded() -> None:
    """A caller can't bury the person in dialogs."""
    world = _world(limits=Limits(max_pending_confirmations=2))
    for ids in ([1], [2]):
        await _ask(world, ids)

    refused = await world.call("forget", {"ids": [3]})

    assert refused.error is not None
    assert refused.error.details == {"reason": "queue-full", "retryAfterMs": 1000}
    assert len(world.registry.confirmations.pending()) == 2


async def test_a_question_is_answered_once() -> None:
    """The second answer changes nothing."""
    world = _world()
    confirmation_id = await _ask(world, [4])
    book = world.registry.confirmations

    answers = [book.resolve(confirmation_id, approved=approved) for approved in (False, True)]

    assert answers == [True, False]
    assert _reason(await world.call("forget", {"ids": [4]}, confirmation_id=confirmation_id)) == "denied"


async def test_waiting_ends_with_the_answer_or_with_giving_up() -> None:
    """Giving up is that waiter's own affair: the question stays open."""
    world = _world()
    book = world.registry.confirmations
    confirmation_id = await _ask(world, [4])
    signal = Signal()
    patient = asyncio.ensure_future(book.wait_for(confirmation_id))
    hasty = asyncio.ensure_future(book.wait_for(confirmation_id, signal))
    await asyncio.sleep(0)

    signal.abort()
    given_up = await hasty
    still_open = len(book.pending())
    book.resolve(confirmation_id, approved=True)

    assert (given_up, still_open, await patient, await book.wait_for(confirmation_id)) == (
        "expired",
        1,
        "approved",
        "approved",
    )
    assert await book.wait_for("cnf_unknown") == "expired"


async def test_every_step_is_recorded() -> None:
    """Asked, answered, used: in the audit trail and without the input."""
    world = _world()
    confirmation_id = await _approved(world, [4711])
    await world.call("forget", {"ids": [4711]}, confirmation_id=confirmation_id)

    kinds = [event.type for event in world.sink.events if str(event.type.value).startswith("confirmation")]

    assert kinds == [
        AuditType.CONFIRMATION_REQUESTED,
        AuditType.CONFIRMATION_APPROVED,
        AuditType.CONFIRMATION_CONSUMED,
    ]
    assert "4711" not in str([event.to_json() for event in world.sink.events])


def _broken(_pending: tuple[Record, ...]) -> None:
    raise RuntimeError("a listener's own business")


async def test_who_listens_is_told_what_is_open() -> None:
    """A dialog appears and goes; a listener that fails stops no other."""
    world = _world()
    heard: list[int] = []
    world.registry.confirmations.subscribe(_broken)
    unsubscribe = world.registry.confirmations.subscribe(lambda pending: heard.append(len(pending)))

    confirmation_id = await _ask(world, [4])
    world.registry.confirmations.resolve(confirmation_id, approved=True)
    unsubscribe()
    await _ask(world, [5])

    assert heard == [1, 0]


async def test_disposal_withdraws_every_question() -> None:
    """Nobody can answer on a page that is gone."""
    world = _world()
    confirmation_id = await _ask(world, [4])

    world.registry.dispose()

    assert world.registry.confirmations.pending() == ()
    assert await world.registry.confirmations.wait_for(confirmation_id) == "expired"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=1), inner, max_size=2),
    max_leaves=4,
)
QUESTIONS = st.builds(
    Question,
    st.just("srf_a"),
    st.sampled_from(["reg_a", "reg_b"]),
    st.just(f"view:{TABLE}.forget"),
    st.sampled_from(["test:a", "test:b"]),
    st.just("local-state"),
    JSON,
    st.just("Forget?"),
)


@settings(max_examples=200)
@given(QUESTIONS, QUESTIONS)
def test_no_record_allows_anything_but_its_own_question(asked: Question, called: Question) -> None:
    """Evidence matches exactly when digest and input do, whatever the inputs are."""
    assert matches(Record("cnf_a", asked, 0, 1), called) is (asked.digest == called.digest)
