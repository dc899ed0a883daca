"""Scripts from files: what may stand in one, and errors that name file, line and field."""

import json
from pathlib import Path

import pytest

from fake_model import (
    FakeModel,
    MetaTool,
    ScriptError,
    SideCall,
    at_bytes,
    branch,
    broken_event,
    call,
    cut,
    endless,
    error_event,
    every,
    expect,
    gate,
    load_script,
    load_scripts,
    load_side_calls,
    not_a_stream,
    parse_script,
    pause,
    read,
    reason,
    repeat,
    reset,
    result_of,
    say,
    script,
    silence,
    status,
    step,
    turn,
    usage,
)

EVERYTHING = """
name: everything
names: {"domain:list-invoices": ListInvoices}
turns:
  - steps:
      - parts:
          - reason: [Hm, m.]
          - say: Let me look.
          - gate: door
          - pause: 0.5
          - call: domain:list-invoices
            with: {kind: all, ids: [{$result: {step: 0, pointer: /data/id}}], on: true, when: 2026-11-30}
            pieces: 2
          - call: domain:gone
            offered: false
            through: surface_act
            same_id_as: 0
          - read: view:a.look
        expect:
          offered: domain:list-invoices
          absent: [domain:a, domain:b]
          with_field: {domain:c: id}
          without_field: {domain:d: [id, name]}
          available: view:e.f
          unavailable: {view:g.h: Select}
          last_code: OK
          last_value: {/data: 1}
        hold: start
        fails:
          - status: {code: 429, message: slow down, retry_after: 1}
          - reset: 0
          - silence: quiet
        asked: null
        usage: {input: 24, output: 8, cached: 8, reasoning: 4}
      - branch: {step: 0, pointer: /status}
        arms:
          - value: ok
            steps: [{say: Good.}]
          - value: 3
            steps: [{call: domain:x, repeat: 2}, {say: Three., finish: length}]
        otherwise: [{say: Bad., usage: null, optional: true}]
  - steps:
      - call: domain:x
        raw: '{"a":'
        faults:
          - cut: {after_events: 2}
          - broken_event: 1
          - error_event: {after_events: 1, message: sorry, code: busy}
        chunks: {at: [3, 9], every: 7}
      - endless: more
        at_most: 9
        repeat: forever
"""

EVERYTHING_IN_PYTHON = script(
    turn(
        step(
            reason("Hm", "m."),
            say("Let me look."),
            gate("door"),
            pause(0.5),
            call(
                "domain:list-invoices",
                {"kind": "all", "ids": [result_of(0, "/data/id")], "on": True, "when": "2026-11-30"},
                pieces=2,
            ),
            call("domain:gone", offered=False, through=MetaTool.ACT, same_id_as=0),
            read("view:a.look"),
            expect(
                offered="domain:list-invoices",
                absent=["domain:a", "domain:b"],
                with_field={"domain:c": "id"},
                without_field={"domain:d": ["id", "name"]},
                available="view:e.f",
                unavailable={"view:g.h": "Select"},
                last_code="OK",
                last_value={"/data": 1},
            ),
            hold="start",
            fails=[status(429, "slow down", retry_after=1), reset(), silence("quiet")],
            asked=None,
            usage=usage(24, 8, cached=8, reasoning=4),
        ),
        branch(
            result_of(0, "/status"),
            {"ok": say("Good."), 3: [repeat(call("domain:x"), 2), step(say("Three."), finish="length")]},
            otherwise=step(say("Bad."), usage=None, optional=True),
        ),
    ),
    turn(
        step(
            call("domain:x", raw='{"a":'),
            cut(after_events=2),
            broken_event(1),
            error_event(1, "sorry", "busy"),
            chunks=type(every(1))((3, 9), 7),
        ),
        repeat(endless("more", 9)),
    ),
    name="everything",
    names={"domain:list-invoices": "ListInvoices"},
)


def test_a_file_says_everything_that_python_can() -> None:
    """The two ways of writing a script give the same values."""
    assert parse_script(EVERYTHING, "everything.yaml", yaml=True) == EVERYTHING_IN_PYTHON


