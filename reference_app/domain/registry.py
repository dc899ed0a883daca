"""The registry: which operations there are, and which of them agents may see on which surface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reference_app.domain.capability import AnyProcedure, Capability, Surface
from reference_app.errors import ReferenceAppError


class RegistryError(ReferenceAppError):
    """The declared operations contradict each other; the message lists every contradiction."""


@dataclass(frozen=True)
class Excluded:
    """A procedure that no agent sees.

    Attributes:
        path: Its id.
        reason: Why.
    """

    path: str
    reason: str


class Registry:
    """All procedures in their declared order.

    Args:
        procedures: The procedures.

    Raises:
        RegistryError: Two share an id, an id has an empty segment, or two tool names on one surface are the same.
    """

    def __init__(self, procedures: Iterable[AnyProcedure]) -> None:
        self._procedures = tuple(procedures)
        problems = [*_id_problems(self._procedures), *_name_problems(self)]
        if problems:
            listed = "".join(f"\n- {problem}" for problem in problems)
            raise RegistryError(
                f"Capability registry validation failed ({len(problems)} problem(s)):{listed}"
            )
        self._by_id = {procedure.id: procedure for procedure in self._procedures}

    def __iter__(self) -> Iterator[Capability]:
        """Every procedure that has agent metadata, in declared order."""
        for procedure in self._procedures:
            if procedure.agent is not None:
                yield Capability(procedure, procedure.agent)

    @property
    def procedures(self) -> tuple[AnyProcedure, ...]:
        """Every procedure, with and without metadata."""
        return self._procedures

    def procedure(self, procedure_id: str) -> AnyProcedure | None:
        """A procedure by id, or None."""
        return self._by_id.get(procedure_id)

    def capability(self, capability_id: str) -> Capability | None:
        """A procedure that has agent metadata by id, or None."""
        procedure = self._by_id.get(capability_id)
        if procedure is None or procedure.agent is None:
            return None
        return Capability(procedure, procedure.agent)

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """The procedures without agent metadata."""
        return tuple(Excluded(p.id, "no-agent-meta") for p in self._procedures if p.agent is None)

    @property
    def unexposed(self) -> tuple[str, ...]:
        """The capabilities that exist on no surface."""
        return tuple(capability.id for capability in self if not capability.meta.expose)


def is_exposed(capability: Capability, surface: Surface) -> bool:
    """Whether a capability exists on a surface: only when its metadata says so."""
    return surface in capability.meta.expose


def tool_name(capability: Capability) -> str:
    """The default name of a capability as a tool: its id with underscores for dots."""
    return capability.id.replace(".", "_")


def _id_problems(procedures: tuple[AnyProcedure, ...]) -> Iterator[str]:
    seen: set[str] = set()
    for procedure in procedures:
        if procedure.id in seen:
            yield f"{procedure.id}: declared twice."
        seen.add(procedure.id)
        if not all(procedure.id.split(".")):
            yield f"{procedure.id!r}: an id is dot-joined segments, none of them empty."


def _name_problems(registry: Registry) -> Iterator[str]:
    for surface in (Surface.MODEL, Surface.MCP):
        names: dict[str, str] = {}
        for capability in registry:
            if not is_exposed(capability, surface):
                continue
            other = names.setdefault(tool_name(capability), capability.id)
            if other != capability.id:
                yield f"{capability.id}: has the same tool name as {other} on {surface}."
