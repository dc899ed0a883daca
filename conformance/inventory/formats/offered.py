"""Our own format: what each identity was offered on each route, as it was seen at the model.

One entry is one way in which a capability is offered; `offered` names the places where it is offered so. A capability that
two people are offered alike has one entry, so that a reviewer reads each text once.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from conformance.inventory.canonical import Write, canonical
from conformance.inventory.errors import FormatError
from conformance.inventory.formats.fields import (
    Listed,
    Name,
    Record,
    SchemaValue,
    refuse_twice,
    schema_of,
    unknown_fields,
)
from conformance.inventory.model import Approval, Capability, Inventory, Kind, Named, Offer, Place, State

FORMAT = "dualplane-offered"
VERSION = 1


class PlaceRecord(Record):
    """Where somebody was looked over the shoulder."""

    identity: Name
    route: Name
    mode: Name

    @property
    def place(self) -> Place:
        """The same in the model."""
        return Place(self.identity, self.route, self.mode)


class StateRecord(Record):
    """Whether it could be used at that moment, and what the model was told about that."""

    available: bool
    text: str = ""


class Entry(Record):
    """One way in which a capability is offered."""

    id: Name
    wire_name: Name
    executor: Literal["server", "browser"]
    description: str
    effect: str | None = None
    approval: bool | None = None
    confirmation: str | None = None
    input_schema: SchemaValue | None = None
    output_schema: SchemaValue | None = None
    state: StateRecord = Field(default_factory=lambda: StateRecord(available=True))
    offered: Listed[str] = Field(min_length=1)


class OfferedFile(Record):
    """The whole file."""

    format: Literal["dualplane-offered"]
    version: Literal[1]
    target: str
    places: Listed[PlaceRecord]
    capabilities: Listed[Entry]


def read_offered(document: OfferedFile, file: str, write: Write) -> Inventory:
    """Turn a file into the one model.

    Raises:
        FormatError: an entry is offered in a place that is not listed, or a capability twice in one place.
    """
    places = {str(record.place): record.place for record in document.places}
    refuse_twice(file, [str(record.place) for record in document.places])
    _refuse_unclear(document, places, file)
    return Inventory(
        Kind.OFFERED,
        offers=tuple(
            Offer(_capability(entry, write), frozenset(places[name] for name in entry.offered))
            for entry in document.capabilities
        ),
        places=frozenset(places.values()),
        unknown=unknown_fields(document),
    )


def _refuse_unclear(document: OfferedFile, places: Mapping[str, Place], file: str) -> None:
    seen: dict[str, set[str]] = {}
    for entry in document.capabilities:
        here = seen.setdefault(entry.id, set())
        for name in entry.offered:
            if name not in places:
                raise FormatError(file, f"{entry.id} is offered to {name}, which `places` does not list")
            if name in here:
                raise FormatError(
                    file, f"it has two entries for {entry.id}, offered to {name}; one of them must go"
                )
            here.add(name)


def _capability(entry: Entry, write: Write) -> Capability:
    return Capability(
        id=entry.id,
        kind=entry.executor,
        names=(Named("model", entry.wire_name),),
        description=entry.description,
        effect=entry.effect,
        approval=Approval(entry.approval),
        confirmation=entry.confirmation,
        input=schema_of(entry.input_schema, write),
        output=schema_of(entry.output_schema, write),
        state=State(entry.state.available, entry.state.text),
        unknown=unknown_fields(entry, state=entry.state),
    )


def write_offered(target: str, places: Iterable[Place], offers: Iterable[Offer]) -> str:
    """Return the text of a file; the same offers give the same bytes, in whatever order they come."""
    entries = sorted((_entry(offer) for offer in offers), key=canonical)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "target": target,
        "places": [_place(place) for place in sorted(places)],
        "capabilities": sorted(entries, key=lambda entry: str(entry["id"])),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _entry(offer: Offer) -> dict[str, object]:
    capability = offer.capability
    state = capability.state or State()
    schemas = {"inputSchema": capability.input, "outputSchema": capability.output}
    fields = {
        "id": capability.id,
        "wireName": capability.names[0].name,
        "executor": capability.kind,
        "description": capability.description,
        "effect": capability.effect,
        "approval": capability.approval.required if capability.approval else None,
        "confirmation": capability.confirmation,
        **{name: json.loads(schema.text) for name, schema in schemas.items() if schema},
        "state": {"available": state.available, **({"text": state.text} if state.text else {})},
        "offered": [str(place) for place in sorted(offer.places)],
    }
    return {name: value for name, value in fields.items() if value is not None}


def _place(place: Place) -> dict[str, str]:
    return {"identity": place.identity, "route": place.route, "mode": place.mode}
