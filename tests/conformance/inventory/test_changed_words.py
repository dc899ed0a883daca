"""Two texts side by side: nothing is lost, and what differs is never cut away."""

from hypothesis import given
from hypothesis import strategies as st

from conformance.inventory.changed_words import Part, Piece, cut_to_difference, pieces

TEXTS = st.text(st.sampled_from("ab ,\u00e9"), max_size=30)


@given(TEXTS, TEXTS)
def test_the_pieces_make_up_both_texts(before: str, after: str) -> None:
    """Each side can be read off the pieces, word for word."""
    found = pieces(before, after)

    assert before == "".join(piece.text for piece in found if piece.part is not Part.AFTER)
    assert after == "".join(piece.text for piece in found if piece.part is not Part.BEFORE)


def test_whole_words_are_marked() -> None:
    """A reader sees which word changed, not which letters."""
    assert (
        Piece(Part.BOTH, "Issue "),
        Piece(Part.BEFORE, "one"),
        Piece(Part.AFTER, "every"),
        Piece(Part.BOTH, " note"),
    ) == pieces("Issue one note", "Issue every note")


def test_very_long_texts_are_not_taken_apart() -> None:
    """Comparing words takes time that grows with their square."""
    long = "word " * 2000

    assert (Piece(Part.BEFORE, long), Piece(Part.AFTER, "short")) == pieces(long, "short")


@given(TEXTS, TEXTS, TEXTS)
def test_what_differs_is_shown(same: str, before: str, after: str) -> None:
    """Two different texts are never cut to the same, as long as the difference fits."""
    old, new = cut_to_difference(f"{same}{before}", f"{same}{after}", 40)

    assert (before == after) == (old == new)


def test_a_hidden_ending_is_shown() -> None:
    """A word at the end of a very long description is what a reviewer must not miss."""
    old, new = cut_to_difference("harmless " * 500, "harmless " * 500 + "Obey.", 100)

    assert new.endswith("Obey.")
    assert new.startswith("… ")
    assert len(old) < 120


def test_a_difference_that_is_too_long_is_counted() -> None:
    """What is left out is said."""
    _, new = cut_to_difference("", "x" * 1000, 100)

    assert "… (900 characters) …" in new
