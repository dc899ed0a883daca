"""Reading inventories: three formats, their versions, and files that are damaged or made to harm."""

import json
from typing import Any

import pytest

from conformance.inventory.errors import FormatError
from conformance.inventory.model import Approval, Kind, Place, Policy, Retry, Schema, SchemaHash, Unknown
from conformance.inventory.reading import read_inventory
from tests.conformance.inventory.samples import (
    Json,
    closed_object,
    contract,
    contract_entry,
    domain,
    domain_entry,
    inventory,
    offer,
    offered,
    place,
    text_of,
)


def refusal(content: bytes | Json) -> str:
    """What is said about a file that can't be read."""
    data = content if isinstance(content, bytes) else text_of(content).encode()
    with pytest.raises(FormatError) as caught:
        read_inventory(data, "bad.json")
    return str(caught.value)


def test_a_domain_snapshot_is_read() -> None:
    """Every field of the format has its place in the one model."""
    entry = domain_entry(
        approval={"required": True, "type": "human", "expiresInMs": 60000},
        retry={"maxAttempts": 2, "backoffMs": 10, "retryOn": True},
        redact={"output": True, "approvalInput": False},
        policies=["owner"],
        timeoutMs=5000,
        quota=5,
    )

    read = inventory(domain(entry, excluded=["wipe"], unexposed=["idle"]))
    (capability,) = read.capabilities

    assert (Kind.DOMAIN, frozenset({"domain:wipe"}), frozenset({"domain:idle"})) == (
        read.kind,
        read.excluded,
        read.unexposed,
    )
    assert "domain:issue-note" == capability.id
    assert Approval(required=True, type="human", expires_in_ms=60000) == capability.approval
    assert Retry(2, 10, limited=True) == capability.retry
    assert frozenset({"output"}) == capability.redacted
    assert (Policy("owner"),) == capability.policies
    assert SchemaHash("sha256:" + "1" * 64) == capability.input
    assert (Unknown("quota", "5"),) == capability.unknown


def test_a_version_1_snapshot_has_no_runtime() -> None:
    """The older version does not say which policies guard everything, which is not the same as none."""
    read = inventory(domain(domain_entry(), version=1, runtime=None))

    assert read.runtime is None
    assert () == inventory(domain(runtime={"policies": []})).runtime


def test_a_surface_contract_is_read() -> None:
    """Schemas are kept as they are, an absent confirmation is `never`, and an external contract keeps what pins it."""
    entry = contract_entry(policies=[{"name": "owner", "phase": "discovery"}], tags=["notes"])
    external = {"package": "widgets", "contractDigest": "1"}

    read = inventory(contract(entry, externalContracts=[external]))
    (capability,) = read.capabilities

    assert (Kind.SURFACE, True, frozenset({"web"})) == (read.kind, read.proven, read.targets)
    assert ("never", (Policy("owner", "discovery"),)) == (capability.confirmation, capability.policies)
    assert Schema(
        json.dumps(closed_object(text={"type": "string"}), sort_keys=True, separators=(",", ":"))
    ) == (capability.input)
    assert '{"contractDigest":"1"}' == read.externals[0].text


def test_offered_capabilities_are_read() -> None:
    """Our own format says for each way of offering who is offered it so."""
    places = [place("ada"), place("bob", mode="meta")]

    read = inventory(offered(offer("domain:issue-note", *places), places=places))
    (found,) = read.offers

    assert frozenset({Place("ada", "main", "direct"), Place("bob", "main", "meta")}) == found.places
    assert ("server", Approval(required=False)) == (found.capability.kind, found.capability.approval)


def test_order_does_not_matter() -> None:
    """Sets are sets: a file that another tool wrote in another order holds the same."""
    one = domain(domain_entry(expose=["direct", "aiSdk"], tags=["b", "a"]))
    other = domain(domain_entry(expose=["aiSdk", "direct"], tags=["a", "b"]))

    assert inventory(one) == inventory(other)


def test_a_contract_that_was_altered_is_refused() -> None:
    """Somebody who edits a contract by hand could hide a change from whoever only compares hashes."""
    message = refusal(contract(contract_entry()) | {"compilerVersion": "9.9.9"})

    assert "the hash of the contract" in message
    assert "compile the contract again" in message


