"""Errors as they reach a model."""

from typing import Any

import pytest

from conformance.wire.errors import error_of, retry_hints


@pytest.mark.parametrize(
    ("answer", "error", "hints"),
    [
        ({"error": {"code": "X", "retry": "no"}}, {"code": "X", "retry": "no"}, ("no",)),
        ({"error": {"code": "X", "retryable": True}}, {"code": "X", "retryable": True}, (True,)),
        ({"error": {"code": "X"}}, {"code": "X"}, ()),
        ({"error": "text"}, {}, ()),
        ({"done": True}, {}, ()),
        ("text", {}, ()),
        (None, {}, ()),
    ],
)
def test_an_error_and_its_hints_are_found(answer: Any, error: Any, hints: tuple[object, ...]) -> None:
    """What is no error has neither."""
    assert (error, hints) == (error_of(answer), retry_hints(answer))
