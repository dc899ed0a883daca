"""What the README says is so."""

import re
import tomllib

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.target_file import parse_target
from tests.readme_excerpt import README, with_excerpt
from tests.sources import ROOT

TEXT = README.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_the_excerpt_is_of_today() -> None:
    """Sentences, verdicts and counts are those of a run now; `python -m tests.readme_excerpt` writes them anew."""
    assert with_excerpt(TEXT) == TEXT


def test_the_two_commands_are_on_the_first_screen() -> None:
    """They are all that a newcomer needs, and what CI runs."""
    first_screen = TEXT.splitlines()[:45]
    commands = [line for line in first_screen if line.startswith("python -m pip install tox && ")]

    assert ["conformance", "py"] == [command.rpartition(" ")[2] for command in commands]


def test_the_target_file_is_one() -> None:
    """Somebody will begin with it, so it must be readable as it stands."""
    (text,) = blocks("toml")

    assert "My console" == parse_target(text, "README.md").name


@pytest.mark.parametrize("line", [line for block in blocks("sh") for line in block.splitlines() if line])
def test_every_command_exists(line: str) -> None:
    """Commands and options of the README are those of the command."""
    words = line.partition(" #")[0].split()
    if words[0] != "dualplane":
        assert "python" == words[0]
        return
    shown = CliRunner().invoke(main, [words[1], "--help"]).output

    assert [] == [word for word in words[2:] if word.startswith("-") and not re.search(rf"{word}\b", shown)]


def test_files_that_are_mentioned_exist() -> None:
    """A reader must find what is pointed at."""
    mentioned = set(re.findall(r"`([\w./-]+(?:\.md|\.toml|/))`", TEXT)) - {"dualplane-report/"}

    assert [] == sorted(name for name in mentioned if not (ROOT / name).exists())


def test_every_page_is_linked() -> None:
    """A page that nothing points at is read by nobody; a link that leads nowhere is worse."""
    linked = set(re.findall(r"\]\(([^)#:]+)\)", TEXT))

    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")} <= linked
    assert [] == sorted(name for name in linked if not (ROOT / name).exists())


def test_every_tox_environment_is_explained() -> None:
    """Whoever lists them learns what each is for."""
    text = (ROOT / "tox.ini").read_text(encoding="utf-8")
    sections = re.split(r"^\[", text, flags=re.MULTILINE)[2:]

    assert [] == [section.partition("]")[0] for section in sections if "description = " not in section]


def test_the_version_is_in_the_changelog() -> None:
    """A release without an entry tells nobody what it changes."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
