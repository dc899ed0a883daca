"""The compiled inventory: what it holds, that it is verified, and that nothing registers beside it."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reference_app.surface import compile as compiler
from reference_app.surface.authority import Authority
from reference_app.surface.contract_binding import Handlers, bind_contract
from reference_app.surface.contract_files import (
    ComponentContract,
    contract_folder,
    read_contracts,
    read_manifest,
)
from reference_app.surface.definition import Component, ConfirmationLevel
from reference_app.surface.errors import DefinitionCode, DefinitionError
from reference_app.surface.identifiers import parse_id
from reference_app.surface.manifest import (
    compile_manifest,
    entry_hash,
    manifest_hash,
    read_compiled,
)
from reference_app.surface.policy import Policy
from reference_app.surface.registry import Registry
from tests.reference_app.surface.world import CONTRACT, DECLARATION, StillClock, make_world

INVENTORY = Path(__file__).parents[3] / "inventories" / "view.json"
DOM_VERBS = ("click", "type", "focus", "element", "selector", "hover", "press", "scroll")


def _compiled() -> dict[str, Any]:
    return json.loads(json.dumps(compile_manifest([DECLARATION]).to_json()))  # type: ignore[no-any-return]  # JSON object


def test_the_committed_inventory_is_current() -> None:
    """A change of a contract shows in review as a change of the inventory."""
    assert INVENTORY.read_text("utf-8") == compiler.render(compile_manifest(compiler.declarations()))


def test_the_check_command_tells_current_from_stale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What runs in continuous integration must be able to fail, and say how to put it right."""
    path = tmp_path / "view.json"

    missing = compiler.main(["--check", "--output", str(path)])
    written = compiler.main(["--output", str(path)])
    current = compiler.main(["--check", "--output", str(path)])

    assert (missing, written, current) == (1, 0, 0)
    assert "run python -m reference_app.surface.compile" in capsys.readouterr().err


def test_no_compiled_capability_is_a_dom_verb() -> None:
    """There is no click, no type, no focus and no selector: not restricted, absent."""
    ids = [entry.capability_id for entry in compile_manifest(compiler.declarations()).capabilities]

    assert [found for found in ids if any(verb in found.lower() for verb in DOM_VERBS)] == []


def test_gated_operations_are_not_in_the_contextual_manifest() -> None:
    """Binding a gated operation would trade an approval for a dialog."""
    assert sorted(read_manifest(contract_folder()).tools) == ["update-collection-status"]


def test_a_procedure_is_compiled_as_the_manifest_has_it() -> None:
    """The contract and the ceiling are two files that must promise the same."""
    tool = read_manifest(contract_folder()).tools["update-collection-status"]
    entry = next(
        entry
        for entry in compile_manifest(compiler.declarations()).capabilities
        if entry.capability_id == "domain:update-collection-status"
    )

    assert (entry.description, entry.input_schema, entry.output_schema, entry.effect) == (
        tool.description,
        tool.input_schema,
        tool.output_schema,
        tool.effect,
    )


def test_entries_are_sorted_and_carry_ids() -> None:
    """The file diffs well: one order, whatever the order of the files."""
    manifest = compile_manifest(compiler.declarations())
    keys = [(entry.declaration_id, entry.capability_id) for entry in manifest.capabilities]

    assert keys == sorted(keys)
    assert all(parse_id(capability_id) for _, capability_id in keys)


def _tamper_description(body: dict[str, Any]) -> None:
    body["capabilities"][0]["description"] = "Something else."


def _tamper_with_entry_hash(body: dict[str, Any]) -> None:
    _tamper_description(body)
    body["hash"] = manifest_hash(body)


def _duplicate(body: dict[str, Any]) -> None:
    body["capabilities"].append(body["capabilities"][0])
    body["hash"] = manifest_hash(body)


def _unproven(body: dict[str, Any]) -> None:
    body["completeness"]["status"] = "partial"
    body["hash"] = manifest_hash(body)


def _old_format(body: dict[str, Any]) -> None:
    body["formatVersion"] = 4
    body["hash"] = manifest_hash(body)


@pytest.mark.parametrize(
    "tamper", [_tamper_description, _tamper_with_entry_hash, _duplicate, _unproven, _old_format]
)
def test_an_inventory_that_does_not_hold_together_is_refused(
    tamper: Callable[[dict[str, Any]], None],
) -> None:
    """What is reviewed is what runs: no field can be changed after compiling."""
    body = _compiled()
    tamper(body)

    with pytest.raises(DefinitionError):
        read_compiled(body)


