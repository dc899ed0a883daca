"""Inputs and outputs: what is declared is what is validated, and what is described."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from reference_app.capabilities import LAB, PROCEDURES
from reference_app.capabilities.issue_invoice import PROCEDURE as ISSUE
from reference_app.capabilities.list_clients import PROCEDURE as CLIENTS
from reference_app.capabilities.list_invoices import ListInvoices
from reference_app.capabilities.update_collection_status import UpdateCollectionStatus
from reference_app.capabilities.update_invoice import UpdateInvoice
from reference_app.domain.capability import AnyProcedure
from reference_app.domain.shapes import (
    OutputError,
    input_as_json,
    output_as_json,
    schema_hash,
    validate_input,
)


def test_schemas_are_described_as_other_tools_describe_them() -> None:
    """Two known hashes of the public tools hold for the same two schemas, so that inventories can be compared."""
    assert schema_hash(ISSUE.input_schema).startswith("sha256:d8fc65ae770146f371b05709cf3795ea")
    assert schema_hash(CLIENTS.input_schema).startswith("sha256:93ab7499dc3c616f8db8780fed0d9f69")


@pytest.mark.parametrize("procedure", [*PROCEDURES, *LAB], ids=lambda procedure: procedure.id)
def test_every_description_is_a_valid_schema(procedure: AnyProcedure) -> None:
    """A provider or a fuzzer that reads a description must be able to use it."""
    Draft202012Validator.check_schema(dict(procedure.input_schema))
    Draft202012Validator.check_schema(dict(procedure.output_schema))


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({"id": "5"}, ("id",)),
        ({"id": True}, ("id",)),
        ({"id": 0}, ("id",)),
        ({"id": 2**53}, ("id",)),
        ({}, ("id",)),
        ({"id": 5, "amount": None}, ("amount",)),
        ({"id": 5, "dueDate": "2026-02-30"}, ("dueDate",)),
        ({"id": 5, "dueDate": "20260301"}, ("dueDate",)),
        ({"id": 5, "notes": "a\x00b"}, ("notes",)),
        ([], ()),
        (None, ()),
    ],
)
def test_issues_name_the_place_and_never_the_value(raw: Any, path: tuple[str, ...]) -> None:
    """Nothing is converted on the way, and an error message cannot carry what was sent."""
    issues = validate_input(UpdateInvoice, raw)

    assert isinstance(issues, tuple)
    assert [path] == [issue.path for issue in issues]
    assert "2026-02-30" not in issues[0].message


def test_left_out_and_null_are_different() -> None:
    """Leaving notes out keeps them, null erases them; the recorded input says which it was."""
    kept = validate_input(UpdateInvoice, {"id": 5})
    erased = validate_input(UpdateInvoice, {"id": 5, "notes": None})

    assert isinstance(kept, UpdateInvoice)
    assert isinstance(erased, UpdateInvoice)
    assert {"id": 5} == input_as_json(kept)
    assert {"id": 5, "notes": None} == input_as_json(erased)


def test_defaults_are_recorded_and_unknown_keys_are_not() -> None:
    """What is approved and hashed is the input as it will run."""
    value = validate_input(ListInvoices, {"clientId": 3, "role": "controller"})

    assert isinstance(value, ListInvoices)
    assert {"kind": "all", "clientId": 3} == input_as_json(value)


def test_dates_are_optional_and_nullable_where_null_erases() -> None:
    """The chase can lose its promised date."""
    value = validate_input(UpdateCollectionStatus, {"invoiceId": 1, "expectedPaymentDate": None})

    assert isinstance(value, UpdateCollectionStatus)
    assert {"invoiceId": 1, "expectedPaymentDate": None} == input_as_json(value)


@pytest.mark.parametrize("value", [{"a": object()}, {"a": {1: object()}}])
def test_an_output_that_json_cannot_say_is_refused(value: Any) -> None:
    """An operation that returns an open file is broken, and its caller is told nothing else."""
    with pytest.raises(OutputError):
        output_as_json(TypeAdapter(dict[str, Any]), value)
