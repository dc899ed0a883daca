"""Reads scripts from JSON and YAML; what is wrong with one is reported with file, line and field."""

import pathlib
from difflib import get_close_matches
from typing import TypeVar

from pydantic import ValidationError

from fake_model.errors import ScriptError
from fake_model.lines import Lines, Path, read_json, read_yaml
from fake_model.pointer import JsonValue
from fake_model.script import Script
from fake_model.script_file import ArmShape, ElementShape, ScriptShape, TurnShape
from fake_model.shapes import (
    ChunksShape,
    CutShape,
    ErrorEventShape,
    ExpectShape,
    FaultShape,
    NotAStreamShape,
    OnePartShape,
    ResultShape,
    Shape,
    SideCallShape,
    SideCallsShape,
    StatusShape,
    UsageShape,
)
from fake_model.side_calls import SideCall

S = TypeVar("S", bound=Shape)


def load_script(path: pathlib.Path | str) -> Script:
    """Return the script in a `.json`, `.yaml` or `.yml` file.

    Raises:
        ScriptError: the file is not readable, or not a script; the message begins with `file:line:`.
    """
    path = pathlib.Path(path)
    return parse_script(_read(path), str(path), yaml=path.suffix != ".json")


def load_side_calls(path: pathlib.Path | str) -> tuple[SideCall, ...]:
    """Return the side calls in a `.json`, `.yaml` or `.yml` file.

    Raises:
        ScriptError: the file is not readable, or holds something else; the message begins with `file:line:`.
    """
    path = pathlib.Path(path)
    shape = _validated(SideCallsShape, _read(path), str(path), yaml=path.suffix != ".json")
    try:
        return tuple(side_call.value() for side_call in shape.side_calls)
    except ScriptError as error:
        raise ScriptError(f"{path}: {error}") from error


def load_scripts(directory: pathlib.Path | str) -> tuple[tuple[str, Script], ...]:
    """Return the scripts of a directory with their tokens: the file names without suffix, `-` and `_` left out.

    Raises:
        ScriptError: there is none, a file is no script, or two files give the same token.
    """
    paths = sorted(p for p in pathlib.Path(directory).glob("*") if p.suffix in {".json", ".yaml", ".yml"})
    if not paths:
        raise ScriptError(f"{directory}: expected at least one .yaml, .yml or .json file, found none")
    found: dict[str, pathlib.Path] = {}
    for path in paths:
        token = token_of(path)
        if token in found:
            raise ScriptError(f"{path}: token {token!r} is taken by {found[token]}; rename one of them")
        found[token] = path
    return tuple((token, load_script(path)) for token, path in found.items())


def token_of(path: pathlib.Path) -> str:
    """Return the token of a script file: its name in lower case, without suffix and without `-`, `_` and `.`."""
    return "".join(c for c in path.stem.lower() if c not in "-_.")


def parse_script(text: str, source: str, *, yaml: bool) -> Script:
    """Return the script in a text; `source` names it in errors.

    Raises:
        ScriptError: the text is not a script; the message begins with `source:line:`.
    """
    shape = _validated(ScriptShape, text, source, yaml=yaml)
    try:
        return shape.value()
    except ScriptError as error:
        raise ScriptError(f"{source}: {error}") from error


def _read(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path}: expected a readable UTF-8 file: {error}") from error


def _validated(kind: type[S], text: str, source: str, *, yaml: bool) -> S:
    document = (read_yaml if yaml else read_json)(text, source)
    try:
        return kind.model_validate(document.value)
    except ValidationError as error:
        raise ScriptError(_explain(error, kind, source, document.lines)) from error


_SHAPE_OF_FIELD: dict[str, type[Shape]] = {
    "steps": ElementShape,
    "otherwise": ElementShape,
    "parts": OnePartShape,
    "turns": TurnShape,
    "arms": ArmShape,
    "branch": ResultShape,
    "expect": ExpectShape,
    "faults": FaultShape,
    "fails": FaultShape,
    "usage": UsageShape,
    "chunks": ChunksShape,
    "status": StatusShape,
    "cut": CutShape,
    "error_event": ErrorEventShape,
    "not_a_stream": NotAStreamShape,
    "side_calls": SideCallShape,
}
"""Which shape stands under which field, to name the fields that are allowed there."""


def _explain(error: ValidationError, kind: type[Shape], source: str, lines: Lines) -> str:
    """Return one line for each thing that is wrong: source, line, field, and what was expected."""
    details = error.errors(include_url=False, include_context=False)
    found = []
    for detail in details:
        if detail["type"] == "too_short" and len(details) > 1:
            continue  # what was left out of the list is reported by itself
        path = lines.known_part_of(detail["loc"])
        field = ".".join(str(key) for key in path) or "script"
        if detail["type"] == "extra_forbidden":
            message = _unknown_field(path, kind)
        elif detail["type"] == "missing":
            message = f"expected a field {detail['loc'][-1]!r}, got none"
        else:
            message = f"{detail['msg'].removeprefix('Value error, ')}, got {_brief(detail['input'])}"
        found.append(f"{source}:{lines.line_of(path)}: {field}: {message}")
    return "\n".join(found)


def _brief(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _unknown_field(path: Path, kind: type[Shape]) -> str:
    """Return what is allowed where an unknown field stands, the nearest name first."""
    holder = next((key for key in reversed(path[:-1]) if isinstance(key, str)), None)
    shape = _SHAPE_OF_FIELD.get(holder, kind) if holder else kind
    allowed = [field.alias or name for name, field in shape.model_fields.items()]
    near = get_close_matches(str(path[-1]), allowed, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"unknown field; {hint}allowed are {', '.join(sorted(allowed))}"
