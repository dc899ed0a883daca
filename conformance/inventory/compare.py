"""How one capability differs from what it was, field by field. Each field has its own small comparison."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from conformance.inventory.canonical import canonical
from conformance.inventory.facts import retry_text
from conformance.inventory.finding import Change
from conformance.inventory.model import Approval, Capability, Policy, Schema, SchemaHash
from conformance.inventory.rules import gap_rule
from conformance.inventory.schema import SchemaChange, compare_schemas

EFFECTS = {
    "none": 0,
    "read": 1,
    "local-state": 2,
    "navigation": 3,
    "server-query": 4,
    "write": 5,
    "server-mutation": 5,
    "external": 6,
    "external-side-effect": 6,
    "destructive": 7,
}
UNKNOWN_EFFECT = 8
"""An effect that is not known, or not on record, ranks above all others."""

_RISKS = {"low": 0, "medium": 1, "high": 2, "critical": 3}
_CONFIRMATIONS = {"never": 0, "optional": 1, "required": 2}
_ANYTHING = '{"additionalProperties":true}'
_READS = frozenset({"none", "read"})


def compare(old: Capability, new: Capability) -> Iterator[Change]:
    """Yield every change between two records of one capability."""
    if old == new:
        return
    for comparison in _COMPARISONS:
        yield from comparison(old, new)


def is_consequential(effect: str | None) -> bool:
    """Whether an effect is one that a gate is made for: it reaches beyond the ledger, can't be undone, or is not known."""
    return effect is not None and EFFECTS.get(effect, UNKNOWN_EFFECT) >= EFFECTS["external"]


def _set(
    gained: str, lost: str, pick: Callable[[Capability], Iterable[str]]
) -> Callable[[Capability, Capability], Iterator[Change]]:
    """A comparison of two sets of names: one change for each that came, one for each that went."""

    def compare_sets(old: Capability, new: Capability) -> Iterator[Change]:
        before, after = set(pick(old)), set(pick(new))
        yield from (Change(gained, name, after=name) for name in sorted(after - before))
        yield from (Change(lost, name, before=name) for name in sorted(before - after))

    return compare_sets


def _text(
    rule: str, pick: Callable[[Capability], str | None]
) -> Callable[[Capability, Capability], Iterator[Change]]:
    """A comparison of two texts."""

    def compare_texts(old: Capability, new: Capability) -> Iterator[Change]:
        if pick(old) != pick(new):
            yield Change(rule, before=pick(old) or "", after=pick(new) or "")

    return compare_texts


def _identity(old: Capability, new: Capability) -> Iterator[Change]:
    if old.declaration != new.declaration:
        yield Change("declaration-moved", before=old.declaration, after=new.declaration)
    elif old.origin != new.origin:
        yield Change("origin-changed", before=old.origin or "", after=new.origin or "")


def _effect(old: Capability, new: Capability) -> Iterator[Change]:
    if old.effect == new.effect:
        return
    before, after = _rank(old.effect), _rank(new.effect)
    rule = "effect-raised" if after > before else "effect-lowered" if after < before else "effect-unclear"
    yield Change(rule, before=old.effect or "not on record", after=new.effect or "not on record")


def _rank(effect: str | None) -> int:
    return EFFECTS.get(effect or "", UNKNOWN_EFFECT)


def _risk(old: Capability, new: Capability) -> Iterator[Change]:
    yield from _ranked("risk", _RISKS, old.risk, new.risk)


def _confirmation(old: Capability, new: Capability) -> Iterator[Change]:
    yield from _ranked("confirmation", _CONFIRMATIONS, old.confirmation, new.confirmation)


def _ranked(name: str, ranks: dict[str, int], old: str | None, new: str | None) -> Iterator[Change]:
    if old == new:
        return
    before, after = ranks.get(old or ""), ranks.get(new or "")
    if before is None or after is None:
        rule = f"{name}-unclear"
    else:
        rule = f"{name}-lowered" if after < before else f"{name}-raised"
    yield Change(rule, before=old or "not on record", after=new or "not on record")


def _approval(old: Capability, new: Capability) -> Iterator[Change]:
    before, after = old.approval or Approval(None), new.approval or Approval(None)
    if before.required is not after.required:
        known = None not in (before.required, after.required)
        rule = (
            ("approval-required" if after.required else "approval-dropped") if known else "approval-unclear"
        )
        yield Change(rule, before=_required(before), after=_required(after))
        return
    if before.type != after.type:
        yield Change("approval-type-changed", before=before.type or "", after=after.type or "")
    if before.expires_in_ms != after.expires_in_ms:
        yield _expiry(before.expires_in_ms, after.expires_in_ms)


def _required(approval: Approval) -> str:
    return {True: "required", False: "not required", None: "not on record"}[approval.required]


def _expiry(before: float | None, after: float | None) -> Change:
    if before is None or after is None:
        rule = "approval-time-unclear"
    else:
        rule = "approval-longer" if after > before else "approval-shorter"
    return Change(rule, before=_milliseconds(before), after=_milliseconds(after))


def _milliseconds(value: float | None) -> str:
    return "not on record" if value is None else f"{canonical(value)} ms"


def _idempotent(old: Capability, new: Capability) -> Iterator[Change]:
    if old.idempotent is not new.idempotent:
        rule = "idempotent-claimed" if new.idempotent else "idempotent-withdrawn"
        yield Change(rule, before=canonical(old.idempotent), after=canonical(new.idempotent))


