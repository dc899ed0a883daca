"""A change can't loosen the gate that it has to pass: target file and baseline can be taken from a git ref."""

import subprocess
from pathlib import Path

import pytest

from conformance.catalogue import load_catalogue
from conformance.claims import Terms, terms_of
from conformance.errors import ConformanceError
from tests.conformance.target_text import MINIMAL

TWO = MINIMAL.replace('["host-v2"]', '["host-v2", "identity"]')
KNOWN = '[known.STATE-04]\nverdict = "warned"\nreason = "Known since long."\n'


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a target file and a baseline committed below a folder."""
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite/my.toml").write_text(TWO)
    (tmp_path / "suite/known.toml").write_text(KNOWN)
    for arguments in (
        ["init", "-q", "-b", "main"],
        ["add", "suite"],
        ["-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "First"],
    ):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path / "suite")
    return tmp_path / "suite"


def held_to(target: str = "my.toml", baseline: str = "known.toml", ref: str = "main") -> Terms:
    """What a run in the repository is held to."""
    return terms_of(target, baseline, ref, load_catalogue())


def test_files_of_the_ref_count(repository: Path) -> None:
    """Neither a claim that was dropped nor an entry that was added in the working folder counts, and the first is told."""
    (repository / "my.toml").write_text(MINIMAL)
    (repository / "known.toml").write_text(KNOWN + KNOWN.replace("STATE-04", "STATE-01"))

    terms = held_to()

    assert ["host-v2", "identity"] == list(terms.target.profiles)
    assert ["STATE-04"] == list(terms.baseline.known)
    assert ("my.toml claims identity no more; it does at main",) == terms.findings


def test_target_file_that_is_gone_is_a_finding(repository: Path) -> None:
    """Deleting the file is the largest loosening of all."""
    (repository / "my.toml").unlink()

    assert ("my.toml is gone from the working folder; it is there at main",) == held_to().findings


def test_unchanged_files_give_no_finding(repository: Path) -> None:
    """A change that leaves the gate alone passes it as before."""
    assert () == held_to().findings


def test_commands_run_where_the_file_lies(repository: Path) -> None:
    """The application under test is the working folder's; only its description is the ref's."""
    assert repository == held_to().target.folder


def test_baseline_that_is_not_at_the_ref_is_empty(repository: Path) -> None:
    """Whoever adds one in a change is held to the strictest there is until it is merged."""
    (repository / "new.toml").write_text(KNOWN)

    assert {} == held_to(baseline="new.toml").baseline.known


@pytest.mark.parametrize(
    ("target", "ref", "message"),
    [
        ("my.toml", "nowhere", "git knows no commit 'nowhere' here"),
        ("other.toml", "main", "main has nothing at suite/other.toml"),
        ("reference", "main", "reference ships with the suite"),
    ],
)
def test_what_is_not_at_the_ref_is_an_error(repository: Path, target: str, ref: str, message: str) -> None:
    """A gate that can't be read must not stand open."""
    with pytest.raises(ConformanceError, match=message):
        held_to(target, ref=ref)


def test_without_a_ref_the_working_folder_counts(repository: Path) -> None:
    """As it has always been."""
    (repository / "my.toml").write_text(MINIMAL)

    assert ["host-v2"] == list(held_to(ref="").target.profiles)


def test_repository_must_be_the_current_one(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git is asked where the command runs: from another folder, another repository's file of that name would be taken."""
    monkeypatch.chdir(repository.parent.parent)

    with pytest.raises(
        ConformanceError, match=r"my\.toml is in the git repository .*; go there to have it read at main"
    ):
        held_to(str(repository / "my.toml"))
