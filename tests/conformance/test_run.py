"""Whole runs, from the command line to the last line, over cases that are made up here."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.conformance.command import STARTED, Command, last_line
from tests.conformance.target_text import MINIMAL

BOTH = pytest.mark.parametrize("workers", [1, 2])


@BOTH
def test_every_outcome_becomes_its_verdict(mixed: Command, workers: int) -> None:
    """Pass, failure, missing means and warning are told apart, with one worker and with two."""
    only = "APPROVAL-01,APPROVAL-02,APPROVAL-03,APPROVAL-08,CATALOG-01"

    outcome = mixed.run("--filter", only, workers=workers)

    assert 1 == outcome.exit_code
    assert "1 passed, 1 failed, 1 warned, 1 untested, 1 not claimed" == last_line(outcome)


def test_workers_do_not_show_in_the_report(mixed: Command) -> None:
    """The same run is the same report, however the cases were shared out."""
    assert mixed.report(workers=1) == mixed.report(workers=2)


@BOTH
def test_what_is_not_green_explains_itself(mixed: Command, workers: int) -> None:
    """The rule, its source, what was seen, what is missing, and the command that runs the case alone."""
    output = mixed.run(workers=workers).output

    for line in (
        "APPROVAL-02 (MUST): A model's call to a gated operation leaves a record that waits for a decision.",
        "source: The dual-plane model, Bind for context, gate for consequence",
        "the list moved",
        "At index 1 diff: 2 != 3",
        "needs roles.gated: to have something to approve",
        "run it alone: dualplane run --target",
        "--filter APPROVAL-02 --case test_approval_02",
        "no case ran for it",
    ):
        assert line in output
    assert "Use -v" not in output, "an option of pytest's is none of ours"


@pytest.mark.parametrize(
    ("bodies", "arguments", "code"),
    [
        (["pass", "pass"], [], 0),
        (["pass", "assert 0"], [], 0),
        (["pass", "assert 0"], ["--strict"], 1),
        (["assert 0", "pass"], [], 1),
        (["raise Untested('reads')", "pass"], [], 1),
        (["pass", "raise Untested('reads')"], [], 0),
        (["pass", "raise ValueError('x')"], [], 2),
        (["raise Untested('reads')", "raise Untested('reads')"], [], 2),
    ],
)
def test_the_exit_code_is_the_verdicts(
    command: Command, bodies: list[str], arguments: list[str], code: int
) -> None:
    """A MUST and a SHOULD in every combination that matters."""
    command.case("APPROVAL-01", bodies[0])
    command.case("APPROVAL-08", bodies[1])

    assert code == command.run("--filter", "APPROVAL-01,APPROVAL-08", *arguments).exit_code


def test_an_error_of_the_suite_is_no_verdict_on_the_target(command: Command) -> None:
    """The line that failed is named, and the run ends with 2."""
    command.case("APPROVAL-01", "raise RuntimeError('boom')")
    command.case("APPROVAL-02", "pass")

    outcome = command.run("--filter", "APPROVAL-0[12]")

    lines = (command.cases / "test_made_up.py").read_text().splitlines()
    place = lines.index("    raise RuntimeError('boom')") + 1
    assert 2 == outcome.exit_code
    assert f"RuntimeError: boom (test_made_up.py:{place}, call)" in outcome.output
    assert "1 passed, 0 failed, 0 warned, 0 untested, 0 not claimed" == last_line(outcome)


@BOTH
@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ("# no marker at all", "test_made_up.py::test_odd must name exactly one requirement"),
        (
            '@pytest.mark.requirement("APPROVAL-01")\n@pytest.mark.requirement("APPROVAL-02")',
            "test_made_up.py::test_odd must name exactly one requirement",
        ),
        (
            '@pytest.mark.requirement("APPROVALS-01")',
            "test_made_up.py::test_odd: no requirement is called 'APPROVALS-01'; did you mean APPROVAL-01, ",
        ),
    ],
)
def test_a_case_that_cannot_be_graded_ends_the_run(
    command: Command, marker: str, message: str, workers: int
) -> None:
    """One clear line instead of a run that quietly left a case out."""
    command.case("", "pass", name="odd", marker=marker)
    command.case("APPROVAL-01", "pass")

    outcome = command.run(workers=workers)
    errors = [line for line in outcome.output.splitlines() if line.startswith("error")]

    assert 2 == outcome.exit_code
    assert 1 == len(errors)
    assert errors[0].startswith(f"error  {message}")
    assert last_line(outcome).endswith(" not claimed")


@BOTH
def test_a_case_file_that_cannot_be_imported_ends_the_run(command: Command, workers: int) -> None:
    """Its cases would be missing without a word otherwise."""
    command.case("APPROVAL-01", "pass")
    (command.cases / "test_broken.py").write_text("import no_such_module\n")

    outcome = command.run(workers=workers)

    assert 2 == outcome.exit_code
    assert (
        "error  test_broken.py can't be collected: ModuleNotFoundError: No module named 'no_such_module'"
        in outcome.output
    )


def test_a_worker_that_crashes_ends_with_2(command: Command) -> None:
    """What it ran is named; the other worker's results still count."""
    command.case("APPROVAL-01", "os._exit(3)")
    command.case("APPROVAL-02", "pass")
    command.case("APPROVAL-03", "pass")

    outcome = command.run("--filter", "APPROVAL-0[123]", workers=2)

    assert 2 == outcome.exit_code
    assert "error  a worker crashed while it ran test_made_up.py::test_approval_01" in outcome.output
    assert "2 passed, 0 failed, 0 warned, 1 untested, 0 not claimed" == last_line(outcome)


