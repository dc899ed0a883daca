"""The published description says what its reader may know, and what it says is true."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fake_model import call, say, script
from tests.reference_app.api.conftest import World
from tests.reference_app.running import Person


def described(person: Person) -> dict[str, Any]:
    """The description for a person."""
    document: dict[str, Any] = person.http.get("/openapi.json").json()
    return document


def procedures(document: dict[str, Any]) -> set[str]:
    """The procedures that a description names."""
    return {path.removeprefix("/rpc/") for path in document["paths"] if path.startswith("/rpc/")}


def test_each_reader_is_told_of_what_they_may_use(world: World, carla: Person, ada: Person) -> None:
    """A stranger learns of no procedure, an analyst of no write, and nobody of the lab or the controls."""
    reads = {"list-invoices", "list-clients", "receivables-summary", "collections-aging", "reminder-footer"}
    nobodys = world.nobody.get("/openapi.json")

    assert set() == procedures(nobodys.json())
    assert reads == procedures(described(ada))
    assert 11 == len(procedures(described(carla)))
    for document in (nobodys.text, str(described(ada)), str(described(carla))):
        assert "lab-" not in document
        assert "/api/demo" not in document
    assert "invoice" not in str(
        [path for path in described(ada)["paths"] if "issue" in path or "delete" in path]
    )


def test_every_reference_leads_somewhere(carla: Person) -> None:
    """A document with a dangling reference cannot be read by a generator or a fuzzer."""
    document = described(carla)
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}

    assert set() == set(references(document)) - known
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def references(node: Any) -> list[str]:
    """Every reference in a document."""
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [found for value in node.values() for found in references(value)]
    return [found for value in node for found in references(value)] if isinstance(node, list) else []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/health", None),
        ("GET", "/api/session", None),
        ("POST", "/api/session", {"user": "carla"}),
        ("POST", "/api/session", {"user": "root"}),
        ("GET", "/api/approvals", None),
        ("GET", "/api/approvals/{approval}", None),
        ("POST", "/api/approvals/{approval}", {"approved": True}),
        ("POST", "/api/approvals/{approval}", {"approved": True, "inputHash": "x"}),
        ("GET", "/api/threads", None),
        ("GET", "/api/threads/{thread}", None),
        ("GET", "/api/threads/{thread}/model-messages", None),
        ("DELETE", "/api/threads/{thread}", None),
        ("GET", "/api/audit", None),
        ("POST", "/rpc/list-invoices", {"json": {}}),
        ("POST", "/rpc/list-invoices", {"json": {"kind": 1}}),
        ("POST", "/rpc/issue-invoice", {"json": {"id": 999}}),
        ("POST", "/rpc/issue-invoice", {"json": {"id": 5}}),
        ("POST", "/rpc/reminder-footer", {"json": {}}),
        ("POST", "/agent/chat", {}),
    ],
)
def test_what_is_answered_is_what_is_described(
    world: World, carla: Person, method: str, path: str, body: Any
) -> None:
    """Status and shape of every answer are in the document."""
    world.turn(carla, script(call("domain:issue-invoice", {"id": 4}), say("Done.")), conversation="thread")
    document, (card,) = described(carla), carla.cards()
    real = path.replace("{approval}", card["id"]).replace("{thread}", "thread")
    answer = carla.http.request(method, real, json=body)
    declared = document["paths"][path][method.lower()]["responses"][str(answer.status_code)]
    schema = declared["content"][answer.headers["content-type"].partition(";")[0]]["schema"]

    Draft202012Validator({**schema, "components": document["components"]}).validate(answer.json())
