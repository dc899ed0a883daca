"""What holds for every form: it shows every change of every rule, fits its schema, and lets no text become more than text."""

import json
import xml.etree.ElementTree as ET
from functools import cache
from importlib import resources
from typing import Any

import click
import jsonschema
import pytest
import xmlschema

from conformance.inventory.cli import RENDERERS
from conformance.inventory.gate import FailOn
from conformance.inventory.page import Page
from tests.conformance.inventory.examples import EXAMPLES
from tests.conformance.inventory.pages import SECRET, approved_page, hostile_page, page
from tests.conformance.inventory.samples import domain

SCHEMAS = resources.files("conformance.inventory").joinpath("schemas")
FORMS = sorted(RENDERERS)


@cache
def json_schema(name: str) -> jsonschema.Draft202012Validator:
    """A shipped JSON Schema, itself checked."""
    schema: Any = json.loads(SCHEMAS.joinpath(name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@cache
def xml_schema() -> xmlschema.XMLSchema:
    """The shipped XML schema."""
    return xmlschema.XMLSchema(SCHEMAS.joinpath("junit.xsd").read_text(encoding="utf-8"))


def check(form: str, text: str) -> None:
    """Check a document by the shipped schema of its form, where the form is for machines."""
    if form == "json":
        json_schema("diff.schema.json").validate(json.loads(text))
    elif form == "sarif":
        json_schema("sarif.schema.json").validate(json.loads(text))
    elif form == "junit":
        xml_schema().validate(ET.fromstring(text))


PAGES = {
    "no change": page(domain(), domain()),
    "approved": approved_page(),
    "hostile": hostile_page(),
    **{example.rule: page(example.old, example.new, fail_on=FailOn.ANY) for example in EXAMPLES},
    **{f"not {example.rule}": page(example.new, example.old) for example in EXAMPLES},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_page_is_rendered_and_fits_its_schema(form: str) -> None:
    """Every rule, both ways, and everything hostile: each form shows the change and is what its schema says."""
    for shown in PAGES.values():
        text = RENDERERS[form](shown)

        check(form, text)
        assert [] == [
            row.fingerprint
            for row in shown.rows
            if row.fingerprint not in text and (row.fails or form != "terminal")
        ]


@pytest.mark.parametrize("form", FORMS)
def test_the_same_page_gives_the_same_bytes(form: str) -> None:
    """Reports are compared and cached."""
    assert RENDERERS[form](hostile_page()) == RENDERERS[form](hostile_page())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shown", [hostile_page()], ids=["hostile"])
def test_nothing_that_is_printed_can_be_obeyed(form: str, shown: Page) -> None:
    """No control character but line breaks, no runner command anywhere in a line, no line that hostile text begins."""
    text = click.unstyle(RENDERERS[form](shown))

    assert [] == [line for line in text.split("\n") if not line.isprintable()]
    assert [] == [mark for mark in ("##[", "##vso[") if mark in text]
    if form != "github":
        assert [] == [line for line in text.split("\n") if line.lstrip().startswith("::")]


@pytest.mark.parametrize("form", FORMS)
def test_no_form_shows_a_credential(form: str) -> None:
    """A report goes to more people than the file."""
    assert SECRET not in RENDERERS[form](hostile_page())
