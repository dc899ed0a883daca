"""What the target recorded of one person's calls, as that person may read it."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from conformance.drivers.http import Http
from conformance.errors import Departure, Untested
from conformance.target_tables import Paths
from conformance.wire.frames import Wire


class Event(Wire):
    """One recorded event."""

    type: str
    capability_id: str = ""
    correlation: Mapping[str, JsonValue] | None = None
    data: JsonValue = None

    @property
    def kind(self) -> str:
        """What it says, without the common prefix."""
        return self.type.removeprefix("capability.")


@dataclass(frozen=True)
class Audit:
    """Reads the record as one person."""

    http: Http
    paths: Paths

    def events(self) -> tuple[Event, ...]:
        """The events of this person's calls, oldest first.

        Raises:
            Untested: the target file names no place for it.
            Departure: the record is refused or can't be read.
        """
        if self.paths.audit is None:
            raise Untested("paths.audit")
        answer = self.http.request("GET", self.paths.audit)
        body = answer.json() if answer.status == 200 else None
        if not isinstance(body, list):
            raise Departure(f"GET {self.paths.audit} answered {answer.status}: {answer.text[:120]!r}")
        try:
            return tuple(Event.model_validate(item) for item in body)
        except ValidationError as error:
            raise Departure(f"an event can't be read: {error.errors()[0]['msg']}") from None
