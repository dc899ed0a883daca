"""Processes that outlive the worker that started them: each is noted in a folder while it runs, and ended at the end of the run.

A worker that crashes can't end its target. The run's own process can, because every worker keeps this record:
one file a process, named by its id, holding the path of its private folder.
"""

import contextlib
import os
import shutil
import signal
from pathlib import Path


def note(ledger: Path | None, pid: int, folder: Path) -> None:
    """Write down that a process group runs, with its private folder."""
    if ledger is not None:
        (ledger / str(pid)).write_text(str(folder), encoding="utf-8")


def strike(ledger: Path | None, pid: int) -> None:
    """Take a process that has been ended off the record."""
    if ledger is not None:
        (ledger / str(pid)).unlink(missing_ok=True)


def end_all(ledger: Path) -> tuple[int, ...]:
    """End every process group that is still on record and remove its folder; returns their ids."""
    ended = []
    for entry in sorted(ledger.iterdir()):
        pid = int(entry.name)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        shutil.rmtree(entry.read_text(encoding="utf-8"), ignore_errors=True)
        entry.unlink()
        ended.append(pid)
    return tuple(ended)
