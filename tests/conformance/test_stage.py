"""What a case finds on its stage: people, roles, data, and what can be done to the target."""

from collections.abc import Iterator

import pytest

from conformance.errors import Departure, Untested
from conformance.wire.pointer import MISSING
from tests.conformance.small_app import TARGET, Set, on_stage


@pytest.fixture
def at() -> Iterator[Set]:
    """The small application on a stage."""
    with on_stage() as made:
        yield made


def test_people_are_found_by_their_rights(at: Set) -> None:
    """Cases say what somebody may do; the file says who that is, in its order."""
    assert ("carla", "conrad", "ada", "nobody") == tuple(
        person.name for person in (at.people.full, at.people.peer, at.people.restricted, at.people.nobody)
    )
    assert ("u-1", "") == (at.people.full.user, at.people.nobody.user)
    assert ["carla", "conrad", "ada"] == [person.name for person in at.people.everybody()]


def test_everybody_signs_in_once_a_case(at: Set) -> None:
    """A session is reused within a case, and rides on each of its owner's requests; nobody has none."""
    at.people.full.rpc.value("list")
    at.people.full.rpc.value("list")
    at.people.nobody.rpc.value("list")

    assert [
        ("", "/sign-in"),
        ("sid=carla-token", "/rpc/list"),
        ("sid=carla-token", "/rpc/list"),
        ("", "/rpc/list"),
    ] == [(cookie, path) for cookie, path, _ in at.small.asked]


def test_who_is_not_there_is_untested() -> None:
    """A file with one person can't show what needs two."""
    alone = TARGET.replace('rights = "full"\nsign_in = { path = "/sign-in", body = { user = "conrad" } }', "")
    alone = alone.replace('[identities.conrad]\n\ntoken = { name = "sid" }\n', "")
    with on_stage(alone) as at, pytest.raises(Untested) as caught:
        _ = at.people.peer

    assert "needs identities: 2 of them with rights = 'full'" == str(caught.value)


def test_a_role_is_prepared_and_filled_in(at: Set) -> None:
    """What the preparing call made becomes `{prepared}`, with its type where it stands alone."""
    write = at.roles("write")

    assert ("domain:change", "change", "main") == (write.capability, write.procedure, write.route)
    assert (1, {"id": 1, "note": "for 1"}) == (write.prepared, write.input)


def test_a_preparation_that_gives_nothing_is_a_finding(at: Set) -> None:
    """The target did not answer as its file says."""
    with pytest.raises(Departure, match="list answered without /nothing/here: "):
        at.roles("broken")


def test_a_role_that_is_not_there_is_untested(at: Set) -> None:
    """The key is named."""
    with pytest.raises(Untested) as caught:
        at.roles("gated")

    assert "roles.gated" == caught.value.missing


def test_what_is_hidden_from_whom_is_the_file_s_to_say(at: Set) -> None:
    """And untested where it does not."""
    assert ("write",) == at.roles.hidden_from_restricted()
    with on_stage(TARGET.replace('ada = ["write"]', "")) as other, pytest.raises(Untested) as caught:
        other.roles.hidden_from_restricted()
    assert "hidden_from.ada" == caught.value.missing


def test_two_looks_show_what_moved(at: Set) -> None:
    """By row and field, old and new; nothing where nothing did."""
    write = at.roles("write")
    before = at.data.look()
    assert () == at.data.look().differences(before)

    at.small.rows[0] |= {"amount": True, "note": "x"}
    assert (
        "invoices[0].amount: 5 before, True after",
        "invoices[0].note: (missing) before, 'x' after",
    ) == at.data.look().differences(before)
    assert at.data.effect(write) is True

    at.small.rows.append({"id": 2})
    assert ("invoices: 1 rows before, 2 after",) == at.data.look().differences(before)


def test_one_and_true_are_not_the_same_data(at: Set) -> None:
    """Python would call them equal, and a target that changed one into the other would go unnoticed."""
    at.small.rows.append({"id": 1, "amount": 1})
    before = at.data.look()
    at.small.rows[0]["amount"] = True

    assert ("invoices[0].amount: 1 before, True after",) == at.data.look().differences(before)


def test_an_effect_on_a_row_that_is_gone_is_missing(at: Set) -> None:
    """A deleted row has no amount, which is not the same as an amount of null."""
    write = at.roles("write")
    at.small.rows.clear()

    assert at.data.effect(write) is MISSING


