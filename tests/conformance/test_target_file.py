"""Reading target files, and what a wrong one is told."""

from pathlib import Path

import pytest

from conformance import target_file
from conformance.errors import TargetFileError, Untested
from conformance.target import expand
from conformance.target_file import load_target, parse_target
from tests.conformance.target_text import LAUNCHED, MINIMAL


def refusal(text: str) -> str:
    """What the reader says about a file that it refuses."""
    with pytest.raises(TargetFileError) as caught:
        parse_target(text, "my.toml")
    return str(caught.value)


def test_a_small_file_is_enough() -> None:
    """A name, a profile and an address: everything else has a default or makes cases untested."""
    target = parse_target(MINIMAL, "my.toml")

    assert ("Tiny", "/agent/chat", {}) == (target.name, target.paths.chat, target.roles)


def test_a_procedure_is_called_what_follows_the_plane() -> None:
    """Nobody should have to write an id twice."""
    assert "issue-invoice" == parse_target(LAUNCHED, "my.toml").role("gated").procedure


def test_what_is_not_in_the_file_is_untested_under_its_key() -> None:
    """A case that asks for more than the file gives must name the key that somebody could add."""
    target = parse_target(MINIMAL, "my.toml")

    for ask, key in (
        (target.role, "roles.gone"),
        (target.view_role, "view.gone"),
        (target.route, "routes.gone"),
        (target.identity, "identities.gone"),
    ):
        with pytest.raises(Untested) as caught:
            ask("gone")
        assert key == caught.value.missing


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (
            "[limits]\ndedline = 3\n",
            (
                "my.toml:7: unknown key `limits.dedline`; did you mean `deadline`? "
                "allowed here: deadline, max_requests, requests_per_second, step_deadline"
            ),
        ),
        (
            '[roles.read]\ncapability = "domain:a"\neffect = { reed = "x" }\n',
            (
                "my.toml:8: `roles.read.effect.read` is missing\n"
                "my.toml:8: unknown key `roles.read.effect.reed`; did you mean `read`? allowed here: at, find, read"
            ),
        ),
        (
            '[view.chase]\ncapability = "view:a"\nenable = [\n  { name = "x" },\n  { nme = "y" },\n]\n',
            (
                "my.toml:10: `view.chase.enable.1.name` is missing\n"
                "my.toml:10: unknown key `view.chase.enable.1.nme`; did you mean `name`? allowed here: args, name"
            ),
        ),
        (
            (
                '[[known_departures]]\nrequirement = "APPROVAL-01"\nreason = "because of history"\n'
                '[[known_departures]]\nrequirement = "APPROVAL-02"\nreason = "x"\n'
            ),
            "my.toml:11: `known_departures.1.reason`: String should have at least 5 characters, not 'x'",
        ),
        (
            "[launch.variants.second]\narg = []\n",
            (
                "my.toml:6: `launch.command` is missing\n"
                "my.toml:6: `launch.ready` is missing\n"
                "my.toml:7: unknown key `launch.variants.second.arg`; did you mean `args`? allowed here: args, env"
            ),
        ),
        (
            '[limits]\ndeadline = "10"\n',
            "my.toml:7: `limits.deadline`: Input should be a valid number, not '10'",
        ),
        ("[limits]\ndeadline = 0\n", "my.toml:7: `limits.deadline`: Input should be greater than 0, not 0"),
        (
            "[limits]\ndeadline = inf\n",
            "my.toml:7: `limits.deadline`: inf is not a number that JSON has",
        ),
        (
            '[roles.read]\ncapability = "domain:a"\ninput = { on = 2026-01-01 }\n',
            'my.toml:8: `roles.read.input.on`: a date or time must be a string, "2026-01-01"',
        ),
        (
            '[identities.ada]\nrights = "ful"\nsign_in = { path = "/s" }\n',
            "my.toml:7: `identities.ada.rights`: Input should be 'full' or 'restricted', not 'ful'; did you mean 'full'?",
        ),
        (
            "[model]\nproviders = { openai = {} }\n",
            (
                "my.toml:7: `model.providers.openai`: Input should be 'openai-chat', 'openai-responses' or 'anthropic', "
                "not 'openai'; did you mean 'openai-chat'?"
            ),
        ),
        (
            '[roles."Not A Name"]\ncapability = "domain:a"\n',
            "my.toml:6: `roles.Not A Name`: String should match pattern '^[a-z][a-z0-9_-]*$', not 'Not A Name'",
        ),
        (
            '[roles.read]\ncapability = "list-invoices"\n',
            "my.toml:7: `roles.read.capability`: String should match pattern '^(view|domain):.+$', not 'list-invoices'",
        ),
        (
            (
                '[reads]\ninvoices = { procedure = "a" }\n[roles.gated]\ncapability = "domain:a"\n'
                'effect = { read = "invoice" }\n'
            ),
            "my.toml:10: `roles.gated.effect.read`: reads has no 'invoice'; did you mean 'invoices'?",
        ),
        (
            '[hidden_from]\nanalyst = ["gated"]\n',
            (
                "my.toml:7: `hidden_from.analyst`: identities has no 'analyst'; there are none\n"
                "my.toml:7: `hidden_from.analyst.0`: roles has no 'gated'; there are none"
            ),
        ),
    ],
)
def test_what_is_wrong_is_named_with_file_line_key_and_remedy(extra: str, message: str) -> None:
    """Whoever writes a target file must be able to mend it from the message alone, inside inline tables and arrays too."""
    assert message == refusal(MINIMAL + extra)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('profiles = ["host-v2"]\n[connect]\nurl = "http://127.0.0.1:9"\n', "my.toml: `name` is missing"),
        (
            MINIMAL.replace("host-v2", "host-v3"),
            (
                "my.toml:2: `profiles.0`: Input should be 'host-v2', 'host-v1', 'domain', 'approvals', 'approvals-durable', "
                "'identity', 'threads', 'telemetry', 'view', 'meta' or 'a2ui', not 'host-v3'; did you mean 'host-v2'?"
            ),
        ),
        (
            MINIMAL.replace('["host-v2"]', '["view", "view"]'),
            "my.toml:2: `profiles`: names a profile twice, not ['view', 'view']",
        ),
        (
            MINIMAL + '[launch]\ncommand = ["x"]\nready = { path = "/" }\n',
            "my.toml: needs exactly one of [launch] and [connect]",
        ),
        ('name = "x"\nprofiles = ["view"]\n', "my.toml: needs exactly one of [launch] and [connect]"),
        (
            LAUNCHED.replace('stdout = "(?P<url>http://[^ ]+)", ', ""),
            "my.toml:6: `launch.ready`: needs `stdout` or `path`",
        ),
        (
            LAUNCHED.replace('"(?P<url>http://[^ ]+)"', '"(ready"'),
            (
                "my.toml:6: `launch.ready.stdout`: not a regular expression: missing ), unterminated subpattern at position 0, "
                "not '(ready'"
            ),
        ),
        (
            LAUNCHED.replace('route = "main"', 'route = "mian"'),
            "my.toml:23: `roles.gated.route`: routes has no 'mian'; did you mean 'main'?",
        ),
        ("name = \n", "my.toml: not TOML: Invalid value (at line 1, column 8)"),
    ],
)
def test_a_file_that_contradicts_itself_says_how(text: str, message: str) -> None:
    """The same holds for what concerns several keys at once."""
    assert message == refusal(text)


