"""Finding the lines of keys."""

import tomllib
from typing import Any

from conformance.target_lines import KeyPath, key_lines, locate

DOCUMENT = '''\
# a = 1
top = "b = 2 # no comment"
"quoted.key" . 'inner' = [ 1, 2,  # [x]
  { deep = { er = "}" }, list = [] },
]

[ table . "a b" ]
text = """
not_a_key = 1
[not_a_table] ""\\""""
raw = \'\'\'
[[nor_this]]
\'\'\'
[[item]]
name = 1
[item.sub]
x = -1.5e3
[[item]]
[[item.part]]
y = 2026-01-01T00:00:00Z
[[item.part]]
y = "\\u00e9"
'''

LINES = {
    ("top",): 2,
    ("quoted.key",): 3,
    ("quoted.key", "inner"): 3,
    ("quoted.key", "inner", 0): 3,
    ("quoted.key", "inner", 1): 3,
    ("quoted.key", "inner", 2): 4,
    ("quoted.key", "inner", 2, "deep"): 4,
    ("quoted.key", "inner", 2, "deep", "er"): 4,
    ("quoted.key", "inner", 2, "list"): 4,
    ("table",): 7,
    ("table", "a b"): 7,
    ("table", "a b", "text"): 8,
    ("table", "a b", "raw"): 11,
    ("item",): 14,
    ("item", 0): 14,
    ("item", 0, "name"): 15,
    ("item", 0, "sub"): 16,
    ("item", 0, "sub", "x"): 17,
    ("item", 1): 18,
    ("item", 1, "part"): 19,
    ("item", 1, "part", 0): 19,
    ("item", 1, "part", 0, "y"): 20,
    ("item", 1, "part", 1): 21,
    ("item", 1, "part", 1, "y"): 22,
}


def paths(value: Any, path: KeyPath = ()) -> set[KeyPath]:
    """Every path that leads to something in a parsed document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return ({path} if path else set()).union(*(paths(item, (*path, key)) for key, item in items))


def test_every_key_has_its_line() -> None:
    """Strings, comments, inline tables, arrays over several lines and arrays of tables are all seen through."""
    assert LINES == key_lines(DOCUMENT)


def test_the_keys_are_those_of_the_parser() -> None:
    """The reader agrees with the standard library about what is there."""
    assert paths(tomllib.loads(DOCUMENT)) == set(key_lines(DOCUMENT))


def test_a_missing_key_is_located_at_what_is_around_it() -> None:
    """A key that is not there has no line; its table has."""
    lines = key_lines(DOCUMENT)

    assert (18, 4, 0) == (
        locate(lines, ("item", 1, "gone")),
        locate(lines, ("quoted.key", "inner", 2, "deep", "gone", "further")),
        locate(lines, ("gone",)),
    )
