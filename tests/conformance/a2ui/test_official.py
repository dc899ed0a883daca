"""The two official readings see what they should, each its own half; `tox -e a2ui` has their packages."""

from typing import Any

import pytest

from conformance.a2ui.official import event_problems, schema_problems, sdk_problems, too_deep
from conformance.a2ui.submission import DELETED, changed, click
from conformance.a2ui.surface import read_surface
from tests.conformance.a2ui.surfaces import messages, spoilt

official = pytest.mark.usefixtures("packages")


@pytest.fixture(scope="module")
def packages() -> None:
    """The packages of the extra."""
    for name in ("a2ui", "rfc3339_validator", "rfc3986_validator"):
        pytest.importorskip(name)


@official
def test_sound_surface_is_accepted_by_both() -> None:
    """It was made after the specification."""
    assert ((), ()) == (schema_problems(messages()), sdk_problems(messages()))


COMPONENTS = "/updateComponents/components"
SHAPES: dict[str, tuple[int, str, Any]] = {
    "another version": (0, "/version", "v0.9.1"),
    "number as text": (1, f"{COMPONENTS}/5/max", "5"),
    "weight as text": (1, f"{COMPONENTS}/2/weight", "1"),
    "unknown component": (1, f"{COMPONENTS}/2/component", "Marquee"),
    "unknown property": (1, f"{COMPONENTS}/2/colour", "red"),
    "label on a button": (1, f"{COMPONENTS}/6/label", "Go"),
    "no child": (1, f"{COMPONENTS}/6/child", DELETED),
    "no components": (1, COMPONENTS, []),
}
TREES: dict[str, tuple[int, str, Any]] = {
    "no root": (1, f"{COMPONENTS}/0/id", "main"),
    "dangling child": (1, f"{COMPONENTS}/1/children", ["title", "gone"]),
    "another catalog": (
        0,
        "/createSurface/catalogId",
        "https://a2ui.org/specification/v0_9/basic_catalog.json",
    ),
}


@official
@pytest.mark.parametrize("what", SHAPES)
def test_schemas_see_shapes(what: str) -> None:
    """Whatever the validator lets through."""
    assert () != schema_problems(spoilt(*SHAPES[what]))


@official
@pytest.mark.parametrize("what", TREES)
def test_sdk_sees_the_tree(what: str) -> None:
    """The schemas accept all of these."""
    assert ((), True) == (
        schema_problems(spoilt(*TREES[what])),
        sdk_problems(spoilt(*TREES[what])) != (),
    )


def nested(depth: int) -> Any:
    """A condition that is negated so many times."""
    value: Any = True
    for _ in range(depth):
        value = {"call": "not", "args": {"value": value}}
    return value


def test_deep_nesting_never_reaches_the_schemas() -> None:
    """They take exponential time in it."""
    deep = spoilt(1, f"{COMPONENTS}/6/checks", [{"condition": nested(3000), "message": "x"}])

    assert (True, False) == (too_deep(deep[1]), too_deep(messages()[1]))
    assert "nested" in sdk_problems(deep)[0]


@official
def test_events_are_read() -> None:
    """A click of ours is one of theirs."""
    message = click("cnv", "call", read_surface(messages())).payload["message"]

    assert ((), True) == (
        event_problems(message),
        event_problems(changed(message, "/action/surfaceId", DELETED)) != (),
    )