@BOTH
def test_a_target_that_does_not_start_is_one_line(command: Command, workers: int) -> None:
    """Not an error a case: nothing was found out about any of them."""
    command.target(STARTED.replace("import http.server\n", "raise SystemExit('no database')\n"))
    command.case("APPROVAL-01", "pass", fixtures="stage")
    command.case("APPROVAL-02", "pass", fixtures="stage")

    outcome = command.run("--filter", "APPROVAL-0[12]", workers=workers)

    assert 2 == outcome.exit_code
    assert [
        "",
        "error  Tiny ended with exit code 1 before it was ready; it printed last: no database",
        "",
    ] == outcome.stdout.splitlines()[:3]
    assert "0 passed, 0 failed, 0 warned, 2 untested, 0 not claimed" == last_line(outcome)


@pytest.mark.parametrize("ending", ["pass", "assert False, 'the page was gone'"])
def test_a_target_that_dies_ends_the_run(command: Command, ending: str) -> None:
    """In its last case too, whatever the case made of it, so that no report counts on a target that was gone."""
    command.target(STARTED)
    command.case("APPROVAL-01", "pass", fixtures="stage")
    command.case("APPROVAL-02", f"app.instance.kill(); {ending}", fixtures="app")

    outcome = command.run("--filter", "APPROVAL-0[12]")

    assert 2 == outcome.exit_code
    assert (
        "error  Tiny died in test_approval_02; it printed last: listening on http://127.0.0.1:"
        in outcome.output
    )
    assert "passed  APPROVAL-01" in outcome.output


def test_fixtures_and_teardowns_count(command: Command) -> None:
    """The first thing that goes wrong in a case is its outcome, wherever that is."""
    command.target(STARTED)
    command.case("APPROVAL-01", "stage.on_close(lambda: 1 / 0)", fixtures="stage")
    command.case("APPROVAL-02", "stage.on_close(lambda: 1 / 0); assert False, 'first'", fixtures="stage")
    command.case("APPROVAL-03", "stage.control('advance_clock', 'to wait', seconds=1)", fixtures="stage")

    cases = [row["cases"][0] for row in command.report("--filter", "APPROVAL-0[123]")["requirements"]]

    assert ["error", "failed", "untested"] == [case["outcome"] for case in cases]
    assert cases[0]["message"].startswith("ZeroDivisionError: division by zero (test_made_up.py:")
    assert cases[0]["message"].endswith(", teardown)")
    assert "needs controls.advance_clock: to wait" == cases[2]["message"]


def test_the_transcript_of_a_red_case_is_a_file(command: Command) -> None:
    """It lies in the report folder, and the verdict says where; green cases leave nothing."""
    command.target(STARTED)
    command.case("APPROVAL-01", "stage.http().request('GET', '/things')", fixtures="stage")
    command.case(
        "APPROVAL-02", "assert stage.http().request('GET', '/things').status == 404", fixtures="stage"
    )

    output = command.run("--filter", "APPROVAL-0[12]").output
    (file,) = (command.folder / "report" / "transcripts").iterdir()

    assert "test_made_up--test_approval_02.json" == file.name
    assert f"the whole transcript: {file}" in output
    assert "http  GET /things -> 200 '[]'" in output
    assert "GET /things -> 200 '[]'" == json.loads(file.read_text())[0]["line"]


def test_what_lies_around_does_not_change_a_run(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither pytest's variables nor somebody's configuration, plugins or conftest decide what is graded."""
    poison = "raise RuntimeError('loaded')\n"
    for name in ("conftest.py", "poison.py", "sitecustomize_poison.py"):
        (tmp_path / name).write_text(poison)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    monkeypatch.setenv("PYTEST_PLUGINS", "poison")
    monkeypatch.chdir(tmp_path)
    command.case("APPROVAL-01", "pass")

    outcome = command.run("--filter", "APPROVAL-01")

    assert (0, "1 passed, 0 failed, 0 warned, 0 untested, 0 not claimed") == (
        outcome.exit_code,
        last_line(outcome),
    )
    assert "-k nothing" == os.environ["PYTEST_ADDOPTS"]


def test_the_seed_decides_the_order(command: Command) -> None:
    """0 is the catalogue's order; another number is another order, the same every time."""
    ids = [f"APPROVAL-0{number}" for number in range(1, 9)]
    for requirement in reversed(ids):
        command.case(requirement, f"note('order', '{requirement}')")

    def order(seed: int) -> list[str]:
        (command.folder / "order").unlink(missing_ok=True)
        command.run("--seed", str(seed))
        return (command.folder / "order").read_text().split()

    assert ids == order(0)
    assert ids == sorted(order(7)) != order(7) == order(7)


def test_a_connected_target_is_driven_serially(command: Command) -> None:
    """Two workers would get into each other's way at a target that runs once."""
    command.target(MINIMAL.replace('"host-v2"', '"approvals"'))
    for number in range(1, 5):
        command.case(f"APPROVAL-0{number}", "note('pids', os.getpid())")

    command.run(workers=2)

    assert {str(os.getpid())} == set((command.folder / "pids").read_text().split())


def test_interrupting_a_run_ends_with_2(command: Command) -> None:
    """Half a run is no verdict."""
    command.case("APPROVAL-01", "pass")
    command.case("APPROVAL-02", f"os.kill(os.getpid(), {int(signal.SIGINT)})")

    outcome = command.run("--filter", "APPROVAL-0[12]")

    assert 2 == outcome.exit_code
    assert "error  the run was cut short (interrupted)" in outcome.output
