"""`dualplane inventory diff` from the command line: what it prints, what it writes, how it ends."""

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from tests.conformance.inventory.samples import (
    Json,
    contract,
    contract_entry,
    domain,
    domain_entry,
    offered,
    only,
    text_of,
)

OLD, NEW = domain(domain_entry()), domain(domain_entry(risk="low"))
APPROVAL = f'[approved.{only(OLD, NEW).fingerprint}]\nreason = "Agreed on."\nlast_day = 2027-01-31\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an old and a new inventory, which is the working folder."""
    (tmp_path / "old.json").write_text(text_of(OLD))
    (tmp_path / "new.json").write_text(text_of(NEW))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["inventory", *arguments])


def test_a_widening_ends_with_1(folder: Path) -> None:
    """The gate of a pipeline."""
    outcome = run("diff", "old.json", "new.json")

    assert 1 == outcome.exit_code
    assert "1 widening" in outcome.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("new.json", "old.json"), 0),
        (("new.json", "old.json", "--fail-on", "any"), 1),
        (("old.json", "new.json", "--fail-on", "none"), 0),
        (("old.json", "old.json", "--fail-on", "any"), 0),
        (("old.json", "new.json", "--compat"), 1),
        (("old.json", "new.json", "--approvals", "ok.toml", "--today", "2027-01-31"), 0),
        (("old.json", "new.json", "--approvals", "ok.toml", "--today", "2027-02-01"), 1),
        (("missing.json", "new.json", "--first"), 1),
    ],
)  # fmt: skip
def test_the_exit_code_is_the_verdict(folder: Path, arguments: tuple[str, ...], code: int) -> None:
    """0 passes, 1 fails; what counts is asked for by option."""
    (folder / "ok.toml").write_text(APPROVAL)

    assert code == run("diff", *arguments).exit_code


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("missing.json", "new.json"), "missing.json: there is no such file or folder"),
        (("old.json", "missing.json", "--first"), "missing.json: there is no such file or folder"),
        (("old.json", "view.json"), "is a domain snapshot and view.json a surface contract"),
        (("old.json", "broken.json"), "broken.json: not JSON"),
        (("old.json", "new.json", "--approvals", "missing.toml"), "missing.toml: can't be read"),
        (("offered.json", "offered.json", "--compat"), "--compat compares two domain snapshots"),
        (("old.json", "new.json", "--write", "json=/nowhere/x.json"), "/nowhere/x.json can't be written"),
        (("git:nope:old.json", "new.json", "--first"), "git knows no commit 'nope' here"),
    ],
)  # fmt: skip
def test_what_can_not_be_compared_ends_with_2(
    folder: Path, arguments: tuple[str, ...], expected: str
) -> None:
    """A comparison that was not made must never look like one that passed."""
    (folder / "view.json").write_text(text_of(contract()))
    (folder / "offered.json").write_text(text_of(offered()))
    (folder / "broken.json").write_text("{")

    outcome = run("diff", *arguments)

    assert 2 == outcome.exit_code
    assert expected in outcome.stderr
    assert 1 == len(outcome.stderr.splitlines())


def test_a_wrong_option_says_what_is_allowed(folder: Path) -> None:
    """A typing error must not end in a report that nobody asked for."""
    outcome = run("diff", "old.json", "new.json", "--write", "yaml=x")

    assert 2 == outcome.exit_code
    assert "expected FORMAT=FILE with FORMAT one of github, html, json" in outcome.stderr


def test_all_forms_are_written_in_one_run(folder: Path) -> None:
    """A pipeline comments, annotates and archives without comparing again."""
    forms = ("html", "json", "junit", "markdown", "sarif", "terminal")
    writes = [part for form in forms for part in ("--write", f"{form}={form}.out")]

    outcome = run("diff", "old.json", "new.json", "--format", "github", *writes)

    assert outcome.stdout.startswith("::error title=widening%3A domain%3Aissue-note,file=new.json,line=")
    assert {f"{form}.out" for form in forms} == {file.name for file in folder.glob("*.out")}
    assert 1 == json.loads((folder / "json.out").read_text())["failing"]


def test_folders_are_compared_as_one(folder: Path) -> None:
    """Both planes together show what neither shows alone."""

    def put(name: str, direct: bool) -> None:
        surfaces = ["aiSdk", "direct"] if direct else ["direct"]
        (folder / name).mkdir()
        (folder / name / "domain.json").write_text(text_of(domain(domain_entry("chase", expose=surfaces))))
        bound: Json = contract(contract_entry("domain:chase", kind="procedure", effect="server-mutation"))
        (folder / name / "view.json").write_text(text_of(bound))

    put("before", direct=False)
    put("after", direct=True)

    outcome = run("diff", "before", "after", "--format", "json")

    assert [("breach", "two-paths"), ("widening", "surface-gained")] == [
        (change["direction"], change["rule"]) for change in json.loads(outcome.stdout)["changes"]
    ]


@pytest.mark.parametrize("command", [(), ("diff",), ("rules",)])
def test_help_teaches(command: tuple[str, ...]) -> None:
    """Everything that a newcomer needs is behind --help."""
    outcome = run(*command, "--help")

    assert 0 == outcome.exit_code
    assert len(outcome.stdout) > 100


def test_the_rules_are_listed() -> None:
    """A reviewer can look up what a rule means."""
    outcome = run("rules")

    assert 0 == outcome.exit_code
    assert "two-paths" in outcome.stdout
    assert "A changed description is a changed prompt." in outcome.stdout


def test_policy_ref_takes_the_approvals_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that adds its own approval is not approved by it."""
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=tmp_path, check=True)
    (tmp_path / "kept").write_text("")
    subprocess.run(["git", "add", "kept"], cwd=tmp_path, check=True)
    author = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    subprocess.run(["git", *author, "commit", "-qm", "First"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    for name in ("old.json", "new.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "ok.toml").write_text("")
    arguments = [
        "inventory",
        "diff",
        "old.json",
        "new.json",
        "--approvals",
        "ok.toml",
        "--policy-ref",
        "main",
    ]

    outcome = CliRunner().invoke(main, arguments)

    assert 2 == outcome.exit_code
    assert "main has nothing at ok.toml" in outcome.stderr
