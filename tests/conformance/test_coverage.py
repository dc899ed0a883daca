"""The founding documents and the catalogue: no statement is passed over, and no MUST rests on nothing."""

import re

import pytest

from conformance.catalogue import Level, load_catalogue
from conformance.coverage import load_coverage, parse_coverage
from conformance.errors import CatalogueError
from tests.conformance.test_cases import HEADINGS, founding_heading

STATEMENTS = load_coverage().statements


def test_every_statement_names_requirements_that_exist() -> None:
    """A statement that points at nothing is not covered, whatever the table says."""
    known = load_catalogue().by_id

    assert [] == [
        (statement.says, name)
        for statement in STATEMENTS
        for name in statement.requirements
        if name not in known
    ]


def test_every_statement_stands_under_a_heading() -> None:
    """It can be looked up in the published document."""
    assert [] == [statement.source for statement in STATEMENTS if not founding_heading(statement.source)]


def test_every_heading_has_its_statements() -> None:
    """No part of a document was passed over."""
    named = {(statement.document, re.sub(", [1-9]$", "", statement.place)) for statement in STATEMENTS}

    assert named == {(document, heading) for document, headings in HEADINGS.items() for heading in headings}


def test_every_must_rests_on_its_statement() -> None:
    """A MUST says where it comes from; under that very heading a statement must name it."""
    named = {(statement.source, name) for statement in STATEMENTS for name in statement.requirements}

    assert [] == [
        (row.id, row.source)
        for row in load_catalogue()
        if row.level is Level.MUST and not row.own_contract and (row.source, row.id) not in named
    ]


def test_no_statement_is_there_twice() -> None:
    """Under one heading each thing is said once."""
    assert len({(statement.source, statement.says) for statement in STATEMENTS}) == len(STATEMENTS)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[statement]", "not TOML"),
        (
            '[[statement]]\nsource = "A document, A heading"\nsays = "Something is so."\n',
            "needs requirements",
        ),
        (
            '[[statement]]\nsource = "A document, A heading"\nsays = "Something is so."\nrequirements = ["X-01"]\nunseen = "No."\n',
            "needs requirements",
        ),
        (
            '[[statement]]\nsource = "A document, A heading"\nsays = "no end"\nunseen = "No."\n',
            "statement.0.says",
        ),
    ],
)
def test_a_broken_file_says_what_is_wrong(text: str, problem: str) -> None:
    """Whoever edits it by hand needs the place."""
    with pytest.raises(CatalogueError, match=problem):
        parse_coverage(text)
