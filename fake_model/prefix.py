"""Whether one request begins with the bytes of an earlier one, as a provider's prompt cache would see it.

A cache reads tools first, then system texts, then the conversation. The state block at the end of the earlier
conversation is left out of the comparison, because the next step replaces it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fake_model import raw_json, state_block


@dataclass(frozen=True, slots=True)
class Layout:
    """Which members of the body hold the prompt; `lead` is a system text outside the conversation."""

    conversation: str
    lead: str | None = None
    tools: str = "tools"


@dataclass(frozen=True, slots=True)
class _Piece:
    """The smallest unit that is compared: a text part, or a message without its parts."""

    text: str
    is_state: bool


@dataclass(frozen=True)
class RawPrompt:
    """A request body as it came, and where the prompt is in it."""

    body: bytes
    layout: Layout

    @cached_property
    def tool_block(self) -> bytes:
        """The tools' JSON exactly as it came; empty when there is none."""
        return self._members.get(self.layout.tools, "").encode()

    @cached_property
    def stable_pieces(self) -> tuple[_Piece, ...]:
        """The pieces of lead and conversation up to the state block that ends it."""
        pieces = list(self.pieces)
        while pieces and pieces[-1].is_state:
            pieces.pop()
        return tuple(pieces)

    @cached_property
    def pieces(self) -> tuple[_Piece, ...]:
        """The pieces of lead and conversation, all of them."""
        lead = self._members.get(self.layout.lead or "", "")
        return (*_in_list(lead), *_in_list(self._members.get(self.layout.conversation, "")))

    @cached_property
    def _members(self) -> dict[str, str]:
        return raw_json.members(self.body.decode())


def unchanged(earlier: RawPrompt, later: RawPrompt) -> bool:
    """Tell whether `later` begins with the tools and the stable pieces of `earlier`."""
    stable = earlier.stable_pieces
    return earlier.tool_block == later.tool_block and later.pieces[: len(stable)] == stable


def _in_list(text: str) -> Iterator[_Piece]:
    """Yield the pieces of a member that is an array of messages, or one text."""
    if not text or text == "null":
        return
    if not text.startswith("["):
        yield _Piece(text, _is_state(text))
        return
    for element in raw_json.elements(text):
        yield from _in_message(element)


def _in_message(text: str) -> Iterator[_Piece]:
    fields = raw_json.members(text) if text.startswith("{") else {}
    content = fields.get("content", "")
    if not content.startswith("["):
        yield _Piece(text, _is_state(text))
        return
    parts = [_Piece(part, _is_state(part)) for part in raw_json.elements(content)]
    envelope = json.dumps({key: value for key, value in fields.items() if key != "content"})
    yield _Piece(envelope, bool(parts) and all(part.is_state for part in parts))
    yield from parts


def _is_state(text: str) -> bool:
    """Tell whether a JSON string, a text part or a message with one text holds a state block and nothing else."""
    value = json.loads(text)
    if isinstance(value, dict):
        value = value.get("text", value.get("content"))
    return isinstance(value, str) and state_block.is_block(value)
