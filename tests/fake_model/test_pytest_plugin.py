"""The pytest fixture: the example that users copy runs, and a script that was not played to its end is an error."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("body", "outcome", "text"),
    [
        (
            "fake_model.play(script(say('Hi.')))",
            "1 passed, 1 error",
            "unconsumed-step (run r1, turn 0, step 0)",
        ),
        ("fake_model.play(script(say('Hi.'))); assert 1 == 2", "1 failed", "assert 1 == 2"),
        ("fake_model.play(script(step(say('Hi.'), optional=True)))", "1 passed", ""),
    ],
    ids=["unplayed", "failed for its own reason", "played"],
)
def test_a_test_must_play_its_scripts(tmp_path: Path, body: str, outcome: str, text: str) -> None:
    """A test that passed and left a step unasked is an error; one that failed says only why it failed."""
    (tmp_path / "test_it.py").write_text(
        f"from fake_model import say, script, step\n\ndef test_it(fake_model):\n    {body}\n"
    )

    _, output = run_pytest(tmp_path)

    assert output.splitlines()[-1].split(" in ")[0] == outcome, output
    assert text in output


def test_each_test_has_the_model_for_itself(tmp_path: Path) -> None:
    """What one test left in the journal is not there for the next."""
    (tmp_path / "test_it.py").write_text(
        "import httpx\n"
        "import pytest\n"
        "from fake_model import FakeModel, say, script\n\n"
        "@pytest.mark.parametrize('number', [1, 2])\n"
        "def test_it(fake_model: FakeModel, number: int):\n"
        "    run = fake_model.play(script(say('Hi.')))\n"
        "    body = {'model': 'm', 'messages': [{'role': 'user', 'content': run.prompt('Hello')}]}\n"
        "    assert httpx.post(fake_model.url + '/v1/chat/completions', json=body).status_code == 200\n"
        "    assert len(fake_model.exchanges) == 1\n"
    )

    code, output = run_pytest(tmp_path)

    assert code == 0, output
