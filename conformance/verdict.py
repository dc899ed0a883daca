"""The one place where verdicts, counts and the exit code are computed.

A case has an outcome; a requirement's verdict follows from the outcomes of its cases, its level and whether the target
claims its profile; the exit code follows from the verdicts. Nothing else in the project decides whether a run is green.
"""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from conformance.catalogue import Catalogue, Level, Profile, Requirement


class Outcome(enum.StrEnum):
    """What became of one case."""

    PASSED = "passed"
    FAILED = "failed"
    UNTESTED = "untested"
    ERROR = "error"


class Verdict(enum.StrEnum):
    """What a run says about one requirement."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    UNTESTED = "untested"
    NOT_CLAIMED = "not claimed"
    ERROR = "error"


GRADED = frozenset({Verdict.PASSED, Verdict.FAILED, Verdict.WARNED})


@dataclass(frozen=True)
class CaseResult:
    """What became of one case, and why.

    Attributes:
        case: the case's id, `test_approvals.py::test_denial_changes_nothing`.
        requirement: the id of the requirement that the case shows.
        outcome: see `Outcome`.
        message: why the outcome is not `passed`, in words a reader of the requirement understands; else empty.
        missing: for `untested`, the key of the target file or the program that is missing.
        detail: the long form: transcript excerpt, data before and after, the command that runs the case alone.
        transcript: the path of the file with the whole transcript; empty where none was written.
        seconds: how long the case took.
    """

    case: str
    requirement: str
    outcome: Outcome
    message: str = ""
    missing: str = ""
    detail: str = ""
    transcript: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Graded:
    """A requirement with its verdict and the cases that led to it.

    Attributes:
        requirement: the row of the catalogue.
        verdict: what the run says about it.
        cases: the results of its cases, by name.
        tab: the kind of tab that it was shown through; empty where none is used.
        binding: whether it counts as a MUST at this target, see `is_binding`.
    """

    requirement: Requirement
    verdict: Verdict
    cases: tuple[CaseResult, ...] = ()
    tab: str = ""
    binding: bool = True

    @property
    def missing(self) -> tuple[str, ...]:
        """The missing keys of its untested cases, without duplicates, in order."""
        return tuple(dict.fromkeys(case.missing for case in self.cases if case.missing))


@dataclass(frozen=True)
class RunVerdict:
    """Everything a run found out.

    Attributes:
        graded: one entry for each requirement that the run was asked about, in catalogue order.
        strict: whether warnings count as failures.
        findings: what makes the run red beside the requirements, as sentences: stale baseline entries, profiles that are
            served and not claimed, claims that were dropped.
        listed: ids of requirements whose failure or untestedness the baseline lists.
        partial: whether this is one shard of several, which may happen to grade nothing.
    """

    graded: tuple[Graded, ...]
    strict: bool = False
    findings: tuple[str, ...] = ()
    listed: frozenset[str] = field(default_factory=frozenset)
    partial: bool = False

    def count(self, verdict: Verdict) -> int:
        """How many requirements have this verdict."""
        return sum(1 for item in self.graded if item.verdict is verdict)

    @property
    def last_line(self) -> str:
        """The last line of every run."""
        order = (Verdict.PASSED, Verdict.FAILED, Verdict.WARNED, Verdict.UNTESTED, Verdict.NOT_CLAIMED)
        return ", ".join(f"{self.count(verdict)} {verdict.value}" for verdict in order)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was graded, and no error says why."""
        return not self.partial and not any(
            item.verdict in GRADED or item.verdict is Verdict.ERROR for item in self.graded
        )

    @property
    def exit_code(self) -> int:
        """0 green; 1 a claimed MUST failed or is untested and is not listed; 2 an error of the suite, or nothing graded."""
        if self.count(Verdict.ERROR) or self.is_empty:
            return 2
        return 1 if self.findings or any(self.is_red(item) for item in self.graded) else 0

    def is_red(self, item: Graded) -> bool:
        """Whether this requirement alone makes the run red."""
        if item.verdict is Verdict.ERROR:
            return True
        if item.requirement.id in self.listed:
            return False
        if item.verdict is Verdict.FAILED:
            return True
        if item.verdict is Verdict.UNTESTED:
            return item.binding
        return self.strict and item.verdict is Verdict.WARNED


def grade(
    requirement: Requirement, cases: Sequence[CaseResult], *, claimed: bool, own: bool = False
) -> Verdict:
    """Give one requirement its verdict.

    Args:
        requirement: the row of the catalogue.
        cases: the results of all its cases; none at all is untested.
        claimed: whether the target claims the requirement's profile.
        own: whether the target is the reference app, which is held to this project's own contracts as well.
    """
    if not claimed:
        return Verdict.NOT_CLAIMED
    outcomes = {case.outcome for case in cases}
    if Outcome.ERROR in outcomes:
        return Verdict.ERROR
    if Outcome.FAILED in outcomes:
        return Verdict.FAILED if is_binding(requirement, own=own) else Verdict.WARNED
    if Outcome.UNTESTED in outcomes or not outcomes:
        return Verdict.UNTESTED
    return Verdict.PASSED


def is_binding(requirement: Requirement, *, own: bool) -> bool:
    """Whether a failure is more than a warning: a MUST, unless it rests on our own contract and the target is not ours."""
    return requirement.level is Level.MUST and (own or not requirement.own_contract)


def grade_run(
    catalogue: Catalogue,
    results: Iterable[CaseResult],
    *,
    asked: Iterable[str],
    profiles: Iterable[Profile],
    tab: str = "process",
    own: bool = False,
    strict: bool = False,
) -> RunVerdict:
    """Grade every requirement that the run was asked about.

    Args:
        catalogue: all requirements.
        results: the results of all cases that ran, in any order.
        asked: ids of the requirements in question (all, or those that a filter leaves).
        profiles: what the target claims.
        tab: the kind of tab that the requirements of the view plane were shown through.
        own: see `grade`.
        strict: whether warnings count.
    """
    by_requirement: dict[str, list[CaseResult]] = {}
    for result in results:
        by_requirement.setdefault(result.requirement, []).append(result)
    wanted = frozenset(asked)
    claimed = frozenset(profiles)
    graded = []
    for requirement in catalogue.by_id.values():
        if requirement.id not in wanted:
            continue
        cases = tuple(sorted(by_requirement.get(requirement.id, ()), key=lambda case: case.case))
        verdict = grade(requirement, cases, claimed=requirement.profile in claimed, own=own)
        shown_through = tab if requirement.through_a_tab else ""
        binding = is_binding(requirement, own=own)
        graded.append(Graded(requirement, verdict, cases, shown_through, binding))
    return RunVerdict(graded=tuple(graded), strict=strict)
