"""Internals in bodies are seen, and what is none is left alone."""

import pytest

from conformance.fuzz.leaks import leaks


@pytest.mark.parametrize(
    "body",
    [
        '{"message":"Traceback (most recent call last):\\n"}',
        '{"message":"File \\"/srv/app/x.py\\", line 12, in f"}',
        '{"message":"boom\\n    at handler (file:///srv/app/x.js:12:3)"}',
        "at com.example.Ledger(Ledger.java:12)",
        '{"message":"can not open /home/app/data.db"}',
        '{"message":"C:\\\\inetpub\\\\wwwroot"}',
        '{"message":"lib/site-packages/foo.py"}',
        '{"message":"SELECT id, amount FROM invoices"}',
        "INSERT INTO invoices (id)",
        "UPDATE invoices SET amount = 1",
        '{"message":"(sqlite3.OperationalError) locked"}',
        '{"message":"asyncpg.exceptions.UniqueViolationError"}',
        '{"message":"SQLSTATE 23505"}',
        '{"message":"see https://errors.pydantic.dev/2.14/v/missing"}',
    ],
)
def test_internals_are_seen(body: str) -> None:
    """Each of these tells an attacker what the application is made of."""
    assert [] != list(leaks(body, asked="", canaries=()))


@pytest.mark.parametrize(
    "body",
    [
        '{"error":{"code":"PROTOCOL_DECODE_ERROR","message":"Malformed chat step request."}}',
        '{"pathname":"/receivables/pending","link":"https://example.com/usr/share"}',
        '{"message":"Select the invoices from the list, then update the set."}',
        '{"message":"Please update invoices."}',
        '{"type":"text-delta","text":"at 12:30:15 (noon)"}',
        "",
    ],
)
def test_ordinary_answers_are_left_alone(body: str) -> None:
    """A check that cries wolf is switched off."""
    assert [] == list(leaks(body, asked="", canaries=("CANARY-1",)))


def test_what_was_asked_may_come_back() -> None:
    """A target that repeats the request's own text leaks nothing."""
    body = '{"message":"no file /home/mallory"}'

    assert [] == list(leaks(body, asked="/home/mallory", canaries=()))


def test_a_canary_is_a_leak_wherever_it_stands() -> None:
    """The target file says what a handler knows and no answer may carry; only the request may bring it along."""
    assert ["the canary 'CANARY-1'"] == list(leaks("x CANARY-1 y", asked="", canaries=("CANARY-1",)))
    assert [] == list(leaks("x CANARY-1 y", asked="CANARY-1", canaries=("CANARY-1",)))
