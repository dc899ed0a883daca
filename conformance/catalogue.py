"""The requirement catalogue: what an implementation must do, one testable sentence a row.

Each file under `requirements/` holds one area:

    area = "approvals"
    title = "Approvals"

    [[requirement]]
    id = "APPROVAL-01"
    level = "MUST"
    profile = "approvals"
    sentence = "A model's call to a gated operation suspends; nothing runs before a decision."
    source = "The dual-plane model, Bind for context, gate for consequence"
    faults = ["gate-skipped"]

`source` names the published document and its heading; `faults` are the deliberate defects of the reference app that turn
exactly this requirement red.
"""

import difflib
import enum
import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from conformance.errors import CatalogueError, ConformanceError
from conformance.shipped import parse_shipped

ID_PATTERN = re.compile(r"[A-Z][A-Z0-9]*-[0-9]{2,3}")


class Level(enum.StrEnum):
    """How binding a requirement is: MUST rests on a sentence of the three founding documents, SHOULD does not."""

    MUST = "MUST"
    SHOULD = "SHOULD"


class Profile(enum.StrEnum):
    """A named set of requirements that a target claims."""

    HOST_V2 = "host-v2"
    HOST_V1 = "host-v1"
    DOMAIN = "domain"
    APPROVALS = "approvals"
    APPROVALS_DURABLE = "approvals-durable"
    IDENTITY = "identity"
    THREADS = "threads"
    TELEMETRY = "telemetry"
    VIEW = "view"
    META = "meta"
    A2UI = "a2ui"


THROUGH_A_TAB = frozenset({Profile.VIEW, Profile.META})
"""The profiles of the view plane."""


class Requirement(BaseModel):
    """One row of the catalogue."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, StringConstraints(pattern=rf"^{ID_PATTERN.pattern}$")]
    level: Level
    profile: Profile
    sentence: Annotated[str, StringConstraints(min_length=20, max_length=240, pattern=r"\.$")]
    source: Annotated[str, StringConstraints(min_length=10)]
    faults: tuple[str, ...] = ()
    tab: Literal["", "any", "browser"] = Field(
        default="",
        description="The kind of tab that can show it, where one is used; the profiles of the view plane need not say `any`.",
    )
    own_contract: bool = Field(
        default=False,
        description="Rests on a contract that this project published itself; SHOULD for any other target.",
    )

    @property
    def through_a_tab(self) -> bool:
        """Whether it is shown through a tab of the target's own."""
        return bool(self.tab) or self.profile in THROUGH_A_TAB

    def fits(self, tab: str) -> bool:
        """Whether this kind of tab can show it, or it needs none."""
        return self.tab in ("", "any", tab)


class _AreaFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    area: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    title: str
    requirement: tuple[Requirement, ...]


_AREA_FILE = TypeAdapter(_AreaFile)


@dataclass(frozen=True)
class Area:
    """The requirements of one file, in the file's order."""

    name: str
    title: str
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True)
class Catalogue:
    """All areas, in a fixed order."""

    areas: tuple[Area, ...]

    @functools.cached_property
    def by_id(self) -> Mapping[str, Requirement]:
        """Every requirement by its id, in catalogue order."""
        return {requirement.id: requirement for area in self.areas for requirement in area.requirements}

    def of(self, profiles: Collection[Profile]) -> "Catalogue":
        """The part of the catalogue that a target with these profiles is held to."""
        return Catalogue(
            tuple(
                Area(area.name, area.title, tuple(r for r in area.requirements if r.profile in profiles))
                for area in self.areas
            )
        )

    def __iter__(self) -> Iterator[Requirement]:
        """Iterate over the requirements in catalogue order."""
        return iter(self.by_id.values())

    def __getitem__(self, requirement_id: str) -> Requirement:
        """Return one requirement.

        Raises:
            ConformanceError: no requirement has this id; the message names the nearest ones.
        """
        try:
            return self.by_id[requirement_id]
        except KeyError:
            near = difflib.get_close_matches(requirement_id.upper(), self.by_id, n=3, cutoff=0.5)
            hint = f"; did you mean {', '.join(near)}?" if near else "; `dualplane run --list` shows them all"
            raise ConformanceError(f"no requirement is called {requirement_id!r}{hint}") from None

    def area_of(self, requirement_id: str) -> Area:
        """Return the area that holds a requirement."""
        return next(area for area in self.areas for r in area.requirements if r.id == requirement_id)


def parse_area(text: str, file: str) -> Area:
    """Read one requirements file.

    Raises:
        CatalogueError: the file is not TOML or a row is not as it must be; the message names the file and the field.
    """
    parsed = parse_shipped(text, file, _AREA_FILE)
    return Area(name=parsed.area, title=parsed.title, requirements=parsed.requirement)


def build_catalogue(areas: Iterable[Area]) -> Catalogue:
    """Put areas together.

    Raises:
        CatalogueError: two rows share an id or a sentence.
    """
    catalogue = Catalogue(tuple(areas))
    rows = [requirement for area in catalogue.areas for requirement in area.requirements]
    for field in ("id", "sentence"):
        seen: set[str] = set()
        for row in rows:
            value = str(getattr(row, field))
            if value in seen:
                raise CatalogueError(f"two requirements share the {field} {value!r}")
            seen.add(value)
    return catalogue


@functools.cache
def load_catalogue() -> Catalogue:
    """Read the catalogue that ships with the suite."""
    folder = resources.files("conformance") / "requirements"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name
    )
    return build_catalogue(parse_area(file.read_text(encoding="utf-8"), file.name) for file in files)
