"""The page: the only door to the renderers, through which nothing dangerous and no credential passes."""

from conformance.inventory.page import Page
from conformance.inventory.rules import Direction
from tests.conformance.inventory.pages import SECRET, approved_page, hostile_page, page
from tests.conformance.inventory.samples import contract, contract_entry, domain, domain_entry


def texts(shown: Page) -> list[str]:
    """Every text on a page."""
    found = [shown.old, shown.new, shown.summary]
    for card in shown.cards:
        found.append(card.subject)
        for fact in card.facts:
            found += [fact.label, fact.before, fact.after]
        for row in card.rows:
            found += [
                row.rule,
                row.kind,
                row.subject,
                row.reason,
                row.declaration,
                row.detail,
                row.before,
                row.after,
                row.note,
            ]
            found += row.places
    return found


def test_every_text_is_one_plain_line() -> None:
    """A renderer can't forget what was done before it was called."""
    found = texts(hostile_page())

    assert [] == [text for text in found if not text.isprintable() or "##[" in text or "##vso[" in text]


def test_no_credential_reaches_a_page() -> None:
    """A token that somebody pasted into a description is not spread by the report about it."""
    found = texts(hostile_page())

    assert [] == [text for text in found if SECRET in text]
    assert any("[secret]" in text for text in found)


def test_a_change_points_to_its_line() -> None:
    """Annotations stand beside the capability, in the file that was changed."""
    first, second = contract_entry("view:a.one"), contract_entry("view:a.two", effect="navigation")
    shown = page(contract(first, second), contract(first, contract_entry("view:a.two", effect="read")))
    (row,) = shown.rows

    assert row.location is not None
    assert ("new.json", True) == (row.location.file, row.location.line > 20)


def test_what_is_gone_points_to_the_file() -> None:
    """There is no line any more for what was taken out."""
    (row,) = page(domain(domain_entry()), domain()).rows

    assert row.location is not None
    assert ("new.json", 1) == (row.location.file, row.location.line)


def test_the_counts_are_of_all_changes() -> None:
    """The summary is what most readers read."""
    shown = approved_page()

    assert 2 == shown.counts[Direction.WIDENING]
    assert (1, 1, 1) == (shown.approved, shown.failing, shown.exit_code)
    assert (
        "0 breach, 2 widening, 0 prompt text, 0 narrowing, 0 neutral; 1 approved, 1 failing (--fail-on widening)"
        == shown.summary
    )


def test_no_change_is_said_in_two_words() -> None:
    """An empty report must not look like a broken one."""
    shown = page(domain(), domain())

    assert ("no change", 0) == (shown.summary, shown.exit_code)


def test_a_card_has_everything_on_record() -> None:
    """A reviewer sees the whole capability, not only the field that changed."""
    (card,) = page(domain(domain_entry()), domain(domain_entry(risk="low"))).cards
    facts = {fact.label: (fact.before, fact.after) for fact in card.facts}

    assert ("medium", "low") == facts["risk"]
    assert ("aiSdk, direct", "aiSdk, direct") == facts["exposed on"]
