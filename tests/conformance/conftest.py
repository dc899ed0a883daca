"""What the tests of the suite share."""

from pathlib import Path

import pytest

from tests.conformance.command import Command


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """The command, without any case yet."""
    return Command(tmp_path)


@pytest.fixture
def mixed(command: Command) -> Command:
    """The command with a case of every outcome."""
    command.case("APPROVAL-01", "assert 1 + 1 == 2")
    command.case("APPROVAL-02", "assert [1, 2] == [1, 3], 'the list moved'")
    command.case("APPROVAL-03", "raise Untested('roles.gated', 'to have something to approve')")
    command.case("APPROVAL-08", "raise AssertionError('one second late')")
    command.case("CATALOG-01", "raise RuntimeError('a profile that is not claimed does not run')")
    return command
