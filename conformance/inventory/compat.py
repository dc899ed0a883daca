"""The verdict of the public tools on the same two files, to compare with: looser than ours, and blind where they are.

Sources: the published classification tables of the domain snapshot's and the surface contract's own command-line tools.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from conformance.inventory.canonical import canonical
from conformance.inventory.errors import InventoryError
from conformance.inventory.formats import contract, domain
from conformance.inventory.formats.contract import ContractFile
from conformance.inventory.formats.domain import DomainFile
from conformance.inventory.reading import Document
from conformance.inventory.rules import Direction

WIDENING, NARROWING, NEUTRAL = Direction.WIDENING, Direction.NARROWING, Direction.NEUTRAL

_RISKS = ("low", "medium", "high", "critical")
_CONFIRMATIONS = ("never", "optional", "required")
_EFFECTS = (
    *("read", "local-state", "navigation", "server-query", "server-mutation"),
    *("external-side-effect", "destructive"),
)


@dataclass(frozen=True, slots=True)
class CompatChange:
    """One change as the public tools report it: a direction, whose, which field, and what it was."""

    direction: Direction
    id: str
    field: str
    before: str = ""
    after: str = ""


def compat(old: Document | None, new: Document) -> tuple[CompatChange, ...]:
    """Classify as the public tools do, in their order; None stands for a base that is not there.

    Raises:
        InventoryError: the format is one that the public tools do not have, or the two differ.
    """
    match old, new:
        case (DomainFile() as before, DomainFile() as after):
            return tuple(_domain(before, after))
        case (None, DomainFile() as after):
            return tuple(_domain(DomainFile(version=2, capabilities=()), after))
        case (ContractFile() as before, ContractFile() as after):
            return tuple(_contract(before.capabilities, after.capabilities))
        case (None, ContractFile() as after):
            return tuple(_contract((), after.capabilities))
        case _:
            raise InventoryError(
                "--compat compares two domain snapshots or two surface contracts: the public tools know no other"
            )


def _domain(old: DomainFile, new: DomainFile) -> Iterator[CompatChange]:
    before = {entry.id: entry for entry in old.capabilities}
    present = {entry.id for entry in new.capabilities}
    for entry in new.capabilities:
        if entry.id in before:
            yield from _domain_entry(before[entry.id], entry)
        else:
            yield CompatChange(WIDENING if entry.expose else NEUTRAL, entry.id, "capability")
    for entry in old.capabilities:
        if entry.id not in present:
            yield CompatChange(NARROWING, entry.id, "capability")
    yield from _runtime(old, new)
    yield from _excluded(old, new, present)


def _domain_entry(old: domain.Entry, new: domain.Entry) -> Iterator[CompatChange]:
    for comparison in _DOMAIN_FIELDS:
        for direction, field, before, after in comparison(old, new):
            yield CompatChange(direction, new.id, field, before, after)


_Found = Iterator[tuple[Direction, str, str, str]]


def _expose(old: domain.Entry, new: domain.Entry) -> _Found:
    gained, lost = set(new.expose) - set(old.expose), set(old.expose) - set(new.expose)
    if gained:
        yield WIDENING, "expose", "", _listed(gained)
    if lost:
        yield NARROWING, "expose", _listed(lost), ""


def _side_effect(old: domain.Entry, new: domain.Entry) -> _Found:
    if old.side_effect != new.side_effect:
        yield WIDENING, "sideEffect", old.side_effect, new.side_effect


def _risk(old: domain.Entry, new: domain.Entry) -> _Found:
    if old.risk != new.risk:
        yield _by_rank(_RISKS, old.risk, new.risk), "risk", old.risk, new.risk


def _approval(old: domain.Entry, new: domain.Entry) -> _Found:
    before = old.approval is not None and old.approval.required
    after = new.approval is not None and new.approval.required
    if before is not after:
        yield (WIDENING if before else NARROWING), "approval", canonical(before), canonical(after)
    elif before and old.approval and new.approval and old.approval.type != new.approval.type:
        yield NEUTRAL, "approval.type", old.approval.type or "", new.approval.type or ""


def _idempotent(old: domain.Entry, new: domain.Entry) -> _Found:
    if old.idempotent is not new.idempotent:
        direction = WIDENING if new.idempotent else NARROWING
        yield direction, "idempotent", canonical(old.idempotent), canonical(new.idempotent)


def _retry(old: domain.Entry, new: domain.Entry) -> _Found:
    before, after = (entry.retry.max_attempts if entry.retry else 0 for entry in (old, new))
    if before != after:
        grave = after > before and new.side_effect not in ("read", "none")
        yield (WIDENING if grave else NEUTRAL), "retry.maxAttempts", canonical(before), canonical(after)


def _policies(old: domain.Entry, new: domain.Entry) -> _Found:
    yield from _policy_names("policies", old.policies, new.policies)


def _policy_names(field: str, old: tuple[str, ...], new: tuple[str, ...]) -> _Found:
    removed, added = set(old) - set(new), set(new) - set(old)
    if removed:
        yield WIDENING, field, _listed(removed), ""
    if added:
        yield NARROWING, field, "", _listed(added)
    if not removed and not added and old != new:
        yield NEUTRAL, field, ", ".join(old), ", ".join(new)


def _redact(old: domain.Entry, new: domain.Entry) -> _Found:
    before = old.redact.parts if old.redact else frozenset()
    after = new.redact.parts if new.redact else frozenset()
    for part in sorted(before ^ after):
        yield (WIDENING if part in before else NARROWING), f"redact.{part}", "", ""


def _tool_names(old: domain.Entry, new: domain.Entry) -> _Found:
    for surface in sorted(old.tool_names.keys() & new.tool_names.keys()):
        if old.tool_names[surface] != new.tool_names[surface]:
            yield NEUTRAL, "toolNames", old.tool_names[surface], new.tool_names[surface]


def _plain(
    field: str, pick: Callable[[domain.Entry], object]
) -> Callable[[domain.Entry, domain.Entry], _Found]:
    """A field whose every change the public tool calls neutral."""

    def compare(old: domain.Entry, new: domain.Entry) -> _Found:
        if pick(old) != pick(new):
            yield NEUTRAL, field, _text(pick(old)), _text(pick(new))

    return compare


_DOMAIN_FIELDS: tuple[Callable[[domain.Entry, domain.Entry], _Found], ...] = (
    _expose,
    _side_effect,
    _risk,
    _approval,
    _idempotent,
    _retry,
    _policies,
    _redact,
    _tool_names,
    _plain("inputSchema", lambda entry: entry.input_schema_hash),
    _plain("description", lambda entry: entry.description),
    _plain("timeoutMs", lambda entry: entry.timeout_ms),
    _plain("tags", lambda entry: entry.tags),
)


def _runtime(old: DomainFile, new: DomainFile) -> Iterator[CompatChange]:
    if old.runtime is None or new.runtime is None:
        if old.runtime is not new.runtime:
            yield CompatChange(WIDENING if old.runtime else NEUTRAL, "(runtime)", "runtime")
        return
    before = {policy.name: set(policy.phases) for policy in old.runtime.policies}
    after = {policy.name: set(policy.phases) for policy in new.runtime.policies}
    for direction, field, was, is_ in _policy_names("runtime.policies", tuple(before), tuple(after)):
        yield CompatChange(direction, "(runtime)", field, was, is_)
    for name in (name for name in after if name in before):
        for phase in sorted(before[name] ^ after[name]):
            lost = phase in before[name]
            yield CompatChange(
                WIDENING if lost else NARROWING, "(runtime)", "runtime.policies", f"{name}@{phase}"
            )


def _excluded(old: DomainFile, new: DomainFile, present: set[str]) -> Iterator[CompatChange]:
    before, after = (tuple(map(_text, document.excluded)) for document in (old, new))
    for name in sorted(set(after) - set(before)):
        yield CompatChange(NARROWING, name, "excluded")
    for name in sorted(set(before) - set(after) - present):
        yield CompatChange(NEUTRAL, name, "excluded")


def _contract(old: tuple[contract.Entry, ...], new: tuple[contract.Entry, ...]) -> Iterator[CompatChange]:
    before, after = _keyed(old), _keyed(new)
    for key in sorted({*before, *after}):
        name = key[1]
        if key not in before:
            yield CompatChange(WIDENING, name, "capability", after=key[0])
        elif key not in after:
            yield CompatChange(NARROWING, name, "capability", before=key[0])
        else:
            yield from _contract_entry(before[key], after[key])


def _keyed(entries: Iterable[contract.Entry]) -> Mapping[tuple[str, str], contract.Entry]:
    return {(entry.declaration_id, entry.capability_id): entry for entry in entries}


def _contract_entry(old: contract.Entry, new: contract.Entry) -> Iterator[CompatChange]:
    """One change for each field that differs, in the order of the fields' names."""
    before, after = _contract_fields(old), _contract_fields(new)
    for field in sorted({*before, *after}):
        if before.get(field) != after.get(field):
            yield CompatChange(
                _contract_direction(field, old, new),
                new.capability_id,
                field,
                before.get(field, ""),
                after.get(field, ""),
            )


