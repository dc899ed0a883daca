"""Surface contracts, format 5: what the screens of an application let an agent do, with the hashes that prove it unaltered."""

from typing import Literal

from pydantic import Field, JsonValue

from conformance.inventory.canonical import Write, canonical, sha256_hex
from conformance.inventory.errors import FormatError
from conformance.inventory.formats.fields import (
    Listed,
    Name,
    Record,
    SchemaValue,
    full_name,
    refuse_twice,
    schema_of,
    unknown_fields,
)
from conformance.inventory.model import Capability, External, Inventory, Kind, Offer, Policy


class PolicyRecord(Record):
    """A policy that guards a capability, and the phase in which it is asked."""

    name: Name
    phase: str | None = None


class Entry(Record):
    """One capability of the contract."""

    capability_id: Name
    contract_hash: Name
    declaration_id: Name
    description: str
    effect: Name
    kind: Name
    origin: str
    targets: Listed[Name]
    confirmation: str | None = None
    input_schema: SchemaValue | None = None
    output_schema: SchemaValue | None = None
    policies: Listed[PolicyRecord] = ()
    tags: Listed[str] = ()


class Completeness(Record):
    """What the compiler says about having seen everything."""

    status: str


class ExternalRecord(Record):
    """A contract that a dependency contributes."""

    package: Name


class ContractFile(Record):
    """The whole file."""

    format_version: Literal[5]
    hash: Name
    capabilities: Listed[Entry]
    compiler_version: str
    completeness: Completeness
    external_contracts: Listed[ExternalRecord] = Field(default=())
    targets: Listed[Name]


def verify(value: dict[str, JsonValue], file: str, write: Write) -> None:
    """Recompute every hash of a contract; `value` is the parsed file, and `write` gives canonical text.

    Raises:
        FormatError: a hash does not fit; the file was altered after it was written.
    """
    _check(file, "the contract", value, key="hash", left_out=("hash",), write=write)
    entries = value["capabilities"]
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            name = f"the entry of {entry.get('capabilityId')}"
            _check(file, name, entry, key="contractHash", left_out=("contractHash", "targets"), write=write)


def _check(
    file: str,
    what: str,
    value: dict[str, JsonValue],
    *,
    key: str,
    left_out: tuple[str, ...],
    write: Write,
) -> None:
    # the public format hashes the newline that ends the text, too
    computed = sha256_hex(write({name: item for name, item in value.items() if name not in left_out}) + "\n")
    if value.get(key) != computed:
        stated = str(value.get(key))[:70]
        raise FormatError(
            file,
            f"the {key} of {what} is {stated}, but its content gives {computed}; "
            "compile the contract again instead of editing it",
        )


def read_contract(document: ContractFile, file: str, write: Write) -> Inventory:
    """Turn a contract, whose hashes were verified, into the one model.

    Raises:
        FormatError: a declaration holds a capability twice.
    """
    refuse_twice(
        file, [f"{entry.capability_id} in {entry.declaration_id}" for entry in document.capabilities]
    )
    refuse_twice(file, [external.package for external in document.external_contracts])
    return Inventory(
        Kind.SURFACE,
        offers=tuple(Offer(_capability(entry, write)) for entry in document.capabilities),
        externals=tuple(
            External(one.package, canonical(one.model_extra)) for one in document.external_contracts
        ),
        targets=frozenset(document.targets),
        compiler=document.compiler_version,
        proven=document.completeness.status == "proven",
        unknown=unknown_fields(document, completeness=document.completeness),
    )


def _capability(entry: Entry, write: Write) -> Capability:
    return Capability(
        id=entry.capability_id,
        declaration=entry.declaration_id,
        kind=entry.kind,
        description=entry.description,
        effect=entry.effect,
        confirmation=entry.confirmation or "never",
        origin=entry.origin,
        targets=frozenset(entry.targets),
        tags=frozenset(entry.tags),
        policies=tuple(Policy(full_name(one, one.name), one.phase or "") for one in entry.policies),
        input=schema_of(entry.input_schema, write),
        output=schema_of(entry.output_schema, write),
        unknown=unknown_fields(entry),
    )
