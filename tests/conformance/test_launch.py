"""Starting a target, waiting for it, and ending it with everything that it started."""

import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from conformance.errors import LaunchError
from conformance.launch import Instance, Plan, connect, start
from conformance.target import Target
from conformance.target_tables import Connect, Launch, Model, Ready, Variant

SERVE = """
import http.server, os, pathlib, sys, subprocess
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = pathlib.Path("/proc/self/environ").read_bytes() if self.path == "/env" else repr(sys.argv[1:]).encode()
        self.send_response(int(os.environ.get("STATUS", "200"))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *args): pass
server = http.server.HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Page)
print("starting up")
print(f"listening on http://127.0.0.1:{server.server_port}/ now")
server.serve_forever()
"""
BY_LINE = Ready(stdout=r"listening on (?P<url>\S+)", within=5)
WITH_CHILD = """
import signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-c",
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); signal.pause()"],
    stdout=subprocess.PIPE)
child.stdout.readline()
print(f"listening on http://127.0.0.1:9/ child {child.pid}", flush=True)
signal.pause()
"""


def target(code: str, *arguments: str, ready: Ready = BY_LINE, **launch: object) -> Target:
    """A target that is a few lines of Python."""
    command = ("{python}", "-c", code, *arguments)
    made = Launch.model_validate({"command": command, "ready": ready, **launch})
    return Target.model_validate({"name": "Tiny", "profiles": ("host-v2",), "launch": made})


def refusal(tiny: Target, **plan: object) -> str:
    """Why a target does not start, its port replaced."""
    with pytest.raises(LaunchError) as caught:
        start(Plan(tiny, "http://model", **plan))  # type: ignore[arg-type]
    return re.sub(r"127\.0\.0\.1:\d+", "ADDRESS", str(caught.value))


@pytest.fixture
def running() -> Instance:
    """A running tiny target; the tests end it."""
    return start(Plan(target(SERVE), "http://model"))


def is_running(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> bool:
    """Whether a process ends within a moment: who is not our child can't be waited for."""
    deadline = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < deadline:
        os.sched_yield()
    return not is_running(pid)


def test_ready_by_a_line(running: Instance) -> None:
    """The address is the one in the line, without its last slash; the target answers from then on."""
    answer = httpx.get(running.url + "/")
    folder = running.folder

    assert ("[]", True) == (answer.text, running.alive)
    assert folder is not None
    assert folder.is_dir()
    running.discard()
    assert (False, False) == (running.alive, folder.exists())


def test_ready_by_an_answering_path() -> None:
    """A command that prints nothing useful is told a port and asked until it answers."""
    tiny = target(SERVE, ready=Ready(path="/health", within=5), env={"PORT": "{port}"})
    instance = start(Plan(tiny, "http://model"))
    try:
        assert 200 == httpx.get(instance.url + "/").status_code
    finally:
        instance.discard()


def test_a_line_without_an_address_means_the_given_port() -> None:
    """`ready.stdout = "ready"` is enough for a command that was told its port."""
    tiny = target(SERVE, ready=Ready(stdout="^listening", path="/", within=5), env={"PORT": "{port}"})
    instance = start(Plan(tiny, "http://model"))
    try:
        assert 200 == httpx.get(instance.url + "/").status_code
    finally:
        instance.discard()


def test_an_error_answer_is_not_ready() -> None:
    """A target whose health is bad is not waited for as if it were good."""
    tiny = target(SERVE, ready=Ready(path="/", within=0.5), env={"PORT": "{port}", "STATUS": "503"})

    message = refusal(tiny)

    assert "Tiny did not answer at http://ADDRESS/ within 0.5 s" == message.partition(";")[0]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("pass", "Tiny ended with exit code 0 before it was ready; it printed nothing"),
        (
            "import sys; print('one'); print(); sys.exit('two')",
            "Tiny ended with exit code 1 before it was ready; it printed last: two",
        ),
        (
            "import os; os.kill(os.getpid(), 9)",
            "Tiny ended with exit code -9 before it was ready; it printed nothing",
        ),
    ],
)
@pytest.mark.parametrize("ready", [BY_LINE, Ready(path="/", within=5)])
def test_a_target_that_ends_says_what_it_printed_last(code: str, message: str, ready: Ready) -> None:
    """One line is all that somebody with a broken target needs to read; it comes at once, not at the deadline."""
    assert message == refusal(target(code, ready=ready))


def test_a_target_that_is_late_is_ended() -> None:
    """The message names what was waited for and for how long; nothing stays behind."""
    code = "import os, signal; print(os.getpid(), flush=True); signal.pause()"

    message = refusal(target(code, ready=Ready(stdout="up", within=1.5)))
    start_of_message, _, pid = message.rpartition(" ")

    assert "Tiny did not print a line that matches 'up' within 1.5 s; it printed last:" == start_of_message
    assert wait_until_gone(int(pid))


def test_a_command_that_cannot_be_run_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does an unknown variant, or a target that ends: what was not started has nothing to keep."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    missing = Launch(command=("/nowhere/app",), ready=BY_LINE)
    nowhere = Target.model_validate({"name": "Tiny", "profiles": ("host-v2",), "launch": missing})

    said = [refusal(nowhere), refusal(target(SERVE), variant="second"), refusal(target("pass"))[:10]]

    assert [
        "Tiny can't be started: [Errno 2] No such file or directory: '/nowhere/app'",
        "Tiny has no launch variant 'second'",
        "Tiny ended",
    ] == said
    assert [] == list(tmp_path.iterdir())


