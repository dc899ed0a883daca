"""The commands: what they print, what they write, and the exit code that says whether all was as scripted."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from fake_model import FakeModel, load_scripts, say, script
from fake_model.cli import model as command
from tests.fake_model.clients import PLAIN


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A folder with one script."""
    folder = tmp_path / "scripts"
    folder.mkdir()
    (folder / "hello.yaml").write_text("name: greeting\nsteps: [{say: Hi.}]\n")
    return folder


@contextmanager
def running(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a command until the block ends; gives the process and the address that it listens on."""
    code = "from fake_model.cli import model; model()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("listening on http://127.0.0.1:"), (
            first,
            process.stderr and process.stderr.read(),
        )
        yield process, first.split()[2].rstrip(",")
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def stop(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Interrupt a command; returns exit code and both outputs."""
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = (
        process.stdout.read(),
        process.stderr.read(),
    )  # communicate() would lose what readline() read ahead
    return process.wait(timeout=10), out, err


def ask(url: str, prompt: str) -> httpx.Response:
    """Ask once, not streamed."""
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}]}
    return PLAIN.post(f"{url}/v1/chat/completions", json=body)


def test_serve_plays_a_folder_and_is_content(scripts: Path, tmp_path: Path) -> None:
    """Each script is announced with everything that names it; a run played to its end is exit 0."""
    export = tmp_path / "journal.jsonl"
    with running("serve", "--scripts", str(scripts), "--port", "0", "--export", str(export)) as (
        process,
        url,
    ):
        answer = ask(url, "Hello [[dp:hello]]")
        code, out, err = stop(process)

    assert answer.json()["choices"][0]["message"]["content"] == "Hi."
    assert (code, err) == (0, "")
    assert out.split() == ["hello", "[[dp:hello]]", f"{url}/run/hello/v1", "1", "turn(s)", "greeting"]
    (line,) = export.read_text().splitlines()
    assert json.loads(line)["token"] == "hello"


def test_serve_reports_what_was_not_as_scripted(scripts: Path) -> None:
    """A request that matched nothing and a step that nobody asked are findings, and exit 1."""
    with running("serve", "--scripts", str(scripts), "--port", "0") as (process, url):
        ask(url, "Hello")
        code, _, err = stop(process)

    assert code == 1
    assert [line.split()[0] for line in err.splitlines()] == ["unmatched-request:", "unconsumed-step"]


def test_serve_answers_side_calls(tmp_path: Path) -> None:
    """What a target lists beside its conversation is no finding."""
    side_calls = tmp_path / "side.yaml"
    side_calls.write_text("side_calls: [{name: moderation, path: /moderations, body: {flagged: false}}]")
    with running("serve", "--side-calls", str(side_calls), "--port", "0") as (process, url):
        answer = PLAIN.post(f"{url}/v1/moderations", json={"input": "x"})
        code, _, _ = stop(process)

    assert (answer.json(), code) == ({"flagged": False}, 0)


def test_record_writes_scripts(tmp_path: Path) -> None:
    """The recorder listens in front of the provider, and the folder can be served afterwards."""
    with FakeModel() as upstream:
        upstream.play(script(say("Hi.")), token="k7")
        with running("record", "--upstream", upstream.url, "--out", str(tmp_path / "out"), "--port", "0") as (
            process,
            url,
        ):
            ask(url, "Hello [[dp:k7]]")
            code, _, err = stop(process)

    assert (code, err) == (0, "")
    assert load_scripts(tmp_path / "out") == (("k7", script(say("Hi."), name="k7")),)


def test_check_lists_scripts(scripts: Path) -> None:
    """A folder that is in order is listed."""
    result = CliRunner().invoke(command, ["check", str(scripts)])

    assert (result.exit_code, result.output.split()) == (0, ["hello", "1", "turn(s)", "greeting"])


def test_a_broken_script_is_exit_2(scripts: Path) -> None:
    """With file, line and field on standard error."""
    (scripts / "broken.yaml").write_text("steps:\n  - sya: Hi\n")

    for arguments in (["check", str(scripts)], ["serve", "--scripts", str(scripts), "--port", "0"]):
        result = CliRunner().invoke(command, arguments)

        assert result.exit_code == 2
        assert "broken.yaml:2: steps.0.sya: unknown field; did you mean 'say'?" in result.stderr


def test_a_port_that_is_taken_is_exit_2() -> None:
    """The message says which."""
    with FakeModel() as other:
        port = other.url.rsplit(":", 1)[1]
        result = CliRunner().invoke(command, ["serve", "--port", port])

    assert result.exit_code == 2
    assert "expected to listen on the address given" in result.stderr
    assert port in result.stderr