def _contract_fields(entry: contract.Entry) -> Mapping[str, str]:
    left_out = {"declarationId", "capabilityId", "contractHash"}
    written = entry.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_unset=True)
    return {name: _text(value) for name, value in written.items() if name not in left_out}


def _contract_direction(field: str, old: contract.Entry, new: contract.Entry) -> Direction:
    match field:
        case "targets":
            added, removed = set(new.targets) - set(old.targets), set(old.targets) - set(new.targets)
            return WIDENING if added and not removed else NARROWING if removed and not added else NEUTRAL
        case "policies":
            before = {(policy.name, policy.phase) for policy in old.policies}
            after = {(policy.name, policy.phase) for policy in new.policies}
            return WIDENING if before - after else NARROWING if after - before else NEUTRAL
        case "confirmation":
            return _by_rank(_CONFIRMATIONS, old.confirmation or "never", new.confirmation or "never")
        case "effect":
            return _by_rank(_EFFECTS, old.effect, new.effect)
        case _:
            return NEUTRAL


def _by_rank(order: tuple[str, ...], old: str, new: str) -> Direction:
    """Lower is widening, higher narrowing; the public tools say nothing about a value that they do not know."""
    if old not in order or new not in order or old == new:
        return NEUTRAL
    return WIDENING if order.index(new) < order.index(old) else NARROWING


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else canonical(value)
