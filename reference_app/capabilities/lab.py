"""The lab: operations that no ledger needs, for what the ordinary ones cannot show.

They exist under ``--demo-controls`` only, are offered to a model on the route ``/lab`` only, and stay out of the inventories.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from pydantic import Field

from reference_app.capabilities.shapes import cap_rows
from reference_app.database import Work
from reference_app.domain.capability import (
    AgentMeta,
    AnyProcedure,
    Call,
    Procedure,
    Risk,
    SideEffect,
    StaticApproval,
    Subject,
    Surface,
)
from reference_app.domain.errors import BusinessCode, BusinessError
from reference_app.domain.policy import Allow, Decision, Deny, Policy, PolicyRequest, RequireApproval
from reference_app.domain.shapes import Input, NoInput, Output
from reference_app.ledger.store import Ledger
from reference_app.strict_json import JsonValue

TAG = "lab"
"""The scope tag of every lab operation."""

CANARY = "CANARY-ORCHID-4471"
"""A secret that appears in exceptions only; nobody outside the process may ever read it."""

_SERVED = frozenset({Surface.DIRECT, Surface.MODEL})

CounterName = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
Seconds = Annotated[float, Field(ge=0, le=3600)]


class Counted(Input):
    """Which counter."""

    name: CounterName = "default"


class Wait(Input):
    """How long, and which counter is counted afterwards."""

    seconds: Seconds
    name: CounterName = "default"


class Size(Input):
    """How many."""

    count: Annotated[int, Field(ge=0, le=4_000_000)]


class Opaque(Input):
    """An input whose default cannot be written as JSON."""

    weight: float = Field(default_factory=lambda: math.inf)


class CountOut(Output):
    """What a counter shows."""

    name: str
    value: int


class WaitedOut(Output):
    """How long it waited."""

    waited: float


class RowOut(Output):
    """One row of a long list."""

    number: int


class FillOut(Output):
    """A long text."""

    text: str


async def bump(value: Counted, call: Call) -> CountOut:
    """Count one up."""
    return CountOut(name=value.name, value=await Ledger(call.work).count_up(_counter(value.name)))


async def count(value: Counted, call: Call) -> CountOut:
    """Read a counter."""
    return CountOut(name=value.name, value=await Ledger(call.work).count(_counter(value.name)))


async def wait(value: Wait, call: Call) -> WaitedOut:
    """Wait on the application's own timer."""
    await call.clock.sleep(value.seconds)
    return WaitedOut(waited=value.seconds)


async def wait_then_bump(value: Wait, call: Call) -> CountOut:
    """Wait, then count one up."""
    await call.clock.sleep(value.seconds)
    return await bump(Counted(name=value.name), call)


async def bump_then_wait(value: Wait, call: Call) -> CountOut:
    """Count one up, then wait inside the open transaction."""
    counted = await bump(Counted(name=value.name), call)
    await call.clock.sleep(value.seconds)
    return counted


async def bump_then_crash(value: Counted, call: Call) -> CountOut:
    """Count one up, then fail in a way that nobody declared."""
    await bump(value, call)
    raise RuntimeError(f"connect to ledger-primary.internal failed: password={CANARY}")


async def bump_then_refuse(value: Counted, call: Call) -> CountOut:
    """Count one up, then refuse in a way that is declared."""
    await bump(value, call)
    raise BusinessError("CONFLICT", f"The counter {value.name} is sealed.")


async def forbid(value: NoInput, call: Call) -> CountOut:
    """Refuse for want of a right."""
    del value, call
    raise BusinessError("FORBIDDEN", "This counter belongs to the auditors.")


async def bump_then_lie(value: Counted, call: Call) -> CountOut:
    """Count one up, then return something other than is declared."""
    counted = await bump(value, call)
    return counted.model_copy(update={"value": CANARY})


async def return_object(value: NoInput, call: Call) -> Any:
    """Return something that JSON cannot say."""
    del value, call
    return {"handle": object(), "secret": CANARY}


async def rows(value: Size, call: Call) -> list[RowOut]:
    """A list of many rows."""
    del call
    return [RowOut(number=number) for number in range(min(value.count, 5_000))]


async def fill(value: Size, call: Call) -> FillOut:
    """A text of many characters."""
    del call
    return FillOut(text="x" * value.count)


async def ignore_opaque(value: Opaque, call: Call) -> CountOut:
    """Count one up, whatever the weight."""
    del value
    return await bump(Counted(), call)


async def counter_subject(value: Counted, work: Work) -> Subject:
    """The counter that a call is about, as a card shows it."""
    shown = await Ledger(work).count(_counter(value.name))
    return Subject("counter", value.name, shown, {"value": shown})


