"""The page for browsers: self-contained, without script, and every hostile text is text."""

from html.parser import HTMLParser

from conformance.inventory.render.html import render
from tests.conformance.inventory.pages import HOSTILE, hostile_page, page
from tests.conformance.inventory.samples import contract, contract_entry

OURS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "p",
        "strong",
        "code",
        "details",
        "summary",
        "table",
    ),
    *("tr", "th", "td", "div", "span", "ins", "del"),
}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "open"}


class Reader(HTMLParser):
    """Reads a page as a browser does: which elements, which attributes, which text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[str] = []
        self.texts: list[str] = []
        self.marked: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        """Note a text, and the element that it stands in."""
        self.texts.append(data)
        self.marked.append((self.elements[-1] if self.elements else "", data))


def test_no_text_becomes_an_element_or_an_attribute() -> None:
    """Whatever a description holds, a browser finds only the page's own elements."""
    read = Reader(render(hostile_page()))

    assert set() == set(read.elements) - OURS
    assert set() == set(read.attributes) - ATTRIBUTES


def test_hostile_text_is_shown_as_it_is() -> None:
    """Escaped, not dropped: the reviewer must see what the model reads."""
    assert HOSTILE[0] in "".join(Reader(render(hostile_page())).texts)


def test_the_page_needs_nothing_else() -> None:
    """It may be attached to a build and opened years later, offline; and its policy forbids what escaping might miss."""
    text = render(page(contract(), contract(contract_entry())))

    assert "default-src 'none'" in text
    assert [] == [
        word for word in ("<script", "<link", "<img", " src=", " href=", "@import", "url(") if word in text
    ]


def test_the_words_that_changed_are_marked() -> None:
    """Both descriptions stand side by side, the changed word marked on each."""
    old = contract(contract_entry(description="Filter the table by one word."))
    new = contract(contract_entry(description="Filter the table by every word."))

    marked = Reader(render(page(old, new))).marked

    assert ("del", "one") in marked
    assert ("ins", "every") in marked


def test_what_fails_is_open() -> None:
    """A reviewer need not unfold what the build failed for."""
    text = render(page(contract(), contract(contract_entry())))

    assert "<details open>" in text
    assert "<details>" in render(page(contract(contract_entry()), contract()))
