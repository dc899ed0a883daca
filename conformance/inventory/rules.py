"""The one table by which changes are classified: id, direction, reason, mirror.

A rule says what a change means for what an agent may do. Its mirror is the rule that the same change gives when it is made
backwards; a rule that can't be told apart from its own mirror names itself. What the suite does not understand is widening
in both directions.

Source: The dual-plane model, "What this buys you" (both planes compile to inventories that are diffed like an API: a changed
description is a changed prompt, a capability that gains a surface has gained an audience).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from conformance.inventory.schema.keywords import GapKind


class Direction(Enum):
    """What a change means, the gravest first; the value is its name in reports."""

    BREACH = "breach"
    WIDENING = "widening"
    PROMPT = "prompt text"
    NARROWING = "narrowing"
    NEUTRAL = "neutral"

    @property
    def rank(self) -> int:
        """0 is the gravest."""
        return _RANKS[self]


_RANKS = {direction: number for number, direction in enumerate(Direction)}


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table.

    Attributes:
        id: stable; approvals and reports name it.
        direction: what the change means.
        reason: why, as a sentence without a subject's name.
        mirror: id of the rule for the same change backwards.
        opaque: the change can't be read, so it is widening both ways.
    """

    id: str
    direction: Direction
    reason: str
    mirror: str
    opaque: bool = False


def _both(gain: str, gain_reason: str, loss: str, loss_reason: str) -> Iterator[Rule]:
    """A change that widens one way and narrows the other."""
    yield Rule(gain, Direction.WIDENING, gain_reason, loss)
    yield Rule(loss, Direction.NARROWING, loss_reason, gain)


def _same(rule_id: str, direction: Direction, reason: str) -> Rule:
    return Rule(rule_id, direction, reason, rule_id)


def _opaque(rule_id: str, reason: str) -> Rule:
    """A change that can't be read."""
    return Rule(rule_id, Direction.WIDENING, reason, rule_id, opaque=True)


def _entries() -> Iterator[Rule]:
    yield from _both(
        "capability-added",
        "An agent can reach a capability that was not there.",
        "capability-removed",
        "The capability is gone.",
    )
    yield Rule(
        "unreachable-added", Direction.NEUTRAL, "New, and exposed on no surface.", "unreachable-removed"
    )
    yield Rule(
        "unreachable-removed", Direction.NEUTRAL, "Gone; it was exposed on no surface.", "unreachable-added"
    )
    yield _same("declaration-moved", Direction.NEUTRAL, "The same capability is declared elsewhere.")
    yield _same("origin-changed", Direction.NEUTRAL, "Only the file that declares it has another name.")
    yield _opaque(
        "kind-changed", "It is another kind of capability now, executed and guarded in another way."
    )
    yield _opaque(
        "unknown-changed", "This field is not part of the format as known here, so its meaning can't be read."
    )


def _audience() -> Iterator[Rule]:
    yield from _both(
        "surface-gained", "It has gained an audience.", "surface-lost", "It is no longer exposed there."
    )
    yield from _both(
        "target-gained", "Another build ships it.", "target-lost", "This build no longer ships it."
    )
    yield from _both(
        "tag-gained",
        "Pages that are scoped to this tag offer it from now on.",
        "tag-lost",
        "Pages that are scoped to this tag no longer offer it.",
    )
    yield from _both(
        "place-gained",
        "It is offered to more people or on more routes.",
        "place-lost",
        "It is offered in fewer places.",
    )
    yield Rule(
        "place-observed",
        Direction.WIDENING,
        "Somebody, or some route, is observed for the first time: everything offered there is new.",
        "place-unobserved",
    )
    yield Rule(
        "place-unobserved",
        Direction.WIDENING,
        "Nobody looks there any more, so nothing that is offered there can be seen.",
        "place-observed",
    )


