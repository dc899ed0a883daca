"""The difference as a whole: it mirrors, hides nothing, moves what moved, and puts together what belongs together."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from conformance.inventory.diff import diff
from conformance.inventory.finding import Diff
from conformance.inventory.rules import RULES, Direction
from tests.conformance.inventory.samples import (
    Json,
    closed_object,
    contract,
    contract_entry,
    differ,
    domain,
    domain_entry,
    found,
    inventory,
    offer,
    offered,
    only,
    place,
)
from tests.conformance.inventory.strategies import CONTRACT_FIELDS, DOMAIN_FIELDS, INVENTORIES

GRAVE = (Direction.BREACH, Direction.WIDENING)
QUIET = (Direction.PROMPT, Direction.NEUTRAL)
KINDS = st.sampled_from(sorted(INVENTORIES))
PAIRS = KINDS.flatmap(lambda kind: st.tuples(INVENTORIES[kind], INVENTORIES[kind]))
TRIPLES = KINDS.flatmap(lambda kind: st.tuples(INVENTORIES[kind], INVENTORIES[kind], INVENTORIES[kind]))
relaxed = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def told(difference: Diff) -> set[tuple[str, ...]]:
    """What a difference says, as far as its undoing must say the same."""
    return {
        (f.change.rule, f.subject, f.change.detail, f.change.before, f.change.after, *map(str, f.places))
        for f in difference.findings
        if not f.rule.opaque
    }


def backwards(difference: Diff) -> set[tuple[str, ...]]:
    """What the undoing of a difference must say."""
    return {
        (f.rule.mirror, f.subject, f.change.detail, f.change.after, f.change.before, *map(str, f.places))
        for f in difference.findings
        if not f.rule.opaque
    }


def is_wider(old: Json, new: Json) -> bool:
    """Whether a change has anything grave."""
    return any(finding.direction in GRAVE for finding in differ(old, new).findings)


@relaxed
@given(PAIRS)
def test_a_difference_mirrors_its_undoing(pair: tuple[Json, Json]) -> None:
    """diff(a, b) and diff(b, a) are the same changes under their mirror rules; what can't be read is widening both ways."""
    old, new = pair
    there, back = differ(old, new), differ(new, old)

    assert told(there) == backwards(back)
    assert {(f.subject, f.change.rule) for f in there.findings if f.rule.opaque} == {
        (f.subject, f.change.rule) for f in back.findings if f.rule.opaque
    }


@relaxed
@given(KINDS.flatmap(lambda kind: INVENTORIES[kind]))
def test_an_inventory_does_not_differ_from_itself(document: Json) -> None:
    """A finding without a change would teach reviewers to look away."""
    assert () == differ(document, document).findings


@relaxed
@given(PAIRS)
def test_any_change_of_an_inventory_is_found(pair: tuple[Json, Json]) -> None:
    """Two inventories that say different things never compare as equal."""
    old, new = pair
    assume(inventory(old) != inventory(new))
    # what is on record for nobody, an exposure that is absent or false, reads the same and is the same

    assert differ(old, new).findings


@relaxed
@given(TRIPLES)
def test_a_widening_can_not_be_taken_in_harmless_steps(chain: tuple[Json, Json, Json]) -> None:
    """If the whole way widens, one of its steps does: no change becomes harmless by being made in two parts."""
    first, second, third = chain
    # what is exposed nowhere may come without a word: exposing it is the widening then
    assume(all(entry.get("expose", True) for entry in second["capabilities"] + third["capabilities"]))
    assume(is_wider(first, third))

    assert is_wider(first, second) or is_wider(second, third)


