"""What a discovery in meta mode disclosed: the components and procedures of a surface snapshot, read leniently."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field, ValidationError

from conformance.errors import Departure
from conformance.inventory.canonical import canonical
from conformance.inventory.model import Approval, Capability, Named, Schema, State
from conformance.wire.frames import Wire

_READ, _ACT = "surface_read", "surface_act"


class Member(Wire):
    """An observation or action of a component."""

    capability_id: str
    description: str = ""
    input_schema: Any = None
    output_schema: Any = None
    effect: str | None = None
    confirmation: str | None = None
    available: bool = True
    unavailable_reason: str | None = None


class Component(Wire):
    """One mounted component."""

    type: str
    instance_id: str = "default"
    observations: tuple[Member, ...] = Field(default=(), strict=False)
    actions: tuple[Member, ...] = Field(default=(), strict=False)


class Procedure(Wire):
    """A procedure that a component binds."""

    procedure_id: str
    description: str = ""
    input_schema: Any = None
    output_schema: Any = None
    effect: str | None = None
    confirmation: str | None = None
    available: bool = True
    unavailable_reason: str | None = None
    contextual_note: str | None = None


class Snapshot(Wire):
    """What a discovery answers."""

    components: tuple[Component, ...] = Field(strict=False)
    procedures: tuple[Procedure, ...] = Field(default=(), strict=False)


def read_discovery(value: Any) -> tuple[Capability, ...]:
    """Read the answer of a discovery, as the model read it; it may be wrapped in a result.

    Raises:
        Departure: it is no snapshot.
    """
    inner = value.get("output", value) if isinstance(value, Mapping) else value
    try:
        snapshot = Snapshot.model_validate(inner)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Departure(f"the discovery's answer is not readable: {where}: {first['msg']}") from None
    return tuple(_capabilities(snapshot))


def _capabilities(snapshot: Snapshot) -> Iterator[Capability]:
    count = Counter(component.type for component in snapshot.components)
    for component in snapshot.components:
        instance = f"@{component.instance_id}" if count[component.type] > 1 else ""
        for member in component.observations:
            yield _of_member(member, instance, _READ, "read")
        for member in component.actions:
            yield _of_member(member, instance, _ACT, member.effect)
    twice = Counter(procedure.procedure_id for procedure in snapshot.procedures)
    for number, procedure in enumerate(snapshot.procedures):
        instance = f"@{number}" if twice[procedure.procedure_id] > 1 else ""
        yield _of_procedure(procedure, instance)


def _of_member(member: Member, instance: str, carrier: str, effect: str | None) -> Capability:
    return _capability(member, f"{member.capability_id}{instance}", carrier, effect, "")


def _of_procedure(procedure: Procedure, instance: str) -> Capability:
    note = procedure.contextual_note or ""
    return _capability(procedure, f"{procedure.procedure_id}{instance}", _ACT, procedure.effect, note)


def _capability(
    record: Member | Procedure, name: str, carrier: str, effect: str | None, note: str
) -> Capability:
    return Capability(
        id=name,
        kind="browser",
        names=(Named("model", carrier),),
        description=record.description,
        effect=effect,
        approval=Approval(None),
        confirmation=record.confirmation,
        input=_schema(record.input_schema),
        output=_schema(record.output_schema),
        state=State(record.available, record.unavailable_reason or note),
    )


def _schema(value: Any) -> Schema | None:
    return None if value is None else Schema(canonical(value))