def _effects() -> Iterator[Rule]:
    yield Rule("effect-raised", Direction.WIDENING, "It may do more than it said before.", "effect-lowered")
    yield Rule(
        "effect-lowered",
        Direction.WIDENING,
        "It claims to do less, so fewer gates apply to it.",
        "effect-raised",
    )
    yield _opaque(
        "effect-unclear", "Neither effect is a known one, so which of them is graver can't be read."
    )
    yield from _both("risk-lowered", "It counts as less risky.", "risk-raised", "It counts as riskier.")
    yield _opaque("risk-unclear", "A risk that is not a known one can't be ranked.")
    yield from _both(
        "idempotent-claimed",
        "It claims that running it twice is harmless, so it may be run again.",
        "idempotent-withdrawn",
        "It no longer claims that running it twice is harmless.",
    )
    yield from _both(
        "retries-more",
        "It is run more often when it fails.",
        "retries-fewer",
        "It is run less often when it fails.",
    )
    yield from _both(
        "retry-limit-dropped",
        "It is run again after any error.",
        "retry-limit-added",
        "It is run again after some errors only.",
    )
    yield _same(
        "retry-of-read", Direction.NEUTRAL, "How a read is tried again changes nothing that it may do."
    )
    yield _same("retry-timing", Direction.NEUTRAL, "Only the pause between attempts differs.")
    yield _same("timeout-changed", Direction.NEUTRAL, "Only how long it may take differs.")


def _gates() -> Iterator[Rule]:
    yield from _both(
        "approval-dropped",
        "No person has to approve it any more.",
        "approval-required",
        "A person has to approve it.",
    )
    yield _opaque("approval-unclear", "Whether a person has to approve it is not on record on both sides.")
    yield _opaque("approval-type-changed", "It asks for another kind of approval, which can't be ranked.")
    yield from _both(
        "approval-longer",
        "An approval stays usable for longer.",
        "approval-shorter",
        "An approval expires sooner.",
    )
    yield _opaque("approval-time-unclear", "How long an approval stays usable is on record on one side only.")
    yield from _both(
        "confirmation-lowered",
        "Less confirmation is asked for.",
        "confirmation-raised",
        "More confirmation is asked for.",
    )
    yield _opaque("confirmation-unclear", "A confirmation that is not a known one can't be ranked.")
    yield from _both(
        "policy-dropped", "A policy no longer guards it.", "policy-added", "One more policy guards it."
    )
    yield _same(
        "policy-reordered",
        Direction.NEUTRAL,
        "The same policies are asked in another order; all of them are asked.",
    )
    yield from _both(
        "redaction-dropped",
        "What was redacted is shown.",
        "redaction-added",
        "Something is redacted that was shown.",
    )
    yield from _both(
        "exclusion-dropped", "It is no longer kept out by name.", "exclusion-added", "It is kept out by name."
    )


def _words() -> Iterator[Rule]:
    yield _same("description-changed", Direction.PROMPT, "A changed description is a changed prompt.")
    yield _same("name-changed", Direction.PROMPT, "The model knows it under another name.")
    yield _same("state-text-changed", Direction.PROMPT, "The model is told something else about its state.")
    yield from _both(
        "state-available",
        "It can be used where it could not be used before.",
        "state-unavailable",
        "It can't be used there before something enables it.",
    )


def _whole() -> Iterator[Rule]:
    yield Rule(
        "runtime-unobserved",
        Direction.WIDENING,
        "The policies of the whole runtime are no longer on record.",
        "runtime-observed",
    )
    yield Rule(
        "runtime-observed",
        Direction.NEUTRAL,
        "The policies of the whole runtime are on record now.",
        "runtime-unobserved",
    )
    yield from _both(
        "phase-lost",
        "The policy is no longer asked in this phase.",
        "phase-gained",
        "The policy is asked in this phase as well.",
    )
    yield from _both(
        "proof-lost",
        "The contract no longer says that it is complete.",
        "proof-gained",
        "The contract says that it is complete.",
    )
    yield from _both(
        "external-added",
        "Somebody else's package contributes capabilities.",
        "external-removed",
        "A package no longer contributes capabilities.",
    )
    yield _opaque(
        "external-changed",
        "What the package contributes, or what pins it, is another; the change itself is not in this file.",
    )
    yield _same("compiler-changed", Direction.NEUTRAL, "Another version of the compiler wrote the file.")
    yield Rule(
        "unexposed-listed", Direction.NEUTRAL, "Listed as exposed on no surface.", "unexposed-unlisted"
    )
    yield Rule(
        "unexposed-unlisted",
        Direction.NEUTRAL,
        "No longer listed as exposed on no surface.",
        "unexposed-listed",
    )
    yield Rule(
        "inventory-vanished",
        Direction.WIDENING,
        "The inventory is gone, so what it listed can't be seen.",
        "inventory-appeared",
    )
    yield Rule(
        "inventory-appeared",
        Direction.NEUTRAL,
        "There was no inventory of this kind before.",
        "inventory-vanished",
    )


