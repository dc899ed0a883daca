"""The page about inventories tells the truth: its options exist, its examples are read, its tables are complete."""

import json
import re
import tomllib
from pathlib import Path

import yaml

from conformance.inventory.approvals import read_approvals
from conformance.inventory.cli import RENDERERS, inventory
from conformance.inventory.rules import Direction
from conformance.target_file import parse_target
from tests.conformance.inventory.samples import inventory as read
from tests.conformance.inventory.samples import offered, place
from tests.conformance.target_text import MINIMAL

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "inventories.md").read_text(encoding="utf-8")


def fenced(language: str) -> list[str]:
    """The code blocks of one language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_every_option_of_the_page_exists() -> None:
    """An option that was renamed must not live on in the documentation."""
    known = {
        flag for command in inventory.commands.values() for option in command.params for flag in option.opts
    }

    assert set() == set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) - known


def test_every_command_and_format_is_on_the_page() -> None:
    """What is not on the page is not found."""
    wanted = [f"dualplane inventory {name}" for name in inventory.commands] + [
        f"`{form}`" for form in RENDERERS
    ]

    assert [] == [text for text in wanted if text not in PAGE]


def test_every_direction_is_explained() -> None:
    """A reviewer looks up what a word in the report means."""
    assert [] == [direction.value for direction in Direction if f"| {direction.value} |" not in PAGE]


def test_the_examples_are_read() -> None:
    """Each example is what the program takes."""
    approvals, table = fenced("toml")
    (entry,) = fenced("json")
    (hooks,) = fenced("yaml")
    places = [place("carla"), place("carla", mode="meta")]
    ids = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}

    assert 1 == len(read_approvals(approvals.encode(), "page").approved)
    assert 1 == len(read(offered(json.loads(entry), places=places)).offers)
    assert {hook["id"] for hook in yaml.safe_load(hooks)["repos"][0]["hooks"]} <= ids
    routes = '[routes]\nmain = { pathname = "/" }\nclients = { pathname = "/c" }\n'
    assert (
        tuple(tomllib.loads(table)["inventory"]["routes"])
        == parse_target(MINIMAL + routes + table, "page").inventory.routes
    )
