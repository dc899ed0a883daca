"""The toy host under `examples/`: its target file is right, and a run of it gives the report that its README shows."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.catalogue import load_catalogue
from conformance.means import means_of
from conformance.target_file import load_target
from tests.sources import ROOT

TOY = ROOT / "examples/toy-host"
WARNED = {
    "APPROVAL-23",
    "AUTHORITY-14",
    "BINDING-18",
    "CALL-28",
    "FRAME-09",
    "LOOP-10",
    "LOOP-11",
    "STEP-04",
    "STEP-05",
    "STEP-06",
    "STEP-08",
    "STEP-12",
    "STEP-13",
}
"""What a toy may leave out: each is a SHOULD."""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def test_the_file_names_what_the_suite_knows() -> None:
    """A table that no case asks for would lead whoever copies the file astray."""
    target = load_target(TOY / "target.toml")

    claimed = {means.profile for means in means_of(target, load_catalogue()) if means.claimed}
    assert set(target.profiles) == claimed


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of a whole run, as the README says to make it."""
    folder: Path = tmp_path_factory.mktemp("toy")
    command = [sys.executable, "-m", "conformance.cli", "run", "--target", str(TOY / "target.toml")]
    done = subprocess.run(
        [*command, "-n", "2", "--write", "json=report.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert 1 == done.returncode, done.stdout[-2000:] + done.stderr[-2000:]
    document: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return document


@needs_node
def test_nothing_that_must_hold_is_broken(report: dict[str, Any]) -> None:
    """The toy is small, and not careless: no MUST fails, and the suite finds its way around it."""
    verdicts = {row["id"]: row["verdict"] for row in report["requirements"]}

    assert [] == [name for name, verdict in verdicts.items() if verdict in ("failed", "error")]
    assert ([], []) == (report["problems"], report["findings"])


@needs_node
def test_what_it_leaves_out_is_told(report: dict[str, Any]) -> None:
    """Exactly these warnings: a report that says more or less than that is not to be trusted."""
    assert WARNED == {row["id"] for row in report["requirements"] if row["verdict"] == "warned"}


@needs_node
def test_most_of_what_is_claimed_is_graded(report: dict[str, Any]) -> None:
    """A target file of a page is enough for a useful report."""
    counts = report["counts"]

    assert counts["passed"] > counts["untested"] > 0
