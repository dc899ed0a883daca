"""Whether two answers are alike, apart from the name that was asked for and from what varies anyway.

Concealment means that a hidden name is answered like one that never existed. What already differs between the answers for
two invented names (a request id, a date) says nothing; neither does the name itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.wire.answer import Answer
from conformance.wire.pointer import MISSING

_VARYING_HEADERS = frozenset(
    {"date", "content-length", "set-cookie", "etag", "last-modified", "server-timing"}
)


@dataclass(frozen=True)
class Named:
    """A value that came back for a name."""

    name: str
    value: Any


def of_answer(name: str, answer: Answer) -> Named:
    """An HTTP answer as a value: status, the headers that could tell something, the body."""
    headers = {
        key.lower(): value for key, value in answer.headers.items() if key.lower() not in _VARYING_HEADERS
    }
    body: Any = answer.text
    if answer.media_type == "application/json":
        body = answer.json()
    return Named(name, {"status": answer.status, "headers": headers, "body": body})


def differences(seen: Named, invented: Named, also_invented: Named) -> tuple[str, ...]:
    """Say in what the answer for a name differs from that for a name that never existed; empty when in nothing."""
    varying = set(_diff("", _without_name(invented), _without_name(also_invented)))
    found = _diff("", _without_name(seen), _without_name(invented))
    return tuple(
        f"{path or 'the whole'}: {found[path][0]!r} for {seen.name}, {found[path][1]!r} for the invented {invented.name}"
        for path in found
        if path not in varying
    )


def _without_name(named: Named) -> Any:
    bare = named.name.partition(":")[2] or named.name
    wire = named.name.replace(":", "_", 1).replace(".", "__")
    return _replace(named.value, (named.name, wire, bare))


def _replace(value: Any, names: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        for name in names:
            value = value.replace(name, "<name>")
        return value
    if isinstance(value, Mapping):
        return {_replace(key, names): _replace(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replace(item, names) for item in value]
    return value


def _diff(path: str, left: Any, right: Any) -> dict[str, tuple[Any, Any]]:
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        found: dict[str, tuple[Any, Any]] = {}
        for key in dict.fromkeys([*left, *right]):
            found |= _diff(f"{path}/{key}", left.get(key, MISSING), right.get(key, MISSING))
        return found
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        found = {}
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            found |= _diff(f"{path}/{index}", one, other)
        return found
    return {} if left == right and type(left) is type(right) else {path: (left, right)}