def test_a_path_that_is_no_file_names_the_bundled_ones(tmp_path: Path) -> None:
    """A wrong path is the first mistake that anybody makes."""
    with pytest.raises(
        TargetFileError, match=r"nowhere\.toml: there is no such target file; give a path, or one"
    ):
        load_target(tmp_path / "nowhere.toml")


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are a message, not a traceback."""
    (tmp_path / "my.toml").write_bytes(b'name = "\xff"')

    with pytest.raises(TargetFileError, match=r"my\.toml: can't be read: 'utf-8' codec"):
        load_target(tmp_path / "my.toml")


def test_a_folder_does_not_hide_a_bundled_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dualplane run` works from every folder, whatever lies in it."""
    (tmp_path / "shipped.toml").write_text(MINIMAL)
    (tmp_path / "shipped").mkdir()
    monkeypatch.setattr(target_file, "bundled_target", {"shipped": tmp_path / "shipped.toml"}.get)
    monkeypatch.chdir(tmp_path)

    assert load_target("shipped").name == "Tiny"


def test_expand_keeps_types_and_foreign_braces() -> None:
    """An id that is a number stays one; braces that name nothing are the target's own."""
    value = {"id": "{prepared}", "text": "no {prepared} of {other}", "list": ["{prepared}", 1, None]}

    assert {"id": 7, "text": "no 7 of {other}", "list": [7, 1, None]} == expand(value, {"prepared": 7})


def test_expand_does_not_expand_what_it_filled_in() -> None:
    """What a target answered is data: braces in it are no placeholders."""
    assert "{b}-2" == expand("{a}-{b}", {"a": "{b}", "b": 2})


def test_file_extends_a_bundled_one() -> None:
    """What it does not say is as it is there; what it says stands over that, table by table."""
    text = 'extends = "reference"\nname = "mine"\nprofiles = ["a2ui"]\n[timers]\na2ui_deadline = 5\n'

    mine, base = parse_target(text, "mine.toml"), load_target("reference")

    assert ("mine", base.roles, 5, base.timers.approval_ttl) == (
        mine.name,
        mine.roles,
        mine.timers.a2ui_deadline,
        mine.timers.approval_ttl,
    )


def test_file_extends_nothing_unknown() -> None:
    """A misspelled name is no empty file."""
    with pytest.raises(TargetFileError, match="no file that ships with the suite"):
        parse_target('extends = "refrence"\nname = "mine"\nprofiles = ["a2ui"]\n', "mine.toml")
