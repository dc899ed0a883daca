"""The suite against a host that departs in known ways: each departure is reported, by its requirement, and nothing else."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.catalogue import load_catalogue
from conformance.means import OURS, means_of
from conformance.target_file import load_target
from tests.sources import ROOT

FILE = ROOT / "conformance/targets/create-dpas-app.toml"
LAUNCH = """\
[launch]
command = ["{python}", "-m", "tests.lookalike.app", "--port", "{port}", "--data-dir", "{folder}"]
ready = { path = "/api/health", within = 60 }
"""
DEPARTURES = {departure.requirement for departure in load_target("create-dpas-app").known_departures}


def of_the_lookalike() -> str:
    """The target file of the known implementation, with the lookalike in its place."""
    before, _, rest = FILE.read_text(encoding="utf-8").partition("[launch]\n")
    after = rest.partition("[launch.variants")[2]
    return f'{before}{LAUNCH}env = {{ PYTHONPATH = "{ROOT}" }}\n\n[launch.variants{after}'


def run(folder: Path, *arguments: str) -> dict[str, Any]:
    """Run the suite against the lookalike and return its report."""
    (folder / "lookalike.toml").write_text(of_the_lookalike(), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "conformance.cli",
        "run",
        "-t",
        "lookalike.toml",
        "-n",
        "2",
        "--write",
        "json=report.json",
    ]
    done = subprocess.run(
        [*command, *arguments], cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
    assert 1 == done.returncode, done.stdout[-2000:] + done.stderr[-2000:]
    document: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return document


def with_verdict(report: dict[str, Any], *verdicts: str) -> set[str]:
    """The requirements with one of these verdicts."""
    return {row["id"] for row in report["requirements"] if row["verdict"] in verdicts}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of one whole run, in the wire format that the implementation speaks by default."""
    return run(tmp_path_factory.mktemp("lookalike"))


def test_every_departure_is_found_and_nothing_else(whole: dict[str, Any]) -> None:
    """A finding too few is a hole; one too many accuses an implementation of what it may do."""
    assert DEPARTURES == with_verdict(whole, "failed", "warned")


def test_the_run_itself_is_in_order(whole: dict[str, Any]) -> None:
    """No error of the suite's own, and nothing that it serves is left unclaimed."""
    assert (set(), [], []) == (with_verdict(whole, "error"), whole["problems"], whole["findings"])


def test_what_is_untested_says_what_is_missing(whole: dict[str, Any]) -> None:
    """Whoever writes a target file must learn what to add."""
    untested = [row for row in whole["requirements"] if row["verdict"] == "untested"]

    assert [] != untested
    assert [] == [row["id"] for row in untested if not row["missing"]]


def test_check_foresees_what_is_untested(whole: dict[str, Any]) -> None:
    """`target check` reads the cases and the run runs them; both name the same requirements."""
    lacking = {
        name
        for means in means_of(load_target("create-dpas-app"), load_catalogue())
        for gap in means.gaps
        for name in gap.requirements
        if means.claimed
    }
    seen = {
        row["id"]
        for row in whole["requirements"]
        if row["verdict"] == "untested" and not set(row["missing"]) <= OURS
    }

    assert set() == seen - lacking
    assert set() == lacking & with_verdict(whole, "passed")


def test_reports_show_the_reason_of_a_known_departure(whole: dict[str, Any]) -> None:
    """It stands beside the finding and excuses nothing."""
    row = next(row for row in whole["requirements"] if row["id"] == "RPC-07")

    assert ("An operation that refuses is answered 500, with its words.", False) == (
        row["departure"],
        row["listed"],
    )


def test_the_other_wire_format_shows_the_same(tmp_path: Path) -> None:
    """What is found does not depend on how the host talks to its model."""
    areas = ["state", "calls", "telemetry"]
    arguments = [part for area in areas for part in ("--filter", area)]

    report = run(tmp_path, "--provider", "openai-chat", *arguments)

    asked = {row["id"] for row in report["requirements"]}
    assert DEPARTURES & asked == with_verdict(report, "failed", "warned")
