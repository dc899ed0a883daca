"""Following JSON Pointers."""

import pytest

from conformance.wire.pointer import MISSING, resolve

VALUE = {"": 1, "a": [{"b": None}, 5], "x/y": 2, "m~n": 3, "0": 4, "~1": 6}


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("", VALUE),
        ("/", 1),
        ("/a/0/b", None),
        ("/a/1", 5),
        ("/x~1y", 2),
        ("/m~0n", 3),
        ("/0", 4),
        ("/~01", 6),
        ("/a/2", MISSING),
        ("/a/-", MISSING),
        ("/a/01", MISSING),
        ("/a/1/b", MISSING),
        ("/gone", MISSING),
        ("/a/²", MISSING),
    ],
)
def test_a_pointer_leads_to_its_value_or_nowhere(pointer: str, expected: object) -> None:
    """Escapes and indices are those of RFC 6901; nowhere is told apart from null."""
    assert expected == resolve(VALUE, pointer)


def test_nowhere_equals_nothing_but_itself() -> None:
    """A case that compares two missing values must not be fooled by a null or by False."""
    assert [False, False, False, True] == [MISSING == other for other in (None, False, "", MISSING)]
