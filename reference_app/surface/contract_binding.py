"""From a compiled contract and a component's handlers to a definition that may register."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reference_app.surface.authority import Authority
from reference_app.surface.contract_files import ComponentContract, DeclaredAction
from reference_app.surface.definition import (
    ONE_AT_A_TIME,
    Action,
    Component,
    ComponentLink,
    Concurrency,
    ConfirmationLevel,
    HandlerContext,
    Observation,
    Output,
    PreconditionFailure,
    ProcedureBinding,
    Reason,
    When,
)
from reference_app.surface.errors import DefinitionCode, DefinitionError
from reference_app.surface.identifiers import DEFAULT_INSTANCE
from reference_app.surface.json_value import JsonObject
from reference_app.surface.manifest import Declaration
from reference_app.surface.policy import Policy


@dataclass(frozen=True, slots=True)
class Reading:
    """How a component answers an observation."""

    read: Callable[[HandlerContext], Output]
    when: When | None = None
    unavailable_reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """How a component carries out an action."""

    execute: Callable[[JsonObject, HandlerContext], Output]
    precondition: Callable[[JsonObject, HandlerContext], PreconditionFailure | None] | None = None
    when: When | None = None
    unavailable_reason: Reason | None = None
    concurrency: Concurrency = ONE_AT_A_TIME


@dataclass(frozen=True, slots=True)
class Handlers:
    """All handlers of one component."""

    readings: Mapping[str, Reading]
    doings: Mapping[str, Doing]
    procedures: tuple[ProcedureBinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """What a mount adds to its contract: which instance it is, where it belongs and who may see it."""

    instance_id: str = DEFAULT_INSTANCE
    parent: ComponentLink | None = None
    policies: tuple[Policy, ...] = ()
    priority: float = 0


def bind_contract(
    authority: Authority, declaration: Declaration, handlers: Handlers, placement: Placement | None = None
) -> Component:
    """Join a contract with its handlers.

    Raises:
        DefinitionError: ``INVALID_DEFINITION``, naming the handler that is missing or has no contract.
    """
    contract = declaration.contract
    place = placement or Placement()
    _check_cover("read", set(contract.observations), set(handlers.readings), contract)
    _check_cover("execute", set(contract.actions), set(handlers.doings), contract)
    return Component(
        type=contract.component,
        description=contract.description,
        instance_id=place.instance_id,
        parent=place.parent,
        policies=place.policies,
        priority=place.priority,
        observations=tuple(
            _observation(contract, name, handlers.readings[name]) for name in contract.observations
        ),
        actions=tuple(
            _action(name, declared, handlers.doings[name]) for name, declared in contract.actions.items()
        ),
        procedures=handlers.procedures,
        proof=authority.proof_of(declaration.id),
    )


def _check_cover(word: str, declared: set[str], given: set[str], contract: ComponentContract) -> None:
    for name in sorted(declared - given):
        raise _mismatch(contract, f"{name} has no {word} handler")
    for name in sorted(given - declared):
        raise _mismatch(
            contract, f"there is a {word} handler for {name}, which the contract does not declare"
        )


def _mismatch(contract: ComponentContract, problem: str) -> DefinitionError:
    return DefinitionError(DefinitionCode.INVALID_DEFINITION, f"{contract.component}: {problem}")


def _observation(contract: ComponentContract, name: str, reading: Reading) -> Observation:
    declared = contract.observations[name]
    return Observation(
        name=name,
        description=declared.description,
        output=declared.output,
        read=reading.read,
        when=reading.when,
        unavailable_reason=reading.unavailable_reason,
    )


def _action(name: str, declared: DeclaredAction, doing: Doing) -> Action:
    return Action(
        name=name,
        description=declared.description,
        input=declared.input,
        output=declared.output,
        effect=declared.effect,
        idempotent=declared.idempotent,
        reversible=declared.reversible,
        confirmation=declared.confirmation or ConfirmationLevel.NEVER,
        timeout_ms=declared.timeout_ms,
        execute=doing.execute,
        precondition=doing.precondition,
        when=doing.when,
        unavailable_reason=doing.unavailable_reason,
        concurrency=doing.concurrency,
    )
