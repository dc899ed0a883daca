"""Descriptions are hostile text: what a reviewer sees must be what is there, and nothing that a machine obeys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.inventory.plain import masked, plain, shown


@given(st.text())
def test_plain_text_is_one_printable_line(text: str) -> None:
    """No control character, no line break, nothing invisible is left, whatever came in."""
    assert plain(text).isprintable()


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_printable_text_stays_as_it_is(text: str) -> None:
    """A reviewer reads the model's words, not a version of them."""
    if "##" not in text:
        assert text == plain(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x1b[31mb", "a⟨U+001B⟩[31mb"),
        ("a\x9b1mb", "a⟨U+009B⟩1mb"),
        ("pay\u202etxt", "pay⟨U+202E⟩txt"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("two\nlines\r\tend", "two⏎lines⟨U+000D⟩⇥end"),
        ("x ##[add-mask]y", "x ##⟨[⟩add-mask]y"),
        ("##vso[task.setvariable]", "##vso⟨[⟩task.setvariable]"),
    ],
)
def test_what_is_dangerous_is_written_out(text: str, expected: str) -> None:
    """Terminal escapes, bidirectional overrides, invisible characters and runner commands lose their power and are seen."""
    assert expected == plain(text)


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnop1234",
        "ghp_0123456789abcdefghijABCDEFGHIJ",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
        "Bearer abcdef0123456789abcdef",
        "https://user:hunter2@example.test/x",
        "session=eyabc123def456ghi789",
        "api_key: 0123456789abcdef0123",
    ],
)
def test_credentials_are_masked(secret: str) -> None:
    """A report is read by more people than the file that it is about."""
    text = masked(f"use {secret} here")

    assert secret not in text
    assert "[secret]" in text
    assert text.startswith("use ")


@pytest.mark.parametrize(
    "words",
    [
        "List invoices with a token of appreciation.",
        "password: the words that you chose",
        "session = yes",
        "risk-free and task-based",
    ],
)
def test_ordinary_words_are_not_masked(words: str) -> None:
    """Masking hides words from the reviewer, so it must not be easy to trigger."""
    assert words == shown(words)
