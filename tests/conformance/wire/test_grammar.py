"""The order of frames: each rule with the smallest stream that breaks it."""

from typing import Any

import pytest

from conformance.wire.grammar import grammar_problems
from tests.conformance.wire.frames_of import call, dropped, finish, log, result, start, text

Stream = list[dict[str, Any]]


@pytest.mark.parametrize(
    "frames",
    [
        [start(), finish()],
        [start(), text(), finish(), dropped()],
        [start(), call(), result(), finish()],
        [start(), call(executor="browser"), finish("c1")],
        [start(), call(), call("c2", "browser"), result(), finish("c2")],
        [start(), {"type": "source", "url": "x"}, finish()],
    ],
)
def test_a_whole_step_has_no_problem(frames: Stream) -> None:
    """What the protocol allows is allowed: answered calls, pending calls, unknown frames, a late report of drops."""
    assert () == grammar_problems(log(*frames))


@pytest.mark.parametrize(
    ("frames", "problem"),
    [
        ([], "the step has no frames at all"),
        ([text(), start(), finish()], "the first frame is text-delta, not step-start"),
        ([start(), text()], "the last frame is text-delta, not step-finish"),
        ([start(), finish(), text()], "the last frame is text-delta, not step-finish"),
        ([start(), dropped()], "the last frame is inspector, not step-finish"),
        ([start(), start(), finish()], "step-start was sent 2 times"),
        ([start(), finish(), finish()], "step-finish was sent 2 times"),
        ([start(), finish(stepId="stp_2")], "step-finish names the step 'stp_2', step-start 'stp_1'"),
        ([start(), call(), call(), result(), finish()], "two calls share the id 'c1'"),
        ([start(), result(), finish()], "a result for 'c1' came before any call of that id"),
        ([start(), result(), call(), finish()], "a result for 'c1' came before any call of that id"),
        (
            [start(), call(), result(canonical_id="domain:b"), finish()],
            "the result of 'c1' names domain:b, its call domain:a",
        ),
        ([start(), call(), result(), result(), finish()], "'c1' was answered twice"),
        ([start(), call(executor="browser"), result(), finish("c1")], "'c1' is both answered and pending"),
        ([start(), call(), finish()], "the server call 'c1' is neither answered nor pending"),
        (
            [start(), call(executor="browser"), finish()],
            "the browser call 'c1' is neither answered nor pending",
        ),
        ([start(), call(), finish("c1")], "the server call 'c1' is left to the browser"),
        ([start(), finish("c1")], "'c1' is pending, but no call of that id was sent"),
        ([start(), call(executor="browser"), finish("c1", "c1")], "one call is pending twice"),
    ],
)
def test_each_rule_is_broken_by_its_smallest_stream(frames: Stream, problem: str) -> None:
    """One broken rule gives exactly one sentence, so that a red verdict points at one thing."""
    assert (problem,) == grammar_problems(log(*frames))


def test_lines_that_cannot_be_read_are_problems_too() -> None:
    """A garbled line must not vanish because the frames around it are in order."""
    assert ("line 2: text-delta.text: Field required",) == grammar_problems(
        log(start(), {"type": "text-delta"}, finish())
    )