@relaxed
@given(st.data())
def test_a_widening_is_not_hidden_by_other_changes_to_the_same_capability(data: st.DataObject) -> None:
    """Each field is judged on its own: whatever else changes with it, a loosened field is told."""
    entry, build, fields = data.draw(
        st.sampled_from([(domain_entry, domain, DOMAIN_FIELDS), (contract_entry, contract, CONTRACT_FIELDS)])
    )
    one, other = data.draw(st.lists(st.sampled_from(sorted(fields)), min_size=2, max_size=2, unique=True))
    # whether retries matter depends on the effect, so that the two can't be judged apart
    assume({one, other} != {"retry", "sideEffect"})
    base = {name: data.draw(values) for name, values in fields.items()}
    first = base | {one: data.draw(fields[one])}
    both = first | {other: data.draw(fields[other])}
    alone = differ(build(entry(**base)), build(entry(**first)))
    together = differ(build(entry(**base)), build(entry(**both)))

    grave = {(f.change.rule, f.change.detail) for f in alone.findings if f.direction is Direction.WIDENING}
    assert grave <= {(f.change.rule, f.change.detail) for f in together.findings}


@relaxed
@given(PAIRS)
def test_a_widening_is_not_hidden_by_what_changes_nothing(pair: tuple[Json, Json]) -> None:
    """Other words after a widening do not take it back."""
    old, new = pair
    entries = [entry | {"description": "Other words."} for entry in new["capabilities"]]
    rest = {key: value for key, value in new.items() if key not in ("capabilities", "hash")}
    reworded = contract(*_bare(entries), **rest) if "hash" in new else rest | {"capabilities": entries}
    assert all(finding.direction in QUIET for finding in differ(new, reworded).findings)
    assume(is_wider(old, new))

    assert is_wider(old, reworded)


def _bare(entries: list[Json]) -> list[Json]:
    return [{key: value for key, value in entry.items() if key != "contractHash"} for entry in entries]


def test_targets_that_come_and_go_at_once_are_both() -> None:
    """The public tool calls a swap of targets neutral; what is shipped to a new target is a new audience all the same."""
    changes = found(contract(contract_entry(targets=["web"])), contract(contract_entry(targets=["admin"])))

    assert [("target-gained", "admin"), ("target-lost", "web")] == changes


@pytest.mark.parametrize("effect", ["teleport", "destructive"])
def test_an_effect_that_is_not_known_ranks_highest(effect: str) -> None:
    """Something that nobody here has heard of may do anything."""
    known = contract(contract_entry(effect="navigation"))
    raised = contract(contract_entry(effect=effect))

    assert ("effect-raised", Direction.WIDENING) == (
        only(known, raised).change.rule,
        only(known, raised).direction,
    )
    assert ("effect-lowered", Direction.WIDENING) == (
        only(raised, known).change.rule,
        only(raised, known).direction,
    )


def test_a_moved_declaration_keeps_its_changes() -> None:
    """A move is no removal with an addition, and what changed on the way is told beside it."""
    old = contract(contract_entry(declarationId="app/a.ts#one", confirmation="required"))
    new = contract(contract_entry(declarationId="app/b.ts#two", origin="app/b.ts"))

    assert [("confirmation-lowered", ""), ("declaration-moved", "")] == found(old, new)


def test_moves_are_matched_by_content_first() -> None:
    """Of two declarations of one capability, the one that is the same elsewhere is the one that moved."""
    old = contract(contract_entry(declarationId="a", effect="navigation"), contract_entry(declarationId="b"))
    new = contract(contract_entry(declarationId="c"), contract_entry(declarationId="d", effect="navigation"))

    assert [("declaration-moved", ""), ("declaration-moved", "")] == found(old, new)


def test_two_declarations_of_one_capability_stay_two() -> None:
    """The second declaration of a capability is a second way to it, not a change of the first."""
    old = contract(contract_entry(declarationId="a"))
    new = contract(contract_entry(declarationId="a"), contract_entry(declarationId="b"))

    assert [("capability-added", "")] == found(old, new)


