"""Templates are as large as they are meant to be, and the made-up ones keep to the bounds."""

import pytest

from conformance.a2ui.generated import Templates, for_each, mistaken, mistakes
from conformance.a2ui.submission import click
from conformance.a2ui.surface import read_surface
from conformance.a2ui.templates import KINDS, LIMITS, Template, form, limit, of_bytes, of_kind, weight
from conformance.errors import Untested
from conformance.target_a2ui import Bounds
from tests.conformance.a2ui.surfaces import messages

BOUNDS = Bounds()


@pytest.mark.parametrize("letter", ["l", "λ"])
@pytest.mark.parametrize("size", [65_536, 65_537])
def test_template_has_exactly_so_many_bytes(size: int, letter: str) -> None:
    """A case at a bound that is off by one would show nothing."""
    template = of_bytes(BOUNDS, size, letter)

    assert size == weight(template)
    assert BOUNDS.label >= max(
        len(option["label"]) for one in template["fields"] for option in one["options"]
    )
    assert BOUNDS.title >= len(template["title"])


def test_size_out_of_reach_is_untested() -> None:
    """Where other bounds are tighter nothing can be said about this one."""
    with pytest.raises(Untested):
        of_bytes(Bounds(fields=1, options=2), 65_536)


@pytest.mark.parametrize("name", LIMITS)
def test_sized_templates_differ_in_their_size(name: str) -> None:
    """What is one past its bound is larger than what is at it."""
    bound = limit(BOUNDS, name)

    assert weight(bound.sized(bound.most)) < weight(bound.sized(bound.most + 1))


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_one_of_each_kind(kind: str) -> None:
    """And it says which one it is."""
    assert kind == of_kind(kind)["kind"]


def test_made_up_templates_keep_to_the_bounds() -> None:
    """One that does not would be refused, and rightly."""
    seen: list[Template] = []
    for_each(Templates(BOUNDS).any(), 60, 0, seen.append)

    assert set(KINDS) == {template["kind"] for template in seen}
    assert [] == [
        one for one in seen if len(one["title"]) > BOUNDS.title or weight(one) > BOUNDS.payload_bytes
    ]


def test_the_same_seed_makes_the_same_templates() -> None:
    """A run can be had again."""
    runs: list[list[Template]] = [[], []]
    for seen in runs:
        for_each(Templates(BOUNDS).answerable(), 20, 7, seen.append)

    assert runs[0] == runs[1]


def test_made_up_mistakes_change_something() -> None:
    """One that changes nothing would be accepted, and rightly."""
    payload = click("cnv", "call", read_surface(messages())).payload
    unchanged: list[tuple[str, object]] = []

    def check(mistake: tuple[str, object]) -> None:
        if repr(mistaken(payload, mistake)) == repr(payload):
            unchanged.append(mistake)

    for_each(mistakes(payload), 200, 0, check)

    assert [] == unchanged


def test_plain_form_has_every_type() -> None:
    """Cases go through them by their labels."""
    assert 9 == len({field["type"] for field in form()["fields"]})