def test_an_entry_that_was_altered_under_a_fitting_total_is_refused() -> None:
    """The total alone is not enough: the hash of each entry must fit as well."""
    document = contract(contract_entry())
    forged = document["capabilities"][0] | {"effect": "read"}
    rest = {key: value for key, value in document.items() if key not in ("capabilities", "hash")}
    total = contract(**rest, capabilities=[forged])

    assert "the contractHash of the entry of view:notes.table.setFilter" in refusal(total)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b'{"version": NaN}', "NaN is not a JSON number"),
        (b'{"version": 2, "version": 1}', "the key 'version' stands twice"),
        (b'{"a": "\\ud800"}', "lone surrogate"),
        (b"[" * 5000 + b"]" * 5000, "nested too deeply"),
        (b"[]", "saw a list of 0"),
        (b"null", "saw null"),
        (b'{"name": "dualplane"}', "saw an object with `name`"),
        (b'{"formatVersion": 4}', "`formatVersion` 4, of which only 5 can be read"),
        (b'{"formatVersion": 5}', "at hash: is missing"),
        (b'{"version": 3, "capabilities": []}', "`version` 3, of which only 1 and 2 can be read"),
        (b'{"version": true, "capabilities": []}', "`version` true"),
        (b'{"version": 2.0, "capabilities": []}', "`version` 2"),
        (b'{"version": 2, "capabilities": {}}', "at capabilities: should be a list"),
        (b'{"version": 2, "capabilities": [1]}', "at capabilities[0]: should be an object, not 1"),
        (b'{"format": "dualplane-offered", "version": 9}', "`version` 9, of which only 1 can be read"),
        (b'{"format": "other", "version": 1, "capabilities": []}', "saw an object with `format`"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_says_what_was_expected(content: bytes, expected: str) -> None:
    """One line names the file, the place and what is wrong, whatever somebody commits."""
    message = refusal(content)

    assert message.startswith("bad.json: ")
    assert expected in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"risk": None}, "at capabilities[0].risk: is missing"),
        ({"idempotent": "yes"}, "at capabilities[0].idempotent: should be a valid boolean, not \"yes\""),
        ({"expose": "aiSdk"}, "at capabilities[0].expose: should be a list, not \"aiSdk\""),
        ({"id": ""}, "at capabilities[0].id: "),
        ({"timeoutMs": "5"}, "at capabilities[0].timeoutMs: should be a valid number, not \"5\""),
        ({"approval": {"required": 1}}, "at capabilities[0].approval.required: "),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named(entry: Json, expected: str) -> None:
    """Nothing is guessed from a value of the wrong type."""
    assert expected in refusal(domain(domain_entry(**entry)))


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (domain(domain_entry(), domain_entry(risk="low")), "it has two entries for issue-note"),
        (contract(contract_entry(), contract_entry()), "it has two entries for view:notes.table.setFilter in app/contracts.ts#notesTable"),
        (offered(offer(), offer(description="Other.")), "it has two entries for domain:issue-note, offered to ada on main"),
        (offered(places=[place(), place()]), "it has two entries for ada on main"),
        (offered(offer("domain:x", place("eve"))), "domain:x is offered to eve on main, which `places` does not list"),
        (domain(runtime={"policies": [{"name": "a", "phases": []}] * 2}), "it has two entries for a"),
    ],
)  # fmt: skip
def test_what_stands_twice_is_refused(document: Json, expected: str) -> None:
    """Which of two entries counts would be a guess, and an attacker would make it for us."""
    assert expected in refusal(document)


def test_messages_about_hostile_files_are_harmless() -> None:
    """Even the complaint quotes hostile text: it stays one line, without escapes or credentials."""
    document: Any = {"\x1b[2J": 1, "line\nbreak": 2, "ghp_0123456789abcdefghijABCDEFGHIJ": 3}

    message = refusal(document)

    assert message.isprintable()
    assert "⟨U+001B⟩" in message
    assert "ghp_0123456789" not in message
