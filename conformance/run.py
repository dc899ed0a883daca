"""One run of the suite: which cases, how they are executed, and everything that the run found out."""

import contextlib
import datetime
import fnmatch
import io
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path

import pytest

from conformance.baseline import Baseline, Served, judge
from conformance.case_index import CASES, files_with
from conformance.catalogue import Catalogue, Profile, load_catalogue
from conformance.claims import Terms, terms_of
from conformance.errors import ConformanceError
from conformance.leftovers import end_all
from conformance.plugin import Collector
from conformance.safety import refuse_unasked
from conformance.shard import Shard, parse_shard
from conformance.target import Target
from conformance.trials import Trials
from conformance.trials import arguments as arguments_of
from conformance.verdict import CaseResult, RunVerdict, Verdict, grade_run

_ORDINARY_CODES = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
_PYTEST_VARIABLES = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DEBUG")


@dataclass(frozen=True)
class Options:
    """What a run is asked for; each field is an option of `dualplane run`, but for `trials`, which the kill pass gives."""

    target: str = "reference"
    filters: tuple[str, ...] = ()
    case: str = ""
    workers: int = 1
    tab: str = "process"
    seed: int = 0
    examples: int = 300
    strict: bool = False
    provider: str = ""
    faults: tuple[str, ...] = ()
    tab_faults: tuple[str, ...] = ()
    report_dir: str = ""
    shard: str = ""
    baseline: str = ""
    policy_ref: str = ""
    allow_remote: bool = False
    allow_writes: bool = False
    model_host: str = "127.0.0.1"
    model_port: int = 0
    model_url: str = ""
    trials: Trials = field(default_factory=dict)


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
        served: the profiles that the target serves and does not claim; None where it was not looked.
        baseline: what was known.
        shard: which part of the whole this is.
    """

    options: Options
    target: Target
    verdict: RunVerdict
    problems: tuple[str, ...]
    cases: int
    seconds: float
    served: tuple[Served, ...] | None = None
    baseline: Baseline = field(default_factory=Baseline)
    shard: Shard = field(default_factory=Shard)
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


def seen_through(
    catalogue: Catalogue, chosen: Sequence[str], tab: str, *, all_of_it: bool
) -> tuple[str, ...]:
    """Leave out what another kind of tab must show; of the whole catalogue a browser shows what is seen through a tab."""
    return tuple(
        name
        for name in chosen
        if catalogue[name].fits(tab)
        and not (all_of_it and tab == "browser" and not catalogue[name].through_a_tab)
    )


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
    *,
    today: datetime.date | None = None,
    announce: Callable[[Target], None] = lambda _: None,
) -> Run:
    """Run the suite.

    Args:
        options: see `Options`.
        watcher: called after each case with its result and the number of cases planned (0 where not known).
        cases: the folder with the cases.
        today: the day on which the baseline is judged; by default the present one.
        announce: called with the target before anything is sent to it.

    Raises:
        ConformanceError: the target file, the baseline, a filter or another option can't be used.
    """
    catalogue = load_catalogue()
    terms = terms_of(options.target, options.baseline, options.policy_ref, catalogue)
    shard = parse_shard(options.shard)
    chosen = select(catalogue, options.filters)
    asked = shard.part_of(seen_through(catalogue, chosen, options.tab, all_of_it=not options.filters))
    _check(options, terms.target)
    refuse_unasked(terms.target, allow_remote=options.allow_remote, allow_writes=options.allow_writes)
    announce(terms.target)
    collector = Collector()
    if watcher is not None:
        collector.watcher = lambda result: watcher(result, collector.planned)
    began = time.monotonic()
    code = _run_cases(options, terms, asked, cases, collector)
    seconds = time.monotonic() - began
    problems = list(dict.fromkeys(collector.problems))
    if not problems and code not in _ORDINARY_CODES:
        problems.append(f"the run was cut short ({pytest.ExitCode(code).name.lower().replace('_', ' ')})")
    if options.case:
        asked = tuple(dict.fromkeys(result.requirement for result in collector.results))
    verdict = _grade(options, terms, asked, collector, today or datetime.date.today())
    if not problems and verdict.is_empty:
        problems.append(f"nothing was graded: {_why_nothing(options, verdict, terms.target)}")
    return Run(
        options,
        terms.target,
        verdict,
        tuple(problems),
        len(collector.results),
        seconds,
        served=collector.served,
        baseline=terms.baseline,
        shard=shard,
    )


def _run_cases(
    options: Options, terms: Terms, asked: Sequence[str], cases: Path, collector: Collector
) -> int:
    """Have pytest run the cases, and end what a worker left behind."""
    if not asked:  # a small shard; without a list of ids every case would run
        return int(pytest.ExitCode.NO_TESTS_COLLECTED)
    with tempfile.TemporaryDirectory(prefix="dualplane-run-") as ledger:
        arguments = _arguments(options, terms, asked, cases, Path(ledger))
        try:
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()),
                _undisturbed(),
            ):
                return int(pytest.main(arguments, plugins=[collector]))
        finally:
            end_all(Path(ledger))


def _grade(
    options: Options, terms: Terms, asked: Sequence[str], collector: Collector, today: datetime.date
) -> RunVerdict:
    graded = grade_run(
        load_catalogue(),
        collector.results,
        asked=asked,
        profiles=terms.target.profiles,
        tab=options.tab,
        own=terms.target.reference,
        strict=options.strict,
    )
    verdict = replace(graded, findings=terms.findings, partial=bool(options.shard))
    return judge(verdict, terms.baseline, collector.served or (), today, probed=collector.served is not None)


def _check(options: Options, target: Target) -> None:
    """Refuse options that the target file gives no means for."""
    providers = (target.model.provider, *target.model.providers)
    if options.provider and options.provider not in providers:
        known = ", ".join(sorted(set(providers)))
        raise ConformanceError(f"{target.name} names no model.providers.{options.provider}; it has {known}")
    if options.faults and not (target.launch and target.launch.fault):
        raise ConformanceError(f"{target.name} has no launch.fault, so that --fault can't switch one on")
    table, key = (target.page, "page.fault") if options.tab == "browser" else (target.tab, "tab.fault")
    if options.tab_faults and not (table and table.fault):
        raise ConformanceError(f"{target.name} has no {key}, so that --tab-fault can't switch one on")


def _why_nothing(options: Options, verdict: RunVerdict, target: Target) -> str:
    if options.case and not verdict.graded:
        return f"no case that was asked for has {options.case!r} in its name"
    if not verdict.graded and not options.shard:
        return "what was asked for shows in a page only: use --tab browser"
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


def _arguments(options: Options, terms: Terms, asked: Sequence[str], cases: Path, ledger: Path) -> list[str]:
    """The arguments for pytest: our plugin and nothing that happens to be installed or configured around it."""
    serially = terms.target.connect is not None or options.model_port != 0
    workers = 0 if serially else options.workers
    part = options.filters or options.shard
    files = files_with(asked, cases) if part else ()
    looks_around = not (options.filters or options.case) and parse_shard(options.shard).number == 1
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
        f"--dp-target={terms.target_reference}",
        f"--dp-only={','.join(asked)}",
        f"--dp-case={options.case}",
        f"--dp-tab={options.tab}",
        f"--dp-seed={options.seed}",
        f"--dp-examples={options.examples}",
        f"--dp-provider={options.provider}",
        f"--dp-report-dir={options.report_dir}",
        f"--dp-model-host={options.model_host}",
        f"--dp-model-port={options.model_port}",
        f"--dp-model-url={options.model_url}",
        f"--dp-ledger={ledger}",
        *(["--dp-probe"] if looks_around else []),
        *(f"--dp-fault={fault}" for fault in options.faults),
        *(f"--dp-tab-fault={fault}" for fault in options.tab_faults),
        *arguments_of(options.trials),
    ]
    if workers > 1:
        arguments += ["-n", str(workers), "--dist", "worksteal", "--max-worker-restart", "0"]
    return arguments