def test_an_operation_that_is_offered_directly_and_bound_by_a_screen_is_a_breach() -> None:
    """Only both planes together show it: neither file alone says anything unusual."""
    chase = contract_entry("domain:chase", kind="procedure", effect="server-mutation")
    hidden = domain(domain_entry("chase", expose=["direct"]))
    direct = domain(domain_entry("chase", expose=["aiSdk", "direct"]))

    pairs = [(inventory(hidden), inventory(direct)), (inventory(contract(chase)), inventory(contract(chase)))]
    findings = diff(pairs).findings

    assert [("two-paths", "domain:chase"), ("surface-gained", "domain:chase")] == [
        (finding.change.rule, finding.subject) for finding in findings
    ]


@pytest.mark.parametrize(
    "fields", [{"approval": {"required": True}}, {"sideEffect": "destructive"}, {"sideEffect": "teleport"}]
)
def test_a_gated_operation_that_a_screen_binds_is_a_breach(fields: Json) -> None:
    """A binding reaches the server as the person's own call, which no gate stops. A runtime policy may gate without being named."""
    gated = domain(domain_entry("wipe", expose=["direct"], **fields))
    bound = contract(contract_entry("domain:wipe", kind="procedure"))

    pairs = [(inventory(gated), inventory(gated)), (inventory(contract()), inventory(bound))]

    assert [("gated-bindable", Direction.BREACH), ("capability-added", Direction.WIDENING)] == [
        (finding.change.rule, finding.direction) for finding in diff(pairs).findings
    ]


def test_the_same_change_in_several_places_is_one_finding() -> None:
    """A reviewer reads a new description once, with everybody who is told it."""
    places = [place("ada"), place("bob")]

    def document(description: str) -> Json:
        return offered(
            offer("domain:issue-note", places[0], description=description, approval=True),
            offer("domain:issue-note", places[1], description=description),
            places=places,
        )

    finding = only(document("Old."), document("New."))

    assert ("description-changed", ("ada on main", "bob on main")) == (
        finding.change.rule,
        tuple(map(str, finding.places)),
    )


def test_a_place_that_is_seen_for_the_first_time_is_one_finding() -> None:
    """A new identity must not bury the review under everything that it is offered."""
    old = offered(offer(), places=[place()])
    new = offered(offer("domain:issue-note", place(), place("bob")), places=[place(), place("bob")])

    assert [("place-observed", "bob on main")] == found(old, new)


def test_fingerprints_bind_the_exact_change() -> None:
    """Approving one thing can never let another pass: another content, another place or another subject is another print."""

    def printed(**fields: Any) -> str:
        return only(domain(), domain(domain_entry(**fields))).fingerprint

    base = printed()
    others = [
        printed(description="Other."),
        printed(sideEffect="read"),
        printed(tags=["x"]),
        printed(id="other"),
    ]

    assert base == printed()
    assert 5 == len({base, *others})


def test_fingerprints_of_schema_changes_bind_the_whole_schema() -> None:
    """A field that was approved with one shape is not approved with another."""
    old = contract(contract_entry(inputSchema=closed_object()))
    short = contract(contract_entry(inputSchema=closed_object(note={"type": "string", "maxLength": 10})))
    long = contract(contract_entry(inputSchema=closed_object(note={"type": "string"})))

    assert only(old, short).fingerprint != only(old, long).fingerprint


def test_fingerprints_stay_when_something_else_changes() -> None:
    """An approval holds while the pull request goes on."""
    old = domain(domain_entry())
    new = domain(domain_entry(risk="low"))
    more = domain(domain_entry(risk="low", description="Other words."), domain_entry("another"))

    assert only(old, new).fingerprint in {finding.fingerprint for finding in differ(old, more).findings}


def test_fingerprints_are_stable() -> None:
    """Approvals outlive releases, so a fingerprint that moves is a breaking change of this command."""
    finding = only(domain(domain_entry()), domain(domain_entry(risk="low")))

    assert "1feca193447df43168f3a837ba00f8f6" == finding.fingerprint


def test_every_rule_belongs_to_the_table() -> None:
    """A finding under a rule that is not in the table could have any direction."""
    assert all(rule.id == name for name, rule in RULES.items())
