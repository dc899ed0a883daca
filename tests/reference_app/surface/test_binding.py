"""Binding for context: the reduced schema, locked and overridable fields, and when the page is asked."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.surface import binding
from reference_app.surface.binding import DEFAULT_NOTE, bind_procedure, reduce_input_schema
from reference_app.surface.definition import ProcedureBinding, ProcedureRef
from reference_app.surface.errors import CapabilityError
from reference_app.surface.json_value import UNSET, Json, Unset, copy_object
from reference_app.surface.schema import EMPTY_OBJECT
from reference_app.surface.validation import validate
from tests.reference_app.surface.world import DISABLE

KEYS = st.sampled_from(["deviceId", "reason", "force"])
REF = ProcedureRef("devices.disable", "Disable one device.", DISABLE, "server-mutation")


def _bound(values: Mapping[str, Json | Unset], *overridable: str) -> ProcedureBinding:
    return bind_procedure(REF, lambda: values, overridable=frozenset(overridable))


@given(st.lists(KEYS, unique=True), st.frozensets(KEYS))
def test_reduction_removes_what_is_locked_and_requires_nothing_bound(
    keys: list[str], overridable: frozenset[str]
) -> None:
    """A locked key is gone, an overridable one stays and is optional, everything else is as it was."""
    reduced = reduce_input_schema(DISABLE, tuple(keys), overridable)

    locked = set(keys) - overridable
    assert set(reduced["properties"]) == set(DISABLE["properties"]) - locked  # type: ignore[arg-type]  # an object
    assert set(reduced.get("required", ())) == set(DISABLE["required"]) - set(keys)  # type: ignore[arg-type]  # a list
    assert reduced["additionalProperties"] is False


@given(st.lists(KEYS, unique=True))
def test_reduction_leaves_the_full_schema_alone(keys: list[str]) -> None:
    """The server's schema is the one that the merged input is held against; it must not change."""
    before = copy_object(DISABLE)

    reduce_input_schema(DISABLE, tuple(keys), frozenset(keys[:1]))

    assert before == DISABLE


def test_without_bound_keys_nothing_is_reduced() -> None:
    """A binding that fills nothing narrows nothing."""
    assert reduce_input_schema(DISABLE, (), frozenset()) == DISABLE


def test_when_nothing_is_left_the_capability_takes_nothing() -> None:
    """The result is exactly the schema of a capability without input."""
    assert reduce_input_schema(DISABLE, ("deviceId", "reason", "force"), frozenset()) == EMPTY_OBJECT


def test_an_overridable_field_says_where_its_default_comes_from() -> None:
    """The model has to know that leaving it out is a choice."""
    reduced: Any = reduce_input_schema(DISABLE, ("reason", "force"), frozenset({"reason", "force"}))

    assert reduced["properties"]["reason"]["description"] == f"Why. {DEFAULT_NOTE}"
    assert reduced["properties"]["force"]["description"] == DEFAULT_NOTE


def test_bound_values_are_merged_over_the_input() -> None:
    """The server receives the page's target and the caller's words."""
    merged = binding.effective_input(_bound({"deviceId": 7}), {"reason": "lost"})

    assert merged == {"reason": "lost", "deviceId": 7}


@pytest.mark.parametrize("value", [7, 8])
def test_a_locked_field_is_refused_whatever_its_value(value: int) -> None:
    """Guessing the page's value right is no more allowed than guessing wrong."""
    with pytest.raises(CapabilityError) as raised:
        binding.effective_input(_bound({"deviceId": 7}), {"reason": "lost", "deviceId": value})

    assert raised.value.payload.to_json()["code"] == "INVALID_INPUT"
    assert raised.value.payload.details == {"lockedFields": ["deviceId"]}


def test_a_locked_field_is_named_before_anything_else_is_checked() -> None:
    """The caller learns first that the field is not his to fill."""
    with pytest.raises(CapabilityError) as raised:
        binding.effective_input(_bound({"deviceId": 7}), {"deviceId": "x", "reason": 5})

    assert raised.value.payload.details == {"lockedFields": ["deviceId"]}


@pytest.mark.parametrize(("given", "reason"), [({}, "shown"), ({"reason": "mine"}, "mine")])
def test_an_overridable_field_is_the_callers_when_supplied(given: dict[str, Json], reason: str) -> None:
    """What the caller says wins, what the caller leaves out is the page's."""
    merged = binding.effective_input(_bound({"deviceId": 7, "reason": "shown"}, "reason"), given)

    assert merged["reason"] == reason


def test_values_are_taken_when_the_call_runs() -> None:
    """Between offer and call the page may have moved on; what counts is what it shows now."""
    values: dict[str, Json | Unset] = {"deviceId": 1}
    bound = _bound(values)

    values["deviceId"] = 2

    assert binding.effective_input(bound, {"reason": "x"})["deviceId"] == 2


def test_a_value_that_the_page_does_not_have_is_left_out() -> None:
    """An overridable field without a value on the page is simply absent."""
    bound = _bound({"deviceId": 7, "force": UNSET}, "force")

    assert binding.effective_input(bound, {"reason": "x"}) == {"reason": "x", "deviceId": 7}


@pytest.mark.parametrize("values", [{"deviceId": UNSET}, {"deviceId": -1}])
def test_a_page_that_cannot_fill_its_fields_fails_the_precondition(values: dict[str, Json | Unset]) -> None:
    """That is the page's fault and not the caller's: look again, don't change the input."""
    with pytest.raises(CapabilityError) as raised:
        binding.effective_input(_bound(values), {"reason": "x"})

    assert raised.value.payload.to_json()["retry"] == "after-refresh"
    assert raised.value.payload.details == {"reason": "binding-failed"}


@pytest.mark.parametrize("given", ["text", 5, ["a"]])
def test_an_input_that_is_no_object_is_refused(given: Json) -> None:
    """Every procedure takes an object."""
    with pytest.raises(CapabilityError) as raised:
        binding.effective_input(_bound({"deviceId": 7}), given)

    assert raised.value.payload.details == {"issues": [{"path": "", "message": "expected an object"}]}


@given(
    st.dictionaries(
        KEYS | st.just("other"), st.integers(-1, 2) | st.text(max_size=2) | st.booleans(), max_size=4
    )
)
def test_whatever_is_supplied_the_target_is_the_pages(supplied: dict[str, Json]) -> None:
    """No input of any shape makes a bound call be about anything but what the page shows."""
    try:
        merged = binding.effective_input(_bound({"deviceId": 7}), supplied)
    except CapabilityError:
        return

    assert merged["deviceId"] == 7
    assert validate(DISABLE, merged) == ()


def test_a_binding_that_fails_at_registration_binds_nothing() -> None:
    """Its author reads of it in the log; the caller then has to name every field."""

    def broken() -> Mapping[str, Json | Unset]:
        raise RuntimeError("no screen")

    assert bind_procedure(REF, broken).bound_keys == ()
