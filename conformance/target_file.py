"""Reading a target file, and saying exactly what is wrong with one: the file, the line, the key and what is allowed."""

import datetime
import difflib
import json
import math
import re
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from conformance.errors import TargetFileError
from conformance.repository import top_of
from conformance.target import Target, bundled_target
from conformance.target_lines import KeyPath, key_lines, locate
from conformance.target_references import dangling

GIT = "git:"
_ENUM_TYPES = frozenset({"enum", "literal_error"})


def load_target(reference: str | Path) -> Target:
    """Read a target file.

    Args:
        reference: a path, `git:REF:PATH`, or the name of a file that ships with the suite (`reference`).

    Raises:
        TargetFileError: there is no such file, it is not TOML, or a key is unknown or has the wrong type.
    """
    if str(reference).startswith(GIT):
        return _at_ref(str(reference))
    path = Path(reference)
    if not path.suffix and not path.is_file():
        bundled = bundled_target(str(reference))
        if bundled is not None:
            return parse_target(bundled.read_text(encoding="utf-8"), str(bundled))
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TargetFileError(f"{path}: there is no such target file; {_bundled_hint()}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TargetFileError(f"{path}: can't be read: {error}") from None
    return parse_target(text, str(path)).placed(path.resolve().parent)


def _at_ref(reference: str) -> Target:
    """Read a target file as it is at a git ref; its commands run where it lies in the working folder."""
    from conformance.inventory.source import fetch  # noqa: PLC0415 - only this kind of reference needs git

    try:
        text = fetch(reference).data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TargetFileError(f"{reference}: can't be read: {error}") from None
    return parse_target(text, reference).placed((top_of(Path.cwd()) / reference.split(":", 2)[2]).parent)


def _bundled_hint() -> str:
    folder = Path(__file__).parent / "targets"
    names = ", ".join(sorted(file.stem for file in folder.glob("*.toml")))
    return f"give a path, or one that ships with the suite: {names}"


def parse_target(text: str, file: str) -> Target:
    """Read the text of a target file; `file` is its name in messages.

    Raises:
        TargetFileError: see `load_target`. All problems are listed, one a line.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TargetFileError(f"{file}: not TOML: {error}") from None
    outcome = _validate(_extended(data, file))
    if isinstance(outcome, Target):
        return outcome
    lines = key_lines(text)
    raise TargetFileError("\n".join(problem.render(file, lines) for problem in outcome))


def _extended(data: Mapping[str, Any], file: str) -> Mapping[str, Any]:
    """Put a file's tables over those of the bundled file that it extends."""
    name = data.get("extends")
    if not isinstance(name, str) or not name:
        return data
    base = bundled_target(name)
    if base is None:
        raise TargetFileError(f"{file}: `extends`: {name!r} is no file that ships with the suite")
    return _over(tomllib.loads(base.read_text(encoding="utf-8")), data)


def _over(base: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in data.items():
        below = merged.get(key)
        merged[key] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


@dataclass(frozen=True)
class _Problem:
    path: KeyPath
    reason: str
    names_its_key: bool = False

    def render(self, file: str, lines: Mapping[KeyPath, int]) -> str:
        line = locate(lines, self.path)
        where = f"{file}:{line}" if line else file
        if self.names_its_key or not self.path:
            return f"{where}: {self.reason}"
        return f"{where}: `{_dotted(self.path)}`: {self.reason}"


def _validate(data: Mapping[str, Any]) -> "Target | list[_Problem]":
    if problems := list(_not_json(data, ())):
        return problems
    try:
        # JSON mode, because strictness there knows that lists may become tuples and strings enum members
        target = Target.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        return [_describe(detail) for detail in error.errors()]
    return [_Problem(item.path, item.reason) for item in dangling(target)] or target


def _not_json(value: Any, path: KeyPath) -> Iterator[_Problem]:
    """Find the values that TOML knows and JSON does not."""
    if isinstance(value, datetime.date | datetime.time):
        yield _Problem(path, f'a date or time must be a string, "{value.isoformat()}"')
    elif isinstance(value, float) and not math.isfinite(value):
        yield _Problem(path, f"{value} is not a number that JSON has")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _not_json(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _not_json(item, (*path, index))


def _describe(detail: ErrorDetails) -> _Problem:
    path = tuple(part for part in detail["loc"] if part != "[key]")
    if detail["type"] == "extra_forbidden":
        return _Problem(path, f"unknown key `{_dotted(path)}`; {_allowed(path)}", names_its_key=True)
    if detail["type"] == "missing":
        return _Problem(path, f"`{_dotted(path)}` is missing", names_its_key=True)
    reason = detail["msg"].removeprefix("Value error, ")
    given = detail["input"]
    if not isinstance(given, Mapping):
        reason += f", not {given!r}"
    if detail["type"] in _ENUM_TYPES:
        known = re.findall(r"'([^']*)'", str(detail.get("ctx", {}).get("expected", "")))
        near = difflib.get_close_matches(str(given), known, n=1)
        reason += f"; did you mean {near[0]!r}?" if near else ""
    return _Problem(path, reason)


def _dotted(path: Sequence[str | int]) -> str:
    return ".".join(str(part) for part in path)


def _allowed(path: Sequence[str | int]) -> str:
    """Name the keys that the table around an unknown key may hold, the nearest one first."""
    model = _model_at(Target, path[:-1])
    if model is None:
        return "this table takes no such key"
    names = sorted(model.model_fields)
    near = difflib.get_close_matches(str(path[-1]), names, n=1)
    guess = f"did you mean `{near[0]}`? " if near else ""
    return f"{guess}allowed here: {', '.join(names)}"


def _model_at(model: type[BaseModel], path: Sequence[str | int]) -> type[BaseModel] | None:
    """Follow a path through tables, tables of tables and arrays of tables to the model of the innermost table."""
    here: Any = model
    for part in path:
        if isinstance(here, type) and issubclass(here, BaseModel):
            field = here.model_fields.get(str(part))
            here = field.annotation if field else None
        else:
            here = _element(here)
        here = _strip_optional(here)
    return here if isinstance(here, type) and issubclass(here, BaseModel) else None


def _strip_optional(annotation: Any) -> Any:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        inner = [arg for arg in typing.get_args(annotation) if arg is not type(None)]
        return inner[0] if len(inner) == 1 else None
    return annotation


def _element(annotation: Any) -> Any:
    """Return what a mapping maps to, or what a tuple holds."""
    args = typing.get_args(annotation)
    if not args:
        return None
    return args[1] if len(args) == 2 and args[1] is not Ellipsis else args[0]
