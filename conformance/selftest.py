"""The kill pass: the proof that every case can fail.

For each deliberate fault of the reference app, and of its tab, the app is started with it; the requirements that name the
fault must turn red, and nothing else may. What is run for a fault is what names it and a fixed set of sentinels from all
areas; a soak runs everything instead that could notice it, and takes the known consequences of a fault for what they are.
"""

import random
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from conformance.catalogue import Catalogue, Level
from conformance.consequences import Consequences
from conformance.report.progress import Progress
from conformance.run import Options, execute, seen_through
from conformance.trials import TAB, Trials, error_under, red_under
from conformance.verdict import CaseResult

SENTINELS = (
    "CATALOG-01",
    "CATALOG-06",
    "CATALOG-12",
    "CATALOG-13",
    "AUTHORITY-01",
    "STATE-02",
    "STATE-03",
    "CALL-01",
    "CALL-02",
    "CALL-03",
    "CALL-08",
    "ERROR-02",
    "FRAME-04",
    "FRAME-08",
    "APPROVAL-03",
    "APPROVAL-13",
    "IDENTITY-01",
    "RPC-01",
    "RPC-03",
    "STEP-01",
    "A2UI-20",
    "A2UI-40",
    "A2UI-51",
)
"""From all areas of the server's half, and quick: none of them opens a tab or starts anything."""
TAB_SENTINELS = (
    "AVAILABILITY-02",
    "AVAILABILITY-04",
    "BINDING-01",
    "BINDING-03",
    "VIEW-01",
    "VIEW-07",
    "CONFIRMATION-13",
    "A2UI-90",
)
"""Run beside what names a fault of the tab, in direct mode: the server's half is the same with every one of them."""
PAGE_SENTINELS = ("BINDING-01", "VIEW-01")
"""Fewer on the page, where each costs a second; a soak runs everything."""
AT_ONCE = 40
"""How many faults share a run: the more, the less is spent on starting; results come when a run is over."""
OF_A_SOAK = 8
"""Fewer, because everything is run for each."""


@dataclass(frozen=True)
class Fault:
    """One deliberate fault and the requirements that it must turn red.

    Attributes:
        name: as the catalogue has it; a prefix `tab:` says that the tab is started with it, and `+` joins faults of
            which neither shows without the other.
        declared: ids of the requirements that name it.
        consequences: ids of those that are known to turn red with it.
    """

    name: str
    declared: tuple[str, ...]
    consequences: tuple[str, ...] = ()

    @property
    def is_the_tabs(self) -> bool:
        """Whether the tab alone has it."""
        return all(part.startswith(TAB) for part in self.name.split("+"))

    @property
    def options(self) -> list[str]:
        """The options of `dualplane run` that switch it on."""
        return [option for part in self.name.split("+") for option in _option(part)]


def _option(name: str) -> tuple[str, str]:
    if name.startswith(TAB):
        return "--tab-fault", name.removeprefix(TAB)
    return "--fault", name


@dataclass(frozen=True)
class Kill:
    """What became of one fault.

    Attributes:
        fault: the fault.
        red: the requirements that turned red.
        problem: why the run could not be graded; a fault that does not start is no kill.
    """

    fault: Fault
    red: tuple[str, ...] = ()
    problem: str = ""

    @property
    def survived(self) -> tuple[str, ...]:
        """The declared requirements that stayed green."""
        return tuple(name for name in self.fault.declared if name not in self.red)

    @property
    def unexpected(self) -> tuple[str, ...]:
        """The requirements that turned red without being declared, or known as a consequence."""
        known = (*self.fault.declared, *self.fault.consequences)
        return tuple(name for name in self.red if name not in known)

    @property
    def clean(self) -> bool:
        """Whether the declared requirements turned red, and nothing that nobody expects."""
        return not (self.problem or self.survived or self.unexpected)

    @property
    def line(self) -> str:
        """The result as one line."""
        if self.problem:
            return f"error     {self.fault.name}: {self.problem}"
        if self.clean:
            return f"killed    {self.fault.name}: {', '.join(self.red)}"
        parts = [f"{', '.join(self.survived)} stayed green"] if self.survived else []
        parts += [f"{', '.join(self.unexpected)} turned red too"] if self.unexpected else []
        return f"{'survived' if self.survived else 'unexpected':<9} {self.fault.name}: {'; '.join(parts)}"