def test_json_is_read_as_yaml_is(tmp_path: Path) -> None:
    """The suffix says the format, the fields are the same."""
    (tmp_path / "a.json").write_text(json.dumps({"steps": [{"say": ["Hi ", "\u00fc\U0001f600"]}]}))
    (tmp_path / "a.yaml").write_text("steps: [{say: [Hi , \u00fc\U0001f600]}]", encoding="utf-8")

    assert load_script(tmp_path / "a.json") == script(say("Hi ", "\u00fc\U0001f600"))
    assert load_script(tmp_path / "a.yaml") == script(say("Hi", "\u00fc\U0001f600"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "s.yaml:1: expected a script, got an empty document"),
        ("- a\n- [b", "s.yaml:2: expected YAML: "),
        ("steps: [{say: a}]\nsteps: []", "s.yaml:2: expected each field once, got 'steps' again"),
        ("name: x", "s.yaml:1: script: expected exactly one of steps, turns in a script, got none"),
        ("steps: []", "s.yaml:1: steps: Tuple should have at least 1 item"),
        ("steps:\n  - sya: Hi", "s.yaml:2: steps.0.sya: unknown field; did you mean 'say'?"),
        ("turns:\n  - step:\n      - say: Hi", "s.yaml:2: turns.0: expected a field 'steps', got none"),
        (
            "steps:\n  - parts:\n      - say: a\n      - call: x\n        wiht: {}",
            "s.yaml:5: steps.0.parts.1.wiht: unknown field; did you mean 'with'?",
        ),
        ("steps:\n  - say: 3", "s.yaml:2: steps.0.say: expected a text or a list of texts, got 3"),
        ("steps:\n  - say: a\n    call: b", "s.yaml:2: steps.0: expected exactly one of say, reason, call"),
        ("steps:\n  - say: a\n    pieces: 2", "s.yaml:2: steps.0: pieces belongs to call, and there is none"),
        ("steps:\n  - say: a\n    otherwise: []", "s.yaml:2: steps.0: arms and otherwise belong to branch"),
        ("steps:\n  - branch: {}\n    hold: a", "s.yaml:2: steps.0: a branch is no step"),
        (
            "steps:\n  - say: a\n    asked: 0",
            "s.yaml:3: steps.0.asked: Input should be greater than or equal to 1",
        ),
        (
            "steps:\n  - say: a\n    faults:\n      - cut: {}",
            "s.yaml:4: steps.0.faults.0.cut: expected exactly one of after_events, after_bytes in a cut, got none",
        ),
        (
            "steps:\n  - say: a\n    fails:\n      - status: {code: 200}",
            "s.yaml:4: steps.0.fails.0.status.code: Input should be greater than or equal to 400, got 200",
        ),
        (
            "steps:\n  - say: a\n    fails: [{broken_event: 1}]",
            "s.yaml: expected status, reset or silence as a failed",
        ),
        ("steps:\n  - call: x\n    with: {a: {$result: {at: /a}}}", "s.yaml:3: steps.0.with"),
        ("steps:\n  - say: a\n  - say: b", "s.yaml: turn 0, element 0: this step makes no call"),
        ("steps:\n  - say: a\n    chunks: {at: [3, 3]}", "s.yaml: expected growing offsets"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_field(text: str, message: str) -> None:
    """Whoever wrote the file finds the place at once."""
    with pytest.raises(ScriptError) as caught:
        parse_script(text, "s.yaml", yaml=True)

    assert str(caught.value).startswith(message)


def test_everything_that_is_wrong_is_named_at_once() -> None:
    """One line for each, in the order of the file."""
    text = "steps:\n  - sya: Hi\n  - say: a\n    asekd: 1\n"

    with pytest.raises(ScriptError) as caught:
        parse_script(text, "s.yaml", yaml=True)

    assert [line.split(" ")[0] for line in str(caught.value).splitlines()] == [
        "s.yaml:2:",
        "s.yaml:4:",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n"steps": [\n', "s.json:3: expected JSON: "),
        ('{\n"steps": [\n  {"say": "a"},\n  {"sya": "b"}\n]}', "s.json:4: steps.1.sya: unknown field"),
        ('{"steps":\n [{"parts":\n [{"say":\n 3}]}]}', "s.json:3: steps.0.parts.0.say: expected a text"),
    ],
)
def test_json_has_lines_too(text: str, message: str) -> None:
    """The line is that of the field."""
    with pytest.raises(ScriptError) as caught:
        parse_script(text, "s.json", yaml=False)

    assert str(caught.value).startswith(message)


def test_plain_words_stay_words() -> None:
    """YAML's own ideas about yes, no and dates would change what is sent."""
    read_back = parse_script(
        "steps: [{call: x, with: {a: no, b: yes, c: 2026-11-30, d: true, e: 1}}, {say: .}]", "s", yaml=True
    )

    (made,) = read_back.turns[0].plain_steps[0].calls
    assert json.loads(made.arguments.text) == {"a": "no", "b": "yes", "c": "2026-11-30", "d": True, "e": 1}


def test_a_folder_gives_tokens_by_file_name(tmp_path: Path) -> None:
    """The name in lower case and without marks is the token that goes into the prompt."""
    (tmp_path / "Over-due_list.yaml").write_text("steps: [{say: a}]")
    (tmp_path / "b.json").write_text('{"steps": [{"say": "b"}]}')
    (tmp_path / "notes.txt").write_text("not a script")

    assert load_scripts(tmp_path) == (("overduelist", script(say("a"))), ("b", script(say("b"))))


def test_a_folder_needs_scripts_with_names_of_their_own(tmp_path: Path) -> None:
    """An empty folder is a mistake, and so are two files with one token."""
    with pytest.raises(ScriptError, match="expected at least one"):
        load_scripts(tmp_path)
    for name in ("a-b.yaml", "ab.yaml"):
        (tmp_path / name).write_text("steps: [{say: a}]")
    with pytest.raises(ScriptError, match="token 'ab' is taken by"):
        load_scripts(tmp_path)


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    """The path stands at the front of the message."""
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\xff")

    for name in ("gone.yaml", "bytes.yaml"):
        with pytest.raises(ScriptError, match=f"{name}: expected a readable UTF-8 file"):
            load_script(tmp_path / name)


def test_side_calls_come_from_a_file(tmp_path: Path) -> None:
    """A target lists what it asks for beside its conversation."""
    path = tmp_path / "side.yaml"
    path.write_text(
        "side_calls:\n"
        "  - {name: titles, say: A thread, system: Name this thread.}\n"
        "  - {name: moderation, path: /moderations, body: {flagged: false}}\n"
    )

    assert load_side_calls(path) == (
        SideCall("titles", say="A thread", system="Name this thread."),
        SideCall("moderation", path="/moderations", body='{"flagged":false}'),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("side_calls: [{name: a, say: b}]", "expected path, model, system or offers_tools"),
        ("side_calls: [{name: a, path: /b}]", "expected either say or body"),
        (
            "side_calls: [{name: a, say: b, modle: c}]",
            "side_calls.0.modle: unknown field; did you mean 'model'",
        ),
        ("titles: []", "side.yaml:1: titles: unknown field"),
    ],
)
def test_a_side_call_that_says_too_little_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """A canned reply without a condition would answer everything."""
    path = tmp_path / "side.yaml"
    path.write_text(text)

    with pytest.raises(ScriptError, match=message):
        load_side_calls(path)


@pytest.mark.parametrize(
    "path",
    sorted((Path(__file__).parents[2] / "fixtures" / "scripts").glob("*.yaml")),
    ids=lambda path: path.stem,
)
def test_the_scripts_that_ship_can_be_played(path: Path) -> None:
    """Each file under fixtures/scripts loads, and a server takes it."""
    model = FakeModel(standing=[("shipped", load_script(path))])

    assert model.journal.generation == 0


def test_at_bytes_and_not_a_stream_are_written_alike() -> None:
    """The two pieces that the long file leaves out."""
    text = "steps: [{faults: [{not_a_stream: {body: '<h1>'}}], chunks: {at: [1]}}]"

    assert parse_script(text, "s", yaml=True) == script(step(not_a_stream("<h1>"), chunks=at_bytes(1)))
