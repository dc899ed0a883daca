"""The baseline: failures and gaps of a target that are known, one entry each, so that only what is new makes a run red.

    [known.APPROVAL-23]
    verdict = "warned"
    reason = "The record has no version yet, see the ticket."
    last_day = 2027-01-31          # optional; its last day counts

    [unclaimed.threads]
    reason = "Threads are served for one customer, and go away with them."

An entry excuses exactly the verdict that it names: what was untested and fails now is red again. An entry that is of no use
any more is stale, and red, so that the file only ever gets shorter.
"""

import datetime
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from conformance.catalogue import Catalogue, Profile
from conformance.errors import ConformanceError
from conformance.verdict import Graded, RunVerdict

Reason = Annotated[str, StringConstraints(min_length=5, strip_whitespace=True)]


class BaselineError(ConformanceError):
    """A baseline file can't be used; the message names the file, the entry and what is expected."""


class _Entry(BaseModel):
    """What every entry has."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    reason: Reason
    last_day: datetime.date | None = None

    def holds(self, today: datetime.date) -> bool:
        """Whether the entry is still good; its last day counts."""
        return self.last_day is None or today <= self.last_day


class Known(_Entry):
    """One requirement that is known not to be passed."""

    verdict: Literal["failed", "warned", "untested"]


class Unclaimed(_Entry):
    """One profile that is known to be served without being claimed."""


class Baseline(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    known: Mapping[str, Known] = Field(default_factory=dict)
    unclaimed: Mapping[str, Unclaimed] = Field(default_factory=dict)


def read_baseline(text: str, file: str, catalogue: Catalogue) -> Baseline:
    """Read a baseline file.

    Raises:
        BaselineError: it is not TOML, an entry is not as it must be, or names no requirement or profile.
    """
    try:
        baseline = Baseline.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BaselineError(f"{file}: not TOML: {error}") from None
    except ValidationError as error:
        raise BaselineError(f"{file}: {_complaint(error.errors(include_url=False)[0])}") from None
    for name in baseline.known:
        if name not in catalogue.by_id:
            raise BaselineError(f"{file}: `known.{name}`: no requirement has this id; take the entry out")
    for name in baseline.unclaimed:
        if name not in {profile.value for profile in Profile}:
            raise BaselineError(f"{file}: `unclaimed.{name}`: there is no such profile")
    return baseline


def _complaint(detail: Any) -> str:
    path = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "missing":
        return f"`{path}` is missing; an entry needs a reason, and one of a requirement also its verdict"
    if detail["type"] == "extra_forbidden":
        return f"unknown key `{path}`; expected [known.ID] and [unclaimed.PROFILE] with verdict, reason, last_day"
    return f"`{path}`: {detail['msg']}"


@dataclass(frozen=True)
class Served:
    """A profile that a target serves although its file does not claim it: how that shows, in words."""

    profile: Profile
    evidence: str

    @property
    def sentence(self) -> str:
        """The finding."""
        return f"the target serves {self.profile.value}, which its file does not claim: {self.evidence}"


def judge(
    verdict: RunVerdict, baseline: Baseline, served: tuple[Served, ...], today: datetime.date, *, probed: bool
) -> RunVerdict:
    """Apply a baseline to a graded run.

    Args:
        verdict: the graded requirements.
        baseline: what is known.
        served: the profiles that are served and not claimed.
        today: the day on which entries are judged.
        probed: whether it was looked which profiles are served; entries about them can only be stale if so.
    """
    graded = {item.requirement.id: item for item in verdict.graded}
    listed = frozenset(
        name
        for name, entry in baseline.known.items()
        if name in graded and entry.holds(today) and graded[name].verdict == entry.verdict
    )
    excused = {name for name, entry in baseline.unclaimed.items() if entry.holds(today)}
    findings = [
        *_stale(graded, baseline, today),
        *(one.sentence for one in served if one.profile.value not in excused),
        *(_stale_claims(baseline, served) if probed else ()),
    ]
    return replace(verdict, listed=listed, findings=(*verdict.findings, *findings))


def _stale(graded: Mapping[str, Graded], baseline: Baseline, today: datetime.date) -> Iterator[str]:
    for name, entry in baseline.known.items():
        if name not in graded:
            continue
        seen = graded[name].verdict
        if seen != entry.verdict:
            yield f"the baseline lists {name} as {entry.verdict}, and it is {seen.value}: take the entry out or mend it"
        elif not entry.holds(today):
            yield f"the baseline's entry for {name} was good until {entry.last_day}: {entry.reason}"


def _stale_claims(baseline: Baseline, served: tuple[Served, ...]) -> Iterator[str]:
    seen = {one.profile.value for one in served}
    for name in baseline.unclaimed:
        if name not in seen:
            yield f"the baseline lists {name} as served and not claimed, and that is over: take the entry out"


def write_baseline(verdict: RunVerdict, served: tuple[Served, ...], kept: Baseline, reason: str) -> str:
    """Return the text of a baseline that excuses everything that is red in a run.

    Args:
        verdict: the graded run, strict or not: what is red in it gets an entry.
        served: the profiles that are served and not claimed.
        kept: an earlier baseline, whose reasons and last days are kept where they still fit.
        reason: the reason of new entries.
    """
    blocks = []
    for item in verdict.graded:
        known = kept.known.get(item.requirement.id)
        fits = known is not None and known.verdict == item.verdict
        if fits or replace(verdict, listed=frozenset()).is_red(item):
            entry = known if fits and known else None
            blocks.append(_block("known", item.requirement.id, item.verdict.value, entry, reason))
    blocks += [
        _block("unclaimed", one.profile.value, "", kept.unclaimed.get(one.profile.value), reason)
        for one in served
    ]
    return "\n".join(blocks)


def _block(table: str, name: str, verdict: str, entry: _Entry | None, reason: str) -> str:
    lines = [f"[{table}.{name}]"]
    if verdict:
        lines.append(f'verdict = "{verdict}"')
    lines.append(f"reason = {json.dumps(entry.reason if entry else reason, ensure_ascii=False)}")
    if entry and entry.last_day:
        lines.append(f"last_day = {entry.last_day.isoformat()}")
    return "\n".join(lines) + "\n"
