"""Reading JSON as the protocol means it: no NaN, no infinities, no key twice."""

import json

from reference_app.surface.json_value import Json


def loads(text: str | bytes) -> Json:
    """Parse a JSON text.

    Raises:
        ValueError: It is not JSON, or holds what JSON has no room for.
    """
    value: Json = json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    return value


def _refuse(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("an object has a key twice")
    return result
