"""Faults in what outlives a step: threads, and the records that keep it from happening twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import delete, select

from reference_app.faults import Fault, Patches, async_constant, fault
from reference_app.host import memory, records
from reference_app.host import threads as threads_module
from reference_app.host.records import Claim, StepKey, StepRecords
from reference_app.host.threads import THREADS, Thread, ThreadStore

FAULTS: list[Fault] = []


@fault(FAULTS, "step-runs-twice", "a step that is posted again runs again")
def _step_runs_twice(patches: Patches) -> None:
    def make(claim: Callable[..., Awaitable[Any]]) -> Any:
        async def again(self: StepRecords, key: StepKey, digest: str) -> Any:
            async with self._database.writing() as connection:
                await connection.execute(delete(records.STEPS).where(*records._is(key)))
            claimed = await claim(self, key, digest)
            return Claim.RUN if claimed is Claim.REFUSE else claimed

        return again

    patches.wrap(StepRecords, "claim", make)


@fault(FAULTS, "thread-of-anybody", "anybody who knows its id can read somebody else's thread")
def _thread_of_anybody(patches: Patches) -> None:
    async def find(self: ThreadStore, owner: str, thread_id: str) -> Thread | None:
        del owner
        async with self._database.reading() as connection:
            query = select(THREADS).where(THREADS.c.id == thread_id)
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else threads_module._thread(row)

    patches.replace(ThreadStore, "find", find)


@fault(FAULTS, "threads-listed-to-all", "everybody's threads are in everybody's list")
def _threads_listed_to_all(patches: Patches) -> None:
    async def of(self: ThreadStore, owner: str) -> tuple[Thread, ...]:
        del owner
        async with self._database.reading() as connection:
            rows = await connection.execute(
                select(THREADS).order_by(THREADS.c.updated_at.desc(), THREADS.c.id)
            )
            return tuple(threads_module._thread(row) for row in rows.mappings())

    patches.replace(ThreadStore, "of", of)


@fault(FAULTS, "thread-deleted-by-anybody", "anybody can delete somebody else's thread")
def _thread_deleted_by_anybody(patches: Patches) -> None:
    async def remove(self: ThreadStore, owner: str, thread_id: str) -> bool:
        del owner
        async with self._database.writing() as connection:
            removed = await connection.execute(delete(THREADS).where(THREADS.c.id == thread_id))
        return removed.rowcount > 0

    patches.replace(ThreadStore, "remove", remove)


@fault(FAULTS, "thread-shared-by-id", "whoever uses somebody else's conversation id writes into their thread")
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


@fault(FAULTS, "thread-repeats-history", "each step stores the whole posted history again")
def _thread_repeats_history(patches: Patches) -> None:
    def everything(posted: Any, step_index: int, settled: Any) -> Any:
        del step_index, settled
        return tuple({"role": message.role, "content": message.content} for message in posted)

    patches.replace(memory, "unsaved_messages", everything)


@fault(FAULTS, "thread-not-written", "a conversation is not stored")
def _thread_not_written(patches: Patches) -> None:
    patches.replace(memory.StepMemory, "_keep_thread", async_constant(None))
