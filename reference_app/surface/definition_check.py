"""Whether a definition is well formed, before anything is registered; a defect is its author's, in every environment."""

from collections.abc import Iterator
from itertools import chain

from reference_app.surface.definition import (
    SERVER_EFFECTS,
    VIEW_EFFECTS,
    Action,
    Component,
    Concurrency,
    ConfirmationLevel,
    Observation,
    ProcedureBinding,
)
from reference_app.surface.errors import DefinitionCode, DefinitionError
from reference_app.surface.identifiers import (
    MAX_ID_LENGTH,
    ViewId,
    is_capability_name,
    is_component_type,
    is_instance_id,
)
from reference_app.surface.json_value import JsonObject, js_length, json_defect, stringify
from reference_app.surface.limits import Limits
from reference_app.surface.schema import check_schema


def check_component(component: Component, limits: Limits, executor_paths: frozenset[str] | None) -> None:
    """Check everything that can be checked without a registry.

    Raises:
        DefinitionError: The first defect, with its code and place.
    """
    _check_identity(component)
    _check_text(component.description, component.type, limits.max_component_description)
    _check_meta(component.meta, component.type, limits)
    _check_names(component)
    for observation in component.observations:
        _check_observation(observation, component.type, limits)
    for action in component.actions:
        _check_action(action, component.type, limits)
    for binding in component.procedures:
        _check_procedure(binding, component.type, limits, executor_paths)


def _fail(code: DefinitionCode, where: str, problem: str) -> DefinitionError:
    return DefinitionError(code, f"{where}: {problem}")


def _check_identity(component: Component) -> None:
    if not is_component_type(component.type):
        raise _fail(
            DefinitionCode.INVALID_ID, repr(component.type), "expected lower-case segments joined by dots"
        )
    links = [component.parent] if component.parent else []
    links += [binding.context for binding in component.procedures if binding.context]
    for link in links:
        if not is_component_type(link.type) or not is_instance_id(link.instance_id):
            raise _fail(
                DefinitionCode.INVALID_DEFINITION, component.type, f"{link} does not name a component"
            )
    if not is_instance_id(component.instance_id):
        raise _fail(
            DefinitionCode.INVALID_ID,
            component.type,
            f"the instance id {component.instance_id!r} may hold letters, digits, _ and - only, 128 at most",
        )


def _check_text(text: str, where: str, limit: int) -> None:
    if not text.strip():
        raise _fail(DefinitionCode.INVALID_DEFINITION, where, "expected a description; there is none")
    if js_length(text) > limit:
        raise _fail(DefinitionCode.LIMIT_EXCEEDED, where, f"the description is longer than {limit}")


def _check_meta(meta: JsonObject, where: str, limits: Limits) -> None:
    defect = json_defect(meta)
    if defect is not None:
        raise _fail(
            DefinitionCode.INVALID_DEFINITION, where, f"meta must be a JSON object; it holds {defect}"
        )
    if js_length(stringify(meta)) > limits.max_meta_size:
        raise _fail(DefinitionCode.LIMIT_EXCEEDED, where, f"meta is longer than {limits.max_meta_size}")


def _check_names(component: Component) -> None:
    seen = set()
    for name in _names(component):
        where = ViewId(component.type, name).text
        if not is_capability_name(name) or len(where) > MAX_ID_LENGTH:
            raise _fail(
                DefinitionCode.INVALID_ID, where, f"expected a camelCase name, {MAX_ID_LENGTH} at most in all"
            )
        if name in seen:
            raise _fail(DefinitionCode.DUPLICATE_CAPABILITY, where, "the name is used twice in one component")
        seen.add(name)
    paths = [binding.ref.path for binding in component.procedures]
    if len(set(paths)) < len(paths):
        raise _fail(DefinitionCode.DUPLICATE_CAPABILITY, component.type, "one procedure is bound twice")


def _names(component: Component) -> Iterator[str]:
    members: Iterator[Observation | Action] = chain(component.observations, component.actions)
    return (member.name for member in members)


def _check_observation(observation: Observation, component_type: str, limits: Limits) -> None:
    where = ViewId(component_type, observation.name).text
    _check_text(observation.description, where, limits.max_capability_description)
    _check_meta(observation.meta, where, limits)
    check_schema(observation.output, f"{where} output", limits)


def _check_action(action: Action, component_type: str, limits: Limits) -> None:
    where = ViewId(component_type, action.name).text
    _check_text(action.description, where, limits.max_capability_description)
    _check_meta(action.meta, where, limits)
    check_schema(action.input, f"{where} input", limits)
    if action.output is not None:
        check_schema(action.output, f"{where} output", limits)
    if action.effect in SERVER_EFFECTS:
        raise _fail(
            DefinitionCode.PLANE_VIOLATION, where, f"the effect {action.effect} belongs to the domain plane"
        )
    if action.effect not in VIEW_EFFECTS:
        raise _fail(DefinitionCode.INVALID_DEFINITION, where, f"unknown effect {action.effect!r}")
    _check_concurrency(action.concurrency, where)


def _check_concurrency(concurrency: Concurrency, where: str) -> None:
    if concurrency.mode == "key" and not concurrency.key:
        raise _fail(DefinitionCode.INVALID_DEFINITION, where, "concurrency by key needs a key")
    if concurrency.mode == "parallel" and (concurrency.max is None or concurrency.max < 1):
        raise _fail(
            DefinitionCode.INVALID_DEFINITION, where, "parallel concurrency needs a maximum of at least 1"
        )
    if concurrency.queue_depth is not None and concurrency.queue_depth < 0:
        raise _fail(DefinitionCode.INVALID_DEFINITION, where, "the queue depth must not be negative")


def _check_procedure(
    binding: ProcedureBinding, where: str, limits: Limits, executor_paths: frozenset[str] | None
) -> None:
    ref = binding.ref
    if executor_paths is None:
        raise _fail(DefinitionCode.PLANE_VIOLATION, where, "a procedure binding needs a procedure executor")
    if not ref.path:
        raise _fail(DefinitionCode.INVALID_DEFINITION, where, "a procedure needs a path")
    if ref.path not in executor_paths:
        raise _fail(
            DefinitionCode.PLANE_VIOLATION, ref.id, "the contextual manifest does not list this operation"
        )
    if ref.effect not in SERVER_EFFECTS:
        raise _fail(
            DefinitionCode.PLANE_VIOLATION, ref.id, f"{ref.effect!r} is not an effect of a server operation"
        )
    _check_text(ref.description, ref.id, limits.max_capability_description)
    _check_meta(binding.meta, ref.id, limits)
    check_schema(binding.input_schema, f"{ref.id} reduced input", limits)
    check_schema(ref.input_schema, f"{ref.id} input", limits)
    if binding.confirmation is ConfirmationLevel.NEVER:
        raise _fail(
            DefinitionCode.INVALID_DEFINITION, ref.id, "a binding may raise the confirmation, never lower it"
        )
