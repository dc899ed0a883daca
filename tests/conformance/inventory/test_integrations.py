"""What other people's pipelines use: the pre-commit hooks, the composite action, and the workflow to copy."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conformance.inventory.samples import domain, domain_entry, text_of
from tests.conformance.inventory.test_source import git

ROOT = Path(__file__).parents[3]
ACTION = ROOT / "action.yml"
WORKFLOW = ROOT / "examples" / "workflows" / "review-inventories.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def read(path: Path) -> Any:
    """Read a YAML file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("schema", "path"),
    [("vendor.github-actions", ACTION), ("vendor.github-workflows", WORKFLOW)],
    ids=["action", "workflow"],
)
def test_files_for_github_fit_their_published_schemas(schema: str, path: Path) -> None:
    """A wrong key is found here and not in somebody else's pull request."""
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr), done.stdout


@pytest.mark.parametrize("path", [ACTION, WORKFLOW], ids=["action", "workflow"])
def test_no_text_from_outside_is_part_of_a_script(path: Path) -> None:
    """An expression in a script is pasted into it before the shell reads it; a branch name could run anything."""
    document = read(path)
    steps = document["runs"]["steps"] if "runs" in document else document["jobs"]["review"]["steps"]

    assert [] == [step["name"] for step in steps if "${{" in step.get("run", "")]


def test_the_workflow_asks_for_no_more_rights_than_it_needs() -> None:
    """Nothing is allowed by default, and the token of the checkout is not left in the repository."""
    workflow = read(WORKFLOW)
    (checkout,) = [step for step in workflow["jobs"]["review"]["steps"] if "checkout" in step.get("uses", "")]

    assert {"contents": "read"} == workflow["permissions"]
    assert {"contents": "read", "pull-requests": "write", "security-events": "write"} == workflow["jobs"][
        "review"
    ]["permissions"]
    assert {"fetch-depth": 0, "persist-credentials": False} == checkout["with"]


def test_the_workflow_passes_inputs_that_the_action_has() -> None:
    """A misspelled input is ignored by GitHub, and the gate would quietly be another."""
    (use,) = [
        step for step in read(WORKFLOW)["jobs"]["review"]["steps"] if "dualplane@" in step.get("uses", "")
    ]

    assert set(use["with"]) <= set(read(ACTION)["inputs"])


class Repository:
    """A repository with a base branch and a work tree that may differ from it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "temp" / "dualplane" / "bin"
        self.programs.mkdir(parents=True)
        program = self.programs / "dualplane"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m conformance.cli "$@"\n')
        program.chmod(0o755)
        (folder / "inventories").mkdir()
        git(folder, "init", "-q")
        self.put(domain_entry())
        git(folder, "add", "inventories")
        git(folder, "commit", "-q", "-m", "base")
        git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")

    def put(self, *entries: Any) -> None:
        """Write the inventory."""
        (self.folder / "inventories" / "domain.json").write_text(text_of(domain(*entries)))

    def run(self, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the repository, with only the named variables and our command on the path."""
        path = f"{self.programs}:{os.environ['PATH']}"
        base = {"PATH": path, "HOME": str(self.folder), "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            command, cwd=self.folder, env=base | env, capture_output=True, text=True, check=False
        )


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository whose work tree is its base."""
    return Repository(tmp_path)


def hook(name: str) -> Any:
    """A hook by its id."""
    (found,) = [one for one in read(HOOKS) if one["id"] == name]
    return found


def test_the_hooks_are_complete() -> None:
    """pre-commit refuses a hook without these keys, and installs this project for a Python hook."""
    hooks = read(HOOKS)

    assert ["dualplane-inventory-diff", "dualplane-inventory-check"] == [one["id"] for one in hooks]
    assert {("python", False)} == {(one["language"], one["pass_filenames"]) for one in hooks}
    assert all(one["name"] and one["description"] and one["entry"].startswith("dualplane ") for one in hooks)


def test_the_hook_stops_a_commit_that_widens(repository: Repository) -> None:
    """Before a commit, what is about to be committed is compared with what was."""
    entry = shlex.split(hook("dualplane-inventory-diff")["entry"])
    unchanged = repository.run(*entry)
    repository.put(domain_entry(risk="low"))
    widened = repository.run(*entry)

    assert (0, 1) == (unchanged.returncode, widened.returncode), widened.stderr
    assert "risk-lowered" in widened.stdout


def test_the_check_hook_names_a_command_that_exists(repository: Repository) -> None:
    """Its entry is completed with --target by whoever uses it."""
    entry = shlex.split(hook("dualplane-inventory-check")["entry"])

    assert 0 == repository.run(*entry, "--help").returncode


def act(repository: Repository, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the action's script as the runner does: inputs and the runner's own files as variables."""
    action = read(ACTION)
    (step,) = [step for step in action["runs"]["steps"] if step["name"] == "Compare inventories"]
    values = {name: spec["default"] for name, spec in action["inputs"].items()} | inputs
    env = {
        name: values[text.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, text in step["env"].items()
    }
    summary = repository.folder / "summary.md"
    runner = {
        "RUNNER_TEMP": str(repository.folder / "temp"),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_BASE_REF": "main",
    }
    return repository.run(
        "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], **runner | env
    )


def test_the_action_fails_for_a_widening_and_leaves_its_reports(repository: Repository) -> None:
    """Annotations on standard output, a summary for the run, and every report in the folder."""
    repository.put(domain_entry(risk="low"))

    done = act(repository)

    assert 1 == done.returncode, done.stderr
    assert done.stdout.startswith(
        "::error title=widening%3A domain%3Aissue-note,file=inventories/domain.json,line="
    )
    reports = {file.name for file in (repository.folder / "dualplane-reports").iterdir()}
    assert {"inventory.html", "inventory.json", "inventory.md", "inventory.sarif", "inventory.xml"} == reports
    assert "1 widening" in (repository.folder / "summary.md").read_text()


def test_the_action_passes_when_nothing_widens(repository: Repository) -> None:
    """The summary is there all the same."""
    done = act(repository)

    assert (0, "") == (done.returncode, done.stdout), done.stderr
    assert "no change" in (repository.folder / "summary.md").read_text()


def test_the_action_takes_approvals_from_the_base(repository: Repository) -> None:
    """A pull request that brings its own approval fails for want of one on the base branch."""
    repository.put(domain_entry(risk="low"))

    done = act(repository, approvals="git:origin/main:inventories/approved.toml")

    assert 2 == done.returncode
    assert "has nothing at inventories/approved.toml" in done.stderr


def test_the_action_says_what_it_lacks_outside_of_a_pull_request(repository: Repository) -> None:
    """Without a base there is nothing to compare with, which must not look like a pass."""
    action = repository.run("bash", "-c", read(ACTION)["runs"]["steps"][1]["run"], OLD="", GITHUB_BASE_REF="")

    assert 2 == action.returncode
    assert action.stdout.startswith("::error::outside of a pull request")
