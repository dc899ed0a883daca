"""A run can be shared out among machines: every requirement runs once, and stays where it is."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.catalogue import load_catalogue
from conformance.cli import main
from conformance.errors import ConformanceError
from conformance.shard import Shard, parse_shard
from tests.conformance.command import Command, last_line

IDS = tuple(load_catalogue().by_id)


@pytest.mark.parametrize("of", [1, 2, 5, 40])
def test_each_requirement_is_in_one_shard(of: int) -> None:
    """None is left out, and none is run twice."""
    parts = [name for number in range(1, of + 1) for name in Shard(number, of).part_of(IDS)]

    assert sorted(IDS) == sorted(parts)


def test_shard_does_not_depend_on_the_others() -> None:
    """A requirement that is new, or another order, moves no other one."""
    shard = Shard(2, 5)

    assert set(shard.part_of(IDS)) - {IDS[0]} == set(shard.part_of(reversed(IDS[1:])))


@pytest.mark.parametrize("text", ["0/5", "6/5", "2", "2/", "a/b", "-1/2", "1/1001"])
def test_odd_shard_is_refused(text: str) -> None:
    """Running the wrong part quietly would leave a hole."""
    with pytest.raises(ConformanceError, match="--shard takes NUMBER/OF"):
        parse_shard(text)


@pytest.fixture
def sharded(mixed: Command) -> Command:
    """The command, after both shards of a run have written their reports."""
    for number in (1, 2):
        mixed.run("--shard", f"{number}/2", "--json", str(mixed.folder / f"{number}.json"))
    return mixed


def merged(folder: Path, *names: str, **options: str) -> Result:
    """Put reports together."""
    extra = [part for name, value in options.items() for part in (f"--{name}", value)]
    return CliRunner().invoke(main, ["report", "merge", *(str(folder / name) for name in names), *extra])


def test_shards_together_are_the_whole(sharded: Command) -> None:
    """The same requirements, counts and exit code as one run gives, in whichever order they are given."""
    whole = sharded.run()

    outcome = merged(sharded.folder, "2.json", "1.json")

    assert (whole.exit_code, last_line(whole)) == (outcome.exit_code, last_line(outcome))


def test_merged_report_is_rendered_in_every_format(sharded: Command) -> None:
    """What one run can write, the shards together can."""
    formats = ("json", "markdown", "html", "github", "junit")
    for name in formats:
        merged(sharded.folder, "1.json", "2.json", write=f"{name}={sharded.folder / name}")

    texts = [(sharded.folder / name).read_text(encoding="utf-8") for name in formats]
    assert [] == [text[:80] for text in texts if "APPROVAL-02" not in text]


def test_missing_shard_is_named(sharded: Command) -> None:
    """A matrix with a job that did not run must not be green."""
    outcome = merged(sharded.folder, "1.json")

    assert (2, "dualplane: shard 2/2 is missing\n") == (outcome.exit_code, outcome.stderr)


def test_doubled_shard_is_named(sharded: Command) -> None:
    """Nor one that was taken twice."""
    outcome = merged(sharded.folder, "1.json", "1.json", "2.json")

    assert 2 == outcome.exit_code
    assert "are both shard 1/2" in outcome.stderr


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"version": "', '"version": "9', "suite version"),
        ('"digest": "', '"digest": "0', "target"),
        ('"seed": 0', '"seed": 7', "seed"),
        ('"shard": "2/2"', '"shard": "2/3"', "number of shards"),
    ],
)
def test_shard_of_another_run_is_named(sharded: Command, old: str, new: str, what: str) -> None:
    """Their verdicts are about something else."""
    file = sharded.folder / "2.json"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")

    outcome = merged(sharded.folder, "1.json", "2.json")

    assert 2 == outcome.exit_code
    assert f"is of another run: its {what} is" in outcome.stderr


def test_file_that_is_no_report_is_refused(sharded: Command) -> None:
    """The message names it."""
    (sharded.folder / "odd.json").write_text('{"format": 7}', encoding="utf-8")

    outcome = merged(sharded.folder, "odd.json")

    assert 2 == outcome.exit_code
    assert "odd.json: not a report of `dualplane run --json`" in outcome.stderr


def rendered(command: Command, *arguments: str) -> Result:
    """Render the report of a whole run."""
    command.run("--json", str(command.folder / "whole.json"))
    return CliRunner().invoke(main, ["report", "render", str(command.folder / "whole.json"), *arguments])


@pytest.mark.parametrize("name", ["markdown", "html", "github"])
def test_rendered_report_is_what_the_run_would_have_written(name: str, mixed: Command) -> None:
    """Whoever kept the JSON report needs no second run for another format, and is not failed by rendering."""
    outcome = rendered(mixed, "--write", f"{name}={mixed.folder / 'later'}")
    mixed.run("--write", f"{name}={mixed.folder / 'at once'}")

    assert 0 == outcome.exit_code
    assert (mixed.folder / "at once").read_text() == (mixed.folder / "later").read_text()


def test_rendered_junit_has_the_same_cases(mixed: Command) -> None:
    """The long form is not in the file; which requirement fails is."""
    outcome = rendered(mixed, "--write", "junit=-")
    mixed.run("--junit", str(mixed.folder / "at once"))

    later, at_once = (
        [(case.get("name"), [part.tag for part in case]) for case in ET.fromstring(text).iter("testcase")]
        for text in (outcome.stdout, (mixed.folder / "at once").read_text())
    )
    assert at_once == later


def test_one_shard_can_be_rendered(sharded: Command) -> None:
    """To look at one job of a matrix the others are not needed."""
    outcome = CliRunner().invoke(main, ["report", "render", str(sharded.folder / "1.json")])

    assert 0 == outcome.exit_code
