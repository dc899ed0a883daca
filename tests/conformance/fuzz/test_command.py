"""The command: what it prints, what it writes, how it ends."""

import importlib.util
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.fuzz import command, hunt
from conformance.target_file import load_target
from tests.conformance.fuzz.odd_target import odd_text


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Work in a folder of the test's own; what is found need not be made very small."""
    monkeypatch.setattr(hunt, "MOST_TRIES", 5)
    monkeypatch.chdir(tmp_path)


def fuzz(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["fuzz", *arguments])


def fuzzed(oddity: str, cases: int = 30) -> tuple[int, list[str]]:
    """Fuzz the odd application as Carla, through what the command calls; exit code and lines."""
    Path("odd.toml").write_text(odd_text(oddity))
    lines: list[str] = []
    code = command.fuzz(
        load_target("odd.toml"),
        "odd.toml",
        ["carla"],
        cases=cases,
        seed=1,
        folder=Path("findings"),
        echo=lines.append,
    )
    return code, lines


def test_a_finding_is_printed_with_the_command_that_sends_it_again() -> None:
    """A person copies the last line of a finding, and sees it again; exit code 1 both times."""
    code, lines = fuzzed("crashes")
    replayed = next(line.strip() for line in lines if "--replay" in line and "server-error" in line)

    again = fuzz(*replayed.split()[2:])

    assert 1 == code
    assert "dualplane fuzz --replay findings/server-error-carla-post-rpc-add.json" == replayed
    assert (1, True) == (
        again.exit_code,
        again.output.startswith("finding  server-error  POST /rpc/add: answered 500"),
    )


def test_a_finding_that_was_mended_is_gone() -> None:
    """The same file shows that a repair holds; exit code 0."""
    fuzzed("crashes")
    Path("odd.toml").write_text(odd_text())

    again = fuzz("--replay", "findings/server-error-carla-post-rpc-add.json")

    assert "server-error at POST /rpc/add is gone: nothing is wrong with the answers\n" == again.output
    assert 0 == again.exit_code


def test_a_target_that_dies_of_a_replay_is_said_to() -> None:
    """Exit code 2, as in the run that found it."""
    code, lines = fuzzed("dies")

    again = fuzz("--replay", "findings/target-gone-carla-post-rpc-add.json")

    assert (2, 2) == (code, again.exit_code)
    assert lines[-1].endswith("1 finding; the target did not live to the end")
    assert again.output.startswith("finding  target-gone  POST /rpc/add: ")


def test_a_clean_run_says_how_much_it_tried() -> None:
    """Nothing found is worth as much as was tried."""
    code, lines = fuzzed("", cases=20)

    assert (0, "Odd: 20 cases as carla; seed 1") == (code, lines[0])
    assert ["procedures", "steps", "histories", "sequences"] == [line.split()[1] for line in lines[1:-1]]
    assert lines[-1].endswith(" cases, 0 findings")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cases", "299"], "299 is not in the range x>=300"),
        (["--as", "mallory"], "reference has no identity 'mallory'; it has carla, conrad, ada, nobody"),
        (["--target", "nowhere.toml"], "nowhere.toml: there is no such target file"),
        (["--replay", "nowhere.json"], "nowhere.json can't be read: No such file or directory"),
    ],
)
def test_what_can_not_be_done_is_one_line(arguments: list[str], message: str) -> None:
    """Options are refused before anything is started; exit code 2."""
    outcome = fuzz(*arguments)

    assert 2 == outcome.exit_code
    assert message in outcome.output


def test_without_schemathesis_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fuzzing is an extra: who did not install it must not meet an import error."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "schemathesis" else find(name)
    )

    outcome = fuzz()

    assert 2 == outcome.exit_code
    assert "install it with: pip install 'dualplane[fuzz]'" in outcome.output


@pytest.mark.parametrize(
    ("old", "new", "option"),
    [
        ("[controls]\nreset", "[controls]\n# reset", "--allow-writes"),
        ("[launch]\n", '[connect]\nurl = "https://example.com"\n[launch]\n', "--allow-remote"),
    ],
    ids=["no reset", "remote"],
)
@pytest.mark.parametrize("replayed", [False, True], ids=["run", "replay"])
def test_target_is_not_fuzzed_unasked(old: str, new: str, option: str, *, replayed: bool) -> None:
    """Fuzzing writes more than any run; what needs leave there needs it here."""
    fuzzed("crashes")
    text = odd_text("crashes").replace(old, new)
    launch = text.partition("[launch]\n")
    if option == "--allow-remote":
        text = launch[0] + launch[2][launch[2].index("[paths]") :]
    Path("odd.toml").write_text(text)
    finding = next(Path("findings").glob("*.json"))

    outcome = fuzz(*(["--replay", str(finding)] if replayed else ["--target", "odd.toml"]))

    assert (2, True) == (outcome.exit_code, f"{option} allows it" in outcome.output)
