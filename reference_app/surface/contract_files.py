"""The contracts as they are written: one JSON file a component, and the manifest of contextual operations.

They are data, so that the page, which shares no code with Python, reads the very same promises.
"""

import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from reference_app.surface.definition import ConfirmationLevel, ProcedureRef
from reference_app.surface.errors import DefinitionCode, DefinitionError

MANIFEST_FILE = "manifest.json"

_Model = TypeVar("_Model", bound=BaseModel)

JsonSchema = dict[str, Any]
"""A schema as it was read; ``check_schema`` says whether it is one that the surface supports."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class DeclaredPolicy(_Frozen):
    """A policy that a capability promises to stand under, and in which phase."""

    name: str
    phase: Literal["discovery", "authorize", "invoke"] | None = None


class DeclaredObservation(_Frozen):
    """What a component lets be looked at."""

    description: str
    output: JsonSchema


class DeclaredAction(_Frozen):
    """What a component lets be done to it."""

    description: str
    input: JsonSchema
    output: JsonSchema | None = None
    effect: Literal["local-state", "navigation"]
    idempotent: bool = False
    reversible: bool = True
    confirmation: ConfirmationLevel | None = None
    timeout_ms: int | None = None


class DeclaredProcedure(_Frozen):
    """A server operation that a component binds."""

    description: str
    input: JsonSchema
    output: JsonSchema | None = None
    effect: Literal["server-query", "server-mutation", "external-side-effect", "destructive"]
    confirmation: ConfirmationLevel | None = None
    policies: tuple[DeclaredPolicy, ...] = ()


class ComponentContract(_Frozen):
    """Everything that one component type promises."""

    component: str
    description: str
    policies: tuple[DeclaredPolicy, ...] = ()
    observations: dict[str, DeclaredObservation] = Field(default_factory=dict)
    actions: dict[str, DeclaredAction] = Field(default_factory=dict)
    procedures: dict[str, DeclaredProcedure] = Field(default_factory=dict)


class ContextualTool(_Frozen):
    """One server operation that screens may bind."""

    description: str
    input_schema: JsonSchema
    output_schema: JsonSchema | None = None
    effect: Literal["server-query", "server-mutation", "external-side-effect", "destructive"]
    requires_approval: bool = False


class ContextualManifest(_Frozen):
    """The ceiling of what screens may bind: an operation that is not in it can be bound by nobody."""

    tools: dict[Annotated[str, Field(min_length=1)], ContextualTool]

    def ref(self, path: str) -> ProcedureRef:
        """The reference by which a component binds an operation.

        Raises:
            DefinitionError: ``PLANE_VIOLATION``: the manifest does not list it.
        """
        tool = self.tools.get(path)
        if tool is None:
            raise DefinitionError(
                DefinitionCode.PLANE_VIOLATION,
                f"domain:{path}: the contextual manifest lists {sorted(self.tools)} and not this; it can't be bound",
            )
        return ProcedureRef(
            path, tool.description, tool.input_schema, tool.effect, tool.output_schema, tool.requires_approval
        )


def contract_folder(*parts: str) -> Traversable:
    """The folder of contracts that ships with the package, or one inside it."""
    folder: Traversable = files("reference_app.surface") / "contracts"
    for part in parts:
        folder = folder / part
    return folder


def read_contracts(folder: Traversable) -> dict[str, ComponentContract]:
    """Read every component contract of a folder, by file name, in the order of their names.

    Raises:
        DefinitionError: ``INVALID_DEFINITION``, naming the file and the field.
    """
    return {
        entry.name: _read(entry, ComponentContract)
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".json") and entry.name != MANIFEST_FILE
    }


def read_manifest(folder: Traversable) -> ContextualManifest:
    """Read the manifest of contextual operations.

    Raises:
        DefinitionError: ``INVALID_DEFINITION``, naming the field.
    """
    return _read(folder / MANIFEST_FILE, ContextualManifest)


def _read(entry: Traversable, model: type[_Model]) -> _Model:
    try:
        return model.model_validate(json.loads(entry.read_text("utf-8")))
    except (ValidationError, ValueError) as error:
        raise DefinitionError(
            DefinitionCode.INVALID_DEFINITION, f"{entry.name}: {_first_line(error)}"
        ) from error


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        issue = error.errors()[0]
        return f"{'.'.join(map(str, issue['loc'])) or 'the document'}: {issue['msg']}"
    return str(error)
