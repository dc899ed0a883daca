"""Inventories as one model, whatever format they came in: what may be called, by whom, under which gates.

A value that a format does not record is None; a set that it does not record is empty.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What an inventory is of. Only inventories of one kind can be compared with each other."""

    DOMAIN = "domain snapshot"
    SURFACE = "surface contract"
    OFFERED = "offered capabilities"


@dataclass(frozen=True, slots=True)
class Schema:
    """A JSON Schema that can be read, as canonical JSON text."""

    text: str


@dataclass(frozen=True, slots=True)
class SchemaHash:
    """A schema of which only a hash, or that there is none, is on record."""

    text: str


@dataclass(frozen=True, slots=True)
class Approval:
    """Whether a call that a model makes waits for a person; `required` is None where that is not on record."""

    required: bool | None
    type: str | None = None
    expires_in_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a failed execution is tried again, and whether only on some errors."""

    max_attempts: float = 0
    backoff_ms: float | None = None
    limited: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy by name, and the phase in which it is asked where the format says so."""

    name: str
    phase: str = ""

    def __str__(self) -> str:
        """The name, with its phase."""
        return f"{self.name}@{self.phase}" if self.phase else self.name


@dataclass(frozen=True, slots=True)
class State:
    """Whether a capability could be used at the moment of the observation, and what the model was told about that."""

    available: bool = True
    text: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something is offered: to whom, on which route, in which catalog mode."""

    identity: str
    route: str
    mode: str

    def __str__(self) -> str:
        """`identity on route`, with the mode where it is not the usual one."""
        mode = "" if self.mode == "direct" else f" ({self.mode} mode)"
        return f"{self.identity} on {self.route}{mode}"


@dataclass(frozen=True, slots=True)
class Named:
    """A name that a model or an adapter sees, and where."""

    where: str
    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A field that this suite does not know, and its value as canonical JSON."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Capability:
    """One entry of an inventory.

    Attributes:
        id: canonical id, with its plane.
        declaration: where it is declared, for formats that can hold one id more than once.
        kind: observation, action, procedure or external (surface contract); `server` or `browser` (offered).
        unknown: fields that the format does not define, sorted by name.
    """

    id: str
    declaration: str = ""
    kind: str = ""
    description: str | None = None
    effect: str | None = None
    risk: str | None = None
    confirmation: str | None = None
    idempotent: bool | None = None
    timeout_ms: float | None = None
    origin: str | None = None
    approval: Approval | None = None
    retry: Retry | None = None
    state: State | None = None
    input: Schema | SchemaHash | None = None
    output: Schema | None = None
    surfaces: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    redacted: frozenset[str] = frozenset()
    policies: tuple[Policy, ...] = ()
    names: tuple[Named, ...] = ()
    unknown: tuple[Unknown, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """A capability as it is offered in some places; for formats without places there is exactly one offer, with none."""

    capability: Capability
    places: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True)
class RuntimePolicy:
    """A policy of the whole runtime, and the phases in which it is asked."""

    name: str
    phases: frozenset[str]


@dataclass(frozen=True, slots=True)
class External:
    """A contract that somebody else's package contributes, with everything that pins it."""

    package: str
    text: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """All that one file says.

    Attributes:
        kind: see `Kind`.
        offers: its entries.
        runtime: policies of the whole runtime; None where none were observed, which is not the same as no policies.
        proven: whether a surface contract says that it is complete; None for other kinds.
        places: where was looked, empty places too (offered capabilities only).
    """

    kind: Kind
    offers: tuple[Offer, ...] = ()
    runtime: tuple[RuntimePolicy, ...] | None = None
    excluded: frozenset[str] = frozenset()
    unexposed: frozenset[str] = frozenset()
    externals: tuple[External, ...] = ()
    targets: frozenset[str] = frozenset()
    compiler: str | None = None
    proven: bool | None = None
    places: frozenset[Place] = frozenset()
    unknown: tuple[Unknown, ...] = ()

    @property
    def capabilities(self) -> Iterator[Capability]:
        """Every entry."""
        return (offer.capability for offer in self.offers)


def empty(kind: Kind) -> Inventory:
    """An inventory with nothing in it, to compare a first one with."""
    return Inventory(kind, proven=True if kind is Kind.SURFACE else None)
