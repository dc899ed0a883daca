"""What else turns red under a fault: the file is read strictly, and names only what there is."""

import pytest

from conformance.catalogue import load_catalogue
from conformance.consequences import load_consequences, parse_consequences
from conformance.errors import CatalogueError
from conformance.selftest import faults_of, soaked


def test_a_fault_has_a_list_of_requirements() -> None:
    """Names of the tab's faults stand in quotes."""
    text = 'gone = ["A-01"]\n"tab:gone" = ["A-02", "A-03"]\n'

    assert {"gone": ("A-01",), "tab:gone": ("A-02", "A-03")} == parse_consequences(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gone = [", "consequences.toml: not TOML"),
        ('gone = "A-01"', "consequences.toml: gone: "),
        ("gone = [1]", "consequences.toml: gone.0: "),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    """By the fault it stands at."""
    with pytest.raises(CatalogueError, match=message):
        parse_consequences(text)


def test_every_consequence_is_of_a_fault_that_its_requirement_does_not_name() -> None:
    """A requirement that names the fault must turn red; the others are only allowed to."""
    catalogue = load_catalogue()
    faults = {fault.name: fault for tab in ("browser", "process") for fault in faults_of(catalogue, tab=tab)}
    wrong = [
        (name, requirement)
        for name, requirements in load_consequences().items()
        for requirement in requirements
        if name not in faults
        or requirement in faults[name].declared
        or requirement not in soaked(catalogue, faults[name], "process")
    ]

    assert [] == wrong


def test_faults_stand_in_order_and_each_requirement_once() -> None:
    """So that a change is one line of a review."""
    known = load_consequences()

    assert sorted(known) == list(known)
    assert [] == [name for name, ids in known.items() if len(ids) != len(set(ids)) or not ids]
