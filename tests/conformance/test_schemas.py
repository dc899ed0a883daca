"""The shipped schemas are those of today, and fit what they are about."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from conformance.report.json_report import to_json
from conformance.schemas import SCHEMAS
from tests.conformance.report.runs import run
from tests.sources import ROOT

FOLDER = ROOT / "conformance/schemas"
TARGETS = [*sorted((ROOT / "conformance/targets").glob("*.toml")), ROOT / "examples/toy-host/target.toml"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_shipped_schema_is_of_today(name: str) -> None:
    """`dualplane docs` writes them anew."""
    assert SCHEMAS[name]() == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_a_schema(name: str) -> None:
    """Editors and validators take it."""
    jsonschema.Draft202012Validator.check_schema(json.loads(SCHEMAS[name]()))


@pytest.mark.parametrize("file", TARGETS, ids=lambda file: file.stem)
def test_target_files_fit_their_schema(file: Path) -> None:
    """What the suite reads an editor must not mark as wrong."""
    value = tomllib.loads(file.read_text(encoding="utf-8"))

    jsonschema.validate(value, json.loads(SCHEMAS["target.schema.json"]()))


def test_misspelled_key_does_not_fit() -> None:
    """That is what editors are to show."""
    value = {"name": "x", "profiles": ["host-v2"], "lunch": {}}

    with pytest.raises(jsonschema.ValidationError, match="lunch"):
        jsonschema.validate(value, json.loads(SCHEMAS["target.schema.json"]()))


def test_report_fits_its_schema() -> None:
    """Whoever reads reports by it can rely on it."""
    jsonschema.validate(json.loads(to_json(run())), json.loads(SCHEMAS["report.schema.json"]()))
