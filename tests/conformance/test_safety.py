"""What is not done to a target unasked."""

import pytest

from conformance.errors import ConformanceError
from conformance.safety import CONNECTED, REMOTE, announce, bounded, is_remote, refuse_unasked
from conformance.target import Target
from conformance.target_file import load_target, parse_target
from tests.conformance.command import Command
from tests.conformance.target_text import MINIMAL


def at(url: str, more: str = "") -> Target:
    """A target that runs already."""
    return parse_target(MINIMAL.replace("http://127.0.0.1:9", url) + more, "tiny.toml")


@pytest.mark.parametrize(
    ("url", "remote"),
    [
        ("http://127.0.0.1:9", False),
        ("http://127.9.9.9:9", False),
        ("http://[::1]:9", False),
        ("http://localhost:9", False),
        ("http://app.localhost:9", False),
        ("http://10.0.0.7:9", True),
        ("https://example.com", True),
        ("http://127.0.0.1.example.com", True),
        ("http://localhost.example.com", True),
        ("http://0.0.0.0:9", True),
    ],
)
def test_only_loopback_is_this_machine(url: str, remote: bool) -> None:
    """An address that merely looks like it is somebody else's."""
    assert remote == is_remote(at(url))


RESET = '\n[controls]\nreset = { path = "/reset" }\n'


@pytest.mark.parametrize(
    ("target", "allowed", "message"),
    [
        (at("https://example.com", RESET), {}, "--allow-remote allows it"),
        (at("http://127.0.0.1:9"), {}, "--allow-writes allows it"),
        (at("https://example.com"), {"allow_remote": True}, "--allow-writes allows it"),
    ],
    ids=["remote", "no reset", "remote without reset"],
)
def test_refusal_names_the_option(target: Target, allowed: dict[str, bool], message: str) -> None:
    """The person who may allow it learns how."""
    options = {"allow_remote": False, "allow_writes": False} | allowed

    with pytest.raises(ConformanceError, match=message):
        refuse_unasked(target, **options)


def test_target_of_our_own_needs_nothing() -> None:
    """What the suite starts itself and can put back it may treat as it likes."""
    refuse_unasked(load_target("reference"), allow_remote=False, allow_writes=False)


def test_target_that_runs_already_is_not_overrun() -> None:
    """Where its file sets no bounds, the suite has some; what the file says counts."""
    here, there = at("http://127.0.0.1:9"), at("https://example.com")
    stated = at("https://example.com", "\n[limits]\nmax_requests = 7\n")

    assert (CONNECTED.max_requests, REMOTE.max_requests, 7) == (
        bounded(here).max_requests,
        bounded(there).max_requests,
        bounded(stated).max_requests,
    )
    assert REMOTE.requests_per_second == bounded(stated).requests_per_second
    assert 0 == bounded(load_target("reference")).max_requests


def test_what_is_written_is_announced() -> None:
    """Where, as whom, by which procedures, and how much."""
    text = "\n".join(announce(load_target("reference")))

    for part in (
        "signs in as carla, conrad, ada",
        "reset: POST /api/demo/reset",
        "create-invoice",
        "issue-invoice",
    ):
        assert part in text


def test_run_refuses_before_it_sends_anything(command: Command) -> None:
    """A remote target hears nothing of a run that was not allowed."""
    command.target(MINIMAL.replace("http://127.0.0.1:9", "https://example.com"))
    command.case("CATALOG-01", "pass")

    outcome = command.run()

    assert 2 == outcome.exit_code
    assert "is at https://example.com, which is not this machine" in outcome.stderr


def test_announcement_comes_before_the_first_case(command: Command) -> None:
    """On standard error, so that a report on standard output stands alone."""
    command.target(MINIMAL)
    command.case("CATALOG-01", "pass")

    outcome = command.run()

    assert "Tiny: http://127.0.0.1:9" in outcome.stderr
    assert "its model must be the fake one" in outcome.stderr


def test_target_that_the_run_starts_is_announced_too(command: Command) -> None:
    """A command of somebody's own file may write anywhere, whatever folder it is given."""
    command.case("APPROVAL-01", "pass")

    assert "Tiny: an instance of its own, in a private folder\n" in command.run().stderr
