"""The wheel as somebody installs it: into an empty environment, run from an empty folder, without the network."""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance.catalogue import Profile, load_catalogue
from tests.sources import ROOT

GUARD = ROOT / "tests" / "guard"


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel and what it depends on, and nothing else."""

    python: Path
    folder: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment in an empty folder, as a user without any configuration would."""
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        environment = {
            "PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(empty),
            "PYTHONPATH": str(GUARD),
            "DUALPLANE_GUARD": str(self.folder / "guard.log"),
        }
        return subprocess.run(
            command, cwd=empty, env=environment, capture_output=True, text=True, check=False, timeout=300
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the wheel and install it, its dependencies from the package index."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env")
    python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-compile",
        str(wheel),
    ]
    subprocess.run(pip, cwd=folder, check=True, capture_output=True)
    return Installed(python, folder)


@pytest.fixture(scope="module")
def finished(installed: Installed) -> subprocess.CompletedProcess[str]:
    """The default run."""
    return installed.run("dualplane", "run", "-n", "2", "--tab", "process")


def test_the_installed_package_is_complete(installed: Installed) -> None:
    """The packages come from the environment, with the data files that they read."""
    shown = installed.run(
        str(installed.python),
        "-c",
        "import conformance, fake_model, reference_app; from conformance.target_file import load_target;"
        "print(conformance.__file__, load_target('reference').name)",
    )

    assert "" == shown.stderr
    assert shown.stdout.startswith(str(installed.python.parent.parent))
    assert shown.stdout.endswith(" reference\n")


def test_the_default_run_is_green(finished: subprocess.CompletedProcess[str]) -> None:
    """What the README promises to a newcomer: one command, every requirement shown, nothing red, nothing left out."""
    passed, *others = finished.stdout.splitlines()[-1].split(", ")

    cards = [row for row in load_catalogue() if row.profile is Profile.A2UI and row.fits("process")]

    not_claimed = f"{len(cards)} not claimed"  # they have a target of their own
    assert (0, ["0 failed", "0 warned", "0 untested", not_claimed]) == (finished.returncode, others), (
        finished.stdout[-5000:] + finished.stderr[-2000:]
    )
    assert int(passed.removesuffix(" passed")) >= 60


def test_a_run_stays_on_the_machine(installed: Installed, finished: subprocess.CompletedProcess[str]) -> None:
    """Neither the suite nor the target nor its tab asks anybody but this machine, not even for a name."""
    lines = (installed.folder / "guard.log").read_text(encoding="utf-8").splitlines()
    guarded = [line for line in lines if line.startswith("guarded ")]

    assert finished.stdout
    assert [] == [line for line in lines if line.startswith("denied ")]
    for process in ("dualplane run", "-m reference_app ", "-m reference_app.tab "):
        assert any(process in line for line in guarded), f"no guarded process ran {process!r}"


def test_the_guard_bites(installed: Installed) -> None:
    """A guard that denies nothing would make the test above worthless; 192.0.2.1 is an address that nobody has."""
    attempts = (
        "import socket\n"
        "for attempt in (lambda: socket.create_connection(('192.0.2.1', 80), 1),\n"
        "                lambda: socket.getaddrinfo('example.invalid', 80),\n"
        "                lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))):\n"
        "    try: attempt()\n"
        "    except PermissionError as error: print(error)\n"
    )
    report = installed.folder / "guard.log"
    before = report.read_text(encoding="utf-8") if report.exists() else ""
    shown = installed.run(str(installed.python), "-c", attempts)
    report.write_text(before, encoding="utf-8")

    assert [
        "socket.getaddrinfo to ('192.0.2.1', 80) would leave the machine",
        "socket.getaddrinfo to ('example.invalid', 80) would leave the machine",
        "socket.sendto to ('192.0.2.1', 53) would leave the machine",
    ] == shown.stdout.splitlines()


def test_the_command_names_its_version(installed: Installed) -> None:
    """A bug report begins with it."""
    assert installed.run("dualplane", "--version").stdout.startswith("dualplane, version 0.")
