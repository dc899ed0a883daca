"""Domain snapshots, versions 1 and 2: which procedures are exposed to which agents, under which gates.

Schemas are on record as hashes only, so a changed one can't be read.
"""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, JsonValue

from conformance.inventory.canonical import canonical
from conformance.inventory.formats.fields import (
    Listed,
    Name,
    Record,
    full_name,
    refuse_twice,
    unknown_fields,
)
from conformance.inventory.model import (
    Approval,
    Capability,
    Inventory,
    Kind,
    Named,
    Offer,
    Policy,
    Retry,
    RuntimePolicy,
    SchemaHash,
)


class ApprovalRecord(Record):
    """What a capability declares about approval."""

    required: bool
    type: str | None = None
    expires_in_ms: float | None = None


class RetryRecord(Record):
    """What a capability declares about being tried again."""

    max_attempts: float
    backoff_ms: float | None = None
    retry_on: JsonValue = False

    @property
    def limited(self) -> bool:
        """Whether only some errors are tried again."""
        return self.retry_on not in (False, None)


class RedactRecord(Record):
    """Which texts of a capability are redacted."""

    output: JsonValue = False
    approval_input: JsonValue = False

    @property
    def parts(self) -> frozenset[str]:
        """The names of what is redacted."""
        given = {"output": self.output, "approvalInput": self.approval_input}
        return frozenset(name for name, value in given.items() if value not in (False, None))


class Entry(Record):
    """One capability of the snapshot."""

    id: Name
    description: str | None = None
    side_effect: Name
    risk: Name
    expose: Listed[Name]
    tool_names: dict[str, str] = Field(default_factory=dict)
    approval: ApprovalRecord | None = None
    idempotent: bool
    retry: RetryRecord | None = None
    timeout_ms: float | None = None
    tags: Listed[str]
    policies: Listed[str]
    redact: RedactRecord | None = None
    input_schema_hash: str | None


class RuntimePolicyRecord(Record):
    """A policy of the whole runtime."""

    name: Name
    phases: Listed[str]


class RuntimeRecord(Record):
    """What was observed of the runtime."""

    policies: Listed[RuntimePolicyRecord]


class DomainFile(Record):
    """The whole file."""

    version: Literal[1, 2]
    capabilities: Listed[Entry]
    excluded: Listed[JsonValue] = ()
    unexposed: Listed[JsonValue] = ()
    runtime: RuntimeRecord | None = None


def read_domain(document: DomainFile, file: str) -> Inventory:
    """Turn a snapshot into the one model.

    Raises:
        FormatError: an id stands twice.
    """
    refuse_twice(file, [entry.id for entry in document.capabilities])
    refuse_twice(file, [policy.name for policy in (document.runtime.policies if document.runtime else ())])
    return Inventory(
        Kind.DOMAIN,
        offers=tuple(Offer(_capability(entry)) for entry in document.capabilities),
        runtime=_runtime(document.runtime),
        excluded=frozenset(_named(document.excluded)),
        unexposed=frozenset(_named(document.unexposed)),
        unknown=unknown_fields(document, runtime=document.runtime),
    )


def canonical_id(name: str) -> str:
    """Return the id with its plane: a snapshot is of one plane and leaves it out."""
    return name if name.startswith("domain:") else f"domain:{name}"


def _capability(entry: Entry) -> Capability:
    return Capability(
        id=canonical_id(entry.id),
        description=entry.description,
        effect=entry.side_effect,
        risk=entry.risk,
        surfaces=frozenset(entry.expose),
        names=tuple(Named(where, name) for where, name in sorted(entry.tool_names.items())),
        approval=_approval(entry.approval),
        idempotent=entry.idempotent,
        retry=Retry(entry.retry.max_attempts, entry.retry.backoff_ms, entry.retry.limited)
        if entry.retry
        else None,
        timeout_ms=entry.timeout_ms,
        tags=frozenset(entry.tags),
        policies=tuple(Policy(name) for name in entry.policies),
        redacted=entry.redact.parts if entry.redact else frozenset(),
        input=SchemaHash(entry.input_schema_hash or "no input"),
        unknown=unknown_fields(entry, approval=entry.approval, retry=entry.retry, redact=entry.redact),
    )


def _approval(record: ApprovalRecord | None) -> Approval:
    return (
        Approval(record.required, record.type, record.expires_in_ms) if record else Approval(required=False)
    )


def _runtime(record: RuntimeRecord | None) -> tuple[RuntimePolicy, ...] | None:
    if record is None:
        return None
    return tuple(RuntimePolicy(full_name(one, one.name), frozenset(one.phases)) for one in record.policies)


def _named(items: tuple[JsonValue, ...]) -> Iterator[str]:
    """The procedures of a list, by name; an item that is not a plain name is known by all that it says."""
    return (canonical_id(item) if isinstance(item, str) else canonical(item) for item in items)