def _paths() -> Iterator[Rule]:
    yield Rule(
        "two-paths",
        Direction.BREACH,
        "A model can reach it directly and through a screen: one operation must have one path that a model sees.",
        "two-paths-ended",
    )
    yield Rule(
        "two-paths-ended", Direction.NARROWING, "It has one path that a model sees again.", "two-paths"
    )
    yield Rule(
        "gated-bindable",
        Direction.BREACH,
        "It is gated, and a screen can bind it: a call through a binding counts as the person's own and passes the gate.",
        "gated-unbound",
    )
    yield Rule(
        "gated-unbound",
        Direction.NARROWING,
        "It is gated, and no screen can bind it any more.",
        "gated-bindable",
    )


_GAPS: Mapping[GapKind, tuple[str, str, str, str]] = {
    GapKind.TYPE: ("type-added", "more types are let through", "type-removed", "fewer types are let through"),
    GapKind.VALUES: (
        "values-added",
        "more values are let through",
        "values-removed",
        "fewer values are let through",
    ),
    GapKind.RANGE: (
        "range-loosened",
        "a wider range is let through",
        "range-tightened",
        "a narrower range is let through",
    ),
    GapKind.LENGTH: (
        "length-loosened",
        "more lengths are let through",
        "length-tightened",
        "fewer lengths are let through",
    ),
    GapKind.FORM: (
        "form-loosened",
        "other forms are let through",
        "form-tightened",
        "some forms are no longer let through",
    ),
    GapKind.ITEMS: ("items-loosened", "items may repeat", "items-tightened", "items may not repeat"),
    GapKind.OPTIONAL: (
        "field-optional",
        "a field may be left out",
        "field-required",
        "a field must be there",
    ),
    GapKind.FIELD: ("field-added", "there is one more field", "field-removed", "a field is gone"),
    GapKind.OPEN: (
        "opened",
        "fields that are not listed are let through",
        "closed",
        "only listed fields are let through",
    ),
    GapKind.ALTERNATIVES: (
        *("alternatives-added", "something is let through that fits none of the old alternatives"),
        *("alternatives-removed", "something that was let through fits none of the alternatives"),
    ),
}
_SIDES = {"input": "The model can ask for more", "output": "More can be disclosed"}
_FEWER = {"input": "The model can ask for less", "output": "Less can be disclosed"}


def _schemas(side: str) -> Iterator[Rule]:
    for gain, gain_reason, loss, loss_reason in _GAPS.values():
        yield from _both(
            f"{side}-{gain}",
            f"{_SIDES[side]}: {gain_reason}.",
            f"{side}-{loss}",
            f"{_FEWER[side]}: {loss_reason}.",
        )
    yield _opaque(f"{side}-unreadable", f"The {side} schema uses what this suite can't compare.")
    yield _same(
        f"{side}-text-changed", Direction.PROMPT, f"The words in the {side} schema are part of the prompt."
    )
    yield _same(f"{side}-rewritten", Direction.NEUTRAL, f"The {side} schema accepts the same as before.")


def _of_one_side() -> Iterator[Rule]:
    yield _opaque(
        "input-hash-changed", "Only a hash of the input schema is on record, so the change can't be read."
    )
    yield _opaque(
        "input-default-changed",
        "What happens when a field is left out differs, and a schema does not say how.",
    )
    yield _same(
        "output-default-changed", Direction.PROMPT, "A default in an output schema is a word to its reader."
    )


def _table() -> Mapping[str, Rule]:
    rules: dict[str, Rule] = {}
    parts = (_paths(), _entries(), _audience(), _effects(), _gates(), _words(), _whole())
    for part in (*parts, _schemas("input"), _schemas("output"), _of_one_side()):
        for rule in part:
            if rule.id in rules:
                raise ValueError(f"the rule {rule.id} stands twice in the table")
            rules[rule.id] = rule
    return rules


RULES: Mapping[str, Rule] = _table()
"""Every rule by its id."""


def gap_rule(side: str, kind: GapKind, *, wider: bool) -> Rule:
    """Return the rule for a gap between two schemas; `side` is `input` or `output`."""
    if kind is GapKind.UNREADABLE:
        return RULES[f"{side}-unreadable"]
    gain, _, loss, _ = _GAPS[kind]
    return RULES[f"{side}-{gain if wider else loss}"]
