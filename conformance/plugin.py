"""The pytest plugin: options, the requirement marker, which cases run, and what became of each.

The plugin only records outcomes. Verdicts and the exit code are computed from them in `conformance.verdict`.
"""

import json
import random
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from conformance.baseline import Served
from conformance.catalogue import Profile, Requirement, load_catalogue
from conformance.errors import CatalogueError, ConformanceError, Untested
from conformance.stage import Stage
from conformance.target import Target
from conformance.target_file import load_target
from conformance.transcript import Transcript, printable
from conformance.verdict import CaseResult, Outcome

pytest_plugins = ("conformance.fixtures",)

RESULT = "dualplane-result"
PROBLEM = "dualplane-problem"


@dataclass
class Phases:
    """What the phases of one case came to so far.

    `problem` is what is wrong with the run itself; `unrun` says that it kept the case from running.
    """

    outcome: Outcome = Outcome.PASSED
    message: str = ""
    missing: str = ""
    seconds: float = 0.0
    problem: str = ""
    unrun: bool = False


PHASES = pytest.StashKey[Phases]()
UNREADABLE = pytest.StashKey[CatalogueError]()
STAGE = pytest.StashKey[Stage]()
TARGET = pytest.StashKey[Target]()
SERVED = pytest.StashKey[tuple[Served, ...]]()
WORKER_OUTPUT = "dualplane-served"


@dataclass
class Collector:
    """Gathers the results on the controlling side, whether cases ran here or in workers."""

    results: list[CaseResult] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    planned: int = 0
    watcher: Any = None
    served: tuple[Served, ...] | None = None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note how many cases there are."""
        self.planned = max(self.planned, len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Likewise where workers collect them."""
        self.planned = max(self.planned, len(ids))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Take over which profiles are served and not claimed, where the cases ran here."""
        self.served = session.config.stash.get(SERVED, self.served)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Likewise where a worker looked."""
        seen = getattr(node, "workeroutput", {}).get(WORKER_OUTPUT)
        if seen is not None:
            self.served = tuple(Served(Profile(one["profile"]), one["evidence"]) for one in seen)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take over what the plugin attached to a report."""
        for name, value in report.user_properties:
            if name == RESULT:
                raw = json.loads(str(value))
                result = CaseResult(**{**raw, "outcome": Outcome(raw["outcome"])})
                self.results.append(result)
                if self.watcher is not None:
                    self.watcher(result)
            elif name == PROBLEM:
                self.problems.append(str(value))
        if str(report.when) == "???":  # what xdist reports when a worker is gone
            self.problems.append(f"a worker crashed while it ran {report.nodeid}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A case file that can't be imported is an error of the suite."""
        if report.failed:
            reason = report.longreprtext.strip().splitlines()[-1].removeprefix("E").strip()
            self.problems.append(f"{report.nodeid or 'the cases'} can't be collected: {reason}")

    def pytest_internalerror(self, excrepr: object) -> None:
        """So is an error inside pytest."""
        self.problems.append(str(excrepr).strip().splitlines()[-1])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare what the command hands over."""
    group = parser.getgroup("dualplane")
    group.addoption("--dp-target", default="reference", help="the target file")
    group.addoption(
        "--dp-only",
        default="",
        help="ids of the requirements to run, comma-separated; empty: all that are claimed",
    )
    group.addoption("--dp-case", default="", help="run only cases whose id contains this")
    group.addoption("--dp-tab", default="process", choices=["process", "browser"], help="the kind of tab")
    group.addoption(
        "--dp-seed", type=int, default=0, help="0: catalogue order; else shuffle the cases with it"
    )
    group.addoption("--dp-examples", type=int, default=300, help="made-up values that a property is tried on")
    group.addoption(
        "--dp-fault", action="append", default=[], help="start the target with this deliberate fault"
    )
    group.addoption(
        "--dp-tab-fault", action="append", default=[], help="start the tab with this deliberate fault"
    )
    group.addoption("--dp-provider", default="", help="the wire format between the target and its model")
    group.addoption("--dp-model-host", default="127.0.0.1", help="where the fake model listens")
    group.addoption("--dp-model-port", type=int, default=0, help="its port; 0 takes a free one")
    group.addoption("--dp-model-url", default="", help="its address as the target sees it")
    group.addoption("--dp-ledger", default="", help="the folder in which running targets are noted")
    group.addoption(
        "--dp-probe", action="store_true", help="look which profiles are served without being claimed"
    )
    group.addoption("--dp-report-dir", default="", help="where transcripts go")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and read the target file."""
    config.addinivalue_line("markers", "requirement(id): the requirement that this case shows")
    config.stash[TARGET] = load_target(config.getoption("--dp-target"))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand over to the controller what a worker saw when it looked around."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None and SERVED in session.config.stash:
        output[WORKER_OUTPUT] = [
            {"profile": one.profile.value, "evidence": one.evidence} for one in session.config.stash[SERVED]
        ]