def _retry(old: Capability, new: Capability) -> Iterator[Change]:
    if old.retry == new.retry:
        return
    if {old.effect, new.effect} <= _READS:
        yield Change("retry-of-read", before=retry_text(old.retry), after=retry_text(new.retry))
        return
    before, after = (record.retry.max_attempts if record.retry else 0 for record in (old, new))
    if before != after:
        rule = "retries-more" if after > before else "retries-fewer"
        yield Change(rule, before=canonical(before), after=canonical(after))
    if old.retry and new.retry:
        if old.retry.limited is not new.retry.limited:
            yield Change("retry-limit-added" if new.retry.limited else "retry-limit-dropped")
        if old.retry.backoff_ms != new.retry.backoff_ms:
            before_ms, after_ms = _milliseconds(old.retry.backoff_ms), _milliseconds(new.retry.backoff_ms)
            yield Change("retry-timing", before=before_ms, after=after_ms)


def _timeout(old: Capability, new: Capability) -> Iterator[Change]:
    if old.timeout_ms != new.timeout_ms:
        yield Change(
            "timeout-changed", before=_milliseconds(old.timeout_ms), after=_milliseconds(new.timeout_ms)
        )


def _policies(old: Capability, new: Capability) -> Iterator[Change]:
    yield from compare_policies(old.policies, new.policies)


def compare_policies(old: tuple[Policy, ...], new: tuple[Policy, ...]) -> Iterator[Change]:
    """Compare two lists of policies; one that stands twice counts twice."""
    before, after = Counter(map(str, old)), Counter(map(str, new))
    yield from (Change("policy-added", name, after=name) for name in sorted((after - before).keys()))
    yield from (Change("policy-dropped", name, before=name) for name in sorted((before - after).keys()))
    if before == after and old != new:
        yield Change("policy-reordered", before=", ".join(map(str, old)), after=", ".join(map(str, new)))


def _names(old: Capability, new: Capability) -> Iterator[Change]:
    """A name on a surface that came or went is part of that surface's coming or going."""
    after = {named.where: named.name for named in new.names}
    for named in old.names:
        if named.where in after and after[named.where] != named.name:
            yield Change("name-changed", named.where, before=named.name, after=after[named.where])


def _state(old: Capability, new: Capability) -> Iterator[Change]:
    if old.state is None or new.state is None:
        return
    if old.state.available is not new.state.available:
        yield Change("state-available" if new.state.available else "state-unavailable")
    if old.state.text != new.state.text:
        yield Change("state-text-changed", before=old.state.text, after=new.state.text)


def _unknown(old: Capability, new: Capability) -> Iterator[Change]:
    before = {unknown.field: unknown.text for unknown in old.unknown}
    after = {unknown.field: unknown.text for unknown in new.unknown}
    for field in sorted({*before, *after}):
        if before.get(field) != after.get(field):
            yield Change("unknown-changed", field, before=before.get(field, ""), after=after.get(field, ""))


def _input(old: Capability, new: Capability) -> Iterator[Change]:
    before, after = old.input, new.input
    if before == after:
        return
    if isinstance(before, Schema) and isinstance(after, Schema):
        yield from _schema("input", before.text, after.text)
        return
    texts = tuple(schema.text if schema else "no schema" for schema in (before, after))
    hashed = isinstance(before, SchemaHash) or isinstance(after, SchemaHash)
    yield Change("input-hash-changed" if hashed else "input-unreadable", before=texts[0], after=texts[1])


def _output(old: Capability, new: Capability) -> Iterator[Change]:
    """An output without a schema may be anything."""
    if old.output != new.output:
        before, after = (record.output.text if record.output else _ANYTHING for record in (old, new))
        yield from _schema("output", before, after)


def _schema(side: str, before: str, after: str) -> Iterator[Change]:
    change = compare_schemas(before, after)
    exact = (before, after)
    yield from _gaps(side, change, exact)
    if change.text:
        yield Change(f"{side}-text-changed", before=change.text.before, after=change.text.after, exact=exact)
    if change.default:
        yield Change(
            f"{side}-default-changed", before=change.default.before, after=change.default.after, exact=exact
        )
    if change.says_the_same:
        yield Change(f"{side}-rewritten", before=before, after=after)


def _gaps(side: str, change: SchemaChange, exact: tuple[str, str]) -> Iterator[Change]:
    """One change for each rule and place; several words about the same are put together."""
    found: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for gap in change.wider:
        before, after = found.setdefault((gap_rule(side, gap.kind, wider=True).id, gap.path), ([], []))
        before.append(gap.outer)
        after.append(gap.inner)
    for gap in change.narrower:
        before, after = found.setdefault((gap_rule(side, gap.kind, wider=False).id, gap.path), ([], []))
        before.append(gap.inner)
        after.append(gap.outer)
    for (rule, path), (before, after) in found.items():
        yield Change(rule, path, _once(before), _once(after), exact)


def _once(words: list[str]) -> str:
    return "; ".join(sorted(set(words)))


_COMPARISONS: tuple[Callable[[Capability, Capability], Iterator[Change]], ...] = (
    _identity,
    _text("kind-changed", lambda record: record.kind),
    _set("surface-gained", "surface-lost", lambda record: record.surfaces),
    _set("target-gained", "target-lost", lambda record: record.targets),
    _effect,
    _risk,
    _approval,
    _confirmation,
    _policies,
    _set("redaction-added", "redaction-dropped", lambda record: record.redacted),
    _idempotent,
    _retry,
    _timeout,
    _set("tag-gained", "tag-lost", lambda record: record.tags),
    _text("description-changed", lambda record: record.description),
    _names,
    _state,
    _input,
    _output,
    _unknown,
)
