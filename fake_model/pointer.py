"""JSON pointers (RFC 6901), for taking a value out of an earlier result."""

from typing import Any

JsonValue = Any
"""What `json.loads` gives: its shape is the sender's, so nothing narrower would be true."""


def look_up(document: JsonValue, pointer: str) -> JsonValue:
    """Return the value at `pointer`; an empty pointer is the whole document.

    Raises:
        LookupError: the pointer is malformed or leads nowhere; the message says where it ends.
    """
    if pointer and not pointer.startswith("/"):
        raise LookupError(f"expected a JSON pointer that begins with '/', got {pointer!r}")
    value = document
    for raw in pointer.split("/")[1:]:
        key = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise LookupError(f"nothing at {key!r} of {pointer!r} in {_brief(value)}")
    return value


def _brief(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
