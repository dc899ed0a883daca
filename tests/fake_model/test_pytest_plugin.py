"""The pytest fixture: the example that users copy runs, and a script that was not played to its end is an error."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_pytest(folder: Path) -> tuple[int, str]:
    """Run pytest on a folder of a user's own, with the plugin; returns exit code and output."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "fake_model.pytest_plugin",
        "-p",
        "no:cacheprovider",
        "-q",
        ".",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_the_example_runs(tmp_path: Path) -> None:
    """What users copy works as it is."""
    shutil.copy(ROOT / "examples" / "test_with_fake_model.py", tmp_path)

    code, output = run_pytest(tmp_path)

    assert (code, output.splitlines()[-1].split(" in ")[0]) == (0, "3 passed"), output


TESTS = """
import httpx
import pytest

from fake_model import FakeModel, say, script, step


def test_unplayed(fake_model: FakeModel) -> None:
    fake_model.play(script(say("Hi.")))


def test_failed(fake_model: FakeModel) -> None:
    fake_model.play(script(say("Hi.")))
    assert 1 == 2


def test_optional(fake_model: FakeModel) -> None:
    fake_model.play(script(step(say("Hi."), optional=True)))


@pytest.mark.parametrize("number", [1, 2])
def test_played(fake_model: FakeModel, number: int) -> None:
    run = fake_model.play(script(say("Hi.")))
    body = {"model": "m", "messages": [{"role": "user", "content": run.prompt("Hello")}]}
    assert httpx.post(fake_model.url + "/v1/chat/completions", json=body).status_code == 200
    assert len(fake_model.exchanges) == 1
"""


def test_a_test_must_play_its_scripts_and_finds_none_of_others(tmp_path: Path) -> None:
    """A test that passed and left a step unasked is an error; one that failed says only why it failed; the next is clean."""
    (tmp_path / "test_it.py").write_text(TESTS)

    _, output = run_pytest(tmp_path)

    assert output.splitlines()[-1].split(" in ")[0] == "1 failed, 4 passed, 1 error", output
    assert "FAILED test_it.py::test_failed - assert 1 == 2" in output
    assert "ERROR test_it.py::test_unplayed - " in output
    assert output.count("unconsumed-step (run r1, turn 0, step 0)") == 1
