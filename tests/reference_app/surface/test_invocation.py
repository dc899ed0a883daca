"""The path of a call: the order of its phases, and each way in which it ends."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from reference_app.surface.audit import AuditType
from reference_app.surface.contract_binding import Doing, Reading
from reference_app.surface.definition import HandlerContext, PreconditionFailure
from reference_app.surface.errors import (
    CapabilityError,
    ErrorCode,
    ErrorPayload,
    OutputDefectError,
    Retry,
    TransportError,
)
from reference_app.surface.events import InvocationSettled, InvocationStarted
from reference_app.surface.invocation_types import InvocationRequest
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.live import Override
from reference_app.surface.policies import exists_for, require_confirmation
from reference_app.surface.policy import (
    Consumer,
    Disable,
    Expose,
    InvokeContext,
    Next,
    Outcome,
    Policy,
    PolicyContext,
)
from tests.reference_app.surface.world import CALLER, TABLE, Executor, World, code_of, make_world

pytestmark = pytest.mark.anyio

RETRIES = {
    "CAPABILITY_NOT_FOUND": {"after-refresh"},
    "CAPABILITY_NOT_AVAILABLE": {"after-refresh"},
    "AMBIGUOUS_INSTANCE": {"with-changes"},
    "COMPONENT_UNMOUNTED": {"after-refresh"},
    "STALE_CAPABILITY": {"after-refresh"},
    "INVOCATION_CONFLICT": {"with-changes"},
    "INVALID_INPUT": {"with-changes"},
}


def _payload(result: Any) -> dict[str, Any]:
    assert result.error is not None
    body = dict(result.error.to_json())
    assert body["retry"] in RETRIES.get(body["code"], {body["retry"]})
    return body


def _raising(error: Exception) -> Doing:
    def execute(_given: JsonObject, _context: HandlerContext) -> Json:
        raise error

    return Doing(execute)


async def test_an_observation_answers_with_its_output() -> None:
    """Reading needs no input; one that is given is ignored."""
    world = make_world()
    world.mount()

    result = await world.call("readState", {"anything": 1})

    assert result.to_json() == {
        "status": "ok",
        "invocationId": result.invocation_id,
        "capabilityId": f"view:{TABLE}.readState",
        "surfaceVersion": "1",
        "output": {"rows": 3},
    }


async def test_the_hooks_of_a_call_run_in_one_order() -> None:
    """Authority is asked before the page is, the page before the invoke policies, and execution comes last."""
    seen: list[str] = []

    async def authorize(_context: PolicyContext, proceed: Next) -> Outcome:
        seen.append("authorize")
        return await proceed()

    async def invoke(_context: InvokeContext, proceed: Next) -> Outcome:
        seen.append("invoke")
        return await proceed()

    def carry_out(_path: str, given: JsonObject, _context: HandlerContext) -> Json:
        seen.append("execute")
        return dict(given)

    def bind() -> dict[str, Json]:
        seen.append("bind")
        return {"deviceId": 7}

    world = make_world(executor=Executor(carry_out), policies=(Policy("p", None, authorize, invoke),))
    world.mount(procedure=lambda binding: replace(binding, bind=bind))

    await world.call("devices.disable", {"reason": "lost"})

    assert seen == ["authorize", "bind", "invoke", "execute"]


async def test_policies_are_layered_with_the_registry_outermost() -> None:
    """A registry's policy sees a call before a component's, and its end after it."""
    seen: list[str] = []

    def layer(name: str) -> Policy:
        async def invoke(context: InvokeContext, proceed: Next) -> Outcome:
            seen.append(f"{name} {context.effective_input}")
            outcome = await proceed()
            seen.append(f"/{name}")
            return outcome

        return Policy(name, on_invoke=invoke)

    world = make_world(policies=(layer("registry"),))
    world.mount(replace(world.table(), policies=(layer("component"),)))

    await world.call("selectRows", {"ids": [1]})

    assert seen == ["registry {'ids': [1]}", "component {'ids': [1]}", "/component", "/registry"]


async def test_a_policy_may_go_on_once_only() -> None:
    """Going on twice would execute twice."""
    runs: list[int] = []

    async def twice(_context: PolicyContext, proceed: Next) -> Outcome:
        await proceed()
        return await proceed()

    world = make_world(policies=(Policy("twice", on_authorize=twice),))
    world.mount(doings={"refresh": Doing(lambda _given, _context: runs.append(1))})

    result = await world.call("refresh", {})

    assert (code_of(result), runs) == ("EXECUTION_FAILED", [1])


async def test_input_is_checked_against_the_schema() -> None:
    """The caller is told where and what, and nothing runs."""
    runs: list[int] = []
    world = make_world()
    world.mount(doings={"selectRows": Doing(lambda _given, _context: runs.append(1))})

    result = await world.call("selectRows", {"ids": ["a"]})

    assert _payload(result)["details"] == {"issues": [{"path": "ids[0]", "message": "expected integer"}]}
    assert runs == []


async def test_the_unavailable_answers_with_its_reason() -> None:
    """The reason is what the caller plans with."""
    world = make_world()
    doing = Doing(lambda _given, _context: None, when=lambda: False, unavailable_reason="Select a row first")
    world.mount(doings={"refresh": doing})

    result = await world.call("refresh", {})

    assert _payload(result) == {
        "code": "CAPABILITY_NOT_AVAILABLE",
        "message": "Not available now: Select a row first",
        "retry": "after-refresh",
        "details": {"reason": "Select a row first"},
    }


@pytest.mark.parametrize(
    ("doing", "reason"),
    [
        (Doing(lambda _given, _context: None, when=lambda: 1 / 0 > 0), "when-error"),
        (Doing(lambda _given, _context: None, when=lambda: False), "Currently unavailable"),
        (
            Doing(lambda _given, _context: None, when=lambda: False, unavailable_reason=lambda: str(1 / 0)),
            "Currently unavailable",
        ),
        (Doing(lambda _given, _context: None, when=lambda: False, unavailable_reason=lambda: "busy"), "busy"),
    ],
)
async def test_conditions_that_fail_count_as_not_met(doing: Doing, reason: str) -> None:
    """A condition that can't be asked is not met; a reason that can't be given is the common one."""
    world = make_world()
    world.mount(doings={"refresh": doing})

    assert _payload(await world.call("refresh", {}))["details"] == {"reason": reason}


async def test_a_pushed_override_never_opens_what_is_closed() -> None:
    """A component may push a capability shut; pushing it open does not bypass its own condition."""
    world = make_world()
    handle = world.mount(doings={"refresh": Doing(lambda _given, _context: None, when=lambda: False)})

    handle.update(availability={"refresh": Override(available=True), "leave": Override(available=False)})

    assert _payload(await world.call("refresh", {}))["details"] == {"reason": "Currently unavailable"}
    assert _payload(await world.call("leave", {}))["details"] == {"reason": "unavailable"}


async def test_what_is_hidden_answers_as_what_never_existed() -> None:
    """Authority hides: mounted or gone, available or not, one answer, that of an invented name."""
    world = make_world(policies=(exists_for("nobody", lambda _host: False),))
    handle = world.mount(doings={"refresh": Doing(lambda _given, _context: None, when=lambda: False)})
    mounted = _payload(await world.call("refresh", {"x": 1}))
    invented = _payload(await world.call("refreshed", {"x": 1}))
    handle.unregister()
    gone = _payload(await world.call("refresh", {"x": 1}))

    assert mounted == gone
    assert mounted["message"].replace("refresh ", "refreshed ") == invented["message"]


async def test_a_vote_may_disable() -> None:
    """A policy's reason wins, in the snapshot and at the call."""
    world = make_world(policies=(Policy("off", on_discovery=lambda _context: Disable("Closed today")),))
    world.mount()

    assert {item.unavailable_reason for item in world.registry.snapshot().capabilities} == {"Closed today"}
    assert _payload(await world.call("refresh", {}))["details"] == {"reason": "Closed today"}


