"""A surface is read as a renderer would, and what is wrong with it is said."""

from typing import Any

import pytest

from conformance.a2ui.surface import (
    binding_problems,
    calls_and_media,
    graph_problems,
    kinds_of,
    read_surface,
    surfaces_named,
)
from conformance.errors import Departure
from tests.conformance.a2ui.surfaces import messages, spoilt


def test_surface_is_read() -> None:
    """Buttons, inputs and texts are what a person has in front of them."""
    surface = read_surface(messages())

    assert ("s", ["go"], ["Name", "Ways", "Share"], ("Hello", "Go")) == (
        surface.id,
        [button.action for button in surface.buttons],
        [one.label for one in surface.inputs],
        surface.texts,
    )


def test_sound_surface_has_no_problems() -> None:
    """Otherwise every case would be red."""
    surface = read_surface(messages())

    assert ((), (), []) == (
        graph_problems(surface),
        binding_problems(surface),
        list(calls_and_media(messages())),
    )


@pytest.mark.parametrize(
    ("children", "problem"),
    [
        (["title", "gone"], "'gone' is no component"),
        (["title", "title"], "'title' is reached twice"),
        (["title"], "'name' is reached from nowhere"),
        (["body"], "'body' is reached twice"),
    ],
)
def test_broken_tree_is_noticed(children: list[str], problem: str) -> None:
    """Dangling, shared, unreachable, in a circle."""
    surface = read_surface(spoilt(1, "/updateComponents/components/1/children", children))

    assert problem in graph_problems(surface)


@pytest.mark.parametrize(
    ("pointer", "value", "problem"),
    [
        (
            "/updateDataModel/value",
            {"ways": [], "share": 0},
            "name is bound to /name, which the data model lacks",
        ),
        ("/updateDataModel/value/ways", "north", "ways, a ChoicePicker, is bound to 'north'"),
        ("/updateDataModel/value/share", True, "share, a Slider, is bound to True"),
        ("/updateDataModel/value/name", None, "name, a TextField, is bound to None"),
    ],
)
def test_wrong_binding_is_noticed(pointer: str, value: Any, problem: str) -> None:
    """Python takes `True` for 1; a slider does not."""
    assert (problem,) == binding_problems(read_surface(spoilt(2, pointer, value)))


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/updateComponents/components/6/action", {"functionCall": {"call": "openUrl"}}),
        ("/updateComponents/components/2/text", {"call": "formatString", "args": {}}),
        ("/updateComponents/components/3/checks", []),
    ],
)
def test_calls_and_checks_are_noticed(pointer: str, value: Any) -> None:
    """A function runs in the browser."""
    assert [] != list(calls_and_media(spoilt(1, pointer, value)))


def test_missing_message_is_a_finding() -> None:
    """It is the target that left it out."""
    with pytest.raises(Departure, match="no updateDataModel"):
        read_surface(messages()[:2])


def test_order_and_names_are_seen_as_they_come() -> None:
    """Reading a surface must not hide in which order it came."""
    turned = messages()[::-1]

    assert (("updateDataModel",), ("s", "s", "s")) == (kinds_of(turned)[0], surfaces_named(turned))


def test_button_that_is_not_there_is_a_finding() -> None:
    """The message names what there is."""
    with pytest.raises(Departure, match="go"):
        read_surface(messages()).button("send")
