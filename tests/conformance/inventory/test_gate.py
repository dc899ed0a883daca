"""Approvals and the gate: what was approved passes until its day is over, everything else that counts fails."""

import datetime

import pytest

from conformance.inventory.approvals import Approvals, read_approvals
from conformance.inventory.errors import ApprovalsError
from conformance.inventory.gate import FailOn, Gate, Status, decide
from conformance.inventory.item import Group, groups_of_diff
from tests.conformance.inventory.samples import Json, differ, domain, domain_entry, only

OLD, NEW = domain(domain_entry()), domain(domain_entry(risk="low"))
PRINT = only(OLD, NEW).fingerprint
DAY = datetime.date(2027, 1, 31)
FILE = f'[approved.{PRINT}]\nreason = "The clerks asked for it."\nlast_day = 2027-01-31\n'
UNKNOWN = "0" * 32


def groups() -> list[Group]:
    """One widening."""
    return list(groups_of_diff(differ(OLD, NEW)))


def judged(text: str, today: datetime.date, fail_on: FailOn = FailOn.WIDENING) -> Gate:
    """Judge the widening under an approvals file."""
    return decide(groups(), fail_on, read_approvals(text.encode(), "ok.toml"), today)


def test_an_unapproved_widening_fails() -> None:
    """Nothing passes because nobody said anything."""
    gate = judged("", DAY)

    assert (1, Status.OPEN) == (gate.failing, gate.decisions[PRINT].status)


def test_an_approval_holds_on_its_last_day() -> None:
    """The last day counts."""
    gate = judged(FILE, DAY)

    assert (0, Status.APPROVED) == (gate.failing, gate.decisions[PRINT].status)
    assert "The clerks asked for it. (until 2027-01-31)" == gate.decisions[PRINT].note


def test_an_approval_ends_after_its_last_day() -> None:
    """An exception that nobody looks at again must not stay for ever."""
    gate = judged(FILE, DAY + datetime.timedelta(days=1))

    assert (1, Status.EXPIRED) == (gate.failing, gate.decisions[PRINT].status)


def test_an_approval_of_something_else_approves_nothing() -> None:
    """An approval that fits no change is told, so that it can be taken out."""
    gate = judged(FILE.replace(PRINT, UNKNOWN), DAY)

    assert (1, (UNKNOWN,)) == (gate.failing, gate.unused)


@pytest.mark.parametrize(
    ("fail_on", "new", "failing"),
    [
        (FailOn.WIDENING, {"risk": "low"}, 1),
        (FailOn.WIDENING, {"risk": "high"}, 0),
        (FailOn.WIDENING, {"description": "Other."}, 0),
        (FailOn.WIDENING, {"expose": ["direct"], "toolNames": {}, "sideEffect": "write", "approval": {"required": True}}, 1),
        (FailOn.ANY, {"description": "Other."}, 1),
        (FailOn.ANY, {"timeoutMs": 9}, 1),
        (FailOn.NONE, {"risk": "low"}, 0),
    ],
)  # fmt: skip
def test_what_fails_is_asked_for(fail_on: FailOn, new: Json, failing: int) -> None:
    """`widening` is the gate for authority, a breach included; `any` also for words; `none` only reports."""
    found = list(groups_of_diff(differ(OLD, domain(domain_entry(**new)))))

    assert failing == decide(found, fail_on, Approvals(), DAY).failing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[approved", "not TOML"),
        (f'[approved.{PRINT}]\nreason = "Because of it."', "last_day` is missing"),
        (f"[approved.{PRINT}]\nlast_day = 2027-01-31", "reason` is missing"),
        (f'[approved.{PRINT}]\nreason = "x"\nlast_day = 2027-01-31', "reason`: String should have at least 5"),
        (FILE.replace("2027-01-31", '"2027-01-31"'), "last_day`: Input should be a valid date"),
        (FILE.replace("2027-01-31", "2027-01-31T10:00:00"), "last_day`: "),
        (FILE.replace(PRINT, "all"), "approved.all`: String should match pattern"),
        (FILE + "who = 1", "unknown key `approved."),
        ("everything = true", "unknown key `everything`"),
    ],
)  # fmt: skip
def test_a_wrong_approvals_file_is_refused(text: str, expected: str) -> None:
    """A typing error in an approval must not widen what it approves."""
    with pytest.raises(ApprovalsError) as caught:
        read_approvals(text.encode(), "ok.toml")

    assert expected in str(caught.value)
    assert str(caught.value).startswith("ok.toml: ")
