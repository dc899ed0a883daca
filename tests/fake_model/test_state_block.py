"""The capability state in a prompt: its lines, and texts that hold nothing else."""

import pytest

from fake_model import Place, StateLine
from fake_model.state_block import is_block, read_lines

BLOCK = """Capability state (this step):
- view:invoices.pending.setFilters — available; due=overdue
- view:invoices.pending.chase — unavailable: Select an invoice first"""


def test_lines_say_capability_availability_and_reason() -> None:
    """Both forms of a line are read, each with its note."""
    seen = read_lines(BLOCK, Place.AFTER_CONVERSATION)

    assert seen == (
        StateLine(
            "view:invoices.pending.setFilters",
            available=True,
            note="due=overdue",
            text="- view:invoices.pending.setFilters — available; due=overdue",
            place=Place.AFTER_CONVERSATION,
        ),
        StateLine(
            "view:invoices.pending.chase",
            available=False,
            note="Select an invoice first",
            text="- view:invoices.pending.chase — unavailable: Select an invoice first",
            place=Place.AFTER_CONVERSATION,
        ),
    )


@pytest.mark.parametrize(
    "line",
    [
        "- domain:update-status — unavailable: no dialog",
        "* domain:update-status - unavailable: no dialog",
        "domain:update-status: unavailable — no dialog",
        "• `domain:update-status` – Unavailable, no dialog",
    ],
)
def test_other_spellings_of_a_line_are_read(line: str) -> None:
    """The founding documents leave the spelling open, so bullets and dashes of other hosts count."""
    (seen,) = read_lines(line, Place.AFTER_CONVERSATION)

    assert (seen.canonical_id, seen.available, seen.note) == ("domain:update-status", False, "no dialog")


@pytest.mark.parametrize(
    "text",
    [
        "Which tools are available?",
        "view:invoices.pending.chase",
        "A view: unavailable",
        "Use domain:list-invoices, which is available to you.",
    ],
)
def test_prose_is_no_state_line(text: str) -> None:
    """A sentence that mentions a capability or the word says nothing about its state."""
    assert read_lines(text, Place.WITHIN_CONVERSATION) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BLOCK, True),
        (BLOCK.partition("\n")[2], True),
        (f"{BLOCK}\nGo on.", False),
        (f"Hello.\nHere it is:\n{BLOCK.partition(chr(10))[2]}", False),
        ("Capability state (this step):", False),
        ("", False),
    ],
)
def test_a_block_is_state_lines_under_one_heading(text: str, expected: bool) -> None:
    """Only a text that holds nothing else is a block, so that a user's text never counts as one."""
    assert is_block(text) is expected
