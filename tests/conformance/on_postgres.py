"""The whole suite with the reference app on PostgreSQL: a server of its own, and a database of its own for each instance.

`python -m tests.conformance.on_postgres [options of dualplane run]`
"""

import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from conformance.target import bundled_target
from tests.reference_app.postgres_server import postgres, program
from tests.sources import ROOT


def on_server(text: str, url: str, createdb: str) -> str:
    """The reference app's target file, started on a server.

    A database is called after the instance's folder, so that a restarted instance and its twin find the same one.

    Args:
        text: the target file.
        url: the server's address as the app takes it, with any database.
        createdb: the program that makes a database.
    """
    server = urlsplit(url)
    making = shlex.join(
        [createdb, "-h", str(server.hostname), "-p", str(server.port), "-U", str(server.username)]
    )
    base = url.rpartition("/")[0]
    script = (
        f'name=$(basename "$1" | tr -c "a-z0-9\\n" _); {making} "$name" 2>/dev/null; shift; '
        f'exec "$@" --database "{base}/$name"'
    )
    wrapped, count = re.subn(
        r"^command = \[(\"\{python\}\", \"-m\", \"reference_app\", .*)\]$",
        lambda found: f'command = ["sh", "-c", \'\'\'{script}\'\'\', "sh", "{{folder}}", {found[1]}]',
        text,
        count=1,
        flags=re.MULTILINE,
    )
    if count != 1:
        raise ValueError("the target file starts the reference app in another way than this module knows")
    return wrapped


def main(options: Sequence[str]) -> int:
    """Run the suite; returns its exit code, or 0 with a word about it where there is no PostgreSQL."""
    source = bundled_target("reference")
    if source is None:
        raise FileNotFoundError("the target file of the reference app")
    try:
        with postgres() as url, tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "reference-on-postgres.toml"
            target.write_text(
                on_server(source.read_text(encoding="utf-8"), url, program("createdb")), encoding="utf-8"
            )
            command = [sys.executable, "-m", "conformance.cli", "run", "--target", str(target), *options]
            return subprocess.run(command, check=False, cwd=ROOT).returncode
    except pytest.skip.Exception as reason:
        sys.stderr.write(f"not run on PostgreSQL: {reason}\n")
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
