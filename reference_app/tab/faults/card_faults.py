"""Faults in interaction cards: what is shown of them, what is sent, and what is left of them after a reload."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace as changed

from reference_app.a2ui.compile import Surface, compile_template
from reference_app.a2ui.model import initial_model
from reference_app.a2ui.template import Template
from reference_app.surface.json_value import Json
from reference_app.surface.signal import Signal
from reference_app.tab import card_text, cards, interaction_card
from reference_app.tab.cards import Cards
from reference_app.tab.conversation import Conversation
from reference_app.tab.dispatch import Answer
from reference_app.tab.faults.fault import Replace, fault
from reference_app.tab.interaction_card import InteractionCard, is_open


@fault("a2ui-surface-differs", "The tab builds a card without its title.")
def surface_differs(replace: Replace) -> None:
    """Compile another template."""

    def untitled(template: Template, surface: str) -> Surface:
        return compile_template(template.model_copy(update={"title": "Card"}), surface)

    replace(interaction_card, "compile_template", untitled)


@fault("a2ui-lost-on-reload", "After a reload a card that waits can't be answered.")
def lost_on_reload(replace: Replace) -> None:
    """Take what waits for interrupted."""

    async def give_up(self: Cards) -> None:
        for card in self._conversation.interactions:
            if is_open(card.state):
                self._conversation.settle_interaction(card.id, {"status": "interrupted"})

    replace(Cards, "restore", give_up)


@fault("a2ui-settled-forgotten", "After a reload an answered card does not show what was answered.")
def settled_forgotten(replace: Replace) -> None:
    """Read the status of a stored result alone."""
    restore_result = Conversation._restore_result

    def without_values(self: Conversation, call_id: str, output: Json) -> None:
        restore_result(self, call_id, output)
        card = self._cards.get(call_id)
        if isinstance(card, InteractionCard):
            self._cards[call_id] = changed(card, values=initial_model(card.template))

    replace(Conversation, "_restore_result", without_values)


@fault("a2ui-press-lost", "A press sends the card as it was at first, not what was entered.")
def press_lost(replace: Replace) -> None:
    """Send the first model."""
    payload = Cards.payload

    def first(self: Cards, card: InteractionCard, action: str) -> dict[str, Json]:
        return payload(self, changed(card, values=initial_model(card.template)), action)

    replace(Cards, "payload", first)


@fault("a2ui-open-elsewhere", "A card that another tab has answered can still be used.")
def open_elsewhere(replace: Replace) -> None:
    """Watch only what a turn of this tab waits for."""
    watch = Cards._watch

    async def watch_own(self: Cards, call_id: str) -> None:
        if call_id in self._awaited:
            await watch(self, call_id)

    replace(Cards, "_watch", watch_own)


@fault("a2ui-unchecked", "What was entered is sent unchecked.")
def unchecked(replace: Replace) -> None:
    """Refuse nothing."""

    def anything(_card: InteractionCard) -> None:
        return

    replace(cards, "refuse_invalid", anything)


@fault("a2ui-no-plain-text", "A card can't be read as text.")
def no_plain_text(replace: Replace) -> None:
    """Write nothing."""

    def nothing(_surface: Surface, _values: Mapping[str, Json], _fallback: str) -> str:
        return ""

    replace(card_text, "render", nothing)


@fault("a2ui-cancel-lost", "Closing a card tells the host nothing.")
def cancel_lost(replace: Replace) -> None:
    """Close it in this tab alone."""

    async def close_here(self: Cards, call_id: str) -> bool:
        self._conversation.settle_interaction(call_id, {"status": "cancelled"})
        self._changed.setdefault(call_id, asyncio.Event()).set()
        return True

    replace(Cards, "_withdraw", close_here)


@fault("a2ui-status-waits", "A card with nothing to answer waits for an answer.")
def status_waits(replace: Replace) -> None:
    """Wait for it until the turn is given up."""
    wait = Cards.wait

    async def for_ever(self: Cards, call_id: str, stop: Signal) -> Answer:
        answer = await wait(self, call_id, stop)
        card = next(card for card in self._conversation.interactions if card.id == call_id)
        if card.state == "presented":
            given_up = asyncio.Event()
            remove = stop.on_abort(given_up.set)
            await given_up.wait()
            remove()
        return answer

    replace(Cards, "wait", for_ever)