def test_the_command_and_the_environment_are_filled_in() -> None:
    """Placeholders, the provider's environment, a variant's arguments and the faults all reach the process."""
    tiny = target(
        SERVE,
        "{folder}",
        env={"PLACE": "{folder}", "SHARED": "launch"},
        fault=("--fault", "{fault}"),
        variants={"second": Variant(args=("--second",), env={"SHARED": "variant"})},
    )
    tiny = tiny.model_copy(
        update={
            "model": Model(env={"BASE": "{model_url}/v1"}, providers={"anthropic": {"KEY": "{model_url}"}})
        }
    )
    instance = start(Plan(tiny, "http://model", ("a", "b"), "second", "anthropic"))
    try:
        arguments = httpx.get(instance.url + "/").text
        environment = dict(
            item.split("=", 1) for item in httpx.get(instance.url + "/env").text.split("\0") if item
        )
    finally:
        instance.discard()

    assert repr([str(instance.folder), "--second", "--fault", "a", "--fault", "b"]) == arguments
    assert {
        "PLACE": str(instance.folder),
        "SHARED": "variant",
        "BASE": "http://model/v1",
        "KEY": "http://model",
        "PYTHONUNBUFFERED": "1",
    }.items() <= environment.items()


def test_restarting_keeps_the_folder_and_changes_the_process(running: Instance) -> None:
    """Whether it was stopped or crashed, what lies in the folder is what it finds again."""
    assert running.folder is not None
    (running.folder / "data").write_text("kept")
    running.kill()
    again = running.restart()
    try:
        assert again.folder is not None
        assert "kept" == (again.folder / "data").read_text()
        assert (False, True) == (running.alive, again.alive)
        assert "[]" == httpx.get(again.url + "/").text
    finally:
        again.discard()


def test_a_twin_shares_the_folder_and_a_sibling_does_not(running: Instance) -> None:
    """Two processes on one database are one target; a sibling starts from nothing."""
    twin, sibling = running.twin(), running.sibling()
    try:
        assert (True, False) == (twin.folder == running.folder, sibling.folder == running.folder)
        assert 3 == len({running.url, twin.url, sibling.url})
    finally:
        for instance in (sibling, twin, running):
            instance.discard()


@pytest.mark.parametrize("end", [Instance.stop, Instance.kill, Instance.discard])
def test_children_of_the_target_end_with_it(end: Callable[[Instance], None]) -> None:
    """A server that forks workers must not leave them holding its port, even workers that ignore the polite signal."""
    instance = start(Plan(target(WITH_CHILD, ready=Ready(stdout="child", within=5)), "http://model"))
    child = int(instance.output[-1].rpartition(" ")[2])
    assert is_running(child)

    end(instance)

    assert wait_until_gone(child)
    instance.discard()


def test_ending_twice_does_no_harm(running: Instance) -> None:
    """Cases end what they started, and the suite ends everything at the end."""
    for end in (running.stop, running.kill, running.stop, running.discard, running.discard):
        end()

    assert not running.alive


def connected(url: str) -> Target:
    """A target that runs already."""
    made = Connect(url=url)
    return Target.model_validate({"name": "Tiny", "profiles": ("host-v2",), "connect": made})


def test_a_connected_target_is_asked_once_and_never_ended(running: Instance) -> None:
    """The suite did not start it, so it neither stops nor restarts it."""
    instance = connect(connected(running.url))
    instance.discard()

    assert (running.url, True) == (instance.url, running.alive)
    for again in (instance.restart, instance.twin, instance.sibling):
        with pytest.raises(LaunchError, match="a connected target can't be started by the suite"):
            again()
    running.discard()


def test_nothing_at_the_address_is_one_line(running: Instance) -> None:
    """A wrong address is found out before the first case."""
    running.discard()

    with pytest.raises(LaunchError, match=r"^Tiny: nothing answers at http://127\.0\.0\.1:\d+: .*refused$"):
        connect(connected(running.url))


def test_a_target_file_of_the_other_kind_is_refused(running: Instance) -> None:
    """Connecting needs [connect], starting needs [launch]."""
    running.discard()

    assert "Tiny has no [launch] table" == refusal(connected("http://127.0.0.1:9"))
    with pytest.raises(LaunchError, match=r"^Tiny has no \[connect\] table$"):
        connect(target(SERVE))


@pytest.mark.parametrize(("cwd", "expected"), [(None, "."), ("below", "below")], ids=["by default", "stated"])
def test_command_runs_where_its_file_lies(cwd: str | None, expected: str, tmp_path: Path) -> None:
    """Whoever writes a target file thinks from there, and not from wherever the suite is called."""
    (tmp_path / "below").mkdir()
    code = "import os; print('listening on http://127.0.0.1:9/ in', os.getcwd(), flush=True); import signal; signal.pause()"

    instance = start(Plan(target(code, cwd=cwd).placed(tmp_path), "http://127.0.0.1:1"))

    line = instance.output[-1]
    instance.discard()
    assert str((tmp_path / expected).resolve()) == line.rpartition(" ")[2]
