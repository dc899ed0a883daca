"""The sign of life."""

import io

from conformance.report.progress import Progress
from conformance.verdict import Outcome
from tests.conformance.rows import result


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_a_log_gets_a_line_each_quarter() -> None:
    """CI logs show that something goes on, four lines long."""
    log = io.StringIO()
    with Progress(log) as progress:
        for number in range(8):
            progress.case_done(result("THING-01", Outcome.FAILED if number == 2 else Outcome.PASSED), 8)

    assert ["2/8 cases", "4/8 cases, 1 not passed", "6/8 cases, 1 not passed", "8/8 cases, 1 not passed"] == (
        log.getvalue().splitlines()
    )


def test_a_terminal_gets_one_line_that_goes_away() -> None:
    """The counter rewrites itself, and nothing of it is left when the report is printed."""
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.case_done(result("THING-01"), 0)
        progress.case_done(result("THING-01"), 3)

    assert "\r\x1b[K1 cases\r\x1b[K2/3 cases\r\x1b[K" == terminal.getvalue()
