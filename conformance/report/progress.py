"""A sign of life while a run goes on: a counter that rewrites itself on a terminal, a line each quarter elsewhere."""

from types import TracebackType
from typing import TextIO

from conformance.verdict import CaseResult, Outcome


class Progress:
    """Counts cases on standard error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._done = 0
        self._red = 0
        self._quarter = 0

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._terminal and self._done:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def case_done(self, result: CaseResult, planned: int) -> None:
        """Count one case; `planned` is 0 where the number is not known."""
        self._done += 1
        self._red += result.outcome is not Outcome.PASSED
        of = f"/{planned}" if planned else ""
        line = f"{self._done}{of} cases" + (f", {self._red} not passed" if self._red else "")
        if self._terminal:
            self._stream.write(f"\r\x1b[K{line}")
            self._stream.flush()
        elif planned and (quarter := 4 * self._done // planned) > self._quarter:
            self._quarter = quarter
            self._stream.write(line + "\n")
            self._stream.flush()
