"""The record of a case, and what it must not tell."""

import json

import pytest

from conformance.transcript import Transcript, mask, printable

TOKEN = "eyJ1c2VyIjoiYWRhIiwicm9sZSI6ImFuYWx5c3QifQ.3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("Cookie", f"ledger_session={TOKEN}", "ledger_session=eyJ1c2…"),
        ("cookie", f"sid={TOKEN}; theme=darkblue", "sid=eyJ1c2…; theme=dark…"),
        ("set-cookie", f"sid={TOKEN}; Secure", "sid=eyJ1c2…; Secure"),
        ("Authorization", f"Bearer {TOKEN}", "Bearer eyJ1c2…"),
        ("authorization", TOKEN, "eyJ1c2…"),
        ("X-API-Key", "sk-12", "sk…"),
        ("cookie", "sid=", "sid="),
        ("accept", "application/json", "application/json"),
    ],
)
def test_secret_headers_keep_their_names_and_lose_their_values(name: str, value: str, expected: str) -> None:
    """A transcript is attached to bug reports: it must show which token was sent, and not let anybody use it."""
    assert {name: expected} == mask({name: value})


def test_a_hidden_secret_is_masked_everywhere() -> None:
    """A token in a body, cut short in a line, or noted before it was known to be one, is masked as well."""
    transcript = Transcript()
    transcript.add("http", f"POST /login -> 200 {TOKEN[:40]!r}", answer=f'{{"token": "{TOKEN}"}}')
    transcript.hide(TOKEN)
    transcript.add("note", f"with {TOKEN}")

    assert "  http  POST /login -> 200 'eyJ1c2…'\n  note  with eyJ1c2…" == transcript.excerpt()
    assert '{"token": "eyJ1c2…"}' == json.loads(transcript.to_json())[0]["answer"]
    assert "see eyJ1c2…." != transcript.masked(f"see {TOKEN}.")
    assert TOKEN[12:] not in transcript.masked(f"see {TOKEN}.")


def test_a_short_token_is_no_secret() -> None:
    """Masking `ada` wherever it stands would only spoil the record."""
    transcript = Transcript()
    transcript.hide("ada")

    assert "ada paid" == transcript.masked("ada paid")


def test_an_excerpt_shows_the_newest_entries() -> None:
    """What happened last is nearest to the failure; the rest is counted and in the file."""
    transcript = Transcript()
    for number in range(30):
        transcript.add("note", f"{number} " + "x" * 300)

    lines = transcript.excerpt().splitlines()

    assert "        … 6 earlier entries are in the transcript file" == lines[0]
    assert (25, 220, "  note  29 xxx") == (len(lines), max(map(len, lines)), lines[-1][:14])


def test_everything_that_was_noted_can_be_written() -> None:
    """Bytes that are no text, half characters, and values that JSON does not know, must not break a report."""
    transcript = Transcript()
    transcript.add("step", "odd", frames=[b"\xff{", b'{"type"'], value={1}, text="\ud800")

    written = json.loads(transcript.to_json().encode("utf-8"))[0]

    assert (["\ufffd{", '{"type"'], "{1}", "\ud800") == (written["frames"], written["value"], written["text"])


def test_a_target_cannot_steer_the_terminal() -> None:
    """Colour codes and title changes in a target's words are shown as what they are; lines and tabs stay."""
    assert "\\x1b]0;owned\\x07\tnext\nline é \\ud800" == printable("\x1b]0;owned\x07\tnext\nline é \ud800")
