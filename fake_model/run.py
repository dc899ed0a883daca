"""One run of a script: what a test holds in its hand while the application under test talks to the model."""

from dataclasses import dataclass

from fake_model.exchange import Exchange
from fake_model.findings import Finding
from fake_model.gates import GateKey, Gates
from fake_model.ids import Marker
from fake_model.journal import Journal
from fake_model.script import Script

DEFAULT_TIMEOUT = 5.0
"""Seconds that a wait lasts at most, where the caller says nothing."""


@dataclass(frozen=True)
class Run:
    """A script that is being played under a token.

    Args:
        token: what names the run in markers, call ids, paths and API keys.
        script: what is played.
        base_url: where the server listens.
    """

    token: str
    script: Script
    base_url: str
    _journal: Journal
    _gates: Gates

    @property
    def url(self) -> str:
        """A base URL whose requests all belong to this run, without `/v1`."""
        return f"{self.base_url}/run/{self.token}"

    @property
    def api_key(self) -> str:
        """An API key whose requests all belong to this run."""
        return f"dp-{self.token}"

    def marker(self, turn: int = 0) -> str:
        """Return the text that makes a user message belong to this run."""
        return str(Marker(self.token, turn))

    def prompt(self, text: str, turn: int = 0) -> str:
        """Return a user message that belongs to this run; `turn` counts the user's messages from 0."""
        return f"{text} {self.marker(turn)}"

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The requests of this run so far, in order; raises JournalError after a reset."""
        return self._journal.exchanges(self.token)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is not as scripted so far, steps that were not asked yet included."""
        return self._journal.findings(self.token)

    def assert_complete(self) -> None:
        """Raise IncompleteError with every finding, if there is any."""
        self._journal.assert_complete(self.token)

    def wait_for(self, count: int, timeout: float = DEFAULT_TIMEOUT) -> tuple[Exchange, ...]:
        """Block until `count` requests have arrived, and return the exchanges.

        Raises:
            NotSeenError: fewer came within `timeout` seconds; the message says which.
        """
        self._journal.wait(
            lambda: self._journal.counts(self.token)[0] >= count, timeout, lambda: self._seen(count)
        )
        return self.exchanges

    def wait_finished(self, count: int, timeout: float = DEFAULT_TIMEOUT) -> tuple[Exchange, ...]:
        """Block until the answers to `count` requests are over, and return the exchanges.

        Raises:
            NotSeenError: fewer were over within `timeout` seconds; the message says which.
        """
        self._journal.wait(
            lambda: self._journal.counts(self.token)[1] >= count, timeout, lambda: self._seen(count)
        )
        return self.exchanges

    def wait_held(self, gate: str, timeout: float = DEFAULT_TIMEOUT, *, count: int = 1) -> None:
        """Block until `count` replies wait at a gate; raises NotSeenError after `timeout` seconds."""
        key = GateKey(self.token, gate)
        self._journal.wait(
            lambda: self._gates.waiting(key) >= count,
            timeout,
            lambda: (
                f"expected {count} reply(ies) at gate {gate!r}, got {self._gates.waiting(key)}; {self._seen(0)}"
            ),
        )

    def release(self, gate: str) -> int:
        """Let go what waits at a gate and all that comes later; return how many replies were waiting."""
        return self._gates.release(GateKey(self.token, gate))

    def hold(self, gate: str) -> None:
        """Close a gate again that was released, for replies that come to it from now on."""
        self._gates.hold(GateKey(self.token, gate))

    def _seen(self, count: int) -> str:
        arrived, finished = self._journal.counts(self.token)
        steps = ", ".join(f"turn {e.turn} step {e.step}" for e in self._journal.exchanges(self.token))
        wanted = f"expected {count} request(s), " if count else ""
        return f"{wanted}{arrived} arrived and {finished} answered in run {self.token}: {steps or 'none'}"
