"""Faults in what is taken for an answer to a card, and in how often."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import select, update

from reference_app.a2ui import desk, store, submission
from reference_app.a2ui.compile import action_component
from reference_app.a2ui.desk import CardDesk, Receipt
from reference_app.a2ui.interactions import (
    CardKey,
    Interaction,
    Moment,
    Standing,
    Submission,
    result_of,
    standing_of,
)
from reference_app.a2ui.model import initial_model
from reference_app.a2ui.store import INTERACTIONS, InteractionStore
from reference_app.a2ui.submission import PostedMessage, PostedSubmission
from reference_app.a2ui.template import Template, actions_of
from reference_app.domain.pipeline import Completed, Execution, Runtime
from reference_app.faults import Fault, Patches, async_constant, constant, fault
from reference_app.host.history import History
from reference_app.host.host import Host
from reference_app.runtime.conversation import ToolAnswer, UserText
from reference_app.strict_json import JsonObject, JsonValue, dumps_text, loads

FAULTS: list[Fault] = []

Submit = Callable[[CardDesk, str, PostedSubmission], Awaitable[Receipt]]
Problems = Mapping[str, str]


@fault(FAULTS, "a2ui-result-empty", "the model is told that a card was answered, and not what")
def _result_empty(patches: Patches) -> None:
    patches.replace(desk, "result_of", lambda standing, _submission: result_of(standing, None))


@fault(FAULTS, "a2ui-any-session", "a submission is taken whatever conversation it names")
def _any_session(patches: Patches) -> None:
    async def by_call(self: CardDesk, owner: str, posted: PostedSubmission) -> str:
        column = INTERACTIONS.c
        query = select(column.conversation).where(
            column.owner == owner, column.call_key == store._call_key(posted.call)
        )
        async with self._store._database.reading() as connection:
            return (await connection.execute(query)).scalar() or posted.session

    def make(submit: Submit) -> Any:
        async def found(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            session = await by_call(self, owner, posted)
            return await submit(self, owner, posted.model_copy(update={"session": session}))

        return found

    patches.wrap(CardDesk, "submit", make)


@fault(FAULTS, "a2ui-any-call", "a submission is taken for the card that waits, whatever call it names")
def _any_call(patches: Patches) -> None:
    async def waiting(self: CardDesk, owner: str, posted: PostedSubmission) -> CardKey | None:
        column = INTERACTIONS.c
        query = select(column.call_id).where(
            column.owner == owner,
            column.conversation == posted.session,
            column.standing == Standing.PENDING.value,
        )
        async with self._store._database.reading() as connection:
            found = (await connection.execute(query.order_by(column.deadline.desc()))).scalar()
        return None if found is None else CardKey(owner, posted.session, str(loads(found)))

    def make(submit: Submit) -> Any:
        async def newest(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            key = await waiting(self, owner, posted)
            call = posted.call if key is None else key.call_id
            return await submit(self, owner, posted.model_copy(update={"call": call}))

        return newest

    patches.wrap(CardDesk, "submit", make)


@fault(FAULTS, "a2ui-any-surface", "a submission is taken whatever surface it names")
def _any_surface(patches: Patches) -> None:
    patches.replace(submission, "fits_surface", constant(True))


def _fitting_action(
    patches: Patches, fits: Callable[[PostedMessage, frozenset[str], frozenset[str]], bool]
) -> None:
    def fits_action(interaction: Interaction, message: PostedMessage) -> bool:
        names = frozenset(action.name for action in actions_of(interaction.template))
        return fits(message, names, frozenset(action_component(name) for name in names))

    patches.replace(submission, "fits_action", fits_action)


@fault(FAULTS, "a2ui-any-component", "a submission is taken from a component that declares no action")
def _any_component(patches: Patches) -> None:
    def fits(message: PostedMessage, names: frozenset[str], buttons: frozenset[str]) -> bool:
        source = message.action.source_component_id
        own = source == action_component(message.action.name)
        return message.action.name in names and (own or source not in buttons)

    _fitting_action(patches, fits)


@fault(FAULTS, "a2ui-any-action", "a submission is taken with an action that no button declares")
def _any_action(patches: Patches) -> None:
    def fits(message: PostedMessage, names: frozenset[str], buttons: frozenset[str]) -> bool:
        is_own = message.action.source_component_id == action_component(message.action.name)
        return message.action.name not in names or (is_own and message.action.source_component_id in buttons)

    _fitting_action(patches, fits)


@fault(
    FAULTS, "a2ui-crossed-actions", "a submission is taken with the action of another button than its source"
)
def _crossed_actions(patches: Patches) -> None:
    def fits(message: PostedMessage, names: frozenset[str], buttons: frozenset[str]) -> bool:
        return message.action.name in names and message.action.source_component_id in buttons

    _fitting_action(patches, fits)


def _forgiving(patches: Patches, forgive: Callable[[Template, JsonObject, str, str], bool]) -> None:
    """Overlook some of what is wrong with a submitted model."""

    def make(model_problems: Callable[[Template, JsonObject], Problems]) -> Any:
        def fewer(template: Template, given: JsonObject) -> Problems:
            found = model_problems(template, given)
            return {name: text for name, text in found.items() if not forgive(template, given, name, text)}

        return fewer

    patches.wrap(submission, "model_problems", make)


@fault(FAULTS, "a2ui-incomplete-model", "a submission may leave members of the model out")
def _incomplete_model(patches: Patches) -> None:
    _forgiving(patches, lambda _template, given, name, _text: name not in given)


@fault(FAULTS, "a2ui-extra-values", "a submission may bring members that the model does not have")
def _extra_values(patches: Patches) -> None:
    _forgiving(patches, lambda template, _given, name, _text: name not in initial_model(template))


def _is_mistyped(template: Template, given: JsonObject, name: str, text: str) -> bool:
    del text
    model = initial_model(template)
    if name not in model or name not in given:
        return False
    return _type_of(model[name]) != _type_of(given[name])


def _type_of(value: JsonValue) -> str:
    if isinstance(value, bool) or value is None:
        return str(type(value))
    if isinstance(value, list):
        return "texts" if all(isinstance(member, str) for member in value) else "others"
    return "number" if isinstance(value, int | float) else str(type(value))


@fault(FAULTS, "a2ui-loose-types", "a value of another type is taken")
def _loose_types(patches: Patches) -> None:
    _forgiving(patches, _is_mistyped)


@fault(FAULTS, "a2ui-any-values", "a value of the right type is taken, whatever it is")
def _any_values(patches: Patches) -> None:
    def is_typed(template: Template, given: JsonObject, name: str, text: str) -> bool:
        in_both = name in given and name in initial_model(template)
        return in_both and not _is_mistyped(template, given, name, text)

    _forgiving(patches, is_typed)


@fault(FAULTS, "a2ui-slot-burnt", "a refused submission closes the card")
def _slot_burnt(patches: Patches) -> None:
    def make(submit: Submit) -> Any:
        async def burn(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            receipt = await submit(self, owner, posted)
            if receipt is Receipt.BAD_RESPONSE:
                await self._store.close(CardKey(owner, posted.session, posted.call), Standing.CANCELLED)
            return receipt

        return burn

    patches.wrap(CardDesk, "submit", make)


async def _overwrite(cards: InteractionStore, key: CardKey, answer: Submission) -> None:
    async with cards._database.writing() as connection:
        await connection.execute(
            update(INTERACTIONS)
            .where(*store._is(key))
            .values(standing=Standing.SUBMITTED.value, action=answer.action, values=dumps_text(answer.values))
        )


@fault(FAULTS, "a2ui-second-wins", "a second submission takes the place of the first")
def _second_wins(patches: Patches) -> None:
    def make(submit: Submit) -> Any:
        async def replace_first(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            receipt = await submit(self, owner, posted)
            key = CardKey(owner, posted.session, posted.call)
            found = await self._store.get(key)
            if (
                receipt is not Receipt.NOT_PENDING
                or found is None
                or found.standing is not Standing.SUBMITTED
            ):
                return receipt
            if not submission.fits(found, posted.message, posted.data_model):
                return receipt
            await _overwrite(self._store, key, Submission(posted.message.action.name, posted.data_model))
            return Receipt.ACCEPTED

        return replace_first

    patches.wrap(CardDesk, "submit", make)


@fault(FAULTS, "a2ui-race", "submissions that race are accepted more than once")
def _race(patches: Patches) -> None:
    def make(settle: Callable[..., Awaitable[bool]]) -> Any:
        async def read_then_write(
            self: InteractionStore,
            key: CardKey,
            standing: Standing,
            moment: Moment,
            answer: Submission | None = None,
        ) -> bool:
            if answer is None:
                return await settle(self, key, standing, moment, answer)
            found = await self.get(key)
            if found is None or standing_of(found, moment) is not Standing.PENDING:
                return False
            await asyncio.sleep(0.1)
            await _overwrite(self, key, answer)
            return True

        return read_then_write

    patches.wrap(InteractionStore, "settle", make)


@fault(FAULTS, "a2ui-outlives-restart", "a card of a process that is gone can still be answered")
def _outlives_restart(patches: Patches) -> None:
    def make_standing(standing_of: Callable[[Interaction, Moment], Standing]) -> Any:
        return lambda card, moment: standing_of(card, replace(moment, boot_id=card.boot_id))

    def make_set(compare_and_set: Callable[..., Awaitable[bool]]) -> Any:
        async def adopt(
            connection: Any, key: CardKey, standing: Standing, moment: Moment, answer: Any
        ) -> bool:
            query = select(INTERACTIONS.c.boot_id).where(*store._is(key))
            boot_id = (await connection.execute(query)).scalar() or moment.boot_id
            return await compare_and_set(connection, key, standing, replace(moment, boot_id=boot_id), answer)

        return adopt

    patches.wrap(desk, "standing_of", make_standing)
    patches.wrap(store, "compare_and_set", make_set)


@fault(FAULTS, "a2ui-no-deadline", "a card can be answered for ever")
def _no_deadline(patches: Patches) -> None:
    def make_standing(standing_of: Callable[[Interaction, Moment], Standing]) -> Any:
        return lambda card, moment: standing_of(
            replace(card, deadline=moment.now.max.replace(tzinfo=moment.now.tzinfo)), moment
        )

    def make_set(compare_and_set: Callable[..., Awaitable[bool]]) -> Any:
        async def early(
            connection: Any, key: CardKey, standing: Standing, moment: Moment, answer: Any
        ) -> bool:
            at = replace(moment, now=moment.now.replace(year=2000))
            return await compare_and_set(connection, key, standing, at, answer)

        return early

    patches.wrap(desk, "standing_of", make_standing)
    patches.wrap(store, "compare_and_set", make_set)


@fault(FAULTS, "a2ui-cancel-ignored", "closing a card is confirmed and changes nothing")
def _cancel_ignored(patches: Patches) -> None:
    patches.replace(CardDesk, "withdraw", async_constant(Receipt.ACCEPTED))


@fault(FAULTS, "a2ui-pending-forever", "a card still waits when the conversation has gone on")
def _pending_forever(patches: Patches) -> None:
    async def wait(self: CardDesk, key: CardKey) -> JsonObject:
        found = await self._store.get(key)
        if found is None:
            return result_of(Standing.INTERRUPTED, None)
        return result_of(self.standing(found), found.submission)

    patches.replace(CardDesk, "conclude", wait)


@fault(FAULTS, "a2ui-posted-result", "the model reads the result that the tab posts")
def _posted_result(patches: Patches) -> None:
    def make(settle: Callable[..., Awaitable[History]]) -> Any:
        async def believe(self: Host, history: History, *rest: Any) -> History:
            await settle(self, history, *rest)
            return history

        return believe

    patches.wrap(Host, "_settle_host_calls", make)


@fault(FAULTS, "a2ui-values-hidden", "in later turns the model does not see what was answered")
def _values_hidden(patches: Patches) -> None:
    def make(settle: Callable[..., Awaitable[History]]) -> Any:
        async def mask(self: Host, history: History, *rest: Any) -> History:
            settled = await settle(self, history, *rest)
            last = max((at for at, m in enumerate(settled.messages) if isinstance(m, UserText)), default=0)
            masked = (
                _masked(message) if at < last and isinstance(message, ToolAnswer) else message
                for at, message in enumerate(settled.messages)
            )
            return replace(settled, messages=tuple(masked))

        return mask

    patches.wrap(Host, "_settle_host_calls", make)


def _masked(answer: ToolAnswer) -> ToolAnswer:
    value = answer.value
    if not isinstance(value, Mapping) or value.get("status") != "submitted":
        return answer
    return replace(answer, value={"status": "submitted", "action": "***", "values": "***"})


@fault(
    FAULTS,
    "a2ui-action-waives-gate",
    "after a click the next gated call of the conversation runs without a decision",
)
def _action_waives_gate(patches: Patches) -> None:
    waived: set[str] = set()

    def make_submit(submit: Submit) -> Any:
        async def waive(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            receipt = await submit(self, owner, posted)
            if receipt is Receipt.ACCEPTED:
                waived.add(posted.session)
            return receipt

        return waive

    def make_request(request: Callable[..., Awaitable[Any]]) -> Any:
        async def run(self: Runtime, execution: Execution, capability: Any, value: Any, demanded: Any) -> Any:
            conversation = execution.correlation.conversation_id
            if conversation in waived:
                waived.discard(str(conversation))
                return Completed(execution.id, await self.perform(execution, capability, value))
            return await request(self, execution, capability, value, demanded)

        return run

    patches.wrap(CardDesk, "submit", make_submit)
    patches.wrap(Runtime, "_request_approval", make_request)
