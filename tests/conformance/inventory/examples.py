"""One change for each rule of the table: two small inventories, and the detail that the finding names."""

from dataclasses import dataclass

from tests.conformance.inventory.samples import (
    Json,
    closed_object,
    contract,
    contract_entry,
    domain,
    domain_entry,
    offer,
    offered,
    place,
)


@dataclass(frozen=True)
class Example:
    """Two inventories of one kind whose only difference is what a rule is about."""

    rule: str
    old: Json
    new: Json
    detail: str = ""


def on_domain(rule: str, detail: str = "", *, old: Json | None = None, new: Json | None = None) -> Example:
    """The same capability of a domain snapshot with other fields."""
    return Example(rule, domain(domain_entry(**(old or {}))), domain(domain_entry(**(new or {}))), detail)


def on_contract(rule: str, detail: str = "", *, old: Json | None = None, new: Json | None = None) -> Example:
    """The same capability of a surface contract with other fields."""
    return Example(
        rule, contract(contract_entry(**(old or {}))), contract(contract_entry(**(new or {}))), detail
    )


def on_offer(rule: str, detail: str = "", *, old: Json | None = None, new: Json | None = None) -> Example:
    """The same offered capability with other fields."""
    return Example(rule, offered(offer(**(old or {}))), offered(offer(**(new or {}))), detail)


def on_input(rule: str, detail: str, old: Json, new: Json) -> Example:
    """An action with another input schema."""
    return on_contract(f"input-{rule}", detail, old={"inputSchema": old}, new={"inputSchema": new})


def on_output(rule: str, detail: str, old: Json, new: Json) -> Example:
    """An action with another output schema."""
    return on_contract(f"output-{rule}", detail, old={"outputSchema": old}, new={"outputSchema": new})


TEXT: Json = {"type": "string"}
COUNT: Json = {"type": "integer"}
NULL: Json = {"type": "null"}
OTHER = "app/other.ts#notesTable"
GATED: Json = {"approval": {"required": True}}

