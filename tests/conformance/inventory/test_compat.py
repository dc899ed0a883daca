"""The public tools' verdict, row by row of their published tables, where they are blind too."""

from typing import Any

import pytest

from conformance.inventory.compat import compat
from conformance.inventory.errors import InventoryError
from tests.conformance.inventory.samples import (
    Json,
    closed_object,
    contract,
    contract_entry,
    domain,
    domain_entry,
    loaded,
    offered,
)

WIDENING, NARROWING, NEUTRAL = "widening", "narrowing", "neutral"
PHASES = [{"name": "gate", "phases": ["discovery"]}]


def verdicts(old: Json, new: Json) -> list[tuple[str, str, str]]:
    """What the public tool would say: direction, whose, which field."""
    changes = compat(loaded(old).document, loaded(new).document)
    return [(change.direction.value, change.id, change.field) for change in changes]


def fields(old: Json, new: Json) -> list[tuple[str, str]]:
    """The same without the subject."""
    return [(direction, field) for direction, _, field in verdicts(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"expose": ["aiSdk", "mcp"]}, [(WIDENING, "expose"), (NARROWING, "expose")]),
        ({}, {"sideEffect": "destructive"}, [(WIDENING, "sideEffect")]),
        ({}, {"sideEffect": "read"}, [(WIDENING, "sideEffect")]),
        ({}, {"risk": "low"}, [(WIDENING, "risk")]),
        ({}, {"risk": "critical"}, [(NARROWING, "risk")]),
        ({"approval": {"required": True}}, {}, [(WIDENING, "approval")]),
        ({}, {"approval": {"required": True}}, [(NARROWING, "approval")]),
        ({"approval": {"required": True, "type": "a"}}, {"approval": {"required": True, "type": "b"}}, [(NEUTRAL, "approval.type")]),
        ({"approval": {"required": True}}, {"approval": {"required": True, "expiresInMs": 9}}, []),
        ({}, {"idempotent": True}, [(WIDENING, "idempotent")]),
        ({"idempotent": True}, {}, [(NARROWING, "idempotent")]),
        ({}, {"retry": {"maxAttempts": 2}}, [(WIDENING, "retry.maxAttempts")]),
        ({"retry": {"maxAttempts": 2}}, {}, [(NEUTRAL, "retry.maxAttempts")]),
        ({"sideEffect": "read"}, {"sideEffect": "read", "retry": {"maxAttempts": 2}}, [(NEUTRAL, "retry.maxAttempts")]),
        ({"policies": ["a", "b"]}, {"policies": ["b", "c"]}, [(WIDENING, "policies"), (NARROWING, "policies")]),
        ({"policies": ["a", "b"]}, {"policies": ["b", "a"]}, [(NEUTRAL, "policies")]),
        ({"redact": {"output": True}}, {"redact": {"approvalInput": True}}, [(NARROWING, "redact.approvalInput"), (WIDENING, "redact.output")]),
        ({}, {"toolNames": {"aiSdk": "other"}}, [(NEUTRAL, "toolNames")]),
        ({}, {"inputSchemaHash": "sha256:0"}, [(NEUTRAL, "inputSchema")]),
        ({}, {"description": "Other."}, [(NEUTRAL, "description")]),
        ({}, {"timeoutMs": 9}, [(NEUTRAL, "timeoutMs")]),
        ({}, {"tags": []}, [(NEUTRAL, "tags")]),
    ],
)  # fmt: skip
def test_domain_fields(old: Json, new: Json, expected: list[tuple[str, str]]) -> None:
    """The domain snapshot's table."""
    assert expected == fields(domain(domain_entry(**old)), domain(domain_entry(**new)))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (domain(), domain(runtime=None), [(WIDENING, "runtime")]),
        (domain(runtime=None), domain(), [(NEUTRAL, "runtime")]),
        (domain(runtime=None), domain(runtime=None), []),
        (domain(), domain(runtime={"policies": []}), [(WIDENING, "runtime.policies")]),
        (domain(runtime={"policies": []}), domain(), [(NARROWING, "runtime.policies")]),
        (domain(), domain(runtime={"policies": PHASES}), [(WIDENING, "runtime.policies")]),
        (domain(runtime={"policies": PHASES}), domain(), [(NARROWING, "runtime.policies")]),
        (domain(), domain(excluded=["wipe"]), [(NARROWING, "excluded")]),
        (domain(excluded=["wipe"]), domain(), [(NEUTRAL, "excluded")]),
        (domain(), domain(unexposed=["wipe"]), []),
    ],
)
def test_domain_inventories(old: Json, new: Json, expected: list[tuple[str, str]]) -> None:
    """What the domain snapshot's table says of the file as a whole."""
    assert expected == fields(old, new)


