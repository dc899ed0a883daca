"""The stored conversations of one person."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.drivers.http import Http
from conformance.errors import Departure, Untested
from conformance.target_tables import Paths
from conformance.wire.answer import Answer


@dataclass(frozen=True)
class Threads:
    """Lists, reads and deletes stored conversations as one person."""

    http: Http
    paths: Paths

    @property
    def path(self) -> str:
        """Where threads live; untested where the target file names no such place."""
        if self.paths.threads is None:
            raise Untested("paths.threads")
        return self.paths.threads

    def ids(self) -> tuple[str, ...]:
        """The ids of this person's threads, in the order in which the target lists them.

        Raises:
            Departure: the list is refused or is not a list of threads.
        """
        answer = self.http.request("GET", self.path)
        if answer.status != 200:
            raise Departure(f"GET {self.path} was refused with {answer.status}: {answer.text[:120]!r}")
        body = answer.json()
        if not isinstance(body, list) or not all(isinstance(item, Mapping) and "id" in item for item in body):
            raise Departure(f"GET {self.path} did not answer with a list of threads: {answer.text[:120]!r}")
        return tuple(str(item["id"]) for item in body)

    def raw(self, thread: str) -> Answer:
        """Ask for one thread, whatever comes of it."""
        return self.http.request("GET", f"{self.path}/{thread}")

    def raw_messages(self, thread: str) -> Answer:
        """Ask for the messages of one thread, whatever comes of it."""
        return self.http.request("GET", f"{self.path}/{thread}/model-messages")

    def messages(self, thread: str) -> list[Mapping[str, Any]]:
        """The stored messages of one thread.

        Raises:
            Departure: they are refused or are not a list of messages.
        """
        answer = self.raw_messages(thread)
        if answer.status != 200:
            raise Departure(f"GET {answer.path} was refused with {answer.status}: {answer.text[:120]!r}")
        body = answer.json()
        if not isinstance(body, list) or not all(isinstance(item, Mapping) for item in body):
            raise Departure(
                f"GET {answer.path} did not answer with a list of messages: {answer.text[:120]!r}"
            )
        return body

    def delete(self, thread: str) -> Answer:
        """Delete one thread, whatever comes of it."""
        return self.http.request("DELETE", f"{self.path}/{thread}")
