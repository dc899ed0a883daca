"""The two official readings of A2UI v0.9: the published JSON Schemas, and the validator of the agent SDK.

Both come from packages of the protocol's own project (the extra `a2ui`). The schemas are strict about shapes and know nothing of the
tree; the validator knows the tree and is lenient about some shapes: see what the other one says.
"""

import functools
import importlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from conformance.errors import Untested

MAX_DEPTH = 20
"""Levels of nesting in one message; the schemas take exponential time in the depth of function calls."""
_CATALOG_ALIAS = "https://a2ui.org/specification/v0_9/catalog.json"


def too_deep(value: Any, most: int = MAX_DEPTH) -> bool:
    """Whether a value is nested deeper than what a schema should be asked about."""
    level = [value]
    for _ in range(most):
        level = [inner for item in level for inner in _inside(item)]
        if not level:
            return False
    return True


def schema_problems(messages: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What the official schemas say against server-to-client messages.

    Raises:
        Untested: the packages are not installed.
    """
    validator = _schema()
    found = []
    for number, message in enumerate(messages):
        if too_deep(message):
            found.append(f"message {number} is nested more than {MAX_DEPTH} levels deep")
            continue
        found += [f"message {number}: {error.message[:200]}" for error in validator.iter_errors(message)]
    return tuple(found)


def event_problems(message: Mapping[str, Any]) -> tuple[str, ...]:
    """What the SDK's own reading of client-to-server messages says against one.

    Raises:
        Untested: the packages are not installed.
    """
    schema = _package("a2ui.core.schema.v0_9")
    event: TypeAdapter[Any] = TypeAdapter(schema.ClientToServerMessage)
    try:
        event.validate_python(message)
    except ValidationError as error:
        return tuple(str(one["msg"]) for one in error.errors())
    return ()


def sdk_problems(messages: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What the agent SDK says against a whole payload: shape and tree, its first complaint only.

    Raises:
        Untested: the packages are not installed.
    """
    if any(too_deep(message) for message in messages):
        return (f"nested more than {MAX_DEPTH} levels deep",)
    validate, catalog, error_type = _sdk()
    try:
        validate([catalog], [dict(message) for message in messages])
    except error_type as error:
        return (str(error)[:300],)
    return ()


@functools.cache
def _schema() -> Any:
    schemas, catalog = (
        _package("a2ui.utils.schemas"),
        _package("a2ui.core.basic_catalog").BasicCatalog("v0.9"),
    )
    jsonschema, referencing = _package("jsonschema"), _package("referencing")
    for name in ("rfc3339_validator", "rfc3986_validator"):
        _package(name)  # the format checker finds them by itself, and is silent about what it lacks
    envelope, common = schemas.load_agent_to_renderer_schema("v0.9"), schemas.load_common_types_schema("v0.9")
    contents = catalog.to_json()
    resources = [(one["$id"], one) for one in (envelope, common, contents)] + [(_CATALOG_ALIAS, contents)]
    make = _package("referencing.jsonschema").DRAFT202012.create_resource
    registry = referencing.Registry().with_resources([(uri, make(one)) for uri, one in resources])
    validator = jsonschema.Draft202012Validator
    return validator(envelope, registry=registry, format_checker=validator.FORMAT_CHECKER)


@functools.cache
def _sdk() -> tuple[Any, Any, Any]:
    validate = _package("a2ui.utils.validation").validate_payload
    catalog = _package("a2ui.core.basic_catalog").BasicCatalog("v0.9")
    return validate, catalog, _package("a2ui.core").A2uiError


def _package(name: str) -> Any:
    """Import one of the optional packages, which take seconds and so are imported when they are needed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        raise Untested("the extra a2ui", f"{name}: pip install 'dualplane[a2ui]'") from None


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
