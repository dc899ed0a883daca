"""A stop for a model that goes on doing what fails: per turn, over the calls of both planes."""

from collections import Counter
from dataclasses import dataclass, field

from reference_app.surface.json_value import Json, canonical_json

MAX_IDENTICAL_FAILURES = 3
MAX_CONSECUTIVE_FAILURES = 4


def call_key(canonical_id: str, given: Json) -> str:
    """What makes two calls the same, whatever the order of their keys; a call without input has an empty one."""
    return f"{canonical_id}:{canonical_json({} if given is None else given)}"


def retry_hint(result: Json) -> Json:
    """The retry hint of a failed result, where it has one."""
    error = result.get("error") if isinstance(result, dict) else None
    return error.get("retry") if isinstance(error, dict) else None


@dataclass(slots=True)
class LoopGuard:
    """What has failed so far in one turn."""

    _consecutive: int = 0
    _failures: Counter[str] = field(default_factory=Counter)
    _refused: set[str] = field(default_factory=set)

    def record(self, canonical_id: str, given: Json, result: Json, *, ok: bool) -> str | None:
        """Take note of a result; returns why the turn has to stop, or None.

        A success only ends a row of failures: what failed the same way before, and what was refused for good, stays on
        record for the turn.
        """
        if ok:
            self._consecutive = 0
            return None
        key = call_key(canonical_id, given)
        self._consecutive += 1
        self._failures[key] += 1
        if key in self._refused:
            return f"{canonical_id} was called again after it had answered that calling again is no use."
        if retry_hint(result) == "no":
            self._refused.add(key)
        if self._failures[key] >= MAX_IDENTICAL_FAILURES:
            return f"{canonical_id} failed {MAX_IDENTICAL_FAILURES} times with the same input."
        if self._consecutive >= MAX_CONSECUTIVE_FAILURES:
            return f"{MAX_CONSECUTIVE_FAILURES} calls in a row failed, the last one of {canonical_id}."
        return None
