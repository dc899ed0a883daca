"""Reading a target file, and saying exactly what is wrong with one: the file, the line, the key and what is allowed."""

import difflib
import re
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from conformance.errors import TargetFileError
from conformance.target import Target, bundled_target

_TABLE = re.compile(r"^\s*\[\[?\s*(?P<name>[^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(
    r"^\s*(?P<key>(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"))*)\s*="
)
_ENUM_TYPES = frozenset({"enum", "literal_error"})


def load_target(reference: str | Path) -> Target:
    """Read a target file.

    Args:
        reference: a path, or the name of a file that ships with the suite (`reference`).

    Raises:
        TargetFileError: there is no such file, it is not TOML, or a key is unknown or has the wrong type.
    """
    path = Path(reference)
    if not path.suffix and not path.exists():
        path = bundled_target(str(reference)) or path
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TargetFileError(f"{path}: there is no such target file; {_bundled_hint()}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TargetFileError(f"{path}: can't be read: {error}") from None
    return parse_target(text, str(path))


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
    try:
        return Target.model_validate(data)
    except ValidationError as error:
        problems = [_describe(detail, text, file) for detail in error.errors()]
        raise TargetFileError("\n".join(problems)) from None


def _describe(detail: ErrorDetails, text: str, file: str) -> str:
    path = tuple(part for part in detail["loc"] if part != "[key]")
    line = locate(text, path)
    where = f"{file}:{line}" if line else file
    key = ".".join(str(part) for part in path)
    if detail["type"] == "extra_forbidden":
        return f"{where}: unknown key `{key}`; {_allowed(path)}"
    if detail["type"] == "missing":
        return f"{where}: `{key}` is missing"
    reason = detail["msg"].removeprefix("Value error, ")
    given = "" if isinstance(detail["input"], Mapping) else f", not {detail['input']!r}"
    if not key:
        return f"{where}: {reason}"
    return f"{where}: `{key}`: {reason}{given}"


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


def locate(text: str, path: Sequence[str | int]) -> int:
    """Return the number of the line that sets a key, or of the nearest table around it; 0 where none is found.

    A path may lead into inline tables and arrays; the line of the innermost part that stands on a line of its own is returned.
    """
    names = [str(part) for part in path]
    best, best_depth = 0, 0
    table: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            table = _split(header["name"])
            here = table
        elif assignment := _KEY.match(line):
            here = table + _split(assignment["key"])
        else:
            continue
        if here == names[: len(here)] and len(here) > best_depth:
            best, best_depth = number, len(here)
    return best


def _split(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.\s]+", dotted)]
