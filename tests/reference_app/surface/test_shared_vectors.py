"""The vectors under ``fixtures/surface``, which the page's own implementation has to pass as well."""

import json
from pathlib import Path
from typing import Any

import pytest

from reference_app.surface.binding import reduce_input_schema
from reference_app.surface.json_value import canonical_json, fnv1a_64, json_equal
from reference_app.surface.validation import validate
from reference_app.surface.wire_names import NameKey, assign, decode, encode
from reference_app.tab.loop_guard import LoopGuard

FOLDER = Path(__file__).parents[3] / "fixtures" / "surface"


def _vectors(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", _vectors("wire-names")["encode"])
def test_names(vector: Any) -> None:
    """Host, tab and page mint the same names."""
    assert encode(NameKey(vector["id"], vector.get("suffix"))) == vector["name"]


@pytest.mark.parametrize("vector", _vectors("wire-names")["assign"])
def test_names_of_a_catalog(vector: Any) -> None:
    """Colliding names are told apart alike."""
    keys = [NameKey(key["id"], key.get("suffix")) for key in vector["keys"]]

    names = assign(keys)

    assert [names[key] for key in keys] == vector["names"]


@pytest.mark.parametrize("vector", _vectors("wire-names")["decode"])
def test_names_read_back(vector: Any) -> None:
    """Only a name that is unambiguous by itself is read."""
    assert decode(vector["name"]) == vector["id"]


@pytest.mark.parametrize("vector", _vectors("schema-reduction"))
def test_reduced_schemas(vector: Any) -> None:
    """Locked keys are gone, overridable ones say where their default comes from."""
    reduced = reduce_input_schema(vector["schema"], tuple(vector["bound"]), frozenset(vector["overridable"]))

    assert reduced == vector["reduced"]


@pytest.mark.parametrize("vector", _vectors("validation"))
def test_validation(vector: Any) -> None:
    """The same values match, and the same places are named, in the same order."""
    assert [issue.path for issue in validate(vector["schema"], vector["value"])] == vector["paths"]


@pytest.mark.parametrize("vector", _vectors("canonical-json"))
def test_canonical_texts_and_digests(vector: Any) -> None:
    """A digest made by a page is the digest made here."""
    text = canonical_json(vector["value"])

    assert text == vector["text"]
    assert vector["fnv1a64"] in (None, fnv1a_64(text))
    assert json_equal(json.loads(text), vector["value"])


@pytest.mark.parametrize("vector", _vectors("loop-guard"))
def test_the_loop_guard(vector: Any) -> None:
    """A turn is stopped at the same call."""
    guard = LoopGuard()

    stops = [
        guard.record(call["id"], call["input"], call["result"], ok=call["ok"]) is not None
        for call in vector["calls"]
    ]

    assert stops == vector["stops"]
