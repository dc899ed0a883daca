"""Fetching inventories: files, folders, git refs, and everything that may be wrong with each."""

import os
import subprocess
from pathlib import Path

import pytest

from conformance.inventory import source
from conformance.inventory.errors import MissingSourceError, SourceError
from conformance.inventory.source import fetch, load, pair_up
from tests.conformance.inventory.samples import contract, domain, domain_entry, loaded, offered, text_of

IDENTITY = ("-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, whatever the machine is configured to."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *IDENTITY, *arguments], cwd=folder, check=True, capture_output=True, env=env)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose first commit has two inventories, and whose work tree has others."""
    git(tmp_path, "init", "-q")
    folder = tmp_path / "inventories"
    folder.mkdir()
    (folder / "domain.json").write_text(text_of(domain()))
    (folder / "view.json").write_text(text_of(contract()))
    (folder / "README.md").write_text("not an inventory")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    (folder / "domain.json").write_text(text_of(domain(domain_entry())))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def counts(reference: str) -> list[tuple[str, int]]:
    """The files at a place, and how many capabilities each has."""
    return [(one.file, len(one.inventory.offers)) for one in load(reference)]


def test_a_file_a_folder_and_a_ref_are_read(repository: Path) -> None:
    """The same path means the work tree, and behind `git:REF:` what was committed there."""
    assert [("inventories/domain.json", 1)] == counts("inventories/domain.json")
    assert [("inventories/domain.json", 1), ("inventories/view.json", 0)] == counts("inventories")
    assert [("git:HEAD:inventories/domain.json", 0)] == counts("git:HEAD:inventories/domain.json")
    assert [("git:HEAD:inventories/domain.json", 0), ("git:HEAD:inventories/view.json", 0)] == counts(
        "git:HEAD:inventories"
    )


def test_a_ref_is_read_from_a_folder_below(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path at a ref starts at the top of the repository, wherever one stands."""
    monkeypatch.chdir(repository / "inventories")

    assert [("git:HEAD:inventories/domain.json", 0)] == counts("git:HEAD:inventories/domain.json")


@pytest.mark.parametrize(
    "reference", ["git:HEAD:nothing", "git:HEAD:inventories/domain.jso", "nothing", "empty"]
)
def test_what_is_not_there_may_be_allowed_to_be_missing(repository: Path, reference: str) -> None:
    """A first review has nothing to compare with; any later one must not silently compare with nothing."""
    (repository / "empty").mkdir()

    assert () == tuple(load(reference, may_be_missing=True))
    with pytest.raises(MissingSourceError):
        load(reference)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("git:no-such-branch:inventories", "git knows no commit 'no-such-branch' here; fetch it first"),
        ("git:--output=x:inventories", "git knows no commit '--output=x' here"),
        ("git:HEAD", "expected git:REF:PATH"),
        ("git::inventories", "expected git:REF:PATH"),
    ],
)
def test_a_ref_that_can_not_be_looked_at_is_never_taken_for_empty(
    repository: Path, reference: str, expected: str
) -> None:
    """A shallow clone without the base must not make every change look reviewed."""
    with pytest.raises(SourceError) as caught:
        load(reference, may_be_missing=True)

    assert expected in str(caught.value)
    assert not isinstance(caught.value, MissingSourceError)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Something that is no file must not hang a pipeline."""
    os.mkfifo(tmp_path / "pipe.json")

    with pytest.raises(SourceError, match="neither a file nor a folder"):
        load(str(tmp_path / "pipe.json"))


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is finite, and a pull request's files are not ours."""
    monkeypatch.setattr(source, "MAX_BYTES", 10)
    (tmp_path / "big.json").write_text(text_of(domain()))

    with pytest.raises(SourceError, match="is larger than 10 bytes"):
        load(str(tmp_path / "big.json"))


def test_two_inventories_of_one_kind_in_a_folder_are_refused(tmp_path: Path) -> None:
    """Which of them the other side is compared with would be a guess."""
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(text_of(domain()))

    with pytest.raises(SourceError, match="two inventories of one kind"):
        load(str(tmp_path))


def test_two_files_of_different_kinds_are_not_compared() -> None:
    """They list different things; a difference between them would mean nothing."""
    with pytest.raises(SourceError, match=r"a domain snapshot and new\.json a surface contract"):
        pair_up([loaded(domain(), "old.json")], [loaded(contract(), "new.json")])


def test_inventories_are_paired_by_what_they_are_of() -> None:
    """File names may change; what has no counterpart is told apart from what is empty."""
    old = [loaded(domain(), "a.json"), loaded(contract(), "b.json")]
    new = [loaded(offered(), "a.json"), loaded(domain(), "c.json")]

    pairs = [(before and before.file, after and after.file) for before, after in pair_up(old, new)]

    assert [("a.json", "c.json"), ("b.json", None), (None, "a.json")] == pairs


def test_any_single_file_can_be_fetched(repository: Path) -> None:
    """An approvals file comes from the base, so that a pull request can't approve itself."""
    assert b"not an inventory" == fetch("git:HEAD:inventories/README.md").data
    assert b"not an inventory" == fetch("inventories/README.md").data
    with pytest.raises(SourceError, match="expected one file"):
        fetch("git:HEAD:inventories")