def test_hashes_cover_the_content_and_not_the_targets() -> None:
    """The same promise has one hash, wherever it is built for."""
    entry = _compiled()["capabilities"][0]
    elsewhere = {**entry, "targets": ["another"]}
    changed = {**entry, "effect": "navigation"}

    assert (entry_hash(elsewhere) == entry["contractHash"], entry_hash(changed) == entry["contractHash"]) == (
        True,
        False,
    )


def test_an_authority_is_minted_and_not_put_together() -> None:
    """What merely looks like an authority grants nothing."""
    manifest = compile_manifest([DECLARATION])

    with pytest.raises(DefinitionError, match="minted"):
        Authority(manifest, object())
    with pytest.raises(DefinitionError, match="authority"):
        Registry(manifest)  # type: ignore[arg-type]  # that is the point


def test_an_authority_keeps_its_own_copy() -> None:
    """Changing the inventory afterwards changes nothing that was verified."""
    manifest = compile_manifest([DECLARATION])
    authority = Authority.mint(manifest)
    entry = next(entry for entry in manifest.capabilities if entry.kind == "action")
    assert entry.input_schema is not None
    before = copy.deepcopy(entry.input_schema)

    entry.input_schema["type"] = "string"

    kept = authority.entry(entry.declaration_id, entry.capability_id)
    assert kept is not None
    assert kept.input_schema == before


EXPECTED_CODE = DefinitionCode.INVALID_DEFINITION


def _raw(component: Component) -> Component:
    return replace(component, proof=None)


def _stale(component: Component) -> Component:
    assert component.proof is not None
    return replace(component, proof=replace(component.proof, manifest_hash="0" * 64))


def _other_description(component: Component) -> Component:
    first = replace(component.actions[0], description="Something else.")
    return replace(component, actions=(first, *component.actions[1:]))


def _other_schema(component: Component) -> Component:
    first = replace(component.actions[0], input={"type": "object"})
    return replace(component, actions=(first, *component.actions[1:]))


def _wider(component: Component) -> Component:
    extra = replace(component.actions[0], name="more")
    return replace(component, actions=(*component.actions, extra))


def _narrower(component: Component) -> Component:
    return replace(component, actions=component.actions[1:])


def _less_confirmed(component: Component) -> Component:
    actions = tuple(replace(action, confirmation=ConfirmationLevel.NEVER) for action in component.actions)
    return replace(component, actions=actions)


@pytest.mark.parametrize(
    "change", [_raw, _stale, _other_description, _other_schema, _wider, _narrower, _less_confirmed]
)
def test_only_what_was_compiled_registers(change: Callable[[Component], Component]) -> None:
    """No raw registration, no old proof, nothing wider, nothing left out, nothing less confirmed."""
    world = make_world()

    with pytest.raises(DefinitionError) as raised:
        world.mount(change(world.table()))

    assert raised.value.code is EXPECTED_CODE
    assert world.registry.snapshot().components == ()


def test_confirmation_may_be_raised() -> None:
    """A mount may be stricter than its contract."""
    world = make_world(StillClock())
    table = world.table()
    stricter = replace(table.actions[0], confirmation=ConfirmationLevel.REQUIRED)

    handle = world.mount(replace(table, actions=(stricter, *table.actions[1:])))

    assert handle.status == "active"


def test_a_declared_policy_must_be_installed() -> None:
    """A contract that promises a policy can't be mounted without it, nor with one that does not take part."""
    policed = {**CONTRACT, "policies": [{"name": "owners-only", "phase": "discovery"}], "procedures": {}}
    declaration = replace(DECLARATION, contract=ComponentContract.model_validate(policed))
    authority = Authority.mint(compile_manifest([declaration]))
    world = make_world()
    table = replace(world.table(), proof=authority.proof_of(declaration.id), procedures=())
    registry = Registry(authority)

    for policies in ((), (Policy("owners-only"),)):
        with pytest.raises(DefinitionError, match="owners-only"):
            registry.register(replace(table, policies=policies))


def test_every_declared_capability_needs_a_handler() -> None:
    """The one that is missing is named."""
    authority = make_world().authority

    with pytest.raises(DefinitionError, match="readState has no read handler"):
        bind_contract(authority, DECLARATION, Handlers({}, {}))


def test_a_wrong_contract_file_is_named(tmp_path: Path) -> None:
    """Its author learns which file and which field."""
    (tmp_path / "broken.json").write_text('{"component": "a", "description": "b", "extra": 1}')

    with pytest.raises(DefinitionError, match=r"broken\.json: extra"):
        read_contracts(tmp_path)