def without_text(output: JsonValue) -> JsonValue:
    """Fail to redact, as code does that meets what it does not expect."""
    del output
    raise KeyError(CANARY)


def _crash(request: PolicyRequest) -> Decision:
    del request
    raise RuntimeError(f"policy store unreachable: token={CANARY}")


def _deny(request: PolicyRequest) -> Decision:
    del request
    return Deny("The auditors have closed this counter.", "AUDIT_HOLD")


def _second_signature(request: PolicyRequest) -> Decision:
    if request.surface is Surface.MODEL:
        return RequireApproval("two signatures are needed", "second-signature", expires_in=300.0)
    return Allow()


def _lab(
    name: str,
    model: type[Input],
    output: Any,
    handler: Callable[[Any, Call], Awaitable[Any]],
    *,
    effect: SideEffect = SideEffect.WRITE,
    errors: frozenset[BusinessCode] = frozenset(),
    expose: frozenset[Surface] = _SERVED,
    **meta: Any,
) -> AnyProcedure:
    described = (handler.__doc__ or name).strip()
    agent = AgentMeta(
        description=f"Lab: {described}", expose=expose, side_effect=effect, risk=Risk.LOW, tags=(TAG,), **meta
    )
    return Procedure(id=name, input=model, output=output, handler=handler, errors=errors, agent=agent)


_READ, _DESTRUCTIVE, _EXTERNAL = SideEffect.READ, SideEffect.DESTRUCTIVE, SideEffect.EXTERNAL
_CONFLICT: frozenset[BusinessCode] = frozenset({"CONFLICT"})
_LONG = "lab.archive.statements-of-account-for-the-financial-quarter-ending-in"

PROCEDURES: tuple[AnyProcedure, ...] = (
    _lab("lab-count", Counted, CountOut, count, effect=_READ),
    _lab("lab-bump", Counted, CountOut, bump),
    _lab("lab-bump-outside", Counted, CountOut, bump, effect=_EXTERNAL),
    _lab("lab-wait", Wait, WaitedOut, wait, effect=_READ),
    _lab("lab-slow-bump", Wait, CountOut, wait_then_bump),
    _lab("lab-crash", Counted, CountOut, bump_then_crash),
    _lab("lab-refuse", Counted, CountOut, bump_then_refuse, errors=_CONFLICT),
    _lab("lab-forbidden", NoInput, CountOut, forbid, effect=_READ, errors=frozenset({"FORBIDDEN"})),
    _lab("lab-bad-output", Counted, CountOut, bump_then_lie),
    _lab("lab-unserializable", NoInput, dict[str, Any], return_object, effect=_READ),
    _lab(
        "lab-bad-redaction",
        NoInput,
        FillOut,
        lambda _value, call: fill(Size(count=1), call),
        effect=_READ,
        redact=without_text,
    ),
    _lab("lab-rows", Size, list[RowOut], rows, effect=_READ, redact=cap_rows),
    _lab("lab-fill", Size, FillOut, fill, effect=_READ),
    _lab("lab-policy-crash", Counted, CountOut, bump, policies=(Policy("lab-crashing-policy", _crash),)),
    _lab("lab-policy-deny", Counted, CountOut, bump, policies=(Policy("lab-denying-policy", _deny),)),
    _lab("lab-gated-bump", Counted, CountOut, bump, effect=_DESTRUCTIVE),
    _lab("lab-gated-fail", Counted, CountOut, bump_then_refuse, effect=_DESTRUCTIVE, errors=_CONFLICT),
    _lab("lab-gated-wait", Wait, CountOut, bump_then_wait, effect=_DESTRUCTIVE),
    _lab("lab-gated-opaque", Opaque, CountOut, ignore_opaque, effect=_DESTRUCTIVE),
    _lab(
        "lab-gated-twice",
        Counted,
        CountOut,
        bump,
        effect=_DESTRUCTIVE,
        policies=(Policy("lab-second-signature", _second_signature),),
    ),
    _lab(
        "lab-always-gated",
        Counted,
        CountOut,
        bump,
        effect=_DESTRUCTIVE,
        approval=StaticApproval("lab", 600.0),
        subject=counter_subject,
    ),
    _lab("lab-unexposed", Counted, CountOut, bump, expose=frozenset()),
    _lab(f"{_LONG}-march", Counted, CountOut, count, effect=_READ),
    _lab(f"{_LONG}-june", Counted, CountOut, count, effect=_READ),
    _lab("lab.snake_case", Counted, CountOut, count, effect=_READ),
)


def _counter(name: str) -> str:
    return f"lab-{name}"
