"""What every screen has: needs, components, what a person can do there, and how it looks."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab.data import Need
from reference_app.tab.errors import ActFailedError, BadRequestError
from reference_app.tab.mounting import Mountable

Act: TypeAlias = Callable[[JsonObject], Awaitable[None] | None]


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as a person sees it."""

    key: str
    cells: Mapping[str, str]

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"key": self.key, "cells": dict(self.cells)}


@dataclass(frozen=True, slots=True)
class ShownDialog:
    """An open dialog as a person sees it."""

    kind: str
    id: str
    title: str
    text: str
    input: Json = None

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"kind": self.kind, "id": self.id, "title": self.title, "text": self.text, "input": self.input}


@dataclass(frozen=True, slots=True)
class Look:
    """What is on a screen."""

    rows: tuple[ShownRow, ...] = ()
    total_rows: int = 0
    selected: tuple[str, ...] = ()
    dialogs: tuple[ShownDialog, ...] = ()


class Screen(Protocol):
    """One screen for as long as it is open."""

    @property
    def needs(self) -> Sequence[Need]:
        """What must be read before it can be shown."""

    def components(self) -> Sequence[Mountable]:
        """What is on the page now."""

    def acts(self) -> Mapping[str, Act]:
        """What a person can do here, by name."""

    def look(self) -> Look:
        """What a person sees here."""


def text_argument(args: JsonObject, name: str) -> str:
    """An argument of an act that is a text.

    Raises:
        BadRequestError: It is missing or of another kind.
    """
    value = args.get(name)
    if not isinstance(value, str):
        raise BadRequestError(f"this act needs {name!r}, a text; saw {value!r}")
    return value


def id_argument(args: JsonObject, name: str) -> int:
    """An argument of an act that is a row's key: a number, or a text of digits.

    Raises:
        BadRequestError: It is missing or of another kind.
    """
    value = args.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    raise BadRequestError(f"this act needs {name!r}, the key of a row; saw {value!r}")


def ids_argument(args: JsonObject, name: str) -> list[int]:
    """An argument of an act that is a list of row keys.

    Raises:
        BadRequestError: It is missing or of another kind.
    """
    value = args.get(name)
    if not isinstance(value, (list, tuple)):
        raise BadRequestError(f"this act needs {name!r}, a list of row keys; saw {value!r}")
    return [id_argument({name: item}, name) for item in value]


def refuse_unless(allowed: bool, message: str) -> None:
    """Tell the person why the screen does not do it.

    Raises:
        ActFailedError: The condition does not hold.
    """
    if not allowed:
        raise ActFailedError(message)
