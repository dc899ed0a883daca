"""The committed snapshot of what the server offers to agents, in the format of the public domain tools (version 2).

Two snapshots of the same code are the same bytes: no dates, no paths, no versions of tools.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from reference_app.domain.capability import Capability, Surface
from reference_app.domain.policy import Policy
from reference_app.domain.registry import Registry, is_exposed, tool_name
from reference_app.domain.shapes import schema_hash

VERSION = 2
"""The version of the snapshot format."""


def snapshot(registry: Registry, policies: Iterable[Policy]) -> dict[str, Any]:
    """The snapshot as a JSON document.

    Args:
        registry: The operations.
        policies: The standing policies, in evaluation order.

    Returns:
        ``version``, ``capabilities`` by id, ``excluded``, ``unexposed`` and ``runtime``.
    """
    return {
        "version": VERSION,
        "capabilities": [_entry(c) for c in sorted(registry, key=lambda capability: capability.id)],
        "excluded": sorted(
            ({"path": item.path, "reason": item.reason} for item in registry.excluded),
            key=lambda item: item["path"],
        ),
        "unexposed": sorted(registry.unexposed),
        "runtime": {"policies": [{"name": p.name, "phases": sorted(map(str, p.phases))} for p in policies]},
    }


def snapshot_text(registry: Registry, policies: Iterable[Policy]) -> str:
    """The snapshot as the bytes of its file, in UTF-8."""
    return json.dumps(snapshot(registry, policies), indent=2, ensure_ascii=False) + "\n"


def _entry(capability: Capability) -> dict[str, Any]:
    meta = capability.meta
    entry: dict[str, Any] = {
        "id": capability.id,
        "description": meta.description,
        "sideEffect": str(meta.side_effect),
        "risk": str(meta.risk),
        "expose": sorted(map(str, meta.expose)),
    }
    names = {str(s): tool_name(capability) for s in (Surface.MODEL, Surface.MCP) if is_exposed(capability, s)}
    if names:
        entry["toolNames"] = names
    if meta.approval is not None:
        entry["approval"] = _approval(capability)
    entry["idempotent"] = meta.idempotent
    if meta.timeout is not None:
        entry["timeoutMs"] = round(meta.timeout * 1000)
    entry["tags"] = sorted(meta.tags)
    entry["policies"] = [policy.name for policy in meta.policies]
    if meta.redact is not None:
        entry["redact"] = {"output": True, "approvalInput": False}
    entry["inputSchemaHash"] = schema_hash(capability.procedure.input_schema)
    return entry


def _approval(capability: Capability) -> dict[str, Any]:
    static = capability.meta.approval
    described: dict[str, Any] = {"required": True}
    if static is not None and static.type is not None:
        described["type"] = static.type
    if static is not None and static.expires_in is not None:
        described["expiresInMs"] = round(static.expires_in * 1000)
    return described
