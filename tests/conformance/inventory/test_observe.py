"""Observing a target: who is offered what, as the model saw it, and nothing that must not be committed."""

import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.errors import LaunchError
from conformance.inventory.errors import InventoryError
from conformance.inventory.observe import observe
from conformance.launch import Plan, start
from conformance.target import Target
from conformance.target_file import parse_target
from conformance.worker import ModelPlace

TOY = Path(__file__).with_name("toy_host.py")
TARGET = f"""\
name = "Toy"
profiles = ["host-v2"]
launch = {{ command = ["{{python}}", "{TOY}", "{{model_url}}"], ready = {{ stdout = "(?P<url>http://[^ ]+)", within = 10 }} }}

[identities.carla]
rights = "full"
sign_in = {{ path = "/sign-in", body = {{ user = "carla" }} }}
token = {{ name = "sid" }}

[identities.ada]
rights = "restricted"
sign_in = {{ path = "/sign-in", body = {{ user = "ada" }} }}
token = {{ name = "sid" }}

[routes]
main = {{ pathname = "/notes" }}
more = {{ pathname = "/more" }}
"""
LEAVE_OUT = '[inventory]\nleave_out = ["domain:test-*"]\n'
DOMAIN = """\
[inventory]
domain = ["{python}", "-c", '''import json; print(json.dumps({"version": 2, "capabilities": [], "excluded": [], "unexposed": []}))''']
"""


def target(text: str = TARGET) -> Target:
    """Read a target file."""
    return parse_target(text, "toy.toml")


@pytest.fixture(scope="module")
def observed() -> str:
    """What is observed at the toy."""
    return observe(target())


def entries(text: str) -> dict[str, Any]:
    """The entries of an inventory by id; of several, the first."""
    found: dict[str, Any] = {}
    for entry in json.loads(text)["capabilities"]:
        found.setdefault(entry["id"], entry)
    return found


def test_each_identity_is_looked_at_on_each_route(observed: str) -> None:
    """Where was looked is on record, so that a place that is no longer looked at can be told."""
    places = [(place["identity"], place["route"]) for place in json.loads(observed)["places"]]

    assert [("ada", "main"), ("ada", "more"), ("carla", "main"), ("carla", "more")] == places


def test_what_an_identity_is_not_offered_is_not_there(observed: str) -> None:
    """The inventory says who is offered a capability, place by place."""
    offered = entries(observed)["domain:wipe-notes"]["offered"]

    assert ["carla on main", "carla on more"] == offered


def test_gates_and_effects_are_seen(observed: str) -> None:
    """The effect and the gate come from what the host announces and what the description says."""
    wipe, read = entries(observed)["domain:wipe-notes"], entries(observed)["domain:list-notes"]

    assert ("destructive", True, "server") == (wipe["effect"], wipe["approval"], wipe["executor"])
    assert ("read", False, "domain_list-notes") == (read["effect"], read["approval"], read["wireName"])


def test_tokens_and_addresses_are_taken_out(observed: str) -> None:
    """What a target leaks to its model must not end in a repository; nor may the port of the day change every file."""
    assert "carla-token" not in observed
    assert "127.0.0.1" not in observed
    assert "Read notes of [hidden] for [hidden]." in entries(observed)["domain:list-notes"]["description"]


def test_two_observations_are_the_same_bytes(observed: str) -> None:
    """Otherwise every check would find a difference."""
    assert observed == observe(target())


def test_what_exists_for_tests_only_is_left_out() -> None:
    """A target file names what stays out of the committed inventories."""
    assert "domain:test-probe" not in entries(observe(target(TARGET + LEAVE_OUT)))


def test_only_the_wanted_routes_are_looked_at() -> None:
    """A target with many pages need not show them all."""
    text = observe(target(TARGET + '[inventory]\nroutes = ["more"]\n'))

    assert {"more"} == {place["route"] for place in json.loads(text)["places"]}


def test_a_target_that_refuses_is_one_line() -> None:
    """Its fault is told as its fault, not as a traceback."""
    broken = TARGET.replace('token = { name = "sid" }', 'token = { name = "other" }')

    with pytest.raises(InventoryError, match="Toy could not be observed: sign-in at /sign-in set no cookie"):
        observe(target(broken))


def test_a_file_without_people_says_what_is_missing() -> None:
    """There is nobody to look over the shoulder of."""
    lines = TARGET.split("[identities.carla]", maxsplit=1)[0] + '[routes]\nmain = { pathname = "/notes" }\n'

    with pytest.raises(InventoryError, match="its file has no identities"):
        observe(target(lines))


