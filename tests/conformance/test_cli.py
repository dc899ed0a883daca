"""The command's options."""

import pytest
from click.testing import CliRunner

from conformance.cli import main
from tests.conformance.command import Command, last_line


def test_one_case_alone_grades_its_requirement_only(mixed: Command) -> None:
    """`run it alone` gives the verdict in question, and not ninety untested ones."""
    outcome = mixed.run("--case", "test_approval_02")

    assert (1, "0 passed, 1 failed, 0 warned, 0 untested, 0 not claimed") == (
        outcome.exit_code,
        last_line(outcome),
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--case", "nowhere"], "nothing was graded: no case that was asked for has 'nowhere' in its name"),
        (["--filter", "CATALOG-01"], "nothing was graded: Tiny claims no profile of what was asked for"),
        (["--filter", "APPROVAL-03"], "nothing was graded: all that was asked for is untested"),
    ],
)
def test_a_run_that_grades_nothing_says_why(mixed: Command, arguments: list[str], message: str) -> None:
    """A green run of nothing is how a broken pipeline stays unnoticed."""
    outcome = mixed.run(*arguments)

    assert 2 == outcome.exit_code
    assert f"error  {message}" in outcome.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--filter", "APROVAL-04"],
            "dualplane: no requirement is called 'APROVAL-04'; did you mean APPROVAL-04, ",
        ),
        (["--filter", "approval"], "dualplane: no requirement is called 'approval'; did you mean APPROVAL-"),
        (
            ["--filter", "XYZ-*"],
            "dualplane: no requirement is called 'XYZ-*'; `dualplane run --list` shows them all",
        ),
        (
            ["--provider", "anthropic"],
            "dualplane: Tiny names no model.providers.anthropic; it has openai-chat",
        ),
        (["--fault", "x"], "dualplane: Tiny has no launch.fault, so that --fault can't switch one on"),
        (["--tab-fault", "x"], "dualplane: Tiny has no tab.fault, so that --tab-fault can't switch one on"),
        (
            ["--json", "/nowhere/report.json"],
            "dualplane: /nowhere/report.json can't be written: No such file",
        ),
        (["-n", "many"], "Error: Invalid value for '-n': must be a number or `auto`"),
    ],
)
def test_an_option_that_cannot_be_used_is_one_line_and_2(
    mixed: Command, arguments: list[str], message: str
) -> None:
    """The message is on standard error and says what would be right."""
    outcome = mixed.run(*arguments)

    assert 2 == outcome.exit_code
    assert outcome.stderr.splitlines()[-1].startswith(message)


def test_filters_name_ids_patterns_areas_and_profiles(command: Command) -> None:
    """Several may be given, separated by commas or by repeating the option."""

    def listed(*filters: str) -> list[str]:
        arguments = [part for text in filters for part in ("--filter", text)]
        return [line.split()[0] for line in command.run("--list", *arguments).stdout.splitlines()]

    everything = listed()
    assert ["APPROVAL-01", "APPROVAL-02"] == listed("APPROVAL-01, approval-02")
    assert ["APPROVAL-01", "FRAME-01"] == listed("frame-01", "APPROVAL-01")
    assert (
        [row for row in everything if row.startswith("APPROVAL-")]
        == listed("approval-*")
        == listed("approvals")
    )
    assert [] == [row for row in listed("view") if row.startswith("APPROVAL")]
    assert set(listed("view")) < set(everything)


@pytest.mark.parametrize("option", ["--json", "--junit"])
def test_a_report_on_standard_output_stands_alone(mixed: Command, option: str) -> None:
    """It can be piped into another program; what is for people goes to standard error."""
    outcome = mixed.run(option, "-")

    assert outcome.stdout[0] in "{<"
    assert outcome.stdout.rstrip()[-1] in "}>"
    assert "1 passed, 1 failed" in outcome.stderr.splitlines()[-1]


def test_explain_shows_sentence_source_and_fault() -> None:
    """Whoever meets an id in a red run can find out what it means."""
    outcome = CliRunner().invoke(main, ["explain", "approval-04"])

    assert 0 == outcome.exit_code
    for text in (
        "APPROVAL-04  MUST  profile approvals  (Approvals)",
        "Source: The dual-plane model, The invariants, 5",
        "dualplane run --fault approval-not-single-use --filter APPROVAL-04",
    ):
        assert text in outcome.output


def test_explaining_nothing_names_the_nearest() -> None:
    """As everywhere where an id is typed."""
    outcome = CliRunner().invoke(main, ["explain", "APPROVAL-99"])

    assert 2 == outcome.exit_code
    assert outcome.stderr.startswith(
        "dualplane: no requirement is called 'APPROVAL-99'; did you mean APPROVAL-"
    )
