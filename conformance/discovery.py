"""What the model is told when it discovers the screen in meta mode."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

DISCOVER = "surface_discover"
READ = "surface_read"
ACT = "surface_act"
META_TOOLS = (DISCOVER, READ, ACT)


@dataclass(frozen=True)
class Disclosed:
    """One capability that discovery lists."""

    id: str
    available: bool
    reason: str = ""
    instance: str = ""


def disclosed(answer: Any) -> tuple[Disclosed, ...]:
    """Every capability in an answer of `surface_discover`, in its order; what is not readable is left out."""
    if not isinstance(answer, Mapping):
        return ()
    return (
        *_of_components(answer),
        *(_read(item, "procedureId") for item in _objects(answer.get("procedures"))),
    )


def _of_components(answer: Mapping[str, Any]) -> Iterator[Disclosed]:
    for component in _objects(answer.get("components")):
        instance = str(component.get("instanceId", ""))
        for kind in ("observations", "actions"):
            for item in _objects(component.get(kind)):
                yield _read(item, "capabilityId", instance)


def _objects(value: Any) -> tuple[Mapping[str, Any], ...]:
    return tuple(item for item in value if isinstance(item, Mapping)) if isinstance(value, list) else ()


def _read(item: Mapping[str, Any], key: str, instance: str = "") -> Disclosed:
    available = item.get("available") is not False
    return Disclosed(str(item.get(key, "")), available, str(item.get("unavailableReason") or ""), instance)
