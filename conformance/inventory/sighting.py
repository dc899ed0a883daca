"""What one look at the model showed, turned into capabilities. Pure: the looking is done elsewhere."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.inventory.canonical import canonical
from conformance.inventory.model import Approval, Capability, Named, Place, Schema, State
from conformance.inventory.wire_ids import canonical_id
from conformance.wire.frames import DomainTool
from fake_model import ModelRequest, StateLine, Tool

_PREFIX = re.compile(r"\[(view|domain) · ([a-z-]+)( · requires confirmation)?\] ")
_APPROVAL = "Requires approval."


@dataclass(frozen=True)
class Sighting:
    """One place, and what was seen there.

    Attributes:
        place: who, where, in which mode.
        request: what the model was asked.
        announced: the server's own tools, as `step-start` names them for the same person and route.
        discovered: what a discovery disclosed, in meta mode.
        hidden: what may not be written down: the token of this very run, and the address that the target happened to have.
    """

    place: Place
    request: ModelRequest
    announced: tuple[DomainTool, ...] = ()
    discovered: tuple[Capability, ...] = ()
    hidden: tuple[str, ...] = field(default=(), repr=False)

    @property
    def ids(self) -> Iterator[str]:
        """Ids that are known here without reading a wire name."""
        yield from (tool.canonical_id for tool in self.announced)
        yield from (capability.id for capability in self.discovered)
        yield from (line.canonical_id for line in self.request.state_lines)


def capabilities_of(sighting: Sighting, known: Mapping[str, str]) -> Iterator[Capability]:
    """Yield what was offered: every tool of the request, and in meta mode what the discovery disclosed.

    Args:
        sighting: what was seen.
        known: ids by wire name, see `wire_ids.known_names`.
    """
    announced = {tool.wire_name: tool for tool in sighting.announced}
    lines = sighting.request.state_lines
    for tool in sighting.request.tools:
        server = announced.get(tool.name)
        yield _of_server(tool, server) if server else _of_browser(tool, canonical_id(tool.name, known), lines)
    yield from sighting.discovered


def _of_server(tool: Tool, announced: DomainTool) -> Capability:
    return Capability(
        id=announced.canonical_id,
        kind="server",
        names=_named(tool.name),
        description=tool.description,
        effect=announced.side_effect,
        approval=Approval(announced.requires_approval or tool.description.endswith(_APPROVAL)),
        input=Schema(canonical(tool.parameters)),
        state=State(),
    )


def _of_browser(tool: Tool, name: str, lines: Sequence[StateLine]) -> Capability:
    """A capability of the tab: its effect and confirmation stand in brackets before its description."""
    match = _PREFIX.match(tool.description)
    return Capability(
        id=name,
        kind="browser",
        names=_named(tool.name),
        description=tool.description,
        effect=match[2] if match else None,
        approval=Approval(required=True) if tool.description.endswith(_APPROVAL) else Approval(None),
        confirmation="required" if match and match[3] else None,
        input=Schema(canonical(tool.parameters)),
        state=_state(name, lines),
    )


def _state(name: str, lines: Sequence[StateLine]) -> State:
    """What the state block says of a capability; it speaks of all its instances alike."""
    found = [line for line in lines if line.canonical_id == name.partition("@")[0]]
    return State(
        available=all(line.available for line in found),
        text=" / ".join(dict.fromkeys(line.note for line in found if line.note)),
    )


def _named(name: str) -> tuple[Named, ...]:
    return (Named("model", name),)
