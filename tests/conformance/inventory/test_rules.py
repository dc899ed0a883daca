"""The rule table: complete, mirrored, and true of an example of each rule in both directions."""

import pytest

from conformance.inventory.diff import diff
from conformance.inventory.model import Kind
from conformance.inventory.rules import RULES, Direction, Rule
from tests.conformance.inventory.examples import EXAMPLES, Example
from tests.conformance.inventory.samples import domain, domain_entry, found, inventory

ONLY_WITH_A_MISSING_SIDE = {"inventory-vanished", "inventory-appeared"}
BESIDE = {
    "two-paths": {("place-gained", "")},
    "gated-bindable": {("surface-lost", "aiSdk")},
    "two-paths-ended": {("place-lost", "")},
    "gated-unbound": {("surface-gained", "aiSdk")},
}
"""What an example that spans several fields gives besides."""


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_every_rule_has_its_mirror(rule: Rule) -> None:
    """A change and its undoing are two rows, or one row that is its own mirror; neither may be missing."""
    assert RULES[RULES[rule.mirror].mirror] is rule


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_what_can_not_be_read_is_widening_both_ways(rule: Rule) -> None:
    """Fail closed: an opaque change is its own mirror and widening."""
    if rule.opaque:
        assert (Direction.WIDENING, rule.id) == (rule.direction, rule.mirror)


def test_no_narrowing_lacks_a_widening() -> None:
    """What narrows one way must widen the other, or the table would call a loosening harmless."""
    mirrored = {
        RULES[rule.mirror].direction for rule in RULES.values() if rule.direction is Direction.NARROWING
    }

    assert {Direction.WIDENING, Direction.BREACH} == mirrored


def test_every_rule_has_an_example() -> None:
    """A row that nothing reaches protects nobody."""
    shown = {example.rule for example in EXAMPLES}
    shown |= {RULES[rule].mirror for rule in shown}

    assert set(RULES) - ONLY_WITH_A_MISSING_SIDE == shown


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_the_example_gives_its_rule(example: Example) -> None:
    """The change gives exactly the finding that the row describes."""
    expected = {(example.rule, example.detail)} | BESIDE.get(example.rule, set())

    assert expected == set(found(example.old, example.new))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_the_example_backwards_gives_the_mirror(example: Example) -> None:
    """The same change undone gives exactly the mirror."""
    mirror = RULES[example.rule].mirror
    expected = {(mirror, example.detail)} | BESIDE.get(mirror, set())

    assert expected == set(found(example.new, example.old))


def test_an_inventory_that_vanishes_is_widening() -> None:
    """What is no longer listed can't be seen, so its disappearance must not look like a narrowing alone."""
    there = inventory(domain(domain_entry()))

    gone = [(f.change.rule, f.direction) for f in diff([(there, None)]).findings]
    come = [(f.change.rule, f.direction) for f in diff([(None, there)]).findings]

    assert ("inventory-vanished", Direction.WIDENING) in gone
    assert ("capability-added", Direction.WIDENING) in come
    assert ("inventory-appeared", Direction.NEUTRAL) in come
    assert Kind.DOMAIN is there.kind
