"""One run of the suite: which cases, how they are executed, and everything that the run found out."""

import contextlib
import fnmatch
import io
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import pytest

from conformance.case_index import CASES, files_with
from conformance.catalogue import Catalogue, Profile, load_catalogue
from conformance.errors import ConformanceError
from conformance.plugin import Collector
from conformance.target import Target
from conformance.target_file import load_target
from conformance.verdict import CaseResult, RunVerdict, Verdict, grade_run

_ORDINARY_CODES = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
_PYTEST_VARIABLES = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DEBUG")


@dataclass(frozen=True)
class Options:
    """What a run is asked for; each field is an option of `dualplane run`."""

    target: str = "reference"
    filters: tuple[str, ...] = ()
    case: str = ""
    workers: int = 1
    tab: str = "process"
    seed: int = 0
    strict: bool = False
    provider: str = ""
    faults: tuple[str, ...] = ()
    tab_faults: tuple[str, ...] = ()
    report_dir: str = ""


@dataclass(frozen=True)
class Run:
    """Everything that a run found out.

    Attributes:
        options: what was asked for.
        target: the target file.
        verdict: the graded requirements and the exit code.
        problems: why the run itself could not go on, as sentences; any makes the exit code 2.
        cases: how many cases ran.
        seconds: how long it took.
    """

    options: Options
    target: Target
    verdict: RunVerdict
    problems: tuple[str, ...]
    cases: int
    seconds: float
    version: str = field(default_factory=lambda: metadata.version("dualplane"))

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return 2 if self.problems else self.verdict.exit_code


def select(catalogue: Catalogue, filters: Sequence[str]) -> tuple[str, ...]:
    """Return the ids that filters name: ids, patterns with `*`, areas or profiles; all without a filter.

    Raises:
        ConformanceError: a filter names nothing; the message names the nearest ids.
    """
    if not filters:
        return tuple(catalogue.by_id)
    chosen: set[str] = set()
    for text in (part.strip() for item in filters for part in item.split(",") if part.strip()):
        chosen |= _named(catalogue, text)
    return tuple(requirement_id for requirement_id in catalogue.by_id if requirement_id in chosen)


def _named(catalogue: Catalogue, text: str) -> set[str]:
    for area in catalogue.areas:
        if area.name == text:
            return {requirement.id for requirement in area.requirements}
    if text in {profile.value for profile in Profile}:
        return {requirement.id for requirement in catalogue if requirement.profile == text}
    matching = set(fnmatch.filter(catalogue.by_id, text.upper()))
    return matching or {catalogue[text].id}


def execute(
    options: Options,
    watcher: Callable[[CaseResult, int], None] | None = None,
    cases: Path = CASES,
) -> Run:
    """Run the suite.

    Args:
        options: see `Options`.
        watcher: called after each case with its result and the number of cases planned (0 where not known).
        cases: the folder with the cases.

    Raises:
        ConformanceError: the target file, a filter or another option can't be used.
    """
    target = load_target(options.target)
    catalogue = load_catalogue()
    asked = select(catalogue, options.filters)
    _check(options, target)
    collector = Collector()
    if watcher is not None:
        collector.watcher = lambda result: watcher(result, collector.planned)
    began = time.monotonic()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), _undisturbed():
        code = pytest.main(_arguments(options, target, asked, cases), plugins=[collector])
    seconds = time.monotonic() - began
    problems = list(dict.fromkeys(collector.problems))
    if not problems and code not in _ORDINARY_CODES:
        problems.append(f"the run was cut short ({pytest.ExitCode(code).name.lower().replace('_', ' ')})")
    if options.case:
        asked = tuple(dict.fromkeys(result.requirement for result in collector.results))
    verdict = grade_run(
        catalogue,
        collector.results,
        asked=asked,
        profiles=target.profiles,
        tab=options.tab,
        own=target.reference,
        strict=options.strict,
    )
    if not problems and verdict.is_empty:
        problems.append(f"nothing was graded: {_why_nothing(options, verdict, target)}")
    return Run(options, target, verdict, tuple(problems), len(collector.results), seconds)


def _check(options: Options, target: Target) -> None:
    """Refuse options that the target file gives no means for."""
    providers = (target.model.provider, *target.model.providers)
    if options.provider and options.provider not in providers:
        known = ", ".join(sorted(set(providers)))
        raise ConformanceError(f"{target.name} names no model.providers.{options.provider}; it has {known}")
    if options.faults and not (target.launch and target.launch.fault):
        raise ConformanceError(f"{target.name} has no launch.fault, so that --fault can't switch one on")
    if options.tab_faults and not (target.tab and target.tab.fault):
        raise ConformanceError(f"{target.name} has no tab.fault, so that --tab-fault can't switch one on")


def _why_nothing(options: Options, verdict: RunVerdict, target: Target) -> str:
    if options.case and not verdict.graded:
        return f"no case that was asked for has {options.case!r} in its name"
    if verdict.count(Verdict.NOT_CLAIMED) == len(verdict.graded):
        return f"{target.name} claims no profile of what was asked for"
    return "all that was asked for is untested"


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Keep pytest's own variables, which would change what runs, out of this process and its workers."""
    kept = {name: os.environ.pop(name) for name in _PYTEST_VARIABLES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


def _arguments(options: Options, target: Target, asked: Sequence[str], cases: Path) -> list[str]:
    """The arguments for pytest: our plugin and nothing that happens to be installed or configured around it."""
    workers = 0 if target.connect is not None else options.workers
    files = files_with(asked, cases) if options.filters else ()
    arguments = [
        *(str(path) for path in files or (cases,)),
        "--disable-plugin-autoload",
        *("-p", "conformance.plugin"),
        *("-p", "xdist.plugin"),
        *("-p", "no:cacheprovider"),
        *("-p", "no:terminal"),
        *("-c", os.devnull),
        f"--rootdir={cases}",
        f"--confcutdir={cases}",
        "--import-mode=importlib",
        "--strict-markers",
        *("-W", "ignore"),
        f"--dp-target={options.target}",
        f"--dp-only={','.join(asked)}",
        f"--dp-case={options.case}",
        f"--dp-tab={options.tab}",
        f"--dp-seed={options.seed}",
        f"--dp-provider={options.provider}",
        f"--dp-report-dir={options.report_dir}",
        *(f"--dp-fault={fault}" for fault in options.faults),
        *(f"--dp-tab-fault={fault}" for fault in options.tab_faults),
    ]
    if workers > 1:
        arguments += ["-n", str(workers), "--dist", "worksteal", "--max-worker-restart", "0"]
    return arguments
