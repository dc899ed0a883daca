"""The database: one engine, transactions that know whether they write, and the tables that the areas declare on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from sqlalchemy import MetaData, event, text
from sqlalchemy.engine import Connection
from sqlalchemy.engine.url import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction, create_async_engine

from reference_app.errors import SettingsError

T = TypeVar("T")

METADATA = MetaData()
"""Every table of the application, declared by the area that owns it."""

_BEGIN = "reference_app_begin"
_SCHEMA_LOCK = 0x4C454447
_POOL_SIZE = 20
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}


class Database:
    """Connections to SQLite or PostgreSQL.

    A writing transaction takes the write lock of SQLite at its start, so that what it reads cannot change under it; on
    PostgreSQL the statements lock the rows that they are about to change.

    Raises:
        SettingsError: The URL is not a URL, names another kind of database, or one whose driver is not installed.
    """

    def __init__(self, url: str) -> None:
        self._url = _resolve(url)
        self._embedded = self._url.get_backend_name() == "sqlite"
        self._engine = self._connect()
        # SQLite has one writer; elsewhere enough connections must be left for what writers read meanwhile.
        self._writers = asyncio.Semaphore(1 if self._embedded else _POOL_SIZE // 2)

    async def start(self, prepare: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Create the tables that do not exist yet, and let the caller fill them in the same transaction.

        Two processes that start on one database do so one after the other.

        Returns:
            What ``prepare`` returns.
        """
        async with self.writing() as connection:
            if not self._embedded:
                await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_LOCK})
            await connection.run_sync(METADATA.create_all)
            return await prepare(connection)

    async def stop(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that only reads."""
        async with self._engine.connect() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that may write; committed at the end, rolled back when the block raises."""
        async with self._writers, self._engine.connect() as connection:
            await connection.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})
            async with connection.begin():
                yield connection

    def _connect(self) -> AsyncEngine:
        if not self._embedded:
            return self._connect_server()
        engine = create_async_engine(self._url, connect_args={"timeout": 30}, pool_size=_POOL_SIZE)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        return engine

    def _connect_server(self) -> AsyncEngine:
        try:
            return create_async_engine(self._url, pool_pre_ping=True, pool_size=_POOL_SIZE)
        except ModuleNotFoundError as error:
            raise SettingsError(
                f"--database names PostgreSQL, which needs {error.name}: "
                "python -m pip install 'dualplane[postgres]'."
            ) from error


class Work:
    """One operation's transaction, opened when the operation first touches the database.

    An operation that waits before it writes therefore holds no lock while it waits. Within a transaction that is already
    open (an approval's decision) the work is a savepoint of it.
    """

    def __init__(self, database: Database, *, writes: bool, within: AsyncConnection | None = None) -> None:
        self._database = database
        self._writes = writes
        self._within = within
        self._stack = contextlib.AsyncExitStack()
        self._connection: AsyncConnection | None = None
        self._opening = asyncio.Lock()

    async def connection(self) -> AsyncConnection:
        """The connection of this work, inside its transaction."""
        async with self._opening:
            if self._connection is None:
                self._connection = await self._open()
            return self._connection

    async def __aenter__(self) -> Work:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    async def _open(self) -> AsyncConnection:
        if self._within is not None:
            savepoint: AsyncTransaction = self._within.begin_nested()
            await self._stack.enter_async_context(savepoint)
            return self._within
        opening = self._database.writing() if self._writes else self._database.reading()
        return await self._stack.enter_async_context(opening)


def embedded_url(folder: Path) -> str:
    """The URL of the embedded database in a folder."""
    return f"sqlite+aiosqlite:///{folder / 'ledger.sqlite3'}"


def _resolve(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as problem:
        raise SettingsError(f"--database {url!r} is not a database URL.") from problem
    driver = _DRIVERS.get(parsed.drivername)
    if driver is None:
        raise SettingsError(
            f"--database names {parsed.drivername!r}; use sqlite+aiosqlite or postgresql+asyncpg."
        )
    return parsed.set(drivername=driver)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would start transactions by itself, and later than this module promises.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
