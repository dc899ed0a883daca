"""The manifest is a ceiling: nothing gated, nothing that models are offered, nothing unknown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reference_app.assembly import build_registry
from reference_app.capabilities.policies import is_gated
from reference_app.domain.shapes import closed_schema
from reference_app.errors import ManifestError
from reference_app.host.manifest import ManifestRules, check_manifest, read_manifest

RULES = ManifestRules(build_registry(demo_controls=True), is_gated)


def write(folder: Path, capability_id: str, **changes: Any) -> Path:
    """A manifest that binds one operation."""
    procedure = RULES.registry.procedure(capability_id)
    schema = {} if procedure is None else closed_schema(procedure.input)
    tool = {"description": "x", "inputSchema": schema, "effect": "server-mutation", **changes}
    path = folder / "manifest.json"
    path.write_text(json.dumps({"tools": {capability_id: tool}}))
    return path


def test_the_shipped_manifest_binds_the_one_contextual_operation() -> None:
    """What the page may bind is what the page's own contracts say."""
    assert ("update-collection-status",) == check_manifest(read_manifest(None), RULES)


@pytest.mark.parametrize(
    ("capability_id", "reason"),
    [
        ("issue-invoice", "waits for a person's approval"),
        ("lab-always-gated", "waits for a person's approval"),
        ("create-invoice", "offered directly"),
        ("lab-unexposed", "no page can call"),
        ("reminder-footer", "is no capability"),
        ("invented", "is no capability"),
    ],
)
def test_what_must_not_be_bound_stops_the_start(tmp_path: Path, capability_id: str, reason: str) -> None:
    """A gated operation that could be bound would trade its approval for a dialog in the browser."""
    with pytest.raises(ManifestError, match=reason):
        check_manifest(read_manifest(write(tmp_path, capability_id)), RULES)


def test_a_manifest_that_describes_another_input_stops_the_start(tmp_path: Path) -> None:
    """Page and server must mean the same fields."""
    path = write(tmp_path, "update-collection-status", inputSchema={"type": "object", "properties": {}})
    with pytest.raises(ManifestError, match="differently"):
        check_manifest(read_manifest(path), RULES)


@pytest.mark.parametrize("text", ["", "{}", '{"tools":{"a":{}}}', '{"tools":[]}'])
def test_a_manifest_of_another_shape_names_its_file(tmp_path: Path, text: str) -> None:
    """Whoever edits the file finds it."""
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(ManifestError, match=r"manifest\.json"):
        read_manifest(path)
