"""Cases that run once under each of several deliberate faults of the page: one target and one browser for all of them.

A pytest plugin that only the kill pass loads. Which fault a case ran under stands in its id, in angle brackets.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

import pytest

from conformance.drivers.tabs.browser_pool import BrowserPool
from conformance.errors import ConformanceError
from conformance.stage import Worker
from conformance.verdict import CaseResult, Outcome

TAB = "tab:"
Trials = Mapping[str, Sequence[str]]
"""For each fault the ids of the requirements whose cases run under it."""
_UNDER = re.compile(r"<([^>]+)>")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare what the kill pass hands over."""
    group = parser.getgroup("dualplane")
    group.addoption(
        "--dp-trials", default="{}", help="JSON: for each fault of the page the ids to run under it"
    )


def arguments(trials: Trials) -> list[str]:
    """What to hand over to pytest."""
    return ["-p", "conformance.trials", f"--dp-trials={json.dumps(trials)}"] if trials else []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Multiply a case by the faults that its requirement is to be seen under."""
    trials: Trials = json.loads(metafunc.config.getoption("--dp-trials"))
    shown = {mark.args[0] for mark in metafunc.definition.iter_markers("requirement")}
    faults = [fault for fault, ids in trials.items() if shown & set(ids)]
    if faults:
        metafunc.parametrize(
            "fault_of_the_page", faults, indirect=True, ids=[f"<{fault}>" for fault in faults]
        )


@pytest.fixture(autouse=True)
def fault_of_the_page(request: pytest.FixtureRequest, worker: Worker) -> None:
    """Have the pages of this case opened with its fault.

    Raises:
        ConformanceError: the tabs are no pages, and keep the fault that they were started with.
    """
    if not isinstance(worker.tabs, BrowserPool):
        raise ConformanceError("trials are for --tab browser")
    parts = getattr(request, "param", "").split("+")
    worker.tabs.faults = tuple(part.removeprefix(TAB) for part in parts if part)


def fault_of(result: CaseResult) -> str:
    """Which fault a case ran under; empty for none."""
    found = _UNDER.search(result.case)
    return found[1] if found else ""


def red_under(fault: str, results: Iterable[CaseResult]) -> tuple[str, ...]:
    """The requirements that failed under a fault, each once, in order."""
    failed = (one.requirement for one in results if fault_of(one) == fault and one.outcome is Outcome.FAILED)
    return tuple(dict.fromkeys(failed))


def error_under(fault: str, results: Iterable[CaseResult]) -> str:
    """The suite's own first error under a fault; empty for none."""
    errors = (
        f"the suite erred in {one.requirement}: {one.message}"
        for one in results
        if fault_of(one) == fault and one.outcome is Outcome.ERROR
    )
    return next(errors, "")
