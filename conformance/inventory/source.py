"""Where inventories are fetched from: a file, a folder of them, or either of both at a git ref (`git:REF:PATH`)."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from conformance.inventory.errors import MissingSourceError, SourceError
from conformance.inventory.model import Kind
from conformance.inventory.reading import Loaded, read_inventory

MAX_BYTES = 64 * 1024 * 1024
"""Larger files are refused: no inventory that a person reviews is that large."""

_GIT = "git:"
_GIT_DEADLINE = 30.0


@dataclass(frozen=True)
class Content:
    """One file's bytes under the name that messages and reports give it."""

    file: str
    data: bytes


def load(reference: str, *, may_be_missing: bool = False) -> Sequence[Loaded]:
    """Fetch and read all inventories at one place.

    Args:
        reference: a file, a folder (all its `*.json`), or `git:REF:PATH` with PATH from the top of the repository.
        may_be_missing: return nothing where there is nothing, for a first review.

    Raises:
        SourceError: there is nothing, it can't be read, or the ref is unknown.
        FormatError: a file is not an inventory.
    """
    try:
        contents = _from_git(reference) if reference.startswith(_GIT) else _from_files(Path(reference))
    except MissingSourceError:
        if may_be_missing:
            return ()
        raise
    loaded = [read_inventory(content.data, content.file) for content in contents]
    _refuse_two_of_a_kind(reference, loaded)
    return loaded


def fetch(reference: str) -> Content:
    """Fetch one file, here or at a git ref, whatever it holds.

    Raises:
        SourceError: there is none, or several.
    """
    contents = _from_git(reference) if reference.startswith(_GIT) else [_read_file(Path(reference))]
    if len(contents) != 1:
        raise SourceError(f"{reference}: expected one file, saw a folder")
    return contents[0]


def pair_up(old: Sequence[Loaded], new: Sequence[Loaded]) -> Sequence[tuple[Loaded | None, Loaded | None]]:
    """Pair inventories of one kind.

    Raises:
        SourceError: two single files are of different kinds, so that comparing them says nothing.
    """
    before, after = _by_kind(old), _by_kind(new)
    if len(before) == len(after) == 1 and before.keys() != after.keys():
        one, other = old[0], new[0]
        raise SourceError(
            f"{one.file} is a {one.inventory.kind.value} and {other.file} a {other.inventory.kind.value}: they list "
            "different things and can't be compared; give two of one kind, or two folders that hold both"
        )
    return [(before.get(kind), after.get(kind)) for kind in Kind if kind in before or kind in after]


def _by_kind(loaded: Sequence[Loaded]) -> Mapping[Kind, Loaded]:
    return {one.inventory.kind: one for one in loaded}


def _refuse_two_of_a_kind(reference: str, loaded: Sequence[Loaded]) -> None:
    seen: dict[Kind, str] = {}
    for one in loaded:
        kind = one.inventory.kind
        if kind in seen:
            raise SourceError(
                f"{reference} holds two inventories of one kind ({kind.value}): {seen[kind]} and {one.file}; "
                "compare them one by one"
            )
        seen[kind] = one.file


def _from_files(path: Path) -> Sequence[Content]:
    if path.is_dir():
        found = sorted(child for child in path.glob("*.json") if child.is_file())
        if not found:
            raise MissingSourceError(
                f"{path}: the folder holds no *.json file; an inventory is expected there"
            )
        return [_read_file(child) for child in found]
    if not path.exists():
        raise MissingSourceError(f"{path}: there is no such file or folder; {_hint(path)}")
    if not path.is_file():
        raise SourceError(f"{path}: is neither a file nor a folder")
    return [_read_file(path)]


def _hint(path: Path) -> str:
    if ":" in str(path):
        return f"for a file at a git ref write {_GIT}REF:PATH"
    return "give a file, a folder, or git:REF:PATH"


def _read_file(path: Path) -> Content:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise SourceError(f"{path}: can't be read: {error.strerror}") from None
    return Content(str(path), _bounded(str(path), data))


def _bounded(file: str, data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise SourceError(f"{file}: is larger than {MAX_BYTES} bytes, which no inventory is")
    return data


def _from_git(reference: str) -> Sequence[Content]:
    ref, colon, path = reference.removeprefix(_GIT).partition(":")
    if not ref or not colon or not path:
        raise SourceError(f"{reference}: expected {_GIT}REF:PATH, for instance git:origin/main:inventories")
    _require_ref(reference, ref)
    where = PurePosixPath(path.strip("/") or ".").as_posix()
    name = f"{ref}:" if where == "." else f"{ref}:{where}"
    kind = _git(reference, "cat-file", "-t", "--end-of-options", name)
    if kind is None:
        raise MissingSourceError(
            f"{reference}: {ref} has nothing at {where}; PATH starts at the top of the repository"
        )
    if kind.strip() == b"blob":
        return [Content(reference, _blob(reference, name))]
    listed = _git(reference, "ls-tree", "-z", "--name-only", "--end-of-options", name) or b""
    files = sorted(item.decode("utf-8", "replace") for item in listed.split(b"\0") if item.endswith(b".json"))
    if not files:
        raise MissingSourceError(f"{reference}: the folder holds no *.json file there")
    separator = "" if where == "." else "/"
    return [Content(f"{reference}/{file}", _blob(reference, f"{name}{separator}{file}")) for file in files]


def _require_ref(reference: str, ref: str) -> None:
    if _git(reference, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") is None:
        raise SourceError(
            f"{reference}: git knows no commit {ref!r} here; fetch it first (a shallow clone may not have it)"
        )


def _blob(reference: str, name: str) -> bytes:
    size = _git(reference, "cat-file", "-s", "--end-of-options", name)
    if size is None:
        raise SourceError(f"{reference}: {name} can't be read from git")
    if int(size) > MAX_BYTES:
        raise SourceError(f"{reference}: {name} is larger than {MAX_BYTES} bytes, which no inventory is")
    return _git(reference, "cat-file", "blob", "--end-of-options", name) or b""


def _git(reference: str, *arguments: str) -> bytes | None:
    """Ask git about the repository of the working folder; None where it says no."""
    try:
        done = subprocess.run(
            ["git", *arguments],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_GIT_DEADLINE,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"},
            check=False,
        )
    except FileNotFoundError:
        raise SourceError(f"{reference}: git is not installed, or not on the PATH") from None
    except subprocess.TimeoutExpired:
        raise SourceError(f"{reference}: git did not answer within {_GIT_DEADLINE:g} s") from None
    return done.stdout if done.returncode == 0 else None
