"""Cases that run under several faults in one run: which ones, under which name, and what they came to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from conformance import trials
from conformance.catalogue import Profile, load_catalogue
from conformance.drivers.http import Budget, open_connections
from conformance.drivers.tabs.pool import TabPool
from conformance.errors import LaunchError
from conformance.launch import Plan, start
from conformance.selftest import PAGE_SENTINELS
from conformance.stage import Worker
from conformance.target_file import load_target
from conformance.trials import arguments, error_under, fault_of, red_under
from conformance.verdict import CaseResult, Outcome
from fake_model import FakeModel

TRIALS = {"tab:a": ("ONE-01", "ONE-02"), "tab:b+tab:c": ("ONE-02",)}


@dataclass
class Case:
    """What pytest hands to a plugin that may multiply a case."""

    requirement: str
    given: list[tuple[Sequence[str], Sequence[str]]] = field(default_factory=list)

    @property
    def config(self) -> "Case":
        """The configuration."""
        return self

    @property
    def definition(self) -> "Case":
        """The function with its marks."""
        return self

    def getoption(self, name: str) -> str:
        """The trials of this run."""
        assert name == "--dp-trials"
        return json.dumps(TRIALS)

    def iter_markers(self, name: str) -> list["Case"]:
        """The mark that names the requirement."""
        assert name == "requirement"
        return [self]

    @property
    def args(self) -> tuple[str]:
        """The mark's arguments."""
        return (self.requirement,)

    def parametrize(self, _name: str, values: Sequence[str], *, indirect: bool, ids: Sequence[str]) -> None:
        """Note the faults, and what they are called in the case's id."""
        assert indirect
        self.given.append((values, ids))


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("ONE-01", [(["tab:a"], ["<tab:a>"])]),
        ("ONE-02", [(["tab:a", "tab:b+tab:c"], ["<tab:a>", "<tab:b+tab:c>"])]),
        ("ONE-03", []),
    ],
)
def test_a_case_runs_once_under_each_fault_of_its_requirement(
    requirement: str, expected: list[tuple[list[str], list[str]]]
) -> None:
    """A case that ran under another's fault would find kills that nobody declared."""
    case = Case(requirement)

    trials.pytest_generate_tests(case)  # type: ignore[arg-type]  # as much of pytest's as is used

    assert expected == case.given


def test_what_failed_is_told_apart_by_fault() -> None:
    """One run holds the cases of all faults; a red case counts for the fault that it ran under."""
    results = [
        CaseResult("test_x.py::test_one[main-<tab:a>]", "ONE-02", Outcome.FAILED),
        CaseResult("test_x.py::test_one[bare-<tab:a>]", "ONE-02", Outcome.FAILED),
        CaseResult("test_x.py::test_two[<tab:a>]", "ONE-01", Outcome.PASSED),
        CaseResult("test_x.py::test_one[<tab:b+tab:c>-main]", "ONE-02", Outcome.ERROR, message="KeyError"),
        CaseResult("test_x.py::test_none", "ONE-01", Outcome.FAILED),
    ]

    assert ["tab:a", "tab:a", "tab:a", "tab:b+tab:c", ""] == [fault_of(result) for result in results]
    assert ("ONE-02",) == red_under("tab:a", results)
    assert () == red_under("tab:b+tab:c", results)
    assert "" == error_under("tab:a", results)
    assert "the suite erred in ONE-02: KeyError" == error_under("tab:b+tab:c", results)


def test_an_ordinary_run_knows_nothing_of_trials() -> None:
    """The plugin is loaded where there is something to try."""
    assert [] == arguments({})
    assert ["-p", "conformance.trials"] == arguments(TRIALS)[:2]


def test_sentinels_of_the_page_are_requirements_that_a_tab_shows() -> None:
    """They run under every fault of the page."""
    catalogue = load_catalogue()

    assert [] == [name for name in PAGE_SENTINELS if catalogue[name].profile is not Profile.VIEW]


@dataclass
class Item:
    """As much of a collected case as is used."""

    nodeid: str


def test_the_cases_of_one_fault_follow_each_other() -> None:
    """So that the target is started once for all of them, whatever order they were collected in."""
    items = [Item("a[<tab:b+tab:c>]"), Item("a[<tab:a>]"), Item("b"), Item("b[<tab:a>-main]")]

    trials.pytest_collection_modifyitems(Case(""), items)  # type: ignore[arg-type]  # as much as is used

    assert ["b", "a[<tab:a>]", "b[<tab:a>-main]", "a[<tab:b+tab:c>]"] == [item.nodeid for item in items]


def test_a_fault_that_keeps_the_target_from_starting_is_none_of_the_others() -> None:
    """The target is started anew for each fault; one with which it does not start is an error, and the next goes on."""
    target = load_target("reference")
    with FakeModel() as model, open_connections() as client:
        plan = Plan(target, model.url)
        worker = Worker(target, model, start(plan), client, Budget(target.limits), TabPool(target))
        try:
            sound = worker.instance.url
            worker.become(())
            assert sound == worker.instance.url
            with pytest.raises(LaunchError, match="no-such-fault"):
                worker.become(("no-such-fault",))
            assert not worker.instance.alive
            worker.become(())
            assert (True, ()) == (worker.instance.alive, worker.faults)
            worker.become(("provider-retried",))
            assert (True, ("provider-retried",)) == (worker.instance.alive, worker.faults)
        finally:
            worker.end()
