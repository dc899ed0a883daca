"""The capability state that a host shows to the model beside the tools, and where it stands in the request.

The dual-plane stack keeps live availability out of the tool block, because that is the cached front of the prompt
(Architecture, "The transport"). A line names a capability and says that it is available or unavailable.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_LINE = re.compile(
    r"^\s*(?:[-*•]\s*)?`?((?:view|domain):[^\s`]+)`?\s*(?:[—–:-]+\s*)(available|unavailable)\b(?:\s*[;:,—–-]\s*)?(.*)$",
    re.IGNORECASE,
)


class Place(StrEnum):
    """Where in the request a text stands."""

    BEFORE_CONVERSATION = "before the conversation"
    WITHIN_CONVERSATION = "within the conversation"
    AFTER_CONVERSATION = "after the conversation"
    TOOL_BLOCK = "in the tool block"


@dataclass(frozen=True, slots=True)
class StateLine:
    """One line of the state block: which capability, whether it is available, and the reason or note."""

    canonical_id: str
    available: bool
    note: str
    text: str
    place: Place


def read_lines(text: str, place: Place) -> tuple[StateLine, ...]:
    """Return the state lines in `text`, in their order."""
    if "available" not in text:
        return ()
    matches = (_LINE.match(line) for line in text.splitlines())
    return tuple(
        StateLine(match[1], match[2].lower() == "available", match[3].strip(), match[0].strip(), place)
        for match in matches
        if match
    )


def is_block(text: str) -> bool:
    """Tell whether `text` is a state block and nothing else: state lines, under at most one heading."""
    lines = [line for line in text.splitlines() if line.strip()]
    body = lines if lines and _LINE.match(lines[0]) else lines[1:]
    return bool(body) and all(_LINE.match(line) for line in body)
