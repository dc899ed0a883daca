"""When a turn is stopped because the model goes on failing."""

from typing import Any

import pytest

from reference_app.tab.loop_guard import LoopGuard, call_key

FAILED = {"error": {"code": "INVALID_INPUT", "retry": "with-changes"}}
FINAL = {"error": {"code": "NOT_AUTHORIZED", "retry": "no"}}


def _run(*calls: tuple[str, Any, Any]) -> list[bool]:
    guard = LoopGuard()
    return [
        guard.record(name, given, result, ok="error" not in result) is not None
        for name, given, result in calls
    ]


def test_keys_do_not_depend_on_the_order_of_arguments() -> None:
    """The same call is the same call; the order of items matters, and no input is an empty one."""
    assert call_key("a", {"x": 1, "y": {"b": 1, "a": 2}}) == call_key("a", {"y": {"a": 2, "b": 1}, "x": 1})
    assert call_key("a", {"x": [1, 2]}) != call_key("a", {"x": [2, 1]})
    assert call_key("a", None) == call_key("a", {})


def test_the_third_identical_failure_stops() -> None:
    """Twice may be chance."""
    assert _run(("a", {}, FAILED), ("b", {}, {}), ("a", {}, FAILED), ("b", {}, {}), ("a", {}, FAILED)) == [
        False,
        False,
        False,
        False,
        True,
    ]


def test_the_fourth_failure_in_a_row_stops() -> None:
    """Whatever failed; a success in between starts the row anew."""
    different = [("a", {"n": n}, FAILED) for n in range(4)]

    assert _run(*different) == [False, False, False, True]
    assert _run(*different[:3], ("b", {}, {}), different[3]) == [False] * 5


def test_calling_again_what_was_refused_for_good_stops() -> None:
    """The answer said that calling again is no use, and a success elsewhere does not make it untrue."""
    assert _run(("a", {}, FINAL), ("b", {}, {}), ("a", {}, FINAL)) == [False, False, True]


@pytest.mark.parametrize("result", [{"status": "approval-required"}, {"anything": 1}])
def test_waiting_for_approval_is_no_failure(result: dict[str, Any]) -> None:
    """Nothing went wrong."""
    assert _run(*[("a", {}, result)] * 6) == [False] * 6


def test_the_verdict_names_the_call() -> None:
    """The person learns what went round in circles."""
    guard = LoopGuard()
    verdicts = [guard.record("view:a.b", {}, FAILED, ok=False) for _ in range(3)]

    assert "view:a.b" in str(verdicts[-1])
