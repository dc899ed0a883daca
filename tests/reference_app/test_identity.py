"""Tokens name a person and nothing else, and only the signature of this installation is believed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.identity import EVERYBODY, Tokens, only_token

CARLA = EVERYBODY[1]
TOKENS = Tokens("a key of this test")
TOKEN = TOKENS.issue(CARLA)


def test_a_token_verifies_and_names_its_person_only() -> None:
    """What a person may do is looked up, never carried."""
    payload = base64.urlsafe_b64decode(TOKEN.partition(".")[0] + "==")

    assert CARLA.email == TOKENS.verify(TOKEN)
    assert {"person": CARLA.email} == json.loads(payload)


@given(st.integers(0, len(TOKEN) - 1), st.characters(min_codepoint=33, max_codepoint=126))
def test_any_changed_character_makes_it_no_token(position: int, character: str) -> None:
    """There is no byte that can be changed without losing the signature, the last one included."""
    changed = TOKEN[:position] + character + TOKEN[position + 1 :]

    assert (CARLA.email if changed == TOKEN else None) == TOKENS.verify(changed)


@pytest.mark.parametrize(
    "text", ["", ".", "a.b", TOKEN + ".x", TOKEN[:-4], TOKEN.partition(".")[0], TOKEN + "=", "é.é"]
)
def test_other_texts_are_no_tokens(text: str) -> None:
    """Garbage is nobody, and never an exception."""
    assert TOKENS.verify(text) is None


@pytest.mark.parametrize("payload", [b"[]", b'{"person":1}', b'"x"', b"\xff", b'{"person":"a","person":"b"}'])
def test_a_signed_payload_of_another_shape_is_no_token(payload: bytes) -> None:
    """Even with the key, only the one shape is read."""
    written = base64.urlsafe_b64encode(payload).rstrip(b"=").decode()
    digest = hmac.new(b"a key of this test", written.encode(), hashlib.sha256).digest()
    signature = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    assert TOKENS.verify(f"{written}.{signature}") is None


def test_another_installations_token_is_no_token() -> None:
    """Two installations share no key, so that one cannot speak for the other."""
    assert Tokens("another key").verify(TOKEN) is None


def test_of_several_different_tokens_none_is_believed() -> None:
    """A request that names two people is nobody's; the same token twice is still one."""
    assert only_token([TOKEN, TOKEN]) == TOKEN
    assert only_token([TOKEN, "other"]) is None
    assert only_token([]) is None