def test_a_target_that_does_not_start_is_told() -> None:
    """The observation can't be made, and says why."""
    with pytest.raises(LaunchError, match="can't be started"):
        observe(target(TARGET.replace("{python}", "/nowhere/python")))


class Commands:
    """The commands in a folder of their own, against the toy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "toy.toml"
        self.inventories = folder / "inventories"
        self.file.write_text(TARGET + DOMAIN)

    def run(self, command: str, *arguments: str) -> Any:
        """Run a command with the target file."""
        return CliRunner().invoke(main, ["inventory", command, "--target", str(self.file), *arguments])

    def snapshot(self) -> Any:
        """Write the inventories."""
        return self.run("snapshot", "--to", str(self.inventories))

    def check(self) -> Any:
        """Check them."""
        return self.run("check", "--to", str(self.inventories))


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    """The commands, before any snapshot."""
    return Commands(tmp_path)


def test_a_snapshot_is_current_until_something_changes(commands: Commands) -> None:
    """Written, checked, changed, found: the way of every reviewed change."""
    assert 0 == commands.snapshot().exit_code
    assert {"domain.json", "offered.json"} == {file.name for file in commands.inventories.iterdir()}
    assert 0 == commands.check().exit_code

    offered = commands.inventories / "offered.json"
    offered.write_text(offered.read_text().replace('"effect": "destructive"', '"effect": "read"'))
    outcome = commands.check()

    assert 1 == outcome.exit_code
    assert "domain:wipe-notes" in outcome.stdout
    assert "effect-raised" in outcome.stdout
    assert "dualplane inventory snapshot" in outcome.stdout.splitlines()[-1]


def test_a_missing_file_and_other_bytes_are_differences(commands: Commands) -> None:
    """A committed file is current to the byte, or not at all."""
    commands.snapshot()
    (commands.inventories / "domain.json").unlink()
    offered = commands.inventories / "offered.json"
    offered.write_text(json.dumps(json.loads(offered.read_text())))

    outcome = commands.check()

    assert 1 == outcome.exit_code
    assert "domain.json is not in" in outcome.stdout
    assert "offered.json says the same as the target, in other bytes" in outcome.stdout


def test_nothing_committed_is_a_difference(commands: Commands) -> None:
    """A check that finds nothing to check must not be green."""
    outcome = commands.check()

    assert 1 == outcome.exit_code
    assert "offered.json is not in" in outcome.stdout


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('["/nowhere/x"]', "inventory.domain can't be run: /nowhere/x: No such file"),
        ('["{python}", "-c", "import sys; sys.exit(\'no ledger\')"]', "it printed last: no ledger"),
        ('["{python}", "-c", "print(1)"]', "expected a domain snapshot"),
    ],
)
def test_a_snapshot_command_that_fails_is_one_line(commands: Commands, command: str, expected: str) -> None:
    """Whoever wrote the target file sees what their command did."""
    commands.file.write_text(f"{TARGET}[inventory]\ndomain = {command}\n")

    outcome = commands.snapshot()

    assert 2 == outcome.exit_code
    assert expected in outcome.stderr


def test_observe_writes_to_a_file_or_to_standard_output(commands: Commands, observed: str) -> None:
    """Progress goes to standard error, so that a pipe gets the inventory alone."""
    piped = commands.run("observe")
    commands.run("observe", "-o", str(commands.folder / "out.json"))

    assert observed == piped.stdout
    assert observed == (commands.folder / "out.json").read_text()
    assert "looking over the shoulder of ada on more" in piped.stderr


def elsewhere(url: str) -> str:
    """The toy's file, for one that runs already."""
    return re.sub("launch = .*", f'connect = {{ url = "{url}" }}', TARGET)


def test_target_that_runs_already_is_observed_by_a_model_at_a_known_port(observed: str) -> None:
    """It was told its model's address when it was started, before there was one."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    instance = start(Plan(target(), f"http://127.0.0.1:{port}"))
    try:
        seen = observe(target(elsewhere(instance.url)), place=ModelPlace(port=port))
    finally:
        instance.discard()

    assert observed == seen


@pytest.mark.parametrize("command", ["observe", "snapshot", "check"])
def test_target_on_another_machine_is_not_looked_at_unasked(commands: Commands, command: str) -> None:
    """Even a look signs in and asks a model."""
    commands.file.write_text(elsewhere("https://example.com"))

    outcome = commands.run(command)

    assert (2, True) == (outcome.exit_code, "--allow-remote allows it" in outcome.stderr)
