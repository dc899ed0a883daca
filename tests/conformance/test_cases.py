"""Requirements and cases belong together, cite what they rest on, and know no target by name."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from conformance.case_index import all_cases
from conformance.catalogue import Level, Requirement, load_catalogue
from conformance.target_file import load_target
from tests.sources import ROOT, sources

HEADINGS = {
    "The dual-plane model": (
        "The problem",
        "The idea",
        "What is not on either plane",
        "Bind for context, gate for consequence",
        "What this buys you",
        "The invariants",
        "Where the layers sit",
    ),
    "Architecture": (
        "Why each layer exists",
        "The rule that decides a capability's shape",
        "The transport",
        "State, identity, reconciliation",
    ),
    "A2UI architecture": ("Introduction", "Trust boundary", "Deliberate v0.1 limits"),
}
"""The founding documents and their headings; a number after a heading picks an item of its list."""

NOTES = {
    "Protocol notes": "docs/protocol-notes.md",
    "The tab protocol": "docs/tab-protocol.md",
    "The A2UI contract": "docs/a2ui.md",
}
"""What this project wrote down itself where the founding documents leave something open."""

ROWS = list(load_catalogue())
CASES = list(sources("conformance/cases"))


def founding_heading(source: str) -> bool:
    """Whether a source names a heading of a founding document, with or without the number of an item."""
    return any(
        re.fullmatch(rf"{re.escape(document)}, {re.escape(heading)}(, [1-9])?", source)
        for document, headings in HEADINGS.items()
        for heading in headings
    )


def noted_heading(source: str) -> bool:
    """Whether a source names a heading of one of our own documents."""
    document, _, heading = source.partition(", ")
    if document not in NOTES:
        return False
    return f"## {heading}" in (ROOT / NOTES[document]).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_requirement_cites_what_it_rests_on(row: Requirement) -> None:
    """A MUST rests on a sentence of the founding documents or on a contract that says it is ours; a SHOULD may rest on our notes."""
    may_be_noted = row.level is Level.SHOULD or row.own_contract

    assert founding_heading(row.source) or (may_be_noted and noted_heading(row.source)), row.source


def test_every_requirement_has_a_case() -> None:
    """A sentence that nothing shows is a wish."""
    shown = {case.requirement for case in all_cases()}

    assert [] == [row.id for row in ROWS if row.id not in shown]


def test_every_requirement_names_the_fault_that_turns_it_red() -> None:
    """A case that has never failed has not been tested."""
    assert [] == [row.id for row in ROWS if not row.faults]


def case_functions() -> Iterator[tuple[str, ast.AST]]:
    """Every function in the case files whose name says that it is a case, wherever it stands."""
    for source in CASES:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield f"{source.path.name}::{node.name}", node


def test_every_case_shows_one_requirement_of_the_catalogue() -> None:
    """Cases are plain functions with one marker, so that `explain` and a reader find them; none checks two things."""
    marked = Counter(f"{case.file}::{case.name}" for case in all_cases())

    assert {name: 1 for name, _ in case_functions()} == dict(marked)
    assert [] == [case for case in all_cases() if case.requirement not in load_catalogue().by_id]


def test_case_names_are_unique() -> None:
    """`--case` picks one by its name alone."""
    names = Counter(name.partition("::")[2] for name, _ in case_functions())

    assert [] == [name for name, count in names.items() if count > 1]


def named_by_the_reference_app() -> set[str]:
    """What belongs to the reference app alone: ids, addresses, people, secrets; not words that everybody uses."""
    target = load_target("reference")
    roles = target.roles.values()
    calls = [call for call in (target.controls.reset, target.controls.freeze_clock) if call is not None]
    names = {role.capability for role in roles} | {role.procedure for role in roles}
    names |= {role.prepare.procedure for role in roles if role.prepare is not None}
    names |= {role.canary for role in roles} | {read.procedure for read in target.reads.values()}
    names |= {view.capability for view in target.view.values()}
    names |= {route.pathname for route in target.routes.values()}
    names |= set(target.identities) | {identity.user for identity in target.identities.values()}
    names |= {identity.token.name for identity in target.identities.values()}
    names |= {str(path) for path in target.paths.model_dump().values() if path} | {
        call.path for call in calls
    }
    return names - {""}


def test_cases_know_no_target_by_name() -> None:
    """Capabilities, addresses and people come from the target file; a case that names one grades one application only."""
    pattern = re.compile(
        "|".join(rf"(?<![\w/-]){re.escape(name)}(?![\w-])" for name in named_by_the_reference_app())
    )
    found = {
        source.name: hits
        for source in CASES
        if (hits := [text for text in source.strings if pattern.search(text)])
    }

    assert {} == found


def test_no_case_looks_at_a_prompt() -> None:
    """No rule of the stack is enforced by a system prompt, so none can be shown by its text."""
    found = {
        source.name: lines
        for source in CASES
        if (
            lines := [
                node.lineno
                for node in ast.walk(source.tree)
                if isinstance(node, ast.Attribute) and node.attr == "system"
            ]
        )
    }

    assert {} == found
