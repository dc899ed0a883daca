"""The grammar of capability ids: ``view:<component type>.<name>`` and ``domain:<path>``.

The plane is part of the id, so that a call can never be moved from one plane to the other
(The dual-plane model, The idea).
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from reference_app.surface.json_value import js_length

Plane: TypeAlias = Literal["view", "domain"]

MAX_ID_LENGTH: Final = 128
DEFAULT_INSTANCE: Final = "default"

_TYPE_SEGMENT: Final = re.compile(r"[a-z][a-z0-9-]*")
_NAME: Final = re.compile(r"[a-z][A-Za-z0-9]*")
_INSTANCE: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")


@dataclass(frozen=True, slots=True)
class ViewId:
    """A capability of a mounted component."""

    component_type: str
    name: str

    @property
    def text(self) -> str:
        """The id as it is written in catalogs and audit records."""
        return f"view:{self.component_type}.{self.name}"


@dataclass(frozen=True, slots=True)
class DomainId:
    """A capability of the server; its path is opaque here."""

    path: str

    @property
    def text(self) -> str:
        """The id as it is written in catalogs and audit records."""
        return f"domain:{self.path}"


def is_component_type(text: str) -> bool:
    """Whether a text is one or more lower-case segments joined by dots, 128 characters at most."""
    return 1 <= len(text) <= MAX_ID_LENGTH and all(_TYPE_SEGMENT.fullmatch(part) for part in text.split("."))


def is_capability_name(text: str) -> bool:
    """Whether a text is a camelCase name without dots, hyphens or underscores."""
    return _NAME.fullmatch(text) is not None


def is_instance_id(text: str) -> bool:
    """Whether a text may tell two components of one type apart."""
    return _INSTANCE.fullmatch(text) is not None


def parse_id(text: str) -> ViewId | DomainId | None:
    """Read a capability id; anything that is not one gives None, never an exception."""
    if js_length(text) > MAX_ID_LENGTH:
        return None
    plane, separator, rest = text.partition(":")
    if not separator or not rest:
        return None
    if plane == "domain":
        return DomainId(rest)
    if plane != "view":
        return None
    component_type, dot, name = rest.rpartition(".")
    if not dot or not is_component_type(component_type) or not is_capability_name(name):
        return None
    return ViewId(component_type, name)


def plane_of(capability_id: str) -> Plane:
    """The plane that an id of this catalog names in its prefix."""
    return "domain" if capability_id.startswith("domain:") else "view"
