"""Nothing outlives a run: a target whose worker crashed is ended by the run itself."""

import subprocess
import sys
from pathlib import Path

from conformance import leftovers
from conformance.waiting import eventually
from tests.conformance.command import STARTED, Command


def test_noted_process_is_ended_with_its_folder(tmp_path: Path) -> None:
    """Its whole group, since it may have started others."""
    ledger, folder = tmp_path / "ledger", tmp_path / "private"
    ledger.mkdir()
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.pause()"],
        start_new_session=True,
        stdout=subprocess.PIPE,
    )
    leftovers.note(ledger, process.pid, folder)

    ended = leftovers.end_all(ledger)

    assert ((process.pid,), -9, False) == (ended, process.wait(5), folder.exists())
    assert process.stdout is not None
    process.stdout.close()


def test_struck_process_is_left_alone(tmp_path: Path) -> None:
    """What was ended in order is no longer on record; its number may be somebody else's by now."""
    leftovers.note(tmp_path, 1, tmp_path)
    leftovers.strike(tmp_path, 1)

    assert () == leftovers.end_all(tmp_path)


def test_target_of_a_crashed_worker_ends_with_the_run(command: Command) -> None:
    """The worker could not end it any more."""
    command.target(STARTED)
    body = "note('pid', stage.worker.instance.process.pid); os._exit(3)"
    command.case("APPROVAL-01", body, fixtures="stage")
    command.case("APPROVAL-02", "pass")

    command.run("--filter", "APPROVAL-0[12]", workers=2)

    pid = (command.folder / "pid").read_text().strip()
    status = Path(f"/proc/{pid}/status")
    assert not status.exists() or "State:\tZ" in status.read_text()


def test_target_of_a_cancelled_run_ends_with_it(command: Command) -> None:
    """CI ends a job with SIGTERM; the target must not outlive it."""
    command.target(STARTED)
    body = "note('pid', stage.worker.instance.process.pid); import signal; signal.pause()"
    command.case("APPROVAL-01", body, fixtures="stage")
    run = subprocess.Popen(
        [
            *(sys.executable, "-m", "conformance.cli", "run", "-n", "1", "--allow-writes"),
            *("--target", str(command.folder / "tiny.toml"), "--cases", str(command.cases)),
        ],
        cwd=command.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    noted = command.folder / "pid"
    assert eventually(lambda: noted.exists() and noted.read_text().endswith("\n"), bool, within=60)

    run.terminate()

    assert 2 == run.wait(60)
    status = Path(f"/proc/{noted.read_text().strip()}/status")
    assert not status.exists() or "State:\tZ" in status.read_text()
