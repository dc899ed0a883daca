"""The founding documents statement by statement: which requirements show each, or why it can't be seen from outside."""

import functools
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter, model_validator

from conformance.shipped import parse_shipped, shipped_text

FILE = "coverage.toml"


class Statement(BaseModel):
    """One normative statement: where it stands, what it says in our words, what shows it or why nothing can."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Annotated[str, StringConstraints(min_length=10)]
    says: Annotated[str, StringConstraints(min_length=10, max_length=200, pattern=r"\.$")]
    requirements: tuple[str, ...] = ()
    unseen: str = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> "Statement":
        if bool(self.requirements) == bool(self.unseen):
            raise ValueError("needs requirements, or else the reason why it can't be seen from outside")
        return self

    @property
    def document(self) -> str:
        """The document's title."""
        return self.source.partition(", ")[0]

    @property
    def place(self) -> str:
        """The heading, with the number of an item where there is one."""
        return self.source.partition(", ")[2]


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    statement: tuple[Statement, ...]


@dataclass(frozen=True)
class Coverage:
    """All statements, in the documents' order."""

    statements: tuple[Statement, ...]


def parse_coverage(text: str) -> Coverage:
    """Read the file.

    Raises:
        CatalogueError: it is not TOML, or a statement is not as it must be; the message names the field.
    """
    return Coverage(parse_shipped(text, FILE, TypeAdapter(_File)).statement)


@functools.cache
def load_coverage() -> Coverage:
    """Read the statements that ship with the suite."""
    return parse_coverage(shipped_text(FILE))
