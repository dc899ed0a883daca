"""The demonstration's command: what it prints, how it ends, and that script and prompts fit."""

import re
import signal
import subprocess
import sys

import httpx

from conformance.demo.command import CLOSING_TURNS, demo_script, prompts


def test_there_is_a_turn_for_each_prompt() -> None:
    """What a person is told to say is what the script answers."""
    assert len(prompts()) == len(demo_script().turns) - CLOSING_TURNS


def test_each_turn_names_the_next_prompt() -> None:
    """The assistant itself says how to go on, so that nobody has to look back at the terminal."""
    turns = demo_script().turns[: len(prompts())]

    for spoken, following in zip(turns, prompts()[1:], strict=False):
        assert following.rstrip(".") in repr(spoken)


def test_it_starts_says_where_the_page_is_and_ends_when_told() -> None:
    """One command, an address that answers, and nothing left behind."""
    process = subprocess.Popen(
        [sys.executable, "-m", "conformance.cli", "demo"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout as printed:
        first = printed.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", first)
        assert found, first
        answer = httpx.get(found[0], trust_env=False)
        process.send_signal(signal.SIGTERM)
        rest = printed.read()

    assert 200 == answer.status_code
    assert 0 == process.wait()
    assert [f"  {number}. {prompt}" for number, prompt in enumerate(prompts(), 1)] == [
        line for line in rest.splitlines() if re.match(r"  \d", line)
    ]
    assert "The demonstration is over." in rest
