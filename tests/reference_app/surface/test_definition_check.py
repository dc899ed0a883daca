"""What a component's author gets wrong, and how it is said."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from reference_app.surface.definition import Action, Component, ComponentLink, Concurrency, ConfirmationLevel
from reference_app.surface.definition_check import check_component
from reference_app.surface.errors import DefinitionError
from reference_app.surface.limits import Limits
from tests.reference_app.surface.world import PROCEDURES, make_world

PATHS = frozenset(PROCEDURES)


def _first_action(component: Component, **changes: Any) -> Component:
    return replace(component, actions=(replace(component.actions[0], **changes), *component.actions[1:]))


def _first_binding(component: Component, **changes: Any) -> Component:
    return replace(
        component, procedures=(replace(component.procedures[0], **changes), *component.procedures[1:])
    )


def _ref(component: Component, **changes: Any) -> Component:
    return _first_binding(component, ref=replace(component.procedures[0].ref, **changes))


CASES: list[tuple[str, Callable[[Component], Component]]] = [
    ("INVALID_ID", lambda table: replace(table, type="Devices")),
    ("INVALID_ID", lambda table: replace(table, instance_id="a.b")),
    ("INVALID_ID", lambda table: _first_action(table, name="select-rows")),
    ("INVALID_ID", lambda table: _first_action(table, name="a" * 128)),
    ("INVALID_DEFINITION", lambda table: replace(table, description="  ")),
    ("INVALID_DEFINITION", lambda table: _first_action(table, description="")),
    ("LIMIT_EXCEEDED", lambda table: replace(table, description="x" * 501)),
    ("LIMIT_EXCEEDED", lambda table: _first_action(table, description="x" * 301)),
    ("INVALID_DEFINITION", lambda table: replace(table, meta={"a": float("nan")})),
    ("LIMIT_EXCEEDED", lambda table: replace(table, meta={"a": "x" * 2048})),
    ("INVALID_DEFINITION", lambda table: replace(table, parent=ComponentLink("A"))),
    ("PLANE_VIOLATION", lambda table: _first_action(table, effect="server-mutation")),
    ("INVALID_DEFINITION", lambda table: _first_action(table, effect="magic")),
    ("DUPLICATE_CAPABILITY", lambda table: _first_action(table, name="readState")),
    ("UNSUPPORTED_SCHEMA", lambda table: _first_action(table, input={"oneOf": []})),
    ("UNSUPPORTED_SCHEMA", lambda table: _first_action(table, output={"type": "date"})),
    ("INVALID_DEFINITION", lambda table: _first_action(table, concurrency=Concurrency("key"))),
    ("INVALID_DEFINITION", lambda table: _first_action(table, concurrency=Concurrency("parallel", max=0))),
    ("INVALID_DEFINITION", lambda table: _first_action(table, concurrency=Concurrency(queue_depth=-1))),
    ("PLANE_VIOLATION", lambda table: _ref(table, path="devices.other")),
    ("INVALID_DEFINITION", lambda table: _ref(table, path="")),
    ("PLANE_VIOLATION", lambda table: _ref(table, effect="local-state")),
    ("INVALID_DEFINITION", lambda table: _first_binding(table, confirmation=ConfirmationLevel.NEVER)),
    ("DUPLICATE_CAPABILITY", lambda table: replace(table, procedures=table.procedures[:1] * 2)),
]


@pytest.mark.parametrize(("code", "change"), CASES)
def test_a_defect_is_named_by_its_code(code: str, change: Callable[[Component], Component]) -> None:
    """The author is told what is wrong and where, in every environment."""
    with pytest.raises(DefinitionError) as raised:
        check_component(change(make_world().table()), Limits(), PATHS)

    assert raised.value.code.value == code
    assert str(raised.value).startswith(f"[{code}] ")


def test_a_sound_definition_passes() -> None:
    """Nothing is complained about without cause."""
    table = make_world().table()

    check_component(table, Limits(), PATHS)

    assert isinstance(table.actions[0], Action)


def test_a_procedure_needs_an_executor() -> None:
    """Without one there is nowhere to carry it out."""
    with pytest.raises(DefinitionError, match="PLANE_VIOLATION"):
        check_component(make_world().table(), Limits(), None)
