"""Interaction cards as a person uses them: filled in, checked, sent, closed; and watched, because another tab may answer first."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from reference_app.a2ui.compile import action_component
from reference_app.a2ui.model import model_problems
from reference_app.surface.clock import Clock, iso
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.signal import Signal
from reference_app.tab.api import Api
from reference_app.tab.conversation import Conversation
from reference_app.tab.dispatch import Answer
from reference_app.tab.errors import ActFailedError, BadRequestError, ServerError, UnreachableError
from reference_app.tab.interaction_card import PENDING, InteractionCard, is_open
from reference_app.tab.records import CardLook
from reference_app.tab.screen import Act, text_argument

LOOK_EVERY_MS = 100
CLOSED = "This card is closed."

Resume = Callable[[CardLook], None]
"""Goes on with the turn that presented a card."""

_log = logging.getLogger(__name__)


class Cards:
    """The interaction cards of one conversation.

    Args:
        api: The person's connection.
        conversation: Holds the cards.
        clock: Dates what is sent, and says when to look again.
        resume: Goes on with a turn that this tab did not begin, or lost in a reload.
    """

    def __init__(self, api: Api, conversation: Conversation, clock: Clock, resume: Resume) -> None:
        self._api = api
        self._conversation = conversation
        self._clock = clock
        self._resume = resume
        self._awaited: set[str] = set()
        self._changed: dict[str, asyncio.Event] = {}
        self._watching: set[asyncio.Task[None]] = set()

    # In a turn

    async def wait(self, call_id: str, stop: Signal) -> Answer:
        """Wait until a card is settled, here or elsewhere, or the turn is given up; the host knows the result."""
        self._awaited.add(call_id)
        self._conversation.present_interaction(call_id)
        watcher = asyncio.ensure_future(self._watch(call_id))
        remove = stop.on_abort(lambda: _cancel(watcher))
        try:
            await asyncio.wait({watcher})
        finally:
            remove()
            watcher.cancel()
            self._awaited.discard(call_id)
        return Answer(ok=True, value=PENDING, effect="read")

    async def withdraw_awaited(self) -> None:
        """Close the cards that the running turn waits for: the person stopped it."""
        for call_id in tuple(self._awaited):
            await self._withdraw(call_id)

    # After a reload

    async def restore(self) -> None:
        """Find out which cards of a stored thread can still be answered, and watch them."""
        for card in self._conversation.interactions:
            if is_open(card.state):
                self._conversation.present_interaction(card.id)
                await self._look(card.id)
                task = asyncio.ensure_future(self._watch(card.id))
                self._watching.add(task)
                task.add_done_callback(self._watching.discard)

    async def close(self) -> None:
        """Watch no more, and see the watching end."""
        self.leave()
        await asyncio.gather(*self._watching, return_exceptions=True)

    def leave(self) -> None:
        """Watch no more."""
        for task in self._watching:
            task.cancel()

    # What a person does

    def acts(self) -> dict[str, Act]:
        """What can be done with the cards, by name."""
        return {
            "card-fill": self._fill,
            "card-check": self._check,
            "card-choose": self._choose,
            "card-press": self._press,
            "card-cancel": self._close_card,
        }

    def _fill(self, args: JsonObject) -> None:
        card, field, text = self._open_card(args), text_argument(args, "field"), text_argument(args, "value")
        is_slider = card.component_of(field).get("component") == "Slider"
        self._enter(card, field, as_number(text) if is_slider else text)

    def _check(self, args: JsonObject) -> None:
        self._enter(self._open_card(args), text_argument(args, "field"), is_on(args))

    def _choose(self, args: JsonObject) -> None:
        card, field, value = self._open_card(args), text_argument(args, "field"), text_argument(args, "value")
        self._enter(card, field, chosen(card, field, value, on=is_on(args)))

    def _enter(self, card: InteractionCard, field: str, value: Json) -> None:
        if field not in card.values:
            raise BadRequestError(f"the card has no field {field!r}; it has {', '.join(card.values)}")
        self._conversation.show_interaction(replace(card, values={**card.values, field: value}))

    async def _press(self, args: JsonObject) -> None:
        """Check what was entered, and send it."""
        card, action = self._open_card(args), text_argument(args, "action")
        refuse_invalid(card)
        await self._send(card.id, "action", self.payload(card, action))
        await self._settled_here(card.id)

    async def _close_card(self, args: JsonObject) -> None:
        card = self._open_card(args)
        if await self._withdraw(card.id):
            await self._settled_here(card.id)

    def payload(self, card: InteractionCard, action: str) -> dict[str, Json]:
        """What a click posts."""
        event: dict[str, Json] = {
            "name": action,
            "surfaceId": card.surface.id,
            "sourceComponentId": action_component(action),
            "timestamp": iso(self._clock.now_ms()),
            "context": {},
        }
        return {
            "session": card.conversation_id,
            "call": card.id,
            "message": {"version": "v0.9", "action": event},
            "dataModel": dict(card.values),
        }

    async def _withdraw(self, call_id: str) -> bool:
        """Close a card at the host; whether that was this tab's doing."""
        payload: dict[str, Json] = {"session": self._conversation.id, "call": call_id}
        try:
            await self._send(call_id, "cancel", payload)
        except ActFailedError:
            return False
        return True

    async def _send(self, call_id: str, method: str, payload: Json) -> None:
        """Post to the host.

        Raises:
            ActFailedError: The host did not accept it.
        """
        try:
            reply = await self._api.card_rpc(method, payload)
        finally:
            await self._look(call_id)
        if not reply.accepted:
            raise ActFailedError(CLOSED if reply.reason == "not-pending" else "The answer was not accepted.")

    async def _settled_here(self, call_id: str) -> None:
        """Go on with the conversation, unless a turn of this tab waits for the card anyway."""
        if call_id not in self._awaited:
            look = await self._api.card(self._conversation.id, call_id)
            self._resume(look)

    def _open_card(self, args: JsonObject) -> InteractionCard:
        call_id = text_argument(args, "id")
        card = next((card for card in self._conversation.interactions if card.id == call_id), None)
        if card is None:
            raise BadRequestError(f"there is no card {call_id!r}")
        if not card.enabled:
            raise ActFailedError(CLOSED)
        return card

    # Watching

    async def _watch(self, call_id: str) -> None:
        """Look at a card again and again until it is settled."""
        changed = self._changed.setdefault(call_id, asyncio.Event())
        while not self._is_settled(call_id):
            timer = self._clock.call_later(LOOK_EVERY_MS, changed.set)
            try:
                await changed.wait()
            finally:
                timer.cancel()
            changed.clear()
            if not self._is_settled(call_id):
                await self._look(call_id)

    def _is_settled(self, call_id: str) -> bool:
        return not any(card.id == call_id and is_open(card.state) for card in self._conversation.interactions)

    async def _look(self, call_id: str) -> None:
        """Show a card as the host has it."""
        try:
            look = await self._api.card(self._conversation.id, call_id)
        except ServerError as error:
            if error.status == 404:
                self._conversation.settle_interaction(call_id, {"status": "interrupted"})
            _log.debug("the card could not be looked at: %s", error)
        except UnreachableError as error:
            _log.debug("the card could not be looked at: %s", error)
        else:
            self._conversation.settle_interaction(call_id, look.result)
        if self._is_settled(call_id):
            self._changed.setdefault(call_id, asyncio.Event()).set()


def refuse_invalid(card: InteractionCard) -> None:
    """Send nothing that the host would refuse anyway.

    Raises:
        ActFailedError: What was entered is not valid; the text names the fields.
    """
    problems: Mapping[str, str] = model_problems(card.template, card.values)
    if problems:
        raise ActFailedError("; ".join(f"{name}: {problem}" for name, problem in problems.items()))


def chosen(card: InteractionCard, field: str, value: str, *, on: bool) -> list[Json]:
    """The options of a field after one was picked or given back, in the order in which they were picked."""
    before = card.values.get(field)
    kept = [other for other in (before if isinstance(before, (list, tuple)) else ()) if other != value]
    if not on:
        return kept
    return [*kept, value] if card.component_of(field).get("variant") == "multipleSelection" else [value]


def as_number(text: str) -> Json:
    """A slider's text as the number that it is."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def is_on(args: JsonObject) -> bool:
    """Whether a box is to be checked; a page is told in words."""
    return args.get("on", True) in (True, "true")


def _cancel(task: asyncio.Future[None]) -> None:
    task.cancel()
