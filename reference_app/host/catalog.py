"""The catalog of one step: what the server offers this person on this page, and what the tab adds to it.

One operation has one path that a model can see. (The dual-plane model, The invariants, 2.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from reference_app.domain.discovery import Descriptor
from reference_app.host.host_tools import HostTool
from reference_app.host.protocol import MAX_DOMAIN_TOOLS, MAX_FRONTEND_TOOLS, MAX_TOTAL_TOOLS, HostError
from reference_app.host.request import Declaration
from reference_app.runtime.conversation import ToolDefinition
from reference_app.strict_json import JsonObject
from reference_app.surface.identifiers import DomainId, ViewId, parse_id
from reference_app.surface.wire_names import NameKey, assign, encode

DOMAIN = "domain:"
META = "meta:"
INSTANCE = "_at_"
SHORTENED = "_0_"
SHORTENED_STEM = 40
"""A name is shortened when it is longer than 64, to a stem of at least so much and a hash."""
APPROVAL_SUFFIX = " Requires approval."
_PROVIDER_SAFE = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")


@dataclass(frozen=True)
class ServerTool:
    """An operation of the domain plane as it is offered to the model."""

    wire_name: str
    canonical_id: str
    capability_id: str
    description: str
    parameters: JsonObject
    requires_approval: bool
    side_effect: str


@dataclass(frozen=True)
class BrowserTool:
    """A tool that the tab executes."""

    wire_name: str
    canonical_id: str
    description: str
    parameters: JsonObject


Tool: TypeAlias = ServerTool | BrowserTool | HostTool
"""Something that the model may call."""


@dataclass(frozen=True)
class Admission:
    """What became of the tab's declarations; names are canonical ids in declared order, except where said.

    Attributes:
        accepted: What is offered.
        collisions: Dropped, because the server offers the same operation.
        refused: Dropped, because nothing of that name may be declared here.
        undecodable: Wire names that no provider would accept.
    """

    accepted: tuple[BrowserTool, ...] = ()
    collisions: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    undecodable: tuple[str, ...] = ()


@dataclass(frozen=True)
class Catalog:
    """Everything that the model may call in one step.

    Attributes:
        server: The domain half, in registry order.
        admission: The tab's half, and what was dropped of it.
        host: The host's own tools.
        scope: What the server's half was narrowed to; empty for everything.
        mode: How the tab declares its tools.
    """

    server: tuple[ServerTool, ...]
    admission: Admission
    host: tuple[HostTool, ...]
    scope: tuple[str, ...]
    mode: str
    _by_name: dict[str, Tool] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        for tool in self._tools:
            self._by_name.setdefault(tool.wire_name, tool)

    def find(self, wire_name: str) -> Tool | None:
        """The tool of a name, or None; there is one at most."""
        return self._by_name.get(wire_name)

    def host_tool(self, wire_name: str) -> HostTool | None:
        """The host's own tool of a name, or None."""
        return next((tool for tool in self.host if tool.wire_name == wire_name), None)

    @property
    def own_names(self) -> tuple[str, ...]:
        """The wire names of everything that is not the tab's."""
        return (*(tool.wire_name for tool in self.server), *(tool.wire_name for tool in self.host))

    @property
    def canonical_ids(self) -> dict[str, str]:
        """The canonical id of each wire name."""
        return {name: tool.canonical_id for name, tool in self._by_name.items()}

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tool block: server tools first, then the host's, then the tab's, each in its own order."""
        return tuple(
            ToolDefinition(tool.wire_name, tool.description, tool.parameters) for tool in self._tools
        )

    @property
    def _tools(self) -> tuple[Tool, ...]:
        return (*self.server, *self.host, *self.admission.accepted)


def server_tools(offered: Iterable[Descriptor]) -> tuple[ServerTool, ...]:
    """Name what the domain plane offers for the wire."""
    descriptors = tuple(offered)
    names = assign(NameKey(DOMAIN + descriptor.id) for descriptor in descriptors)
    return tuple(
        _server_tool(descriptor, names[NameKey(DOMAIN + descriptor.id)]) for descriptor in descriptors
    )


def admit(
    declarations: Iterable[Declaration],
    taken: Iterable[Tool],
    contextual: Set[str],
    mode: str,
) -> Admission:
    """Decide about each declaration of the tab.

    Args:
        declarations: What the tab declares.
        taken: What the server offers already.
        contextual: The canonical ids that this person's page may bind.
        mode: ``direct`` or ``meta``.
    """
    offered = tuple(taken)
    ids = {tool.canonical_id for tool in offered}
    names = {tool.wire_name for tool in offered}
    accepted: list[BrowserTool] = []
    dropped: dict[str, list[str]] = {"collisions": [], "refused": [], "undecodable": []}
    for declaration in declarations:
        fault = _fault(declaration, ids, names, contextual, mode)
        if fault is None and is_repeated(declaration, accepted):
            fault = "refused"
        if fault is None:
            names.add(declaration.wire_name)
            accepted.append(_browser_tool(declaration))
            continue
        dropped[fault].append(declaration.wire_name if fault == "undecodable" else declaration.canonical_id)
    return Admission(tuple(accepted), **{kind: tuple(entries) for kind, entries in dropped.items()})


def collides(declaration: Declaration, ids: Set[str]) -> bool:
    """Whether the tab declares an operation that the server offers itself."""
    return declaration.canonical_id in ids


def takes_name(declaration: Declaration, names: Set[str]) -> bool:
    """Whether the tab declares a tool under a name that another tool has."""
    return declaration.wire_name in names


def is_repeated(declaration: Declaration, accepted: Iterable[BrowserTool]) -> bool:
    """Whether the tab has declared the same capability before, under another name; two components of a kind are two."""
    same = [tool.wire_name for tool in accepted if tool.canonical_id == declaration.canonical_id]
    return not all(names_an_instance(declaration.canonical_id, name) for name in same) or (
        bool(same) and not names_an_instance(declaration.canonical_id, declaration.wire_name)
    )


def names_an_instance(canonical_id: str, wire_name: str) -> bool:
    """Whether a name is the standard one of one component among several of its kind: with its instance id, or shortened."""
    if not isinstance(parse_id(canonical_id), ViewId):
        return False
    _, mark, instance = wire_name.rpartition(INSTANCE)
    if mark and instance and encode(NameKey(canonical_id, instance)) == wire_name:
        return True
    stem, mark, _ = wire_name.rpartition(SHORTENED)
    raw = canonical_id.replace(":", "_", 1).replace(".", "__") + INSTANCE
    return bool(mark) and len(stem) >= SHORTENED_STEM and (stem.startswith(raw) or raw.startswith(stem))


def may_declare(declaration: Declaration, contextual: Set[str], mode: str) -> bool:
    """Whether a tab may declare such a tool at all: its own views, and what this person's page may bind."""
    if mode == "meta" and declaration.canonical_id.startswith(META):
        return declaration.plane == "view"
    match parse_id(declaration.canonical_id):
        case ViewId():
            return declaration.plane == "view"
        case DomainId():
            return declaration.plane == "domain" and declaration.canonical_id in contextual
        case _:
            return False


