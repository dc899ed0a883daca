"""Small inventories of all three formats, in the shapes that real ones have."""

import hashlib
import json
from typing import Any

from conformance.inventory.diff import diff
from conformance.inventory.finding import Diff, Finding
from conformance.inventory.model import Inventory
from conformance.inventory.reading import Loaded, read_inventory

Json = dict[str, Any]


def domain_entry(name: str = "issue-note", **fields: Any) -> Json:
    """A capability of a domain snapshot; a field given as None is left out."""
    entry: Json = {
        "id": name,
        "description": "Issue a note.",
        "sideEffect": "write",
        "risk": "medium",
        "expose": ["aiSdk", "direct"],
        "toolNames": {"aiSdk": name},
        "idempotent": False,
        "tags": ["notes"],
        "policies": [],
        "inputSchemaHash": "sha256:" + "1" * 64,
    }
    return {key: value for key, value in (entry | fields).items() if value is not None}


def domain(*entries: Json, version: int = 2, **fields: Any) -> Json:
    """A domain snapshot; a field given as None is left out."""
    document: Json = {
        "version": version,
        "capabilities": list(entries),
        "excluded": [],
        "unexposed": [],
        "runtime": {"policies": [{"name": "gate", "phases": ["discovery", "invocation"]}]},
    }
    return {key: value for key, value in (document | fields).items() if value is not None}


def contract_entry(name: str = "view:notes.table.setFilter", **fields: Any) -> Json:
    """A capability of a surface contract, without its hash; a field given as None is left out."""
    entry: Json = {
        "capabilityId": name,
        "declarationId": "app/contracts.ts#notesTable",
        "description": "Filter the table.",
        "effect": "local-state",
        "inputSchema": closed_object(text={"type": "string"}),
        "kind": "action",
        "origin": "app/contracts.ts",
        "targets": ["web"],
    }
    return {key: value for key, value in (entry | fields).items() if value is not None}


def contract(*entries: Json, **fields: Any) -> Json:
    """A surface contract with fitting hashes."""
    document: Json = {
        "capabilities": [
            entry | {"contractHash": contract_hash(entry, "contractHash", "targets")} for entry in entries
        ],
        "compilerVersion": "1.0.0",
        "completeness": {"status": "proven"},
        "externalContracts": [],
        "formatVersion": 5,
        "targets": ["web"],
        **fields,
    }
    return document | {"hash": contract_hash(document, "hash")}


def contract_hash(value: Json, *left_out: str) -> str:
    """The hash as the format defines it, for values whose numbers every language prints alike."""
    kept = {key: item for key, item in value.items() if key not in left_out}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    return hashlib.sha256(text.encode()).hexdigest()


def place(identity: str = "ada", route: str = "main", mode: str = "direct") -> Json:
    """A place where somebody is offered something."""
    return {"identity": identity, "route": route, "mode": mode}


def named(record: Json) -> str:
    """What an entry calls a place."""
    mode = "" if record["mode"] == "direct" else f" ({record['mode']} mode)"
    return f"{record['identity']} on {record['route']}{mode}"


def offer(name: str = "domain:issue-note", *places: Json, **fields: Any) -> Json:
    """An entry of offered capabilities; a field given as None is left out."""
    entry: Json = {
        "id": name,
        "wireName": name.replace(":", "_").replace(".", "__"),
        "executor": "server",
        "description": "Issue a note.",
        "effect": "write",
        "approval": False,
        "inputSchema": closed_object(id={"type": "integer"}),
        "state": {"available": True},
        "offered": [named(one) for one in places or (place(),)],
    }
    return {key: value for key, value in (entry | fields).items() if value is not None}


def offered(*entries: Json, places: list[Json] | None = None, **fields: Any) -> Json:
    """A file of offered capabilities."""
    return {
        "format": "dualplane-offered",
        "version": 1,
        "target": "Tiny",
        "places": [place()] if places is None else places,
        "capabilities": list(entries),
        **fields,
    }


def closed_object(*, required: list[str] | None = None, **properties: Any) -> Json:
    """A JSON Schema for an object that may hold nothing but these properties."""
    schema: Json = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def text_of(document: Any) -> str:
    """A document as a file holds it."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def loaded(document: Any, file: str = "inventory.json") -> Loaded:
    """Read a document as if it came from a file."""
    return read_inventory(text_of(document).encode(), file)


def inventory(document: Any) -> Inventory:
    """Read a document into the one model."""
    return loaded(document).inventory


def differ(old: Json, new: Json) -> Diff:
    """Compare two documents of one format."""
    return diff([(inventory(old), inventory(new))])


def found(old: Json, new: Json) -> list[tuple[str, str]]:
    """The rules, with their details, that a change gives."""
    return [(finding.change.rule, finding.change.detail) for finding in differ(old, new).findings]


def only(old: Json, new: Json) -> Finding:
    """The one finding of a change."""
    findings = differ(old, new).findings
    assert len(findings) == 1, [(finding.change.rule, finding.change.detail) for finding in findings]
    return findings[0]
