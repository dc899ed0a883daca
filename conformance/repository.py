"""Where a file is in its git repository, so that the same file can be read at another ref (`git:REF:PATH`)."""

import subprocess
from pathlib import Path

from conformance.errors import ConformanceError

_GIT_DEADLINE = 30.0


def top_of(folder: Path) -> Path:
    """The top folder of the repository that a folder is in.

    Raises:
        ConformanceError: it is in none, or git is not there.
    """
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "--show-toplevel"],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=_GIT_DEADLINE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConformanceError(f"git can't be asked about {folder}: {error}") from None
    if done.returncode != 0:
        raise ConformanceError(f"{folder} is in no git repository, so nothing in it can be read at a ref")
    return Path(done.stdout.strip())


def at_ref(ref: str, file: Path) -> str:
    """The reference `git:REF:PATH` of a file, which need not exist in the working folder.

    Raises:
        ConformanceError: see `top_of`; or the file is in another repository than the current folder, where git would be asked.
    """
    whole = file.resolve()
    top = top_of(_existing(whole.parent)).resolve()
    if not Path.cwd().resolve().is_relative_to(top) or top_of(Path.cwd()).resolve() != top:
        raise ConformanceError(f"{file} is in the git repository {top}; go there to have it read at {ref}")
    return f"git:{ref}:{whole.relative_to(top).as_posix()}"


def _existing(folder: Path) -> Path:
    return folder if folder.is_dir() else _existing(folder.parent)
