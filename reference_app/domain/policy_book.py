"""Which policies are in force at this moment.

The demonstration can switch policies while the application runs, in the database, so that every process that shares it
follows.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Boolean, Column, String, Table, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.database import METADATA, Database
from reference_app.domain.policy import Policy

SWITCHES = Table(
    "policy_switches",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("enabled", Boolean, nullable=False),
)


class PolicyBook:
    """The application's policies, in evaluation order.

    Args:
        standing: The policies that are in force unless somebody switches them off.
        optional: The policies that are in force only when somebody switches them on; they come after the others.
        database: Where switches are kept; None when nothing can be switched.
    """

    def __init__(
        self, standing: Iterable[Policy], optional: Iterable[Policy] = (), database: Database | None = None
    ) -> None:
        self.standing = tuple(standing)
        self._all = (*self.standing, *optional)
        self._database = database

    @property
    def names(self) -> tuple[str, ...]:
        """The policies that can be switched."""
        return tuple(policy.name for policy in self._all)

    async def in_force(self) -> tuple[Policy, ...]:
        """The policies that count for the next evaluation."""
        switched = await self._switches()
        default = set(self.standing)
        return tuple(policy for policy in self._all if switched.get(policy.name, policy in default))

    async def switch(self, name: str, enabled: bool) -> None:
        """Put a policy into or out of force."""
        if self._database is None:
            return
        async with self._database.writing() as connection:
            await connection.execute(delete(SWITCHES).where(SWITCHES.c.name == name))
            await connection.execute(insert(SWITCHES).values(name=name, enabled=enabled))

    async def _switches(self) -> dict[str, bool]:
        if self._database is None:
            return {}
        async with self._database.reading() as connection:
            return {row.name: row.enabled for row in await connection.execute(select(SWITCHES))}


async def plant(connection: AsyncConnection) -> None:
    """Forget every switch, within the caller's transaction."""
    await connection.execute(delete(SWITCHES))
