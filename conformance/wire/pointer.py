"""JSON Pointer (RFC 6901) for reading."""

import re
from collections.abc import Mapping
from typing import Any, Final

_INDEX = re.compile("0|[1-9][0-9]*")


class _Missing:
    """The value of a pointer that leads nowhere: equal to nothing that JSON can hold."""

    def __repr__(self) -> str:
        return "(missing)"


MISSING: Final = _Missing()


def resolve(value: Any, pointer: str) -> Any:
    """Follow a pointer; `MISSING` where it leads nowhere."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = value.get(key, MISSING)
        elif isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return MISSING
    return value
