"""The rows that the screens show, read from the server once and again whenever something may have changed them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from reference_app.tab.api import Api
from reference_app.tab.records import Client, Invoice


class Need(StrEnum):
    """Something that a screen needs before it can be shown."""

    PENDING = "pending"
    ALL = "all"
    CLIENTS = "clients"


@dataclass(frozen=True, slots=True)
class Rows:
    """What was read; nothing for what was never needed."""

    pending: tuple[Invoice, ...] = ()
    all: tuple[Invoice, ...] = ()
    clients: tuple[Client, ...] = ()


class Data:
    """A cache over the server's reads. It has no other way of changing than to be read again."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._rows = Rows()
        self._fresh: set[Need] = set()

    @property
    def rows(self) -> Rows:
        """What is known now."""
        return self._rows

    def invalidate(self) -> None:
        """Say that anything may have changed: the next look at a screen reads again."""
        self._fresh.clear()

    async def load(self, needs: Sequence[Need]) -> None:
        """Read what is needed and not fresh.

        Raises:
            ServerError: The server refused.
            UnreachableError: There was no answer.
        """
        for need in needs:
            if need not in self._fresh:
                self._fresh.add(need)
                await self._read(need)

    async def _read(self, need: Need) -> None:
        try:
            self._rows = await self._with(need)
        except Exception:
            self._fresh.discard(need)
            raise

    async def _with(self, need: Need) -> Rows:
        if need is Need.CLIENTS:
            clients = await self._api.clients()
            return Rows(self._rows.pending, self._rows.all, clients)
        invoices = await self._api.invoices(need.value)
        if need is Need.PENDING:
            return Rows(invoices, self._rows.all, self._rows.clients)
        return Rows(self._rows.pending, invoices, self._rows.clients)
