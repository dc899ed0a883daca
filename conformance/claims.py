"""Where target file and baseline are taken from, so that a change can't loosen the gate that it has to pass.

With a policy ref both are read from that git ref. What the working folder's own target file claims less than that is a finding:
merged, it would be graded no more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conformance.baseline import Baseline, read_baseline
from conformance.catalogue import Catalogue
from conformance.errors import ConformanceError
from conformance.inventory.errors import MissingSourceError
from conformance.inventory.source import fetch
from conformance.repository import at_ref
from conformance.target import Target, bundled_target
from conformance.target_file import load_target


@dataclass(frozen=True)
class Terms:
    """What a run is held to.

    Attributes:
        target_reference: where the target file was read from, for workers to read it from as well.
        target: the target.
        baseline: what is known not to hold.
        findings: what the working folder's file claims less than the ref's.
    """

    target_reference: str
    target: Target
    baseline: Baseline
    findings: tuple[str, ...] = ()


def terms_of(target: str, baseline: str, policy_ref: str, catalogue: Catalogue) -> Terms:
    """Read what a run is held to.

    Args:
        target: a target file, or the name of one that ships with the suite.
        baseline: a baseline file; empty for none.
        policy_ref: a git ref; empty for the working folder.
        catalogue: all requirements.

    Raises:
        ConformanceError: a file can't be read, or is not at the ref.
    """
    if not policy_ref:
        return Terms(target, load_target(target), _baseline(baseline, catalogue))
    if bundled_target(target) is not None and not Path(target).is_file():
        raise ConformanceError(
            f"{target} ships with the suite; --policy-ref needs a target file that lies in your repository"
        )
    reference = at_ref(policy_ref, Path(target))
    held_to = load_target(reference)
    return Terms(
        reference,
        held_to,
        _baseline(at_ref(policy_ref, Path(baseline)) if baseline else "", catalogue, may_be_missing=True),
        tuple(_dropped(held_to, target, policy_ref)),
    )


def _baseline(reference: str, catalogue: Catalogue, *, may_be_missing: bool = False) -> Baseline:
    if not reference:
        return Baseline()
    try:
        content = fetch(reference)
    except MissingSourceError:
        if may_be_missing:  # nothing is known at the ref: the strictest there is
            return Baseline()
        raise
    try:
        text = content.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConformanceError(f"{content.file}: can't be read: {error}") from None
    return read_baseline(text, content.file, catalogue)


def _dropped(held_to: Target, working: str, ref: str) -> Iterator[str]:
    if not Path(working).is_file():
        yield f"{working} is gone from the working folder; it is there at {ref}"
        return
    claimed = load_target(working).profiles
    for profile in held_to.profiles:
        if profile not in claimed:
            yield f"{working} claims {profile.value} no more; it does at {ref}"
