"""The compiled view inventory: format 5, each entry hashed, the whole hashed, sorted so that it diffs well."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from reference_app.surface.contract_files import ComponentContract, DeclaredPolicy
from reference_app.surface.definition import ConfirmationLevel
from reference_app.surface.errors import DefinitionCode, DefinitionError
from reference_app.surface.identifiers import ViewId, parse_id
from reference_app.surface.json_value import Json, JsonObject, canonical_json, json_equal
from reference_app.surface.limits import Limits
from reference_app.surface.policy import Kind
from reference_app.surface.schema import check_schema

FORMAT_VERSION = 5
COMPILER_VERSION = "dualplane-1.0.0"
TARGETS = ("page", "process-tab")

_CAMEL = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class ManifestEntry(BaseModel):
    """One compiled capability; what was not authored is absent."""

    model_config = _CAMEL

    capability_id: str
    contract_hash: str
    confirmation: ConfirmationLevel | None = None
    declaration_id: str
    description: str
    effect: str
    input_schema: dict[str, Any] | None = None
    kind: Kind | Literal["external"]
    origin: str
    output_schema: dict[str, Any] | None = None
    policies: tuple[DeclaredPolicy, ...] | None = None
    tags: tuple[str, ...] | None = None
    targets: tuple[str, ...]


class Completeness(BaseModel):
    """Whether the compiler vouches that nothing is missing."""

    model_config = _CAMEL

    status: str


class CompiledManifest(BaseModel):
    """The whole inventory of one plane."""

    model_config = _CAMEL

    capabilities: tuple[ManifestEntry, ...]
    compiler_version: str
    completeness: Completeness
    external_contracts: tuple[dict[str, Any], ...]
    format_version: int
    hash: str
    targets: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """The written form."""
        body: dict[str, Json] = self.model_dump(mode="json", by_alias=True, exclude_none=True)
        return body


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where a component's contract is written; the id outlives a change of its content."""

    origin: str
    contract: ComponentContract

    @property
    def id(self) -> str:
        """The origin and the name of what is declared there."""
        return f"{self.origin}#{self.contract.component}"


def contract_text(value: JsonObject) -> str:
    """The text that is hashed: canonical JSON with a newline at its end."""
    return canonical_json(value) + "\n"


def sha256_hex(value: JsonObject) -> str:
    """Hash a part of the inventory."""
    return hashlib.sha256(contract_text(value).encode("utf-8", "surrogatepass")).hexdigest()


def entry_hash(entry: JsonObject) -> str:
    """The hash of one entry: over all but itself and the targets."""
    return sha256_hex({key: value for key, value in entry.items() if key not in ("contractHash", "targets")})


def manifest_hash(manifest: JsonObject) -> str:
    """The hash of the inventory: over all but itself."""
    return sha256_hex({key: value for key, value in manifest.items() if key != "hash"})


def compile_manifest(declarations: Iterable[Declaration], limits: Limits | None = None) -> CompiledManifest:
    """Compile contracts.

    Raises:
        DefinitionError: An id or a schema in one of them is outside what the surface supports.
    """
    bounds = limits or Limits()
    entries = [entry for declaration in declarations for entry in _entries(declaration, bounds)]
    entries.sort(key=lambda entry: f"{entry['declarationId']}\0{entry['capabilityId']}")
    manifest: dict[str, Json] = {
        "capabilities": entries,
        "compilerVersion": COMPILER_VERSION,
        "completeness": {"status": "proven"},
        "externalContracts": [],
        "formatVersion": FORMAT_VERSION,
        "targets": list(TARGETS),
    }
    manifest["hash"] = manifest_hash(manifest)
    return read_compiled(manifest)


