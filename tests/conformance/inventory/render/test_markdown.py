"""The comment in a pull request: every text from a file stays in its code span."""

from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from conformance.inventory.render import markdown
from conformance.inventory.render.markdown import code, render
from tests.conformance.inventory.pages import HOSTILE, hostile_page, page
from tests.conformance.inventory.samples import contract, contract_entry

OURS = {
    *(
        "heading_open",
        "heading_close",
        "paragraph_open",
        "paragraph_close",
        "inline",
        "text",
        "strong_open",
        "strong_close",
    ),
    *(
        "bullet_list_open",
        "bullet_list_close",
        "list_item_open",
        "list_item_close",
        "code_inline",
        "softbreak",
    ),
    *("em_open", "em_close"),
}


def tokens(text: str) -> Iterator[Token]:
    """Every token that a GitHub-flavoured reader sees."""
    for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text):
        yield token
        yield from token.children or ()


def test_no_text_becomes_markup() -> None:
    """No link, image, table, rule, fence or raw HTML comes out of a description."""
    assert set() == {token.type for token in tokens(render(hostile_page()))} - OURS


def test_hostile_text_stands_in_code_only() -> None:
    """Outside of code spans there are only our own words, so nothing there can mention or link anybody."""
    outside = " ".join(token.content for token in tokens(render(hostile_page())) if token.type == "text")

    assert [] == [word for word in ("everyone", "evil", "alert", "pwned", "secrets") if word in outside]


def test_a_code_span_can_not_be_left() -> None:
    """The fence is longer than any row of backticks inside."""
    for text in (*HOSTILE, "`", "``", "a```b", "`` ` ``", ""):
        flat = text.replace("\n", " ").replace("\r", " ")
        found = [token for token in tokens(code(flat)) if token.type != "inline"]

        assert ["paragraph_open", "code_inline", "paragraph_close"] == [token.type for token in found]


def test_a_comment_that_is_too_long_says_what_it_leaves_out() -> None:
    """GitHub refuses longer comments, and the gravest changes come first."""
    old = contract(*(contract_entry(f"view:a.c{n:04}") for n in range(800)))
    new = contract(*(contract_entry(f"view:a.c{n:04}", effect="destructive") for n in range(800)))

    text = render(page(old, new))

    assert len(text) < markdown.MOST_CHARACTERS + 200
    assert "more subjects do not fit here" in text
    assert "800 widening" in text
