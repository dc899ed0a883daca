"""Whether a value matches a schema of the supported subset, and where it does not.

``default`` describes and is never applied: what a handler receives is what was sent, checked.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from reference_app.surface.json_value import Json, JsonObject, js_length, json_equal, stringify

_TOLERANCE: Final = 1e-9
_FORMATS: Final = {
    "date": r"\d{4}-\d{2}-\d{2}",
    "date-time": r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})",
    "uuid": r"(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
    "email": r"[^\s@]+@[^\s@]+\.[^\s@]+",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:\S*",
}


@dataclass(frozen=True, slots=True)
class Issue:
    """One place where a value does not match; the root's path is the empty string."""

    path: str
    message: str

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"path": self.path, "message": self.message}


def validate(schema: JsonObject, value: Json) -> tuple[Issue, ...]:
    """Return every issue that a value has with a schema; none means that it matches."""
    return tuple(_node(schema, value, "", schema))


def _node(schema: JsonObject, value: Json, path: str, root: JsonObject) -> Iterator[Issue]:
    """Check one node: what decides its kind stops at the first failure, what bounds it accumulates."""
    node = _resolve(schema, root)
    if node is None:
        yield Issue(path, "the schema's reference leads nowhere")
        return
    decided = _deciding_issue(node, value, path, root)
    if decided is not None:
        yield decided
        return
    if isinstance(value, str):
        yield from _string_issues(node, value, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _number_issues(node, value, path)
    elif isinstance(value, Mapping):
        yield from _object_issues(node, value, path, root)
    elif isinstance(value, (list, tuple)):
        yield from _array_issues(node, value, path, root)


def _resolve(schema: JsonObject, root: JsonObject) -> JsonObject | None:
    seen: set[str] = set()
    while "$ref" in schema:
        name = str(schema["$ref"]).removeprefix("#/$defs/")
        definitions = root.get("$defs")
        target = definitions.get(name) if isinstance(definitions, Mapping) else None
        if name in seen or not isinstance(target, Mapping):
            return None
        seen.add(name)
        schema = target
    return schema


def _deciding_issue(schema: JsonObject, value: Json, path: str, root: JsonObject) -> Issue | None:
    if "const" in schema and not json_equal(schema["const"], value):
        return Issue(path, f"expected {stringify(schema['const'])}")
    options = schema.get("enum")
    if isinstance(options, (list, tuple)) and not any(json_equal(option, value) for option in options):
        return Issue(path, f"expected one of {stringify(options)}")
    branches = schema.get("anyOf")
    if isinstance(branches, (list, tuple)) and not any(
        isinstance(branch, Mapping) and next(_node(branch, value, path, root), None) is None
        for branch in branches
    ):
        return Issue(path, "matches none of the allowed forms")
    kinds = schema.get("type")
    if kinds is not None and not any(_has_type(value, str(kind)) for kind in _listed(kinds)):
        return Issue(path, f"expected {' or '.join(str(kind) for kind in _listed(kinds))}")
    return None


def _listed(kinds: Json) -> list[Json]:
    return list(kinds) if isinstance(kinds, (list, tuple)) else [kinds]


def _has_type(value: Json, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if value is None:
        return kind == "null"
    if isinstance(value, (int, float)):
        return kind == "number" or (kind == "integer" and (isinstance(value, int) or value.is_integer()))
    if isinstance(value, str):
        return kind == "string"
    return kind == ("object" if isinstance(value, Mapping) else "array")


def _string_issues(schema: JsonObject, value: str, path: str) -> Iterator[Issue]:
    length = js_length(value)
    yield from _bound(schema, "minLength", path, lambda bound: length < bound, "at least {} characters")
    yield from _bound(schema, "maxLength", path, lambda bound: length > bound, "at most {} characters")
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        compiled = _js_pattern(pattern)
        if compiled is not None and compiled.search(value) is None:
            yield Issue(path, f"expected text matching {pattern}")
    known = _FORMATS.get(str(schema.get("format")))
    if known is not None and re.fullmatch(known, value, re.ASCII) is None:
        yield Issue(path, f"expected a {schema['format']}")


def _number_issues(schema: JsonObject, value: float, path: str) -> Iterator[Issue]:
    yield from _bound(schema, "minimum", path, lambda bound: value < bound, "at least {}")
    yield from _bound(schema, "maximum", path, lambda bound: value > bound, "at most {}")
    yield from _bound(schema, "exclusiveMinimum", path, lambda bound: value <= bound, "more than {}")
    yield from _bound(schema, "exclusiveMaximum", path, lambda bound: value >= bound, "less than {}")
    yield from _bound(
        schema, "multipleOf", path, lambda bound: not _is_multiple(value, bound), "a multiple of {}"
    )


def _is_multiple(value: float, step: float) -> bool:
    if step == 0:
        return True
    quotient = value / step
    return abs(quotient - round(quotient)) <= _TOLERANCE


def _bound(
    schema: JsonObject, keyword: str, path: str, violated: Callable[[float], bool], wording: str
) -> Iterator[Issue]:
    bound = schema.get(keyword)
    if isinstance(bound, (int, float)) and not isinstance(bound, bool) and violated(bound):
        yield Issue(path, f"expected {wording.format(stringify(bound))}")


def _object_issues(schema: JsonObject, value: JsonObject, path: str, root: JsonObject) -> Iterator[Issue]:
    properties = schema.get("properties")
    known: JsonObject = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required")
    if isinstance(required, (list, tuple)):
        for key in required:
            if isinstance(key, str) and key not in value:
                yield Issue(_member(path, key), "required and missing")
    if schema.get("additionalProperties") is False:
        for key in value:
            if key not in known:
                yield Issue(_member(path, key), "not an accepted property")
    for key, child in known.items():
        if key in value and isinstance(child, Mapping):
            yield from _node(child, value[key], _member(path, key), root)


def _member(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _array_issues(
    schema: JsonObject, value: "list[Json] | tuple[Json, ...]", path: str, root: JsonObject
) -> Iterator[Issue]:
    count = len(value)
    yield from _bound(schema, "minItems", path, lambda bound: count < bound, "at least {} items")
    yield from _bound(schema, "maxItems", path, lambda bound: count > bound, "at most {} items")
    if schema.get("uniqueItems") is True and len({stringify(item) for item in value}) < count:
        yield Issue(path, "expected items that differ from each other")
    items = schema.get("items")
    if isinstance(items, Mapping):
        for index, item in enumerate(value):
            yield from _node(items, item, f"{path}[{index}]", root)


@lru_cache(maxsize=256)
def _js_pattern(pattern: str) -> re.Pattern[str] | None:
    """Compile a browser's pattern: its ``$`` is the very end and its digits are ASCII; an invalid one is ignored."""
    try:
        return re.compile(
            re.sub(r"(\\.|\[(?:\\.|[^\]])*\])|\$", lambda match: match[1] or r"\Z", pattern), re.ASCII
        )
    except re.error:
        return None