def faults_of(
    catalogue: Catalogue,
    only: Collection[str] = (),
    tab: str = "process",
    consequences: Consequences = MappingProxyType({}),
) -> tuple[Fault, ...]:
    """Every fault that the catalogue names, with the requirements that name it, in catalogue order.

    Args:
        catalogue: the requirements.
        only: names of faults; empty is all.
        tab: the kind of tab. With `browser` these are the faults that a tab shows: the server's own are the same there.
        consequences: what else turns red with a fault.
    """
    declared: dict[str, list[str]] = {}
    for requirement in catalogue:
        if tab == "browser" and not requirement.through_a_tab:
            continue
        for name in requirement.faults if requirement.fits(tab) else ():
            declared.setdefault(name, []).append(requirement.id)
    faults = (
        Fault(name, tuple(ids), consequences.get(name, ()))
        for name, ids in declared.items()
        if not only or name in only
    )
    return tuple(
        fault for fault in faults if tab == "process" or TAB in fault.name or _is_seen(catalogue, fault, tab)
    )


def _is_seen(catalogue: Catalogue, fault: Fault, tab: str) -> bool:
    """Whether a fault of the server's shows in this kind of tab alone."""
    return any(catalogue[name].tab == tab for name in fault.declared)


def sample(faults: Sequence[Fault], part: int, seed: int) -> tuple[Fault, ...]:
    """One `part`-th of the faults, chosen by the seed, in their order; at least one."""
    chosen = set(random.Random(seed).sample(range(len(faults)), max(1, len(faults) // part)))
    return tuple(fault for index, fault in enumerate(faults) if index in chosen)


def unguarded(catalogue: Catalogue) -> tuple[str, ...]:
    """The MUSTs that name no fault: nobody has shown that their cases can fail."""
    return tuple(row.id for row in catalogue if row.level is Level.MUST and not row.faults)


def soaked(catalogue: Catalogue, fault: Fault, tab: str) -> tuple[str, ...]:
    """What a soak runs against a fault: with a defect of the tab's alone, what needs no tab meets no defect at all."""
    seen = seen_through(catalogue, tuple(catalogue.by_id), tab, all_of_it=True)
    return tuple(name for name in seen if catalogue[name].through_a_tab or not fault.is_the_tabs)


def kill_pass(
    faults: Sequence[Fault],
    *,
    target: str,
    workers: int,
    soak: Catalogue | None = None,
    tab: str = "process",
    watcher: Callable[[Kill], None] | None = None,
) -> tuple[Kill, ...]:
    """Run the suite against every fault, several in one run.

    Args:
        faults: see `faults_of`.
        target: the target file.
        workers: how many processes run cases.
        soak: what the target claims, to be run against each fault instead of what names it and the sentinels.
        tab: the kind of tab.
        watcher: called with each result as it comes.
    """
    size = AT_ONCE if soak is None else OF_A_SOAK
    kills: list[Kill] = []
    for first in range(0, len(faults), size):
        part = faults[first : first + size]
        trials = {
            fault.name: (*fault.declared, *_sentinels(fault, tab))
            if soak is None
            else soaked(soak, fault, tab)
            for fault in part
        }
        for kill in _try_together(part, trials, target, workers, tab):
            kills.append(kill)
            if watcher is not None:
                watcher(kill)
    return tuple(kills)


def _try_together(
    faults: Sequence[Fault], trials: Trials, target: str, workers: int, tab: str
) -> tuple[Kill, ...]:
    """Try faults in one run, in which each case is told of the fault that it runs under."""
    wanted = tuple(dict.fromkeys(name for ids in trials.values() for name in ids))
    results: list[CaseResult] = []
    with Progress(sys.stderr) as progress:

        def note(result: CaseResult, planned: int) -> None:
            results.append(result)
            progress.case_done(result, planned)

        run = execute(Options(target=target, filters=wanted, workers=workers, tab=tab, trials=trials), note)
    problem = run.problems[0] if run.problems else ""
    return tuple(
        Kill(fault, red_under(fault.name, results), error_under(fault.name, results) or problem)
        for fault in faults
    )


def _sentinels(fault: Fault, tab: str) -> tuple[str, ...]:
    """What is run beside what names a fault, and must stay green."""
    of_tab = PAGE_SENTINELS if tab == "browser" else TAB_SENTINELS
    sentinels = of_tab if tab == "browser" or fault.is_the_tabs else SENTINELS
    return tuple(name for name in sentinels if name not in fault.declared)
