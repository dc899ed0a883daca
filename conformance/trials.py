"""Cases that run once under each of several deliberate faults, in one run.

A pytest plugin that only the kill pass loads. The cases of one fault follow each other, so that the target or its tab is
started once for all of them; a page is told of its fault when it is opened. Which fault a case ran under stands in its id,
in angle brackets.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

import pytest

from conformance.errors import LaunchError
from conformance.stage import Worker
from conformance.verdict import CaseResult, Outcome

TAB = "tab:"
Trials = Mapping[str, Sequence[str]]
"""For each fault the ids of the requirements whose cases run under it."""
_UNDER = re.compile(r"<([^>]+)>")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare what the kill pass hands over."""
    group = parser.getgroup("dualplane")
    group.addoption("--dp-trials", default="{}", help="JSON: for each fault the ids to run under it")


def arguments(trials: Trials) -> list[str]:
    """What to hand over to pytest."""
    return ["-p", "conformance.trials", f"--dp-trials={json.dumps(trials)}"] if trials else []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Multiply a case by the faults that its requirement is to be seen under."""
    trials: Trials = json.loads(metafunc.config.getoption("--dp-trials"))
    shown = {mark.args[0] for mark in metafunc.definition.iter_markers("requirement")}
    faults = [fault for fault, ids in trials.items() if shown & set(ids)]
    if faults:
        metafunc.parametrize("fault_on_trial", faults, indirect=True, ids=[f"<{fault}>" for fault in faults])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the cases of each fault together."""
    place = {fault: number for number, fault in enumerate(json.loads(config.getoption("--dp-trials")))}
    items.sort(key=lambda item: place.get(named_in(item.nodeid), -1))


@pytest.fixture(autouse=True)
def fault_on_trial(request: pytest.FixtureRequest, worker: Worker) -> None:
    """Have the case meet its fault, and no other.

    Raises:
        RuntimeError: the target does not start with it, so that nothing is shown of this fault.
    """
    names = [name for name in getattr(request, "param", "").split("+") if name]
    worker.tabs.become(tuple(name.removeprefix(TAB) for name in names if name.startswith(TAB)))
    try:
        worker.become(tuple(name for name in names if not name.startswith(TAB)))
    except LaunchError as error:
        raise RuntimeError(str(error)) from None


def named_in(case: str) -> str:
    """The fault that the id of a case names; empty for none."""
    found = _UNDER.search(case)
    return found[1] if found else ""


def fault_of(result: CaseResult) -> str:
    """Which fault a case ran under; empty for none."""
    return named_in(result.case)


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
