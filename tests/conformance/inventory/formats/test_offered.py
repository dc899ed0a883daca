"""Writing offered capabilities: the same offers give the same bytes, and reading them back gives the same offers."""

import itertools
import json
from importlib import resources
from typing import Any

import jsonschema

from conformance.inventory.formats.offered import write_offered
from conformance.inventory.model import Approval, Capability, Named, Offer, Place, Schema, State
from conformance.inventory.reading import read_inventory

ADA, BOB = Place("ada", "main", "direct"), Place("bob", "main", "meta")


def capability(name: str, **fields: Any) -> Capability:
    """An offered capability."""
    base: dict[str, Any] = {
        "id": name,
        "kind": "server",
        "names": (Named("model", name.replace(":", "_")),),
        "description": "Issue a note — now.",
        "effect": "write",
        "approval": Approval(required=True),
        "input": Schema('{"type":"object"}'),
        "state": State(available=False, text="Select a row."),
    }
    return Capability(**(base | fields))


OFFERS = (
    Offer(capability("domain:issue"), frozenset({ADA})),
    Offer(capability("domain:issue", approval=Approval(required=False)), frozenset({BOB})),
    Offer(
        capability("view:table.read", kind="browser", effect=None, approval=Approval(None), state=State()),
        frozenset({ADA, BOB}),
    ),
)


def test_the_order_of_observation_does_not_show() -> None:
    """Two observations of one target must be the same bytes, or every check would find a difference."""
    orders = itertools.product(([ADA, BOB], [BOB, ADA]), itertools.permutations(OFFERS))
    texts = {write_offered("Tiny", places, offers) for places, offers in orders}

    assert 1 == len(texts)


def test_what_is_written_is_read_back() -> None:
    """The file is the inventory: nothing is lost on the way through it."""
    read = read_inventory(write_offered("Tiny", [ADA, BOB], OFFERS).encode(), "offered.json").inventory

    assert set(OFFERS) == set(read.offers)
    assert frozenset({ADA, BOB}) == read.places


def test_the_file_is_for_people() -> None:
    """It is reviewed as a diff: indented, texts as they are, a line break at the end."""
    text = write_offered("Tiny", [ADA, BOB], OFFERS)

    assert text.endswith("}\n")
    assert '\n      "description": "Issue a note — now.",\n' in text


def test_the_file_fits_the_shipped_schema() -> None:
    """Editors check the file by this schema."""
    schema = json.loads(
        resources.files("conformance.inventory").joinpath("schemas/offered.schema.json").read_text()
    )

    jsonschema.Draft202012Validator(schema).validate(json.loads(write_offered("Tiny", [ADA, BOB], OFFERS)))