def check_limits(catalog: Catalog) -> None:
    """Refuse a catalog that is too large: frontend, then domain, then all.

    Raises:
        HostError: 413 CATALOG_TOO_LARGE, naming plane, count and limit.
    """
    frontend, domain = len(catalog.admission.accepted), len(catalog.server) + len(catalog.host)
    for plane, count, limit in (
        ("frontend", frontend, MAX_FRONTEND_TOOLS[2]),
        ("domain", domain, MAX_DOMAIN_TOOLS),
        ("total", frontend + domain, MAX_TOTAL_TOOLS),
    ):
        if count > limit:
            raise HostError(
                413, "CATALOG_TOO_LARGE", f"The {plane} catalog has {count} tools; the limit is {limit}."
            )


def _fault(
    declaration: Declaration, ids: Set[str], names: Set[str], contextual: Set[str], mode: str
) -> str | None:
    if collides(declaration, ids):
        return "collisions"
    if not may_declare(declaration, contextual, mode):
        return "refused"
    if not _PROVIDER_SAFE.match(declaration.wire_name):
        return "undecodable"
    return "refused" if takes_name(declaration, names) else None


def _server_tool(descriptor: Descriptor, wire_name: str) -> ServerTool:
    suffix = APPROVAL_SUFFIX if descriptor.requires_approval else ""
    return ServerTool(
        wire_name=wire_name,
        canonical_id=DOMAIN + descriptor.id,
        capability_id=descriptor.id,
        description=descriptor.description + suffix,
        parameters=descriptor.input_schema,
        requires_approval=descriptor.requires_approval,
        side_effect=descriptor.side_effect,
    )


def _browser_tool(declaration: Declaration) -> BrowserTool:
    return BrowserTool(
        declaration.wire_name, declaration.canonical_id, declaration.description, declaration.input_schema
    )