def test_what_shows_no_effect_is_untested(at: Set) -> None:
    """A case about what moved needs to be told where to look."""
    with pytest.raises(Untested) as caught:
        at.data.effect(at.roles("plain"))
    assert "roles.*.effect" == caught.value.missing
    with pytest.raises(Untested) as caught:
        at.data.value("gone", {}, "")
    assert "reads.gone" == caught.value.missing


def test_a_counter_must_be_one(at: Set) -> None:
    """A case that counts executions needs a whole number to count with."""
    write = at.roles("write")
    assert at.data.count(write) == 5

    at.small.rows[0]["amount"] = "five"

    with pytest.raises(Departure, match="the counter of domain:change shows 'five'"):
        at.data.count(write)


def test_what_changes_a_record_is_the_file_s_to_say(at: Set) -> None:
    """With the thing that was prepared filled in, and untested where the file says nothing."""
    text = TARGET.replace(
        "[roles.broken]",
        'change = { procedure = "touch", input = { id = "{prepared}" } }\n\n[roles.broken]',
    )
    with on_stage(text) as other:
        write = other.roles("write")
        assert (write.change.procedure, write.change.input) == ("touch", {"id": write.prepared})
        with pytest.raises(Untested) as caught:
            _ = write.removal
        assert "roles.*.removal" == caught.value.missing


def test_a_policy_is_put_back_when_the_case_ends() -> None:
    """Whatever the case made of it, the next one finds it as it was."""
    text = TARGET.replace(
        "[controls]",
        '[policies]\nfreeze = "month-end"\n\n[controls]\n'
        'disable_policy = { path = "/sign-in", body = { user = "{name}", enabled = "{enabled}" } }',
    )
    with on_stage(text) as other:
        other.app.set_policy("freeze", enabled=True)
        other.stage.close()
        assert [body for _, path, body in other.small.asked if path == "/sign-in"] == [
            {"user": "month-end", "enabled": True},
            {"user": "month-end", "enabled": False},
        ]
        with pytest.raises(Untested) as caught:
            other.app.set_policy("hide", enabled=True)
        assert "policies.hide" == caught.value.missing


def test_controls_are_requests_with_placeholders(at: Set) -> None:
    """A refusal is a finding, and a control that the file does not have is untested."""
    at.roles("write")
    at.app.reset()
    assert [] == at.small.rows
    with pytest.raises(Departure, match=r"controls\.advance_clock was refused with 409"):
        at.app.advance_clock(5)
    assert ("", "/clock", {"advance": 5}) == at.small.asked[-1]
    with pytest.raises(Untested) as caught:
        at.app.freeze_clock("2026-01-01T00:00:00Z")
    assert "needs controls.freeze_clock: to set the clock" == str(caught.value)


def test_a_connected_target_can_be_neither_restarted_nor_doubled(at: Set) -> None:
    """The suite did not start it; the case is untested, not failed."""
    for action in (at.app.restart, at.app.twin, at.app.variant):
        with pytest.raises(Untested) as caught:
            action()
        assert "launch" == caught.value.missing


def test_conversation_ids_follow_from_the_case(at: Set) -> None:
    """Two runs of a case use the same ids, two cases never; no id is longer than the protocol allows."""
    with on_stage() as again:
        first = [at.stage.new_conversation_id() for _ in range(2)]
        assert first == [again.stage.new_conversation_id() for _ in range(2)]
        again.stage.case = "test_things.py::test_another"
        assert again.stage.new_conversation_id() not in first
    assert max(map(len, first)) <= 64


def test_closing_undoes_everything_newest_first(at: Set) -> None:
    """One that fails must not keep the others from being undone, or a tab would outlive its case."""
    undone: list[str] = []
    at.stage.on_close(lambda: undone.append("oldest"))
    at.stage.on_close(lambda: undone.append(str(1 / 0)))
    at.stage.on_close(lambda: undone.append("newest"))

    with pytest.raises(ZeroDivisionError):
        at.stage.close()

    assert ["newest", "oldest"] == undone


def test_without_a_tab_the_view_plane_is_untested(at: Set) -> None:
    """So is a mode that the tab does not have."""
    with pytest.raises(Untested) as caught:
        at.people.full.tab()
    assert "needs tab: to drive the target's view plane" == str(caught.value)
    with (
        on_stage(TARGET + '[tab]\ncommand = ["true"]\n') as other,
        pytest.raises(Untested) as caught,
    ):
        other.people.full.tab(mode="meta")
    assert "tab.modes.meta" == caught.value.missing
