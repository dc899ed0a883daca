"""The target file that puts the reference app on PostgreSQL."""

import pytest

from conformance.target import bundled_target
from conformance.target_file import parse_target
from tests.conformance.on_postgres import on_server

URL = "postgresql+asyncpg://ledger@127.0.0.1:5999/postgres"


def reference() -> str:
    """The target file of the reference app."""
    path = bundled_target("reference")
    assert path is not None
    return path.read_text(encoding="utf-8")


def test_the_app_is_started_on_a_database_of_its_folder() -> None:
    """One folder, one database: what is restarted, or doubled, finds its own again."""
    plain = parse_target(reference(), "reference.toml").launch
    wrapped = parse_target(on_server(reference(), URL, "createdb"), "on-postgres.toml").launch

    assert plain is not None
    assert wrapped is not None
    shell, _, script, _, folder, *command = wrapped.command
    assert (shell, folder) == ("sh", "{folder}")
    assert tuple(command) == plain.command
    assert "createdb -h 127.0.0.1 -p 5999 -U ledger" in script
    assert 'exec "$@" --database "postgresql+asyncpg://ledger@127.0.0.1:5999/$name"' in script


def test_nothing_else_differs() -> None:
    """It is the same application, graded by the same file."""
    plain = parse_target(reference(), "reference.toml")
    wrapped = parse_target(on_server(reference(), URL, "createdb"), "on-postgres.toml")

    assert wrapped.model_copy(update={"launch": plain.launch}) == plain


def test_another_way_to_start_is_an_error() -> None:
    """The app would otherwise run on its embedded file, and the run would prove nothing."""
    with pytest.raises(ValueError, match="in another way"):
        on_server(reference().replace("reference_app", "another_app"), URL, "createdb")
