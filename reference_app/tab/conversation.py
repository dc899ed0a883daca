"""One conversation as the tab holds it: the history that is posted, and the thread that a person reads.

The messages are the state, carried by the browser (Architecture, State, identity, reconciliation): in every history
that is posted each tool call has exactly one result.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from reference_app.surface import wire_names
from reference_app.surface.json_value import Json, stringify
from reference_app.surface.refusals import shorten
from reference_app.tab import interaction_card as interaction_cards
from reference_app.tab.dispatch import NOT_EXECUTED, Answer
from reference_app.tab.frames import PendingCall, ToolCallFrame, ToolResultFrame
from reference_app.tab.interaction_card import InteractionCard
from reference_app.tab.records import Approval

CardState: TypeAlias = Literal["running", "done", "failed", "waiting"]
MAX_CARD_TEXT = 200
UNDECIDED = frozenset({"pending"})
EXECUTED = frozenset({"approved", "consumed"})
OF_ONE_INSTANCE = re.compile(r"(.*?[^_])_at_[^_]")
"""A wire name with the suffix that tells instances apart; ids have no single underscores."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something that a person or the assistant said."""

    role: Literal["user", "assistant"]
    text: str

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"role": self.role, "text": self.text}


@dataclass(frozen=True, slots=True)
class ToolCard:
    """A tool call in the thread, of either plane."""

    id: str
    capability: str
    state: CardState
    input: Json
    text: str = ""
    approval_id: str | None = None

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "kind": "tool",
            "id": self.id,
            "capability": self.capability,
            "state": self.state,
            "text": self.text,
            "input": self.input,
        }


@dataclass(frozen=True, slots=True)
class ApprovalCard:
    """An approval in the thread, with exactly what would run."""

    approval: Approval

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        approval = self.approval
        return {
            "kind": "approval",
            "id": approval.id,
            "capability": f"domain:{approval.capability_id}",
            "state": approval.status,
            "text": "; ".join(approval.reasons),
            "input": shown_input(approval),
        }


Card: TypeAlias = ToolCard | ApprovalCard | InteractionCard


def shown_input(approval: Approval) -> Json:
    """What an approval card shows: the very input that would run."""
    value: Json = approval.input
    return value