async def test_authority_is_asked_again_at_the_call() -> None:
    """What one consumer may do says nothing of another, whatever a catalog said before."""
    mine = Policy(
        "mine", on_discovery=lambda context: Disable("x") if context.consumer.id == "b" else Expose()
    )
    world = make_world(policies=(mine,))
    world.mount()

    codes = [code_of(await world.call("refresh", {}, consumer=Consumer(name, "test"))) for name in ("a", "b")]

    assert codes == ["ok", "CAPABILITY_NOT_AVAILABLE"]


async def test_several_instances_are_never_guessed_among() -> None:
    """The caller is given what tells them apart."""
    world = make_world()
    for instance in ("right", "left"):
        world.mount(instance=instance)

    body = _payload(await world.call("refresh", {}))
    named = await world.call("refresh", {}, instance_id="left")

    assert [entry["instanceId"] for entry in body["details"]["instances"]] == ["left", "right"]
    assert set(body["details"]["instances"][0]) == {"instanceId", "registrationId", "description"}
    assert code_of(named) == "ok"


async def test_several_references_to_one_operation_are_told_apart_by_their_context() -> None:
    """The caller learns which component each belongs to."""
    world = make_world()
    for instance in ("left", "right"):
        world.mount(instance=instance)

    body = _payload(await world.call("devices.disable", {"reason": "x"}))

    assert [entry["context"] for entry in body["details"]["instances"]] == [
        {"type": TABLE, "instanceId": "left"},
        {"type": TABLE, "instanceId": "right"},
    ]


