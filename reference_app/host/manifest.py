"""The contextual manifest: which operations a page may bind to what the person is looking at.

It is the ceiling: an operation that it does not name cannot be bound. A gated operation may not stand in it, because a bound call
reaches the server as the person's own and would pass the gate. (Architecture, The rule that decides a capability's shape.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from reference_app.domain.capability import Capability, Surface
from reference_app.domain.registry import Registry, is_exposed
from reference_app.domain.shapes import closed_schema
from reference_app.errors import ManifestError
from reference_app.strict_json import JsonError, loads


class ManifestTool(BaseModel):
    """One operation that a page may bind."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    description: str
    input_schema: dict[str, JsonValue] = Field(alias="inputSchema")
    effect: str


class Manifest(BaseModel):
    """The manifest as its file writes it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    tools: dict[str, ManifestTool]


@dataclass(frozen=True)
class ManifestRules:
    """What a manifest is held against.

    Attributes:
        registry: The operations.
        is_gated: Whether a model's call of an operation waits for a person.
    """

    registry: Registry
    is_gated: Callable[[str], bool]


def read_manifest(path: Path | None) -> Manifest:
    """Read a manifest: the given file, or the one among the page's contracts.

    Raises:
        ManifestError: It cannot be read, or has another shape.
    """
    source = path or files("reference_app.surface") / "contracts" / "manifest.json"
    try:
        return Manifest.model_validate(loads(source.read_bytes()))
    except (OSError, JsonError, ValidationError) as problem:
        raise ManifestError(f"The contextual manifest {source} cannot be read: {problem}") from problem


def check_manifest(manifest: Manifest, rules: ManifestRules) -> tuple[str, ...]:
    """Hold a manifest against the operations.

    Returns:
        The bare ids that a page may bind.

    Raises:
        ManifestError: It binds an operation that is unknown, not for pages, offered to models directly, or gated; or it
            describes an input differently than the operation does.
    """
    for capability_id, tool in manifest.tools.items():
        capability = rules.registry.capability(capability_id)
        if capability is None:
            raise ManifestError(f"The contextual manifest binds {capability_id}, which is no capability.")
        check_bindable(capability, rules)
        if without_prose(tool.input_schema) != without_prose(closed_schema(capability.procedure.input)):
            raise ManifestError(
                f"The contextual manifest describes the input of {capability_id} differently than it is."
            )
    return tuple(manifest.tools)


def check_bindable(capability: Capability, rules: ManifestRules) -> None:
    """Refuse an operation that may not be bound.

    Raises:
        ManifestError: With the reason.
    """
    if rules.is_gated(capability.id) or capability.meta.approval is not None:
        raise ManifestError(
            f"The contextual manifest binds {capability.id}, which waits for a person's approval."
        )
    if is_exposed(capability, Surface.MODEL):
        raise ManifestError(
            f"The contextual manifest binds {capability.id}, which models are offered directly."
        )
    if not is_exposed(capability, Surface.DIRECT):
        raise ManifestError(f"The contextual manifest binds {capability.id}, which no page can call.")


def without_prose(schema: Any) -> Any:
    """A schema without its annotations: what is only for reading, and formats, which no validator has to enforce."""
    if isinstance(schema, Mapping):
        return {key: without_prose(value) for key, value in schema.items() if not _is_prose(key, value)}
    if isinstance(schema, list):
        return [without_prose(member) for member in schema]
    return schema


def _is_prose(key: str, value: object) -> bool:
    return key in {"description", "format"} and isinstance(value, str)
