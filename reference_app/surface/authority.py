"""The compiled inventory as authority: what was not compiled can't be registered, nor anything that differs from it.

Deny by default (The dual-plane model, The invariants, 1): a component that registers nothing has no capabilities,
and one that registers something must be able to show where that was reviewed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from reference_app.surface.definition import Component, ConfirmationLevel, ProcedureBinding, Proof, highest
from reference_app.surface.errors import DefinitionCode, DefinitionError
from reference_app.surface.identifiers import ViewId
from reference_app.surface.json_value import JsonObject, json_equal
from reference_app.surface.manifest import CompiledManifest, ManifestEntry, read_compiled
from reference_app.surface.policy import Kind, Policy

_SEAL = object()


@dataclass(frozen=True, slots=True)
class RuntimeShape:
    """What a definition would register under one capability id."""

    capability_id: str
    kind: Kind
    description: str
    effect: str
    input_schema: JsonObject | None
    output_schema: JsonObject | None
    confirmation: ConfirmationLevel
    policies: tuple[Policy, ...]


class Authority:
    """A verified inventory; only ``mint`` makes one, and what merely looks like one is refused."""

    def __init__(self, manifest: CompiledManifest, seal: object) -> None:
        if seal is not _SEAL:
            raise _refused("an authority is minted from a compiled inventory, never put together by hand")
        self._hash = manifest.hash
        self._entries = {
            (entry.declaration_id, entry.capability_id): entry for entry in manifest.capabilities
        }

    @classmethod
    def mint(cls, manifest: CompiledManifest) -> "Authority":
        """Verify an inventory, take a copy of it, and make it an authority.

        Raises:
            DefinitionError: The inventory does not hold together.
        """
        return cls(read_compiled(manifest.to_json()), _SEAL)

    @property
    def hash(self) -> str:
        """The hash of the inventory that it stands on."""
        return self._hash

    def proof_of(self, declaration_id: str) -> Proof:
        """The proof that a definition made from a declaration carries."""
        hashes = {
            capability_id: entry.contract_hash
            for (owner, capability_id), entry in self._entries.items()
            if owner == declaration_id
        }
        return Proof(self._hash, declaration_id, hashes)

    def entry(self, declaration_id: str, capability_id: str) -> ManifestEntry | None:
        """The compiled entry of a declaration's capability."""
        return self._entries.get((declaration_id, capability_id))


def check_proof(authority: Authority, component: Component) -> None:
    """Hold a definition against the compiled inventory.

    Raises:
        DefinitionError: It carries no proof, an old one, or one that does not cover exactly what it would register.
    """
    if not isinstance(authority, Authority):
        raise _refused("expected an authority minted from a compiled inventory")
    proof = component.proof
    if proof is None:
        raise _refused(f"{component.type}: raw registration; bind it from a compiled contract")
    if proof.manifest_hash != authority.hash:
        raise _refused(f"{component.type}: its proof is of another inventory; compile and load again")
    shapes = tuple(runtime_shapes(component))
    compiled = authority.proof_of(proof.declaration_id).contract_hashes
    missing = set(compiled) - {shape.capability_id for shape in shapes}
    if missing:
        raise _refused(f"{component.type}: compiled and not bound: {', '.join(sorted(missing))}")
    for shape in shapes:
        entry = authority.entry(proof.declaration_id, shape.capability_id)
        if entry is None or proof.contract_hashes.get(shape.capability_id) != entry.contract_hash:
            raise _refused(f"{shape.capability_id}: not in the compiled inventory, or not as this proof says")
        check_shape(shape, entry)


def runtime_shapes(component: Component) -> Iterator[RuntimeShape]:
    """What a component would register."""
    for seen in component.observations:
        yield RuntimeShape(
            ViewId(component.type, seen.name).text,
            "observation",
            seen.description,
            "read",
            None,
            seen.output,
            ConfirmationLevel.NEVER,
            component.policies + seen.policies,
        )
    for action in component.actions:
        yield RuntimeShape(
            ViewId(component.type, action.name).text,
            "action",
            action.description,
            action.effect,
            action.input,
            action.output,
            action.confirmation,
            component.policies + action.policies,
        )
    for binding in component.procedures:
        yield _procedure_shape(binding, component.policies)


def _procedure_shape(binding: ProcedureBinding, outer: tuple[Policy, ...]) -> RuntimeShape:
    """A procedure's confirmation is what was authored; the floor that its effect adds is not compared."""
    approval = ConfirmationLevel.REQUIRED if binding.ref.requires_approval else ConfirmationLevel.NEVER
    return RuntimeShape(
        binding.ref.id,
        "procedure",
        binding.ref.description,
        binding.ref.effect,
        binding.ref.input_schema,
        binding.ref.output_schema,
        highest(approval, binding.confirmation or ConfirmationLevel.NEVER),
        outer + binding.policies,
    )


def check_shape(shape: RuntimeShape, entry: ManifestEntry) -> None:
    """Compare field by field: confirmation may be stricter than compiled, all else must be equal.

    Raises:
        DefinitionError: The first field that differs.
    """
    declared = (entry.kind, entry.description, entry.effect, entry.input_schema, entry.output_schema)
    actual = (shape.kind, shape.description, shape.effect, shape.input_schema, shape.output_schema)
    names = ("kind", "description", "effect", "input schema", "output schema")
    for name, expected, seen in zip(names, declared, actual, strict=True):
        if not json_equal(expected, seen):
            raise _refused(f"{shape.capability_id}: its {name} differs from the compiled one")
    compiled_level = entry.confirmation or ConfirmationLevel.NEVER
    if highest(compiled_level, shape.confirmation) is not shape.confirmation:
        raise _refused(
            f"{shape.capability_id}: confirmation may be raised above {compiled_level}, never lowered"
        )
    _check_policies(shape, entry)


def _check_policies(shape: RuntimeShape, entry: ManifestEntry) -> None:
    by_name = {policy.name: policy for policy in shape.policies}
    for declared in entry.policies or ():
        policy = by_name.get(declared.name)
        if policy is None:
            raise _refused(f"{shape.capability_id}: the compiled policy {declared.name!r} is not installed")
        if declared.phase is not None and declared.phase not in policy.phases:
            raise _refused(f"{shape.capability_id}: {declared.name!r} has no {declared.phase} hook")


def _refused(problem: str) -> DefinitionError:
    return DefinitionError(DefinitionCode.INVALID_DEFINITION, problem)