async def test_a_call_meant_for_a_replaced_mount_is_stale() -> None:
    """The id and the place are the same, the component is another."""
    world = make_world()
    first = world.mount()
    first.unregister()
    second = world.mount()

    body = _payload(await world.call("refresh", {}, registration_id=first.registration_id))
    unknown = _payload(await world.call("refresh", {}, registration_id="reg_other"))

    assert body["details"] == {
        "reason": "registration-replaced",
        "liveRegistrationId": second.registration_id,
    }
    assert unknown["details"]["reason"] == "surface-reloaded"


async def test_a_call_meant_for_a_mount_that_left_says_so_for_a_while() -> None:
    """Until the memory of it is gone; then it never was."""
    world = make_world()
    handle = world.mount()
    handle.unregister()

    named = _payload(await world.call("refresh", {}, registration_id=handle.registration_id))
    unnamed = _payload(await world.call("refresh", {}))
    world.clock.advance(300_000)
    later = code_of(await world.call("refresh", {}))

    assert (named["code"], named["details"], unnamed["code"], later) == (
        "COMPONENT_UNMOUNTED",
        {"phase": "resolve"},
        "COMPONENT_UNMOUNTED",
        "CAPABILITY_NOT_FOUND",
    )


async def test_the_oldest_memories_go_first() -> None:
    """A bounded number of mounts that left is remembered."""
    world = make_world()
    handles = []
    for _ in range(101):
        handles.append(world.mount())
        handles[-1].unregister()

    oldest = await world.call("refresh", {}, registration_id=handles[0].registration_id)
    newest = await world.call("refresh", {}, registration_id=handles[-1].registration_id)

    assert (code_of(oldest), code_of(newest)) == ("CAPABILITY_NOT_FOUND", "COMPONENT_UNMOUNTED")


@pytest.mark.parametrize(("path", "code"), [("devices.wipe", "STALE_CAPABILITY"), ("devices.disable", "ok")])
async def test_only_the_irreversible_insists_on_the_version(path: str, code: str) -> None:
    """A page that moved since the caller looked stops what can't be taken back, and nothing else."""
    world = make_world(policies=())
    handle = world.mount()
    seen = world.registry.version
    handle.invalidate()

    result = await world.call(path, {"reason": "x"}, surface_version=seen)

    assert code_of(result) == code


async def test_an_unknown_prefix_is_not_found() -> None:
    """There are two planes."""
    world = make_world()
    world.mount()

    assert code_of(await world.registry.invoke(InvocationRequest("tool:x"))) == "CAPABILITY_NOT_FOUND"


async def test_a_precondition_refuses_in_its_authors_words() -> None:
    """The author's details help the caller, and a long message is cut."""
    refused = PreconditionFailure("x" * 400, {"missingIds": [4]})
    world = make_world()
    world.mount(doings={"selectRows": Doing(lambda _given, _context: None, lambda _given, _context: refused)})

    body = _payload(await world.call("selectRows", {"ids": [4]}))

    assert (body["code"], body["retry"], body["details"]) == (
        "PRECONDITION_FAILED",
        "with-changes",
        {"missingIds": [4]},
    )
    assert (len(body["message"]), body["message"][-1]) == (300, "…")


