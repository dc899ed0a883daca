"""The person who decides: the cards that wait for them, and their decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field, JsonValue, ValidationError

from conformance.drivers.http import Http
from conformance.errors import Departure, Untested
from conformance.target_tables import Paths
from conformance.wire.answer import Answer
from conformance.wire.frames import Wire


class Card(Wire):
    """One approval as a person sees it. `input` is exactly what would run."""

    id: str
    capability_id: str
    status: str
    input: JsonValue = None
    input_hash: str | None = None
    requested_at: str = ""
    expires_at: str = ""
    reasons: tuple[str, ...] = Field(default=(), strict=False)
    decision: Mapping[str, JsonValue] | None = None


@dataclass(frozen=True)
class Decision:
    """What a decision came to.

    Attributes:
        answer: the HTTP answer as it came.
        executed: whether the target says that the operation ran and succeeded.
        failed: whether it says that it was tried and failed.
    """

    answer: Answer
    executed: bool
    failed: bool

    @property
    def accepted(self) -> bool:
        """Whether the decision was taken at all."""
        return self.answer.status < 300


@dataclass(frozen=True)
class Approvals:
    """Lists, reads and decides approvals as one person."""

    http: Http
    paths: Paths

    @property
    def path(self) -> str:
        """Where approvals live; untested where the target file names no such place."""
        if self.paths.approvals is None:
            raise Untested("paths.approvals")
        return self.paths.approvals

    def list(self) -> tuple[Card, ...]:
        """The cards that wait for this person.

        Raises:
            Departure: the list is refused or is not a list of cards.
        """
        answer = self.http.request("GET", self.path)
        if answer.status != 200:
            raise Departure(f"GET {self.path} was refused with {answer.status}: {answer.text[:120]!r}")
        body = answer.json()
        if not isinstance(body, list):
            raise Departure(f"GET {self.path} did not answer with a list: {answer.text[:120]!r}")
        return tuple(_card(item) for item in body)

    def only(self) -> Card:
        """The one card that waits.

        Raises:
            Departure: none waits, or several.
        """
        cards = self.list()
        if len(cards) != 1:
            raise Departure(
                f"expected one pending approval, saw {len(cards)}: {[card.capability_id for card in cards]}"
            )
        return cards[0]

    def raw(self, approval_id: str) -> Answer:
        """Ask for one card, whatever comes of it."""
        return self.http.request("GET", f"{self.path}/{approval_id}")

    def get(self, approval_id: str) -> Card:
        """One card, at any status.

        Raises:
            Departure: it is refused.
        """
        answer = self.raw(approval_id)
        if answer.status != 200:
            raise Departure(f"GET {answer.path} was refused with {answer.status}: {answer.text[:120]!r}")
        return _card(answer.json())

    def decide(self, approval_id: str, *, approved: bool, **extra: Any) -> Decision:
        """Approve or deny; `extra` goes into the body as it is."""
        body = {"approved": approved, **extra}
        return read_decision(self.http.request("POST", f"{self.path}/{approval_id}", json=body))


def read_decision(answer: Answer) -> Decision:
    """Read what a decision came to, from its receipt or its resolution, whichever the target sends."""
    if answer.status >= 300:
        return Decision(answer, executed=False, failed=False)
    body = answer.json()
    resolution = body.get("resolution") if isinstance(body, dict) else None
    status = resolution.get("status") if isinstance(resolution, dict) else None
    return Decision(answer, executed=status == "completed", failed=status in {"failed", "cancelled"})


def _card(value: Any) -> Card:
    try:
        return Card.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise Departure(
            f"an approval card is not readable: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        ) from None
