"""Workflow commands: one for each change, and no text can end a command, add a property or begin another command."""

import re

from conformance.inventory.render.github import render
from tests.conformance.inventory.pages import approved_page, hostile_page, page
from tests.conformance.inventory.samples import domain, domain_entry

COMMAND = re.compile(r"::(error|warning|notice) ([a-z]+=[^:,]*(?:,[a-z]+=[^:,]*)*)::([^\r\n]*)")


def test_every_line_is_one_command() -> None:
    """The runner splits at the first `::` after the properties; nothing hostile may hold one there."""
    lines = list(render(hostile_page()))

    assert [] == [line for line in lines if not COMMAND.fullmatch(line)]


def test_properties_are_only_ours() -> None:
    """A comma or colon in an id must not become another property."""
    properties = ",".join(match[2] for line in render(hostile_page()) if (match := COMMAND.fullmatch(line)))

    assert {"title", "file", "line"} == {part.partition("=")[0] for part in properties.split(",")}


def test_what_fails_is_an_error() -> None:
    """A failing change is red; an approved widening is a warning with its reason; the counts come last."""
    lines = list(render(approved_page()))

    assert any(line.startswith("::error ") and "idempotent-claimed" in line for line in lines)
    assert any(
        line.startswith("::warning ") and "approved: Agreed on. (until 2027-01-31)" in line for line in lines
    )
    assert lines[-1].startswith("::notice title=What an agent may do::")


def test_no_change_gives_no_annotation() -> None:
    """A green run stays quiet."""
    assert [] == list(render(page(domain(domain_entry()), domain(domain_entry()))))
