"""Binding for context: what the page fills in, what is left for the caller to say, and how the two are merged.

The bound keys are not refused, they are gone: the caller is given no field in which to name another target
(The dual-plane model, Bind for context, gate for consequence). Values are taken from the page when the call runs,
never when it was offered.
"""

import logging
from collections.abc import Callable, Mapping

from reference_app.surface import refusals
from reference_app.surface.definition import ProcedureBinding, ProcedureRef
from reference_app.surface.json_value import UNSET, Json, JsonObject, Unset, copy_object
from reference_app.surface.schema import EMPTY_OBJECT
from reference_app.surface.validation import Issue, validate

_log = logging.getLogger(__name__)

DEFAULT_NOTE = "Defaults to the current UI value at execution time when omitted."

BoundValues = Mapping[str, Json | Unset]


def bound_keys(bind: Callable[[], BoundValues]) -> tuple[str, ...]:
    """The keys that a binding fills: those of one trial call; a call that fails binds nothing and is logged."""
    try:
        return tuple(bind())
    except Exception:
        _log.warning("bind() failed at registration; nothing is bound", exc_info=True)
        return ()


def bind_procedure(
    ref: ProcedureRef, bind: Callable[[], BoundValues], *, overridable: frozenset[str] = frozenset()
) -> ProcedureBinding:
    """Make the binding of an operation: every bound key is locked but those named overridable."""
    keys = bound_keys(bind)
    return ProcedureBinding(
        ref=ref,
        bind=bind,
        bound_keys=keys,
        overridable=overridable & frozenset(keys),
        input_schema=reduce_input_schema(ref.input_schema, keys, overridable),
    )


def reduce_input_schema(
    schema: JsonObject, bound: tuple[str, ...], overridable: frozenset[str]
) -> dict[str, Json]:
    """Take the locked keys out of a schema, and let no bound key be required.

    An overridable key stays and says where its default comes from; when nothing is left the schema is that of a
    capability that takes nothing.
    """
    reduced = copy_object(schema)
    if not bound:
        return reduced
    properties = schema.get("properties")
    kept: dict[str, Json] = {}
    for key, member in (properties if isinstance(properties, Mapping) else {}).items():
        if key not in bound:
            kept[key] = member
        elif key in overridable and isinstance(member, Mapping):
            kept[key] = _with_default_note(member)
    if not kept:
        return copy_object(EMPTY_OBJECT)
    reduced["properties"] = copy_object(kept)
    required = [key for key in _required(schema) if key not in bound]
    reduced.pop("required", None)
    if required:
        reduced["required"] = required
    return reduced


def _with_default_note(member: JsonObject) -> dict[str, Json]:
    described = str(member.get("description", ""))
    return {**member, "description": f"{described} {DEFAULT_NOTE}".lstrip()}


def _required(schema: JsonObject) -> list[str]:
    required = schema.get("required")
    return [key for key in required if isinstance(key, str)] if isinstance(required, (list, tuple)) else []


def supplied_locked_keys(binding: ProcedureBinding, agent_input: JsonObject) -> tuple[str, ...]:
    """The locked keys that a caller supplied all the same, whatever the value."""
    return tuple(key for key in agent_input if binding.is_locked(key))


def check_agent_input(binding: ProcedureBinding, agent_input: JsonObject) -> tuple[Issue, ...]:
    """Hold a caller's input against the reduced schema."""
    return validate(binding.input_schema, agent_input)


def take_bound_values(binding: ProcedureBinding) -> BoundValues:
    """Ask the page for the bound values, as they are now."""
    return binding.bind()


def merge(binding: ProcedureBinding, agent_input: JsonObject, values: BoundValues) -> dict[str, Json]:
    """Put the bound values over the caller's input; only an overridable key that the caller supplied stays his."""
    merged = {key: value for key, value in agent_input.items() if not binding.is_locked(key)}
    for key in binding.bound_keys:
        value = values.get(key, UNSET)
        if value is not UNSET and not (key in binding.overridable and key in agent_input):
            merged[key] = value
    return copy_object(merged)


def effective_input(binding: ProcedureBinding, given: Json) -> dict[str, Json]:
    """Build the input that the server will receive.

    Raises:
        CapabilityError: ``INVALID_INPUT`` for what the caller did wrong, ``PRECONDITION_FAILED`` for what the page
            cannot supply.
    """
    agent_input: Json = {} if given is None else given
    if not isinstance(agent_input, Mapping):
        raise refusals.invalid_input([Issue("", "expected an object")])
    locked = supplied_locked_keys(binding, agent_input)
    if locked:
        raise refusals.locked_fields(locked)
    issues = check_agent_input(binding, agent_input)
    if issues:
        raise refusals.invalid_input(issues)
    try:
        values = take_bound_values(binding)
    except Exception as error:
        raise refusals.binding_failed() from error
    merged = merge(binding, agent_input, values)
    if validate(binding.ref.input_schema, merged):
        raise refusals.binding_failed()
    return merged
