"""Inventories at random: few names and few values for each field, so that two of them have much in common and much not."""

from typing import Any

from hypothesis import strategies as st

from tests.conformance.inventory.samples import (
    Json,
    closed_object,
    contract,
    contract_entry,
    domain,
    domain_entry,
    offer,
    offered,
    place,
)

TEXT: Json = {"type": "string"}
SCHEMAS = st.sampled_from(
    [
        closed_object(),
        closed_object(a=TEXT),
        closed_object(a=TEXT, required=["a"]),
        closed_object(a=TEXT | {"maxLength": 5}),
        closed_object(a={"enum": ["x"]}),
        closed_object(a={"enum": ["x", "y"]}, b={"type": "integer", "minimum": 1}),
        closed_object(a=TEXT, b={"type": "integer"}),
        {"type": "object", "properties": {"a": TEXT}},
        {"type": "object"},
    ]
)
READABLE_OR_NOT = SCHEMAS | st.sampled_from([{"not": TEXT}, closed_object(a={"oneOf": [TEXT]})])
DESCRIPTIONS = st.sampled_from(["Issue a note.", "Issue a note now."])
MAYBE_RETRY = st.none() | st.builds(
    lambda most, limited: {"maxAttempts": most, "retryOn": limited}, st.integers(0, 2), st.booleans()
)


def subset(*names: str) -> st.SearchStrategy[list[str]]:
    """A sorted list of some of these names."""
    return st.sets(st.sampled_from(names)).map(sorted)


DOMAIN_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "description": DESCRIPTIONS,
    "sideEffect": st.sampled_from(["read", "write", "destructive", "teleport"]),
    "risk": st.sampled_from(["low", "high"]),
    "expose": subset("aiSdk", "direct", "mcp"),
    "approval": st.sampled_from([None, {"required": True}, {"required": False}]),
    "idempotent": st.booleans(),
    "retry": MAYBE_RETRY,
    "tags": subset("notes", "clients"),
    "policies": st.permutations(["owner", "hours"]).flatmap(
        lambda names: st.sampled_from([[], names[:1], names])
    ),
    "redact": st.sampled_from([None, {"output": True}, {"output": True, "approvalInput": True}]),
}
CONTRACT_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "description": DESCRIPTIONS,
    "effect": st.sampled_from(["read", "local-state", "navigation", "teleport"]),
    "confirmation": st.sampled_from([None, "never", "optional", "required"]),
    "declarationId": st.sampled_from(["app/a.ts#one", "app/b.ts#two"]),
    "targets": subset("admin", "web"),
    "tags": subset("notes", "clients"),
    "policies": st.sampled_from([[], [{"name": "owner"}], [{"name": "owner", "phase": "discovery"}]]),
    "inputSchema": READABLE_OR_NOT,
    "outputSchema": st.none() | READABLE_OR_NOT,
}
OFFER_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "description": DESCRIPTIONS,
    "executor": st.sampled_from(["server", "browser"]),
    "effect": st.sampled_from([None, "read", "write", "destructive"]),
    "approval": st.sampled_from([None, True, False]),
    "inputSchema": READABLE_OR_NOT,
    "state": st.sampled_from([{"available": True}, {"available": False, "text": "Select a row."}]),
}


def some(
    names: list[str], entry: Any, fields: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[list[Json]]:
    """Entries for some of these names, each with its fields at random."""
    one = st.fixed_dictionaries(fields)
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, one)).map(
        lambda chosen: [entry(name, **values) for name, values in sorted(chosen.items())]
    )


DOMAINS = st.builds(
    lambda entries, runtime, excluded: domain(*entries, runtime=runtime, excluded=excluded),
    some(["issue-note", "list-notes"], domain_entry, DOMAIN_FIELDS),
    st.sampled_from(
        [
            None,
            {"policies": []},
            {"policies": [{"name": "gate", "phases": ["invocation"]}]},
            {"policies": [{"name": "gate", "phases": []}]},
        ]
    ),
    subset("wipe"),
)
CONTRACTS = st.builds(
    lambda entries, external: contract(*entries, externalContracts=external),
    some(["view:notes.table.setFilter", "view:notes.table.read"], contract_entry, CONTRACT_FIELDS),
    st.sampled_from([[], [{"package": "widgets", "contractDigest": "1"}]]),
)
PLACES = [place("ada"), place("bob"), place("ada", "other")]


@st.composite
def offers(draw: st.DrawFn) -> Json:
    """Offered capabilities: each name in one way here and perhaps in another way there."""
    fields = st.fixed_dictionaries(OFFER_FIELDS)
    entries: list[Json] = []
    for name in ("domain:issue-note", "view:notes.table.read"):
        where = draw(st.lists(st.sampled_from(range(len(PLACES))), unique=True))
        split = [[PLACES[at] for at in part] for part in (where[:1], where[1:]) if part]
        entries += [offer(name, *places, **draw(fields)) for places in split]
    return offered(*entries, places=PLACES)


INVENTORIES = {"domain": DOMAINS, "contract": CONTRACTS, "offered": offers()}
