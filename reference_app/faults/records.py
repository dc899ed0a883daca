"""Faults in what outlives a step: threads, and the records that keep it from happening twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import delete, select
from starlette.requests import Request
from starlette.responses import Response

from reference_app.api import threads as threads_api
from reference_app.faults import Fault, Patches, fault
from reference_app.faults.asking import is_abandoned, mark_abandoned
from reference_app.host import memory, records
from reference_app.host import threads as threads_module
from reference_app.host.records import Claim, StepKey, StepRecords
from reference_app.host.step import Step
from reference_app.host.threads import THREADS, Thread, ThreadStore

FAULTS: list[Fault] = []


@fault(FAULTS, "step-rerun", "a step that is posted again runs again")
def _step_runs_twice(patches: Patches) -> None:
    def make(claim: Callable[..., Awaitable[Any]]) -> Any:
        async def again(self: StepRecords, key: StepKey, digest: str) -> Any:
            async with self._database.writing() as connection:
                await connection.execute(delete(records.STEPS).where(*records._is(key)))
            claimed = await claim(self, key, digest)
            return Claim.RUN if claimed is Claim.REFUSE else claimed

        return again

    patches.wrap(StepRecords, "claim", make)


@fault(FAULTS, "threads-visible-to-all", "anybody who knows its id can read somebody else's thread")
def _thread_of_anybody(patches: Patches) -> None:
    async def find(self: ThreadStore, owner: str, thread_id: str) -> Thread | None:
        del owner
        async with self._database.reading() as connection:
            query = select(THREADS).where(THREADS.c.id == thread_id)
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else threads_module._thread(row)

    patches.replace(ThreadStore, "find", find)


@fault(FAULTS, "thread-delete-by-anybody", "anybody can delete somebody else's thread")
def _thread_deleted_by_anybody(patches: Patches) -> None:
    async def remove(self: ThreadStore, owner: str, thread_id: str) -> bool:
        del owner
        async with self._database.writing() as connection:
            removed = await connection.execute(delete(THREADS).where(THREADS.c.id == thread_id))
        return removed.rowcount > 0

    patches.replace(ThreadStore, "remove", remove)


@fault(
    FAULTS,
    "thread-append-by-anybody",
    "whoever uses somebody else's conversation id writes into their thread",
)
def _thread_shared_by_id(patches: Patches) -> None:
    def make(append: Callable[..., Awaitable[None]]) -> Any:
        async def into_first(
            self: ThreadStore, connection: Any, owner: str, thread_id: str, *rest: Any
        ) -> None:
            query = select(THREADS.c.owner).where(THREADS.c.id == thread_id).order_by(THREADS.c.created_at)
            first = (await connection.execute(query)).scalar()
            await append(self, connection, first or owner, thread_id, *rest)

        return into_first

    patches.wrap(ThreadStore, "append", make)


@fault(FAULTS, "thread-not-stored", "a conversation is listed, and cannot be opened")
def _thread_not_stored(patches: Patches) -> None:
    async def nothing(self: threads_api.Threads, request: Request) -> Response:
        await self._gate.require(request)
        return threads_api._not_found()

    patches.replace(threads_api.Threads, "show", nothing)


@fault(FAULTS, "messages-stored-twice", "what the person said is stored again with each step of the turn")
def _messages_stored_twice(patches: Patches) -> None:
    def make(unsaved: Callable[..., Any]) -> Any:
        def again(posted: Any, step_index: int, settled: Any) -> Any:
            said = [{"role": m.role, "content": m.content} for m in posted if m.role == "user"][-1:]
            return (*(said if step_index > 0 else ()), *unsaved(posted, step_index, settled))

        return again

    patches.wrap(memory, "unsaved_messages", make)


@fault(FAULTS, "posted-history-stored", "what a browser says came before is stored with the first step")
def _posted_history_stored(patches: Patches) -> None:
    def make(keep: Callable[..., Awaitable[None]]) -> Any:
        async def believe(self: memory.StepMemory, plan: Any, *rest: Any) -> None:
            names = plan.names
            if await self._threads.find(plan.owner.id, names.conversation_id) is None:
                earlier = [{"role": m.role, "content": m.content} for m in plan.request.messages[:-1]]
                async with self._database.writing() as connection:
                    await self._threads.append(connection, plan.owner.id, names.conversation_id, earlier)
            await keep(self, plan, *rest)

        return believe

    patches.wrap(memory.StepMemory, "_keep_thread", make)


@fault(FAULTS, "state-block-stored", "the state of a moment is stored with the conversation")
def _state_block_stored(patches: Patches) -> None:
    def make(keep: Callable[..., Awaitable[None]]) -> Any:
        async def with_state(self: memory.StepMemory, plan: Any, response: Any, usage: Any) -> None:
            said = () if plan.state is None else ({"role": "assistant", "content": plan.state.text},)
            await keep(self, plan, (*response, *said), usage)

        return with_state

    patches.wrap(memory.StepMemory, "_keep_thread", make)


@fault(FAULTS, "disconnect-not-stored", "a step whose client has gone is not stored")
def _disconnect_not_stored(patches: Patches) -> None:
    mark_abandoned(patches)

    def make(run: Callable[[Step], Awaitable[None]]) -> Any:
        async def forget(self: Step) -> None:
            keep = self._memory

            class Forgetful(memory.StepMemory):
                async def _keep_thread(_self, *arguments: Any) -> None:  # noqa: N805 - the step is the other self
                    if not is_abandoned(self._stream):
                        await keep._keep_thread(*arguments)

            self._memory = Forgetful(keep._database, keep._steps, keep._threads)
            await run(self)

        return forget

    patches.wrap(Step, "run", make)


@fault(FAULTS, "thread-delete-ignored", "a deleted thread is still there")
def _thread_delete_ignored(patches: Patches) -> None:
    async def keep(self: ThreadStore, owner: str, thread_id: str) -> bool:
        return await self.find(owner, thread_id) is not None

    patches.replace(ThreadStore, "remove", keep)


@fault(FAULTS, "threads-in-memory", "threads of an earlier process are not found")
def _threads_in_memory(patches: Patches) -> None:
    made: set[str] = set()

    def make_append(append: Callable[..., Awaitable[None]]) -> Any:
        async def remember(
            self: ThreadStore, connection: Any, owner: str, thread_id: str, *rest: Any
        ) -> None:
            made.add(thread_id)
            await append(self, connection, owner, thread_id, *rest)

        return remember

    def make_of(of: Callable[[ThreadStore, str], Awaitable[tuple[Thread, ...]]]) -> Any:
        async def forget(self: ThreadStore, owner: str) -> tuple[Thread, ...]:
            return tuple(thread for thread in await of(self, owner) if thread.id in made)

        return forget

    patches.wrap(ThreadStore, "append", make_append)
    patches.wrap(ThreadStore, "of", make_of)


@fault(FAULTS, "threads-unordered", "the oldest thread is listed first")
def _threads_unordered(patches: Patches) -> None:
    def make(of: Callable[[ThreadStore, str], Awaitable[tuple[Thread, ...]]]) -> Any:
        async def by_age(self: ThreadStore, owner: str) -> tuple[Thread, ...]:
            return tuple(sorted(await of(self, owner), key=lambda thread: thread.created_at))

        return by_age

    patches.wrap(ThreadStore, "of", make)
