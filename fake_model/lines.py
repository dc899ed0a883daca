"""JSON and YAML documents together with the line that each of their values stands in."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from fake_model import raw_json
from fake_model.errors import ScriptError
from fake_model.pointer import JsonValue

Path = tuple[str | int, ...]
"""Keys and indexes from the document's root."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The line of each value of a document, counted from 1."""

    by_path: dict[Path, int]

    def known_part_of(self, path: Path) -> Path:
        """Return `path` without the keys that stand nowhere in the document, such as those of a type union."""
        known: Path = ()
        for key in path:
            if (*known, key) in self.by_path:
                known = (*known, key)
        return known

    def line_of(self, path: Path) -> int:
        """Return the line of a value, or of what holds it."""
        while path not in self.by_path and path:
            path = path[:-1]
        return self.by_path.get(path, 1)


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document."""

    value: JsonValue
    lines: Lines


class _Loader(yaml.SafeLoader):
    """YAML whose plain scalars mean what JSON's mean: no dates, and only true and false are booleans."""


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag not in {"tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool"}
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def read_yaml(text: str, source: str) -> Document:
    """Return the YAML document in `text`; raises ScriptError with `source:line:`."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise ScriptError(f"{source}:1: expected a script, got an empty document")
        lines = dict(_yaml_lines(node, (), source))
        return Document(loader.construct_document(node), Lines(lines))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ScriptError(f"{source}:{line}: expected YAML: {error.problem}") from error
    finally:
        loader.dispose()


def read_json(text: str, source: str) -> Document:
    """Return the JSON document in `text`; raises ScriptError with `source:line:`."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ScriptError(f"{source}:{error.lineno}: expected JSON: {error.msg}") from error
    start = raw_json.skip(text, 0)
    return Document(value, Lines(dict(_json_lines(text, start, start, ()))))


def _yaml_lines(node: yaml.Node, path: Path, source: str) -> Iterator[tuple[Path, int]]:
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _yaml_lines(item, (*path, index), source)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.value in seen:
                raise ScriptError(f"{source}:{line}: expected each field once, got {key.value!r} again")
            seen.add(key.value)
            yield from _yaml_lines(value, (*path, key.value), source)
            yield (*path, key.value), line


def _json_lines(text: str, start: int, at: int, path: Path) -> Iterator[tuple[Path, int]]:
    yield path, text.count("\n", 0, start) + 1
    for member in raw_json.spans(text, at):
        yield from _json_lines(text, member.start, member.value_start, (*path, member.key))
