"""The journal's own rules: what it keeps, what it drops, and that its memory has an end."""

import itertools
from dataclasses import FrozenInstanceError

import pytest

from fake_model import Ending, FakeModel, JournalError, endless, say, script, step
from fake_model.http import Connection, HttpRequest
from fake_model.journal import Journal
from tests.fake_model.clients import PLAIN


class Discarded(Connection):
    """A connection that nobody reads, for requests without a socket."""

    def __init__(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        """Let it go."""


def request(text: str) -> HttpRequest:
    """Return a small request."""
    body = b'{"model":"m","stream":true,"messages":[{"role":"user","content":"%b"}]}' % text.encode()
    return HttpRequest("POST", "/v1/chat/completions", (("content-type", "application/json"),), body)


def handle(model: FakeModel, text: str) -> None:
    """Have the server answer one request, at once."""
    assert model._server.handle(request(text), Discarded()) is None


def test_a_full_journal_stays_as_full_as_it_is() -> None:
    """However many requests come, exchanges and findings are bounded, and the newest stay."""
    model = FakeModel(journal_limit=10)
    model.play(script(say("Hi.")), token="k7")

    for number in range(500):
        handle(model, f"Hello {number} [[dp:k7]]")
        handle(model, f"unmatched {number}")

    journal = model.journal
    assert [exchange.order for exchange in journal.exchanges()] == list(range(990, 1000))
    assert len(journal._entries) == 10
    assert len(journal.findings()) <= 20


def test_bytes_are_bounded_too() -> None:
    """Long conversations make room earlier than short ones; the newest exchange always stays."""
    model = FakeModel(journal_bytes=20_000)
    model.play(script(step(say("Hi."), asked=None)), token="k7")

    for _ in range(50):
        handle(model, "x" * 5_000 + "[[dp:k7]]")
    assert 1 < len(model.exchanges) < 5
    handle(model, "x" * 50_000 + "[[dp:k7]]")
    assert len(model.exchanges) == 1


def test_an_exchange_never_changes(model: FakeModel) -> None:
    """What a test holds is what it was, whatever happens afterwards."""
    run = model.play(script(step(say("Hi."), asked=2)))
    body = {"model": "m", "messages": [{"role": "user", "content": run.prompt("Hello")}]}
    PLAIN.post(f"{model.url}/v1/chat/completions", json=body)
    held = run.exchanges
    PLAIN.post(f"{model.url}/v1/chat/completions", json=body)

    assert len(held) == 1
    assert held[0] == run.exchanges[0]
    with pytest.raises(FrozenInstanceError):
        held[0].order = 7  # type: ignore[misc]


def test_repeats_of_an_endless_event_are_not_all_kept(model: FakeModel) -> None:
    """The journal has the beginning and the end of a stream that nobody could keep."""
    run = model.play(script(step(endless("more ", at_most=3000))))
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": run.prompt("Hello")}]}

    received = PLAIN.post(f"{model.url}/v1/chat/completions", json=body).text

    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert (received.count("more "), exchange.sent.body.count(b"more ")) == (3000, 1000)
    assert exchange.sent.body.endswith(b"data: [DONE]\n\n")
    assert exchange.sent.ending is Ending.COMPLETE


def test_tokens_come_from_a_counter_that_skips_what_is_taken() -> None:
    """The same calls give the same tokens, and none twice."""
    ticks = itertools.count()
    journal = Journal(lambda: float(next(ticks)), 10, 1000)

    tokens = [journal.open_run(script(say("Hi.")), token) for token in (None, "r2", None, None)]

    assert tokens == ["r1", "r2", "r3", "r4"]
    with pytest.raises(JournalError, match="used before"):
        journal.open_run(script(say("Hi.")), "r3")
