"""The history that a tab posts with each step: which of its calls have an answer."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def unsettled_calls(messages: Sequence[Any]) -> tuple[str, ...]:
    """The ids of the calls that have no answer, or more than one; a provider refuses a conversation with either."""
    answers = Counter(_ids(messages, "tool-result"))
    return tuple(call for call in _ids(messages, "tool-call") if answers[call] != 1)


def _ids(messages: Sequence[Any], kind: str) -> Iterator[str]:
    for message in messages:
        content = message.get("content") if isinstance(message, Mapping) else None
        for part in content if isinstance(content, list) else ():
            if isinstance(part, Mapping) and part.get("type") == kind:
                yield str(part.get("toolCallId"))