ENTRIES = (
    Example("capability-added", domain(), domain(domain_entry())),
    Example("unreachable-added", domain(), domain(domain_entry(expose=[], toolNames={}))),
    on_contract("declaration-moved", new={"declarationId": OTHER}),
    on_contract("origin-changed", new={"origin": "app/moved.ts"}),
    on_contract("kind-changed", new={"kind": "external"}),
    on_domain("unknown-changed", "quota", new={"quota": 5}),
    on_domain("surface-gained", "mcp", new={"expose": ["aiSdk", "direct", "mcp"]}),
    on_contract("target-gained", "admin", new={"targets": ["admin", "web"]}),
    on_domain("tag-gained", "clients", new={"tags": ["clients", "notes"]}),
    Example(
        "place-gained",
        offered(offer("domain:issue-note", place("ada")), places=[place("ada"), place("bob")]),
        offered(offer("domain:issue-note", place("ada"), place("bob")), places=[place("ada"), place("bob")]),
    ),
    Example(
        "place-observed", offered(offer()), offered(offer(), places=[place(), place("bob")]), "bob on main"
    ),
)
EFFECTS = (
    on_contract("effect-raised", old={"effect": "read"}, new={"effect": "navigation"}),
    on_contract("effect-unclear", old={"effect": "teleport"}, new={"effect": "levitate"}),
    on_domain("risk-lowered", new={"risk": "low"}),
    on_domain("risk-unclear", new={"risk": "moderate"}),
    on_domain("idempotent-claimed", new={"idempotent": True}),
    on_domain("retries-more", old={"retry": {"maxAttempts": 1}}, new={"retry": {"maxAttempts": 2}}),
    on_domain(
        "retry-limit-dropped",
        old={"retry": {"maxAttempts": 1, "retryOn": True}},
        new={"retry": {"maxAttempts": 1, "retryOn": False}},
    ),
    on_domain(
        "retry-of-read", old={"sideEffect": "read"}, new={"sideEffect": "read", "retry": {"maxAttempts": 2}}
    ),
    on_domain(
        "retry-timing",
        old={"retry": {"maxAttempts": 1, "backoffMs": 10}},
        new={"retry": {"maxAttempts": 1, "backoffMs": 20}},
    ),
    on_domain("timeout-changed", new={"timeoutMs": 5000}),
)
GATES = (
    on_domain("approval-dropped", old=GATED),
    on_offer("approval-unclear", new={"approval": None}),
    on_domain("approval-type-changed", old=GATED, new={"approval": {"required": True, "type": "two-people"}}),
    on_domain(
        "approval-longer",
        old={"approval": {"required": True, "expiresInMs": 10}},
        new={"approval": {"required": True, "expiresInMs": 20}},
    ),
    on_domain("approval-time-unclear", old=GATED, new={"approval": {"required": True, "expiresInMs": 20}}),
    on_contract("confirmation-lowered", old={"confirmation": "required"}, new={"confirmation": "optional"}),
    on_contract("confirmation-unclear", new={"confirmation": "sometimes"}),
    on_domain("policy-dropped", "owner", old={"policies": ["owner"]}),
    on_domain("policy-reordered", old={"policies": ["a", "b"]}, new={"policies": ["b", "a"]}),
    on_domain("redaction-dropped", "output", old={"redact": {"output": True}}),
    Example("exclusion-dropped", domain(excluded=["wipe"]), domain()),
)
WORDS = (
    on_domain("description-changed", new={"description": "Issue a note now."}),
    on_domain("name-changed", "aiSdk", new={"toolNames": {"aiSdk": "issue"}}),
    on_offer(
        "state-text-changed",
        old={"state": {"available": False, "text": "Select a row."}},
        new={"state": {"available": False, "text": "Select a note."}},
    ),
    on_offer("state-available", old={"state": {"available": False}}),
)
WHOLE = (
    Example("runtime-unobserved", domain(), domain(runtime=None)),
    Example(
        "phase-lost",
        domain(),
        domain(runtime={"policies": [{"name": "gate", "phases": ["invocation"]}]}),
        "gate@discovery",
    ),
    Example("proof-lost", contract(), contract(completeness={"status": "partial"})),
    Example(
        "external-added",
        contract(),
        contract(externalContracts=[{"package": "widgets", "contractDigest": "1"}]),
    ),
    Example(
        "external-changed",
        contract(externalContracts=[{"package": "widgets", "contractDigest": "1"}]),
        contract(externalContracts=[{"package": "widgets", "contractDigest": "2"}]),
    ),
    Example("compiler-changed", contract(), contract(compilerVersion="1.0.1")),
    Example("unexposed-listed", domain(), domain(unexposed=["wipe"])),
)
INPUTS = (
    on_input(
        "type-added",
        "/properties/a",
        closed_object(a=COUNT),
        closed_object(a={"type": ["integer", "string"]}),
    ),
    on_input(
        "values-added",
        "/properties/a",
        closed_object(a={"enum": ["x"]}),
        closed_object(a={"enum": ["x", "y"]}),
    ),
    on_input(
        "range-loosened",
        "/properties/a",
        closed_object(a=COUNT | {"maximum": 5}),
        closed_object(a=COUNT | {"maximum": 9}),
    ),
    on_input(
        "length-loosened",
        "/properties/a",
        closed_object(a=TEXT | {"maxLength": 5}),
        closed_object(a=TEXT | {"maxLength": 9}),
    ),
    on_input(
        "form-loosened", "/properties/a", closed_object(a=TEXT | {"pattern": "^x"}), closed_object(a=TEXT)
    ),
    on_input(
        "items-loosened",
        "/properties/a",
        closed_object(a={"type": "array", "uniqueItems": True}),
        closed_object(a={"type": "array"}),
    ),
    on_input("field-optional", "/properties/a", closed_object(a=TEXT, required=["a"]), closed_object(a=TEXT)),
    on_input("field-added", "/properties/b", closed_object(a=TEXT), closed_object(a=TEXT, b=COUNT)),
    on_input("opened", "", closed_object(a=TEXT), closed_object(a=TEXT) | {"additionalProperties": True}),
    on_input(
        "alternatives-added",
        "/properties/a/anyOf/0",
        closed_object(a={"anyOf": [TEXT | {"maxLength": 1}, TEXT | {"pattern": "^x"}, NULL]}),
        closed_object(a={"anyOf": [TEXT, NULL]}),
    ),
    on_input("unreadable", "/properties/a", closed_object(a={"not": NULL}), closed_object(a=TEXT)),
    on_input(
        "text-changed",
        "",
        closed_object(a=TEXT | {"description": "A."}),
        closed_object(a=TEXT | {"description": "B."}),
    ),
    on_input(
        "default-changed",
        "",
        closed_object(a=TEXT | {"default": "x"}),
        closed_object(a=TEXT | {"default": "y"}),
    ),
    on_input(
        "rewritten",
        "",
        closed_object(a={"anyOf": [TEXT, NULL]}),
        closed_object(a={"type": ["string", "null"]}),
    ),
    on_domain("input-hash-changed", new={"inputSchemaHash": "sha256:" + "2" * 64}),
)
OUTPUTS = (
    on_output(
        "type-added",
        "/properties/a",
        closed_object(a=COUNT),
        closed_object(a={"type": ["integer", "string"]}),
    ),
    on_output(
        "values-added",
        "/properties/a",
        closed_object(a={"enum": ["x"]}),
        closed_object(a={"enum": ["x", "y"]}),
    ),
    on_output(
        "range-loosened", "/properties/a", closed_object(a=COUNT | {"minimum": 5}), closed_object(a=COUNT)
    ),
    on_output(
        "length-loosened", "/properties/a", closed_object(a=TEXT | {"minLength": 5}), closed_object(a=TEXT)
    ),
    on_output(
        "form-loosened", "/properties/a", closed_object(a=TEXT | {"format": "date"}), closed_object(a=TEXT)
    ),
    on_output(
        "items-loosened",
        "/properties/a",
        closed_object(a={"type": "array", "uniqueItems": True}),
        closed_object(a={"type": "array"}),
    ),
    on_output(
        "field-optional", "/properties/a", closed_object(a=TEXT, required=["a"]), closed_object(a=TEXT)
    ),
    on_output("field-added", "/properties/b", closed_object(a=TEXT), closed_object(a=TEXT, b=COUNT)),
    on_output("opened", "", closed_object(a=TEXT), closed_object(a=TEXT) | {"additionalProperties": True}),
    on_output(
        "alternatives-added",
        "/properties/a/anyOf/0",
        closed_object(a={"anyOf": [TEXT | {"maxLength": 1}, TEXT | {"pattern": "^x"}, NULL]}),
        closed_object(a={"anyOf": [TEXT, NULL]}),
    ),
    on_output("unreadable", "/properties/a", closed_object(a={"not": NULL}), closed_object(a=TEXT)),
    on_output(
        "text-changed", "", closed_object(a=TEXT | {"title": "A"}), closed_object(a=TEXT | {"title": "B"})
    ),
    on_output("default-changed", "", closed_object(a=TEXT | {"default": "x"}), closed_object(a=TEXT)),
    on_output("rewritten", "", closed_object(a={"enum": ["x", "y"]}), closed_object(a={"enum": ["y", "x"]})),
)
PATHS = (
    Example(
        "two-paths",
        offered(
            offer(), offer("domain:chase", place("bob"), executor="browser"), places=[place(), place("bob")]
        ),
        offered(
            offer(),
            offer("domain:chase", place("bob"), executor="browser"),
            offer("domain:chase", executor="server"),
            places=[place(), place("bob")],
        ),
    ),
    on_domain(
        "gated-bindable",
        old=GATED,
        new=GATED | {"expose": ["direct"], "toolNames": {}},
    ),
)
EXAMPLES = (*ENTRIES, *EFFECTS, *GATES, *WORDS, *WHOLE, *INPUTS, *OUTPUTS, *PATHS)
