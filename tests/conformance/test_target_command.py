"""`dualplane target check` says what is missing, and shows one exchange of each driver."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from tests.conformance.target_text import LAUNCHED


def check(*arguments: str) -> Result:
    """Check a file."""
    return CliRunner().invoke(main, ["target", "check", *arguments])


def test_complete_file_is_complete() -> None:
    """Nothing is missing, so the exit code is 0."""
    outcome = check("reference", "--offline")

    assert 0 == outcome.exit_code
    lines = [line for line in outcome.output.splitlines() if "requirements have all they need" in line]
    assert [] == [line for line in lines if line.split()[1] != line.split()[3]]


def test_gaps_name_key_and_requirements(tmp_path: Path) -> None:
    """What to add, and what it is good for; only for what is claimed, unless asked."""
    file = tmp_path / "tiny.toml"
    file.write_text(LAUNCHED)

    outcome, everything = check(str(file), "--offline"), check(str(file), "--offline", "--all")

    assert 1 == outcome.exit_code
    assert "controls.freeze_clock" in outcome.output
    assert "for APPROVAL-07" in outcome.output
    assert "threads (not claimed)" not in outcome.output
    assert "threads (not claimed)" in everything.output


def test_each_driver_shows_one_exchange() -> None:
    """The first thing that is wrong with a file shows where it is used first."""
    outcome = check("reference")

    assert 0 == outcome.exit_code, outcome.output
    drivers = ("reset", "session", "rpc", "role", "chat", "approvals", "threads", "tab")
    lines = {line.split()[0]: line for line in outcome.output.splitlines() if line.startswith(drivers)}
    assert [] == [name for name in drivers if " ok " not in lines.get(name, "")]
    assert "POST /agent/chat step 0 -> step-start" in outcome.output


@pytest.mark.parametrize("arguments", [[], ["--offline"]], ids=["asking", "offline"])
def test_target_that_keeps_what_is_written_is_not_asked(arguments: list[str], tmp_path: Path) -> None:
    """As for a run; reading the file alone needs no leave."""
    file = tmp_path / "tiny.toml"
    file.write_text(LAUNCHED)

    outcome = check(str(file), *arguments)

    assert (2 if not arguments else 1) == outcome.exit_code
    assert bool(arguments) == ("--allow-writes allows it" not in outcome.output)
