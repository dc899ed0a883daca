"""Which of the keys that cases need a target file has."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.catalogue import Catalogue, Profile
from conformance.needs import all_needs
from conformance.target import Target
from conformance.target_tables import Paths, Rights

OURS = frozenset({"inputHash"})
"""What a case looks for at the running target, and no file can say."""


@dataclass(frozen=True)
class Gap:
    """A key that a file lacks, and the requirements whose cases ask for it."""

    key: str
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class Means:
    """What a file gives for one profile: how many requirements it has, and what is missing for some of them."""

    profile: Profile
    claimed: bool
    requirements: int
    gaps: tuple[Gap, ...]

    @property
    def hindered(self) -> int:
        """How many requirements lack something."""
        return len({name for gap in self.gaps for name in gap.requirements})


def means_of(target: Target, catalogue: Catalogue) -> Iterator[Means]:
    """Say for each profile that has requirements what a file lacks for it."""
    needs = all_needs()
    for profile in Profile:
        rows = [requirement.id for requirement in catalogue if requirement.profile is profile]
        if rows:
            yield Means(profile, profile in target.profiles, len(rows), tuple(_gaps(target, rows, needs)))


def _gaps(target: Target, rows: list[str], needs: Mapping[str, tuple[str, ...]]) -> Iterator[Gap]:
    lacking: dict[str, list[str]] = {}
    for name in rows:
        for key in needs.get(name, ()):
            if key not in OURS and not has(target, key):
                lacking.setdefault(key, []).append(name)
    for key in sorted(lacking, key=lambda key: (-len(lacking[key]), key)):
        yield Gap(key, tuple(lacking[key]))


TABLES = ("roles", "view", "tab.acts", "tab.variants", "launch.variants")
"""Tables whose entries cases ask for by name."""


def unasked(target: Target) -> Iterator[str]:
    """Name the entries that no case asks for, a sentence each: most often they are misspelled."""
    asked = {key for keys in all_needs().values() for key in keys}
    for table in TABLES:
        known = {
            key.removeprefix(f"{table}.").partition(".")[0] for key in asked if key.startswith(f"{table}.")
        }
        used = (
            {role for hidden in target.hidden_from.values() for role in hidden} if table == "roles" else set()
        )
        for name in _entries(target, table):
            if name not in known | used:
                near = difflib.get_close_matches(name, known, n=1)
                yield f"{table}.{name}: no case asks for it" + (f"; did you mean {near[0]}?" if near else "")


def _entries(target: Target, table: str) -> Mapping[str, Any]:
    value: Any = target
    for part in table.split("."):
        value = getattr(value, part, None)
    return value if isinstance(value, Mapping) else {}


def has(target: Target, key: str) -> bool:
    """Whether a target file gives what a key names; `*` stands for any entry of a table."""
    if key.startswith("identities ("):
        return _has_people(target, key)
    if key.startswith("paths.") and key.removeprefix("paths.") not in Paths.model_fields:
        return True  # the name of a way in, and no key
    value: Any = target
    for part in key.split("."):
        if part == "*":
            return value is not None and len(value) > 0
        value = value.get(part) if isinstance(value, Mapping) else getattr(value, part, None)
        if value is None or (isinstance(value, str | tuple) and not value):
            return False
    return not isinstance(value, Mapping) or len(value) > 0


def _has_people(target: Target, key: str) -> bool:
    rights = [identity.rights for identity in target.identities.values()]
    if "restricted" in key:
        return Rights.RESTRICTED in rights
    return rights.count(Rights.FULL) >= (2 if "two" in key else 1)