def test_domain_changes_keep_the_public_order() -> None:
    """Entries of the new file, what is gone, the runtime, the exclusions; an exclusion that became a capability is not told."""
    old = domain(domain_entry("b"), domain_entry("gone"), excluded=["a"])
    new = domain(
        domain_entry("b", risk="low"),
        domain_entry("a"),
        domain_entry("idle", expose=[]),
        runtime=None,
        excluded=["x"],
    )

    assert [
        (WIDENING, "b", "risk"),
        (WIDENING, "a", "capability"),
        (NEUTRAL, "idle", "capability"),
        (NARROWING, "gone", "capability"),
        (WIDENING, "(runtime)", "runtime"),
        (NARROWING, "x", "excluded"),
    ] == verdicts(old, new)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"targets": ["admin", "web"]}, [(WIDENING, "targets")]),
        ({"targets": ["admin", "web"]}, {}, [(NARROWING, "targets")]),
        ({}, {"targets": ["admin"]}, [(NEUTRAL, "targets")]),
        ({"policies": [{"name": "a", "phase": "discovery"}]}, {"policies": [{"name": "a"}]}, [(WIDENING, "policies")]),
        ({}, {"policies": [{"name": "a"}]}, [(NARROWING, "policies")]),
        ({"confirmation": "required"}, {}, [(WIDENING, "confirmation")]),
        ({}, {"confirmation": "optional"}, [(NARROWING, "confirmation")]),
        ({}, {"effect": "read"}, [(WIDENING, "effect")]),
        ({}, {"effect": "destructive"}, [(NARROWING, "effect")]),
        ({}, {"effect": "teleport"}, [(NEUTRAL, "effect")]),
        ({}, {"inputSchema": closed_object()}, [(NEUTRAL, "inputSchema")]),
        ({}, {"kind": "external", "description": "Other.", "tags": ["a"]}, [(NEUTRAL, "description"), (NEUTRAL, "kind"), (NEUTRAL, "tags")]),
    ],
)  # fmt: skip
def test_contract_fields(old: Json, new: Json, expected: list[tuple[str, str]]) -> None:
    """The surface contract's table, one change a field, in the order of their names."""
    assert expected == fields(contract(contract_entry(**old)), contract(contract_entry(**new)))


def test_a_moved_declaration_is_removed_and_added() -> None:
    """The public tool does not recognise moves; ours does."""
    old = contract(contract_entry(declarationId="a"))
    new = contract(contract_entry(declarationId="b"))

    assert [(NARROWING, "capability"), (WIDENING, "capability")] == fields(old, new)


@pytest.mark.parametrize("document", [domain(domain_entry()), contract(contract_entry())])
def test_without_a_base_everything_is_added(document: Json) -> None:
    """A first review lists everything."""
    changes = compat(None, loaded(document).document)

    assert [(WIDENING, "capability")] == [
        (change.direction.value, change.field) for change in changes if change.id != "(runtime)"
    ]


@pytest.mark.parametrize(("old", "new"), [(offered(), offered()), (domain(), contract())])
def test_what_the_public_tools_do_not_know_is_refused(old: Any, new: Any) -> None:
    """There is no public verdict on our own format."""
    with pytest.raises(
        InventoryError, match="--compat compares two domain snapshots or two surface contracts"
    ):
        compat(loaded(old).document, loaded(new).document)
