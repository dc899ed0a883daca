"""Reading the requirement catalogue."""

import re

import pytest

from conformance.catalogue import Area, build_catalogue, load_catalogue, parse_area
from conformance.errors import CatalogueError, ConformanceError
from tests.conformance.rows import catalogue, requirement

ROW = """\
area = "things"
title = "Things"

[[requirement]]
id = "THING-01"
level = "MUST"
profile = "domain"
sentence = "A thing is what it says it is."
source = "The dual-plane model, The idea"
"""


def test_a_file_is_read_as_an_area() -> None:
    """Rows keep their order, and faults are optional."""
    area = parse_area(ROW, "things.toml")

    assert ("things", "Things", ["THING-01"]) == (
        area.name,
        area.title,
        [row.id for row in area.requirements],
    )
    assert ((), False) == (area.requirements[0].faults, area.requirements[0].own_contract)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"THING-01"', '"Thing 1"', "things.toml: requirement.0.id: String should match pattern"),
        ('"MUST"', '"MAY"', "things.toml: requirement.0.level: Input should be 'MUST' or 'SHOULD'"),
        ('"domain"', '"domian"', "things.toml: requirement.0.profile: Input should be 'host-v2', "),
        ("says it is.", "says it is", "things.toml: requirement.0.sentence: String should match pattern"),
        ("sentence", "sentense", "things.toml: requirement.0.sentence: Field required"),
        ('area = "things"', "", "things.toml: area: Field required"),
        ("[[requirement]]", "[[requirement", "things.toml: not TOML: "),
    ],
)
def test_a_wrong_row_names_file_and_field(before: str, after: str, message: str) -> None:
    """Whoever adds a requirement is told what is wrong with it."""
    with pytest.raises(CatalogueError, match="^" + re.escape(message)):
        parse_area(ROW.replace(before, after), "things.toml")


def test_ids_and_sentences_are_unique_across_areas() -> None:
    """A verdict must belong to one sentence, and a sentence be said once."""
    first, second = requirement("THING-01"), requirement("THING-02")
    twin = second.model_copy(update={"sentence": first.sentence})

    with pytest.raises(CatalogueError, match="two requirements share the id 'THING-01'"):
        build_catalogue([Area("a", "A", (first,)), Area("b", "B", (first,))])
    with pytest.raises(CatalogueError, match="two requirements share the sentence 'What THING-01"):
        build_catalogue([Area("a", "A", (first,)), Area("b", "B", (twin,))])


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("THING-3", "did you mean THING-01?"),
        ("thing-3", "did you mean THING-01?"),
        ("OTTER", "did you mean OTHER-01?"),
        ("quite else", "`dualplane run --list` shows them all"),
    ],
)
def test_an_unknown_id_is_answered_with_the_nearest(asked: str, hint: str) -> None:
    """Ids are typed from memory; the answer helps, whatever the case of the letters."""
    things = catalogue(requirement("THING-01"), requirement("OTHER-01"))

    with pytest.raises(ConformanceError) as caught:
        things[asked]

    assert f"no requirement is called {asked!r}; {hint}" == str(caught.value)


def test_the_catalogue_that_ships_is_read_whole() -> None:
    """Every file under `requirements/` is an area, in the order of their names, and each row is found in its area."""
    shipped = load_catalogue()

    assert sorted(area.name for area in shipped.areas) == [area.name for area in shipped.areas]
    assert all(row in shipped.area_of(row.id).requirements for row in shipped)
    assert len(list(shipped)) == len(shipped.by_id) >= 60