class Conversation:
    """The history, the transcript and the cards of one thread."""

    def __init__(self, conversation_id: str) -> None:
        self.id = conversation_id
        self.history: list[Json] = []
        self._transcript: list[Said] = []
        self._open_text = False
        self._cards: dict[str, Card] = {}
        self._receipts: list[str] = []
        self._results: set[str] = set()

    # What a person reads

    @property
    def transcript(self) -> tuple[Said, ...]:
        """What was said, oldest first."""
        return tuple(self._transcript)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, oldest first."""
        return tuple(self._cards.values())

    @property
    def awaited(self) -> tuple[str, ...]:
        """The approvals that tool calls of this thread wait for, oldest first."""
        cards = (
            card for card in self._cards.values() if isinstance(card, ToolCard) and card.state == "waiting"
        )
        return tuple(card.approval_id for card in cards if card.approval_id is not None)

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """The approvals that have a card."""
        return tuple(card.approval for card in self._cards.values() if isinstance(card, ApprovalCard))

    @property
    def interactions(self) -> tuple[InteractionCard, ...]:
        """The interaction cards, oldest first."""
        return tuple(card for card in self._cards.values() if isinstance(card, InteractionCard))

    # What happens in a turn

    def ask(self, text: str) -> None:
        """Take a person's message; receipts that came since the last turn go before it."""
        self._flush_receipts()
        self.history.append({"role": "user", "content": text})
        self._transcript.append(Said("user", text))
        self._open_text = False

    def say(self, text: str) -> None:
        """Take a piece of the assistant's answer."""
        if self._open_text:
            self._transcript[-1] = Said("assistant", self._transcript[-1].text + text)
        else:
            self._transcript.append(Said("assistant", text))
        self._open_text = True

    def called(self, frame: ToolCallFrame) -> None:
        """Show a call."""
        self._open_text = False
        self._show_call(frame.tool_call_id, frame.canonical_id, frame.input)

    def answered(self, frame: ToolResultFrame) -> None:
        """Show what the server answered."""
        self._set(frame.tool_call_id, "done" if frame.ok else "failed", frame.result)

    def append_messages(self, messages: Sequence[Mapping[str, Json]]) -> None:
        """Take what a step adds to the history."""
        self.history.extend(messages)

    def append_answer(self, call: PendingCall, answer: Answer) -> None:
        """Answer a call of the browser's, in the history and on its card."""
        self.history.append(result_message(call.tool_call_id, call.wire_name, answer.value))
        self._set(call.tool_call_id, "done" if answer.ok else "failed", answer.value)

    def end_turn(self) -> None:
        """Leave no card as if it were still going on."""
        self._open_text = False
        for card in tuple(self._cards.values()):
            if isinstance(card, ToolCard) and card.state == "running":
                self._cards[card.id] = replace(card, state="failed", text="Interrupted before it finished.")
            elif isinstance(card, InteractionCard) and not card.is_presented:
                self._cards[card.id] = card.with_result({"status": "interrupted"})

    def _set(self, call_id: str, state: CardState, result: Json) -> None:
        """Show a result; one that says that approval is needed waits for the person."""
        card = self._cards.get(call_id)
        if isinstance(card, InteractionCard):
            self._cards[call_id] = card.with_result(result)
        elif isinstance(card, ToolCard):
            text = "" if result is None else shorten(stringify(result), MAX_CARD_TEXT)
            approval_id = approval_id_of(result)
            shown: CardState = state if approval_id is None else "waiting"
            self._cards[call_id] = replace(card, state=shown, text=text, approval_id=approval_id)

    def _show_call(self, call_id: str, capability: str, given: Json) -> None:
        """Show a call: as the card that it presents, or as one tool call among others."""
        is_card = capability in (interaction_cards.CAPABILITY, interaction_cards.WIRE_NAME)
        presented = interaction_cards.interaction_card(self.id, call_id, given) if is_card else None
        self._cards[call_id] = presented or ToolCard(call_id, capability, "running", given)

    # Interaction cards

    def show_interaction(self, card: InteractionCard) -> None:
        """Show an interaction card as it is now."""
        self._cards[card.id] = card

    def present_interaction(self, call_id: str) -> None:
        """Let the person use an interaction card: the host has it by now."""
        card = self._cards.get(call_id)
        if isinstance(card, InteractionCard):
            self._cards[call_id] = replace(card, is_presented=True)

    def settle_interaction(self, call_id: str, result: Json) -> None:
        """Show what became of an interaction card, if that is known."""
        self._set(call_id, "done", result)

    # Approvals

    def show_approval(self, approval: Approval) -> None:
        """Show an approval, or how it stands now; the call that waited for it waits no more once it is decided."""
        self._cards[approval.id] = ApprovalCard(approval)
        for card in tuple(self._cards.values()):
            if (
                isinstance(card, ToolCard)
                and card.approval_id == approval.id
                and approval.status not in UNDECIDED
            ):
                state: CardState = "done" if approval.status in EXECUTED else "failed"
                self._cards[card.id] = replace(card, state=state)

    def add_receipt(self, text: str, *, in_turn: bool) -> None:
        """Tell the person how a decision came out; the history learns it when no turn is under way."""
        self._transcript.append(Said("assistant", text))
        self._open_text = False
        self._receipts.append(text)
        if not in_turn:
            self._flush_receipts()

    def _flush_receipts(self) -> None:
        self.history.extend({"role": "assistant", "content": text} for text in self._receipts)
        self._receipts.clear()

    # A stored thread

    def restore(self, messages: Sequence[Json]) -> None:
        """Bring a stored thread back; a call that was left without a result is answered as interrupted."""
        for message in messages:
            if isinstance(message, Mapping) and message.get("role") != "system":
                self.history.append(message)
                self._restore_one(message)
        for card in tuple(self._cards.values()):
            if isinstance(card, ToolCard) and card.state == "running":
                self._interrupt(card, NOT_EXECUTED.value)
                self._cards[card.id] = replace(card, state="failed", text="Interrupted before it finished.")
            elif isinstance(card, InteractionCard) and card.id not in self._results:
                self._interrupt(card, interaction_cards.PENDING)
        self._open_text = False

    def _restore_one(self, message: Mapping[str, Json]) -> None:
        content = message.get("content")
        self._open_text = False
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else _parts(content):
            kind, call_id = part.get("type"), str(part.get("toolCallId", ""))
            if kind == "text" and message.get("role") == "user":
                self._transcript.append(Said("user", str(part.get("text", ""))))
            elif kind == "text":
                self.say(str(part.get("text", "")))
            elif kind == "tool-call":
                self._show_call(call_id, canonical(str(part.get("toolName", ""))), part.get("input"))
            elif kind == "tool-result":
                self._restore_result(call_id, part.get("output"))

    def _restore_result(self, call_id: str, output: Json) -> None:
        value = output.get("value") if isinstance(output, Mapping) else None
        self._results.add(call_id)
        self._set(call_id, "failed" if is_failure(value) else "done", value)

    def _interrupt(self, card: ToolCard | InteractionCard, value: Json) -> None:
        """Answer an open call where it stands, so that the history is well formed."""
        at = next(index for index, message in enumerate(self.history) if card.id in _call_names(message)) + 1
        while at < len(self.history) and _role(self.history[at]) == "tool":
            at += 1
        name = next(names[card.id] for message in self.history if card.id in (names := _call_names(message)))
        self.history.insert(at, result_message(card.id, name, value))


def result_message(call_id: str, wire_name: str, value: Json) -> dict[str, Json]:
    """The message that answers one call."""
    part: dict[str, Json] = {
        "type": "tool-result",
        "toolCallId": call_id,
        "toolName": wire_name,
        "output": {"type": "json", "value": value},
    }
    return {"role": "tool", "content": [part]}


def approval_id_of(result: Json) -> str | None:
    """The approval that a result waits for."""
    if not isinstance(result, Mapping) or result.get("status") != "approval-required":
        return None
    approval_id = result.get("approvalId")
    return approval_id if isinstance(approval_id, str) else None


def is_failure(value: Json) -> bool:
    """Whether a stored result is an error."""
    return isinstance(value, Mapping) and (value.get("status") == "error" or value.get("error") is not None)


def canonical(wire_name: str) -> str:
    """The canonical id of a stored name, where the name alone tells it, with or without an instance; else the name."""
    stem = OF_ONE_INSTANCE.match(wire_name)
    return wire_names.decode(wire_name) or (stem and wire_names.decode(stem[1])) or wire_name


def _parts(content: Json) -> list[Mapping[str, Json]]:
    return (
        [part for part in content if isinstance(part, Mapping)] if isinstance(content, (list, tuple)) else []
    )


def _role(message: Json) -> Json:
    return message.get("role") if isinstance(message, Mapping) else None


def _call_names(message: Json) -> dict[str, str]:
    """The tool names of a message's calls by their ids."""
    parts = _parts(message.get("content")) if isinstance(message, Mapping) else []
    return {
        str(part.get("toolCallId")): str(part.get("toolName"))
        for part in parts
        if part.get("type") == "tool-call"
    }
