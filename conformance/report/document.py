"""A run as one value that goes into a file and comes back: what every report but the terminal's is made from."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from conformance.catalogue import Level, Profile
from conformance.run import Run
from conformance.target import Target
from conformance.verdict import Graded, Outcome, Verdict


class _Part(BaseModel):
    """Base of every part: frozen, names as in the file, nothing unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, use_enum_values=True)


class Suite(_Part):
    """Which suite ran."""

    name: Literal["dualplane"] = "dualplane"
    version: str


class Tested(_Part):
    """What was tested; `digest` tells two target files apart that share a name."""

    name: str
    profiles: tuple[Profile, ...]
    digest: str


class Case(_Part):
    """One case of a requirement."""

    case: str
    outcome: Outcome
    message: str


class Row(_Part):
    """One requirement with its verdict.

    Attributes:
        red: whether it makes the run red.
        listed: whether the baseline excuses it.
        departure: what the target file itself says about it, where it names it as a known departure.
    """

    id: str
    level: Level
    profile: Profile
    sentence: str
    source: str
    tab: str | None
    verdict: Verdict
    red: bool
    listed: bool
    departure: str | None
    missing: tuple[str, ...]
    cases: tuple[Case, ...]


class Timings(_Part):
    """What depends on the clock: seconds of the whole, and of each case."""

    seconds: float
    cases: Mapping[str, float]


class Document(_Part):
    """A whole run, or one shard of one."""

    format: Literal[1] = 1
    suite: Suite
    target: Tested
    shard: Annotated[str, StringConstraints(pattern=r"^[0-9]+/[0-9]+$")] | None
    seed: int
    tab: str
    provider: str
    strict: bool
    faults: tuple[str, ...]
    exit_code: int = Field(alias="exitCode")
    counts: Mapping[str, int]
    problems: tuple[str, ...]
    findings: tuple[str, ...]
    requirements: tuple[Row, ...]
    timings: Timings

    @property
    def last_line(self) -> str:
        """The counts, as the last line of a run has them."""
        order = (Verdict.PASSED, Verdict.FAILED, Verdict.WARNED, Verdict.UNTESTED, Verdict.NOT_CLAIMED)
        return ", ".join(f"{self.counts[verdict.value]} {verdict.value}" for verdict in order)

    def of(self, verdict: Verdict) -> tuple[Row, ...]:
        """The requirements with one verdict."""
        return tuple(row for row in self.requirements if row.verdict == verdict.value)


def document_of(run: Run) -> Document:
    """Put a run into a document."""
    departures = {known.requirement: known.reason for known in run.target.known_departures}
    return Document(
        suite=Suite(version=run.version),
        target=Tested(name=run.target.name, profiles=run.target.profiles, digest=digest_of(run.target)),
        shard=None if run.shard.is_whole else str(run.shard),
        seed=run.options.seed,
        tab=run.options.tab,
        provider=run.options.provider or run.target.model.provider,
        strict=run.options.strict,
        faults=run.options.faults + run.options.tab_faults,
        exit_code=run.exit_code,
        counts=counts_of(item.verdict for item in run.verdict.graded),
        problems=run.problems,
        findings=run.verdict.findings,
        requirements=tuple(_row(item, run, departures) for item in run.verdict.graded),
        timings=Timings(
            seconds=round(run.seconds, 3),
            cases={case.case: case.seconds for item in run.verdict.graded for case in item.cases},
        ),
    )


def counts_of(verdicts: Iterable[Verdict | str]) -> dict[str, int]:
    """Count verdicts by name; every name is there."""
    seen = [verdict.value if isinstance(verdict, Verdict) else verdict for verdict in verdicts]
    return {verdict.value: seen.count(verdict.value) for verdict in Verdict}


def digest_of(target: Target) -> str:
    """What tells two target files apart, wherever they lie: the first 16 hexadecimal digits of a SHA-256."""
    text = json.dumps(target.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _row(item: Graded, run: Run, departures: Mapping[str, str]) -> Row:
    requirement = item.requirement
    return Row(
        id=requirement.id,
        level=requirement.level,
        profile=requirement.profile,
        sentence=requirement.sentence,
        source=requirement.source,
        tab=item.tab or None,
        verdict=item.verdict,
        red=run.verdict.is_red(item),
        listed=requirement.id in run.verdict.listed,
        departure=departures.get(requirement.id),
        missing=item.missing,
        cases=tuple(Case(case=case.case, outcome=case.outcome, message=case.message) for case in item.cases),
    )