def requirement_of(item: pytest.Item) -> Requirement:
    """Return the requirement that a case shows.

    Raises:
        CatalogueError: it names none, several, or one that the catalogue does not have.
    """
    markers = list(item.iter_markers("requirement"))
    if len(markers) != 1 or len(markers[0].args) != 1:
        raise CatalogueError(f"{item.nodeid} must name exactly one requirement")
    try:
        return load_catalogue()[markers[0].args[0]]
    except ConformanceError as error:
        raise CatalogueError(f"{item.nodeid}: {error}") from None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the cases of claimed and wanted requirements, in catalogue order or shuffled by the seed."""
    profiles = frozenset(config.stash[TARGET].profiles)
    only = frozenset(filter(None, config.getoption("--dp-only").split(",")))
    part = config.getoption("--dp-case")
    order = {requirement_id: number for number, requirement_id in enumerate(load_catalogue().by_id)}
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (kept if _is_wanted(item, profiles, only, part) else left).append(item)
    kept.sort(key=lambda item: (_place(item, order), item.nodeid))
    if seed := config.getoption("--dp-seed"):
        random.Random(seed).shuffle(kept)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def _is_wanted(item: pytest.Item, profiles: frozenset[Profile], only: frozenset[str], name_part: str) -> bool:
    """Whether a case runs. One that can't be graded does, so that the run says so (see `pytest_runtest_setup`)."""
    try:
        requirement = requirement_of(item)
    except CatalogueError as error:
        item.stash[UNREADABLE] = error
        return True
    return (
        requirement.profile in profiles and (not only or requirement.id in only) and name_part in item.nodeid
    )


def _place(item: pytest.Item, order: Mapping[str, int]) -> int:
    """Where a case stands in catalogue order; those that can't be graded come first."""
    return -1 if UNREADABLE in item.stash else order[requirement_of(item).id]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """End the run at a case that can't be graded, here, where a worker's error reaches the controller in one piece."""
    if UNREADABLE in item.stash:
        raise item.stash[UNREADABLE]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fold each phase into the case's outcome, and attach the result to the report of its last phase."""
    report = yield
    phases = item.stash.setdefault(PHASES, Phases())
    phases.seconds += call.duration
    if call.excinfo is not None:
        _fold(phases, call.excinfo, call.when)
    if phases.problem:
        item.session.shouldstop = phases.problem
    if call.when == "teardown":
        if phases.problem:
            report.user_properties.append((PROBLEM, phases.problem))
        if not phases.unrun:
            report.user_properties.append((RESULT, json.dumps(asdict(_result(item, phases)))))
    return report


def _fold(phases: Phases, excinfo: pytest.ExceptionInfo[BaseException], when: str) -> None:
    """The first thing that went wrong in a case is its outcome; a problem of the run itself is none of the case's."""
    error = excinfo.value
    message = str(error).strip() or type(error).__name__
    if isinstance(error, ConformanceError):
        phases.problem = phases.problem or printable(message)
        phases.unrun = phases.unrun or when != "teardown"
        return
    if phases.outcome is not Outcome.PASSED:
        return
    phases.message = message
    if isinstance(error, Untested):
        phases.outcome = Outcome.UNTESTED
        phases.missing = error.missing
    elif isinstance(error, AssertionError):
        phases.outcome = Outcome.FAILED
    else:
        phases.outcome = Outcome.ERROR
        where = excinfo.traceback[-1]
        phases.message = (
            f"{type(error).__name__}: {message} ({Path(str(where.path)).name}:{where.lineno + 1}, {when})"
        )


def _result(item: pytest.Item, phases: Phases) -> CaseResult:
    from conformance.report.failure import describe  # noqa: PLC0415 - not needed by a run that is green

    stage = item.stash.get(STAGE, None)
    requirement = requirement_of(item)
    case = CaseResult(
        case=item.nodeid,
        requirement=requirement.id,
        outcome=phases.outcome,
        message=phases.message,
        missing=phases.missing,
        seconds=round(phases.seconds, 4),
    )
    if phases.outcome is Outcome.PASSED:
        return case
    transcript = stage.transcript if stage is not None else Transcript()
    return describe(case, requirement, transcript, item.config)