async def test_a_precondition_that_fails_to_answer_fails_the_call() -> None:
    """And says nothing of why."""

    def broken(_given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
        raise RuntimeError("canary")

    world = make_world()
    world.mount(doings={"refresh": Doing(lambda _given, _context: None, broken)})

    body = _payload(await world.call("refresh", {}))

    assert (body["code"], body["details"]) == ("EXECUTION_FAILED", {"reason": "handler-error"})
    assert "canary" not in str(body)


async def test_a_handlers_exception_keeps_its_text_to_itself() -> None:
    """Errors are typed results, and carry no internals."""
    world = make_world()
    world.mount(doings={"refresh": _raising(RuntimeError("canary /srv/secret"))})

    body = _payload(await world.call("refresh", {}))

    assert (body["code"], body["retry"], body["details"]) == (
        "EXECUTION_FAILED",
        "no",
        {"reason": "handler-error"},
    )
    assert "canary" not in str(body)


async def test_a_handlers_typed_error_passes_unchanged() -> None:
    """Its author chose code, text, hint and details."""
    payload = ErrorPayload(
        ErrorCode.RATE_LIMITED, "Slow down.", Retry.AFTER_DELAY, {"reason": "rate", "retryAfterMs": 5}
    )
    world = make_world()
    world.mount(doings={"refresh": _raising(CapabilityError(payload))})

    assert (await world.call("refresh", {})).error == payload


@pytest.mark.parametrize(("transient", "retry"), [(True, "after-delay"), (False, "no")])
async def test_a_server_that_cannot_be_asked_is_a_transport_failure(*, transient: bool, retry: str) -> None:
    """Only what may pass by itself is worth trying again."""

    def carry_out(_path: str, _given: JsonObject, _context: HandlerContext) -> Json:
        raise TransportError("connection refused at 10.0.0.7", transient=transient)

    world = make_world(executor=Executor(carry_out))
    world.mount()

    body = _payload(await world.call("devices.disable", {"reason": "x"}))

    assert (body["code"], body["retry"], body["details"]["reason"]) == (
        "EXECUTION_FAILED",
        retry,
        "transport",
    )
    assert "10.0.0.7" not in str(body)


async def test_no_output_is_no_key() -> None:
    """A handler that returns nothing succeeds with nothing."""
    world = make_world()
    world.mount()

    assert "output" not in (await world.call("refresh", {})).to_json()


async def test_an_output_that_is_too_large_is_not_delivered() -> None:
    """It is delivered whole or not at all, never cut."""
    world = make_world()
    seen: Any = {"rows": 3}
    table = world.table(readings={"readState": Reading(lambda _context: seen)})
    world.mount(table)

    seen = "x" * 32768

    assert _payload(await world.call("readState"))["details"] == {"reason": "output-too-large"}


@pytest.mark.parametrize("output", [object(), float("nan"), {"a": {1}}])
async def test_an_output_that_is_not_json_is_a_defect(output: Any) -> None:
    """Its author sees an exception while developing; in production the caller sees a failed call."""
    reading = {"readState": Reading(lambda _context: output)}
    testing, production = make_world(), make_world(environment="production")
    for world in (testing, production):
        world.mount(readings=reading)

    with pytest.raises(OutputDefectError, match="readState"):
        await testing.call("readState")
    assert _payload(await production.call("readState"))["details"] == {"reason": "output-invalid"}


async def test_the_same_id_and_request_executes_once() -> None:
    """Repeated while it runs or after it ended, the call gets the one result."""
    gate, runs = asyncio.Event(), []

    async def execute(_given: JsonObject, _context: HandlerContext) -> Json:
        runs.append(1)
        await gate.wait()
        return len(runs)

    world = make_world()
    world.mount(doings={"refresh": Doing(execute)})
    calls = [asyncio.ensure_future(world.call("refresh", {}, invocation_id="call-1")) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()
    together = await asyncio.gather(*calls)
    after = await world.call("refresh", {}, invocation_id="call-1")

    assert [result.output for result in (*together, after)] == [1, 1, 1, 1]
    assert len(world.events_of(InvocationStarted)) == 1


async def test_an_id_cannot_be_used_for_another_request() -> None:
    """Nothing runs, nothing is said of the first request, and its result is still there."""
    world = make_world()
    world.mount(doings={"selectRows": Doing(lambda given, _context: given["ids"])})
    first = await world.call("selectRows", {"ids": [1]}, invocation_id="call-1")

    body = _payload(await world.call("selectRows", {"ids": [2]}, invocation_id="call-1"))
    again = await world.call("selectRows", {"ids": [1]}, invocation_id="call-1")

    assert (body["code"], body["details"]) == (
        "INVOCATION_CONFLICT",
        {"reason": "id-reused-with-different-request"},
    )
    assert "1" not in body["message"]
    assert again == first
    assert [event.type for event in world.sink.events if event.code is ErrorCode.INVOCATION_CONFLICT] == [
        AuditType.INVOCATION_SETTLED
    ]


async def test_two_consumers_may_use_one_id() -> None:
    """An id is the caller's own."""
    world = make_world()
    world.mount(doings={"selectRows": Doing(lambda given, _context: given["ids"])})

    outputs = [
        (
            await world.call("selectRows", {"ids": [n]}, invocation_id="x", consumer=Consumer(str(n), "test"))
        ).output
        for n in (1, 2)
    ]

    assert outputs == [[1], [2]]


async def test_an_id_is_forgotten_after_a_while() -> None:
    """Then it is a new call and runs again."""
    runs: list[int] = []
    world = make_world()
    world.mount(doings={"refresh": Doing(lambda _given, _context: runs.append(1))})

    for wait_ms in (0, 599_999, 1):
        world.clock.advance(wait_ms)
        await world.call("refresh", {}, invocation_id="x")

    assert len(runs) == 2


async def test_an_answer_that_invites_another_try_frees_the_id() -> None:
    """What needs confirmation, or came too fast, is called again under the same id."""
    world = make_world()
    world.mount()

    first = await world.call("forget", {"ids": [1]}, invocation_id="x")
    second = await world.call("forget", {"ids": [2]}, invocation_id="x")

    assert [code_of(first), code_of(second)] == ["CONFIRMATION_REQUIRED"] * 2


async def test_the_version_at_the_end_is_told() -> None:
    """And whether it moved meanwhile."""
    world = make_world()
    handle = world.mount()
    moving = world.mount(
        instance="b", doings={"refresh": Doing(lambda _given, _context: handle.invalidate())}
    )

    result = await world.call("refresh", {}, registration_id=moving.registration_id)

    assert (result.surface_version, result.surface_changed) == ("3", True)


async def test_events_tell_of_a_calls_beginning_and_end() -> None:
    """In that order, under its id."""
    world = make_world()
    world.mount()

    result = await world.call("refresh", {})

    assert world.events[-2:] == [
        InvocationStarted(result.invocation_id, f"view:{TABLE}.refresh", CALLER.id),
        InvocationSettled(result.invocation_id, f"view:{TABLE}.refresh", "ok", None, 0),
    ]


async def test_the_record_holds_no_input() -> None:
    """Metadata is enough to know who did what; only what can't be taken back is recorded in full."""
    world = make_world()
    world.mount()

    await world.call("selectRows", {"ids": [4711]})
    await world.call("readState")

    recorded = [event.to_json() for event in world.sink.events]
    assert "4711" not in str(recorded)
    assert [entry["type"] for entry in recorded if entry.get("capabilityId")] == [
        "invocation-started",
        "invocation-settled",
    ]


async def test_the_irreversible_is_recorded_in_full() -> None:
    """Afterwards one wants to know exactly what was done."""
    world = make_world()
    world.mount()
    asked = await world.call("devices.wipe", {"reason": "lost"}, invocation_id="x")
    confirmation_id = _confirm(world, asked)

    await world.call("devices.wipe", {"reason": "lost"}, invocation_id="x", confirmation_id=confirmation_id)

    settled = [event for event in world.sink.events if event.type is AuditType.INVOCATION_SETTLED]
    assert settled[-1].payload == {
        "input": {"reason": "lost", "deviceId": 7},
        "output": {"reason": "lost", "deviceId": 7},
    }


def _confirm(world: World, asked: Any) -> str:
    confirmation_id = str(_payload(asked)["details"]["confirmationId"])
    world.registry.confirmations.resolve(confirmation_id, approved=True)
    return confirmation_id


async def test_an_escalating_policy_asks_first() -> None:
    """For the inputs that it names, with its own words."""
    policy = require_confirmation(lambda given: given == {"ids": [2]}, lambda _given: "Really two?")
    world = make_world(policies=(policy,))
    world.mount()

    codes = [code_of(await world.call("selectRows", {"ids": [n]})) for n in (1, 2)]

    assert codes == ["ok", "CONFIRMATION_REQUIRED"]
    assert world.registry.confirmations.pending()[0].question.summary == "Really two?"
