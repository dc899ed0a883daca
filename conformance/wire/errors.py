"""Errors as they reach a model: an object with a code, a message and a hint whether to call again."""

from collections.abc import Mapping
from typing import Any


def error_of(result: Any) -> Mapping[str, Any]:
    """The error object of a tool's answer, wherever its envelope has it; empty where there is none."""
    error = result.get("error") if isinstance(result, Mapping) else None
    return error if isinstance(error, Mapping) else {}


def retry_hints(result: Any) -> tuple[object, ...]:
    """What an answer says about calling again; empty where it says nothing."""
    error = error_of(result)
    return tuple(error[key] for key in ("retry", "retryable") if key in error)
