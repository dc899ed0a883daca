"""What a target file lacks is read from the cases themselves, and agrees with what runs say."""

import pytest

from conformance.catalogue import load_catalogue
from conformance.means import has, means_of, unasked
from conformance.needs import all_needs, needs_of
from conformance.target import Target
from conformance.target_file import load_target, parse_target
from tests.conformance.target_text import LAUNCHED, MINIMAL


def gaps(target: Target) -> dict[str, set[str]]:
    """The keys that a file lacks, by requirement of a claimed profile."""
    found: dict[str, set[str]] = {}
    for means in means_of(target, load_catalogue()):
        for gap in means.gaps if means.claimed else ():
            for name in gap.requirements:
                found.setdefault(name, set()).add(gap.key)
    return found


def test_every_requirement_with_cases_is_known() -> None:
    """A case that the reader passes over would be reported as having all it needs."""
    assert set(load_catalogue().by_id) == set(all_needs())


@pytest.mark.parametrize(
    ("file", "case", "key"),
    [
        ("test_approvals.py", "test_gated_call_changes_nothing", "roles.gated"),
        ("test_approvals.py", "test_gated_call_changes_nothing", "reads"),
        ("test_approvals.py", "test_expired_approval_runs_nothing", "timers.approval_ttl"),
        ("test_approvals.py", "test_expired_approval_runs_nothing", "controls.advance_clock"),
        ("test_host.py", "test_gate_without_instructions", "launch.variants.no_instructions"),
        ("test_identity.py", "test_change_of_rights_counts_at_once", "identities (two with full rights)"),
        ("test_authority.py", "test_hidden_capabilities_are_not_offered", "hidden_from"),
        ("test_view_screen.py", "test_observation_tells_what_the_person_sees", "tab.acts.sort"),
        ("test_threads.py", "test_nobody_else_deletes", "identities (two with full rights)"),
    ],
)
def test_needs_are_found_where_they_stand(file: str, case: str, key: str) -> None:
    """In the case, in a function that it calls, in its parameters, or in the suite's own modules."""
    assert key in needs_of(file, case)


@pytest.mark.parametrize("name", ["reference", "reference-a2ui"])
def test_complete_file_lacks_nothing(name: str) -> None:
    """The reference app's files are the measure: what is asked for there and is not there would be a false alarm."""
    assert {} == gaps(load_target(name))


def test_bare_file_lacks_nearly_everything() -> None:
    """Identities and routes come first."""
    lacking = gaps(parse_target(MINIMAL, "tiny.toml"))

    assert "identities (one with full rights)" in lacking["CATALOG-10"]
    assert "routes.main" not in lacking.get("STEP-01", set())


def test_entry_counts_as_soon_as_it_is_there() -> None:
    """A role that the file has is no gap; one that it has not is."""
    tiny = parse_target(LAUNCHED, "tiny.toml")

    assert (True, False, True, False) == (
        has(tiny, "roles.gated"),
        has(tiny, "roles.write"),
        has(tiny, "identities (one with full rights)"),
        has(tiny, "identities (two with full rights)"),
    )


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('[roles.tolerantt]\ncapability = "domain:list-things"', "roles.tolerantt: no case asks for it; did you mean tolerant?"),
        ('[tab]\ncommand = ["tab"]\n[tab.acts]\nsrot = { name = "sort" }', "tab.acts.srot: no case asks for it; did you mean sort?"),
        ('[view.something]\ncapability = "view:a.b"', "view.something: no case asks for it"),
    ],
)  # fmt: skip
def test_entry_that_no_case_asks_for_is_named(entry: str, told: str) -> None:
    """The names of roles are free in the file's shape; a misspelled one would quietly turn cases untested."""
    assert [told] == list(unasked(parse_target(f"{LAUNCHED}\n{entry}\n", "tiny.toml")))


def test_role_that_is_hidden_from_somebody_is_of_use() -> None:
    """`hidden_from` names roles that need not play another part."""
    entry = '[roles.secret]\ncapability = "domain:secret"\n[hidden_from]\nada = ["secret"]\n'

    assert [] == list(unasked(parse_target(f"{LAUNCHED}\n{entry}", "tiny.toml")))


@pytest.mark.parametrize("name", ["reference", "create-dpas-app"])
def test_shipped_files_hold_nothing_unused(name: str) -> None:
    """They are what people copy from."""
    assert [] == list(unasked(load_target(name)))