def _entries(declaration: Declaration, limits: Limits) -> Iterable[dict[str, Json]]:
    contract = declaration.contract
    for name, observation in contract.observations.items():
        capability_id = ViewId(contract.component, name).text
        yield _entry(
            declaration,
            capability_id,
            {"kind": "observation", "effect": "read", "description": observation.description},
            {"outputSchema": observation.output},
            limits,
        )
    for name, action in contract.actions.items():
        fields: dict[str, Json] = {
            "kind": "action",
            "effect": action.effect,
            "description": action.description,
        }
        schemas = {"inputSchema": action.input, "outputSchema": action.output}
        fields |= _confirmation(action.confirmation)
        yield _entry(declaration, ViewId(contract.component, name).text, fields, schemas, limits)
    for path, procedure in contract.procedures.items():
        fields = {"kind": "procedure", "effect": procedure.effect, "description": procedure.description}
        schemas = {"inputSchema": procedure.input, "outputSchema": procedure.output}
        fields |= _confirmation(procedure.confirmation)
        yield _entry(declaration, f"domain:{path}", fields, schemas, limits, policies=procedure.policies)


def _confirmation(level: ConfirmationLevel | None) -> dict[str, Json]:
    return {} if level is None else {"confirmation": level.value}


def _entry(
    declaration: Declaration,
    capability_id: str,
    fields: Mapping[str, Json],
    schemas: Mapping[str, dict[str, Any] | None],
    limits: Limits,
    *,
    policies: tuple[DeclaredPolicy, ...] = (),
) -> dict[str, Json]:
    if parse_id(capability_id) is None:
        raise DefinitionError(
            DefinitionCode.INVALID_ID, f"{declaration.id}: {capability_id!r} is not a capability id"
        )
    entry: dict[str, Json] = {
        **fields,
        "capabilityId": capability_id,
        "declarationId": declaration.id,
        "origin": declaration.origin,
        "targets": list(TARGETS),
    }
    for key, schema in schemas.items():
        if schema is not None:
            entry[key] = check_schema(schema, f"{capability_id} {key}", limits)
    merged = _merge_policies(declaration.contract.policies, policies)
    if merged:
        entry["policies"] = merged
    entry["contractHash"] = entry_hash(entry)
    return entry


def _merge_policies(outer: tuple[DeclaredPolicy, ...], own: tuple[DeclaredPolicy, ...]) -> list[Json]:
    """Join a component's policies with a member's own, each once, sorted by their canonical text."""
    by_text: dict[str, Json] = {}
    for declared in (*outer, *own):
        body: dict[str, Json] = declared.model_dump(exclude_none=True)
        by_text[canonical_json(body)] = body
    return [by_text[text] for text in sorted(by_text)]


def read_compiled(value: object) -> CompiledManifest:
    """Read an inventory and verify every hash in it.

    Raises:
        DefinitionError: ``INVALID_DEFINITION`` for a wrong shape, version, completeness or hash,
            ``DUPLICATE_CAPABILITY`` where one declaration holds an id twice.
    """
    try:
        manifest = CompiledManifest.model_validate(value)
    except ValidationError as error:
        issue = error.errors()[0]
        raise _invalid(f"{'.'.join(map(str, issue['loc']))}: {issue['msg']}") from error
    if manifest.format_version != FORMAT_VERSION:
        raise _invalid(f"expected format version {FORMAT_VERSION}, saw {manifest.format_version}")
    if manifest.completeness.status != "proven":
        raise _invalid(f"expected a proven inventory, saw {manifest.completeness.status!r}")
    _verify(manifest)
    return manifest


def _verify(manifest: CompiledManifest) -> None:
    body = manifest.to_json()
    if manifest.hash != manifest_hash(body):
        raise _invalid("the inventory's hash is not that of its content; compile it again")
    seen = set()
    for entry in manifest.capabilities:
        written: dict[str, Json] = entry.model_dump(mode="json", by_alias=True, exclude_none=True)
        if not json_equal(entry.contract_hash, entry_hash(written)):
            raise _invalid(
                f"{entry.capability_id}: the entry's hash is not that of its content; compile it again"
            )
        key = (entry.declaration_id, entry.capability_id)
        if key in seen:
            raise DefinitionError(
                DefinitionCode.DUPLICATE_CAPABILITY,
                f"{entry.declaration_id} declares {entry.capability_id} twice",
            )
        seen.add(key)


def _invalid(problem: str) -> DefinitionError:
    return DefinitionError(DefinitionCode.INVALID_DEFINITION, f"the compiled inventory: {problem}")
