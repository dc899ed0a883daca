"""Scripts as they are written in Python, and what can never be played."""

import pytest

from fake_model import (
    Arguments,
    Branch,
    Call,
    ChunkPlan,
    Cut,
    Finish,
    HttpError,
    Repeat,
    ResultOf,
    Say,
    Script,
    ScriptError,
    Step,
    Turn,
    branch,
    call,
    cut,
    every,
    expect,
    repeat,
    result_of,
    say,
    script,
    status,
    step,
    turn,
)
from fake_model.expectations import Absent, LastCode, Offered, StateShown, WithoutField
from fake_model.script import Filling


def test_a_part_alone_is_a_step_and_steps_alone_are_a_turn() -> None:
    """The short form means the same as the long one."""
    short = script(call("domain:x"), say("Done."))
    long = script(turn(step(call("domain:x")), step(say("Done."))))

    assert short == long
    assert short == Script((Turn((Step((Call("domain:x"),)), Step((Say(("Done.",)),)))),))


def test_pieces_of_a_step_may_stand_in_any_order() -> None:
    """Parts keep their order; expectations and faults go where they belong."""
    written = step(cut(after_events=2), say("a"), expect(offered="domain:x"), call("domain:x"))

    assert written.parts == (say("a"), call("domain:x"))
    assert written.expects == (Offered("domain:x"),)
    assert written.faults == (Cut(after_events=2),)


def test_expectations_read_as_keywords() -> None:
    """Each keyword becomes the values that it names."""
    written = expect(
        absent=["domain:a", "domain:b"],
        without_field={"domain:c": "id"},
        unavailable={"view:d.e": "Select"},
        last_code="FORBIDDEN",
    )

    assert written == (
        Absent("domain:a"),
        Absent("domain:b"),
        WithoutField("domain:c", "id"),
        StateShown("view:d.e", available=False, text="Select"),
        LastCode("FORBIDDEN"),
    )


def test_a_stand_in_is_remembered_with_its_place() -> None:
    """The arguments hold null until the result is there."""
    written = call("domain:x", {"ids": [1, result_of(0, "/data/id")], "note": result_of()})

    assert written.arguments == Arguments(
        '{"ids": [1, null], "note": null}',
        (Filling(("ids", 1), ResultOf(0, "/data/id")), Filling(("note",), ResultOf(-1))),
    )


def test_a_finish_by_name_is_the_known_one() -> None:
    """A known name is each provider's own word, another is sent as it is."""
    assert step(say("x"), finish="length").finish is Finish.LENGTH
    assert step(say("x"), finish="bored").finish == "bored"


def test_a_repeat_and_a_branch_hold_steps() -> None:
    """Parts are steps there too."""
    assert repeat(call("domain:x"), 3) == Repeat(step(call("domain:x")), 3)
    ways = branch(
        result_of(pointer="/status"), {"ok": say("Good.")}, otherwise=[call("domain:y"), say("Bad.")]
    )
    assert isinstance(ways, Branch)
    assert ways.arms[0].elements == (step(say("Good.")),)
    assert ways.otherwise == (step(call("domain:y")), step(say("Bad.")))


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (script, "at least one step"),
        (lambda: script(say("a"), say("b")), "turn 0, element 0: this step makes no call"),
        (lambda: script(turn(say("a")), say("b")), "either turns or steps"),
        (
            lambda: script(repeat(call("domain:x")), say("b")),
            "turn 0, element 0: expected a repeat without end",
        ),
        (lambda: script(turn(say("a")), turn(say("b"), say("c"))), "turn 1, element 0"),
        (
            lambda: script(call("domain:x"), branch(result_of(), {1: [say("a"), say("b")]})),
            "turn 0, element 1, element 0",
        ),
        (lambda: call("domain:x", {}, raw="{}"), "expected arguments or raw, got both"),
        (lambda: status(200), "400 to 599"),
        (cut, "either after_events or after_bytes"),
        (lambda: cut(after_events=1, after_bytes=1), "either after_events or after_bytes"),
        (lambda: every(0), "stride"),
        (lambda: repeat(say("a"), 0), "at least 1 time"),
        (lambda: call("domain:x", pieces=0), "at least 1 piece"),
        (
            lambda: step(call("domain:x", same_id_as=0)),
            "call 0 to domain:x: expected same_id_as to be an earlier call",
        ),
        (lambda: ChunkPlan((5, 5)), "growing offsets"),
    ],
)
def test_what_can_never_be_played_is_refused(write: object, message: str) -> None:
    """The error comes where the script is written, and names the place."""
    with pytest.raises(ScriptError, match=message):
        write()  # type: ignore[operator]


def test_scripts_are_values() -> None:
    """Equal scripts are equal and can be keys; nothing in one can be changed."""
    one, other = script(say("a")), script(say("a"))

    assert one == other
    assert hash(one) == hash(other)
    with pytest.raises(AttributeError):
        one.name = "x"  # type: ignore[misc]
    assert status(500) == HttpError(500)
