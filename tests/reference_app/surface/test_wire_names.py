"""Names on the wire: the properties that every catalog relies on; the vectors are shared with the page."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from reference_app.surface.wire_names import NameKey, assign, decode, encode

SEGMENT = st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True)
NAME = st.from_regex(r"[a-z][A-Za-z0-9]{0,20}", fullmatch=True)
VIEW_ID = st.builds(
    lambda parts, name: f"view:{'.'.join(parts)}.{name}", st.lists(SEGMENT, min_size=1, max_size=6), NAME
)
DOMAIN_ID = st.builds(
    lambda path: f"domain:{path}", st.from_regex(r"[a-z][A-Za-z0-9._-]{0,60}", fullmatch=True)
)
KEY = st.builds(
    NameKey, VIEW_ID | DOMAIN_ID, st.none() | st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
)


@settings(max_examples=50)  # each example is a whole catalog
@given(st.lists(KEY, unique=True, max_size=30))
def test_names_are_unique_and_acceptable_to_every_provider(keys: list[NameKey]) -> None:
    """Within a catalog a name stands for one thing, and is one to 64 letters, digits, hyphens and underscores."""
    names = assign(keys)

    assert len(set(names.values())) == len(keys)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names.values())


@settings(max_examples=50)  # each example is a whole catalog
@given(st.lists(KEY, unique=True, max_size=20), st.randoms())
def test_names_do_not_depend_on_the_order_of_the_catalog(keys: list[NameKey], random: object) -> None:
    """The same catalog has the same names, whoever composes it and in whatever order."""
    shuffled = list(keys)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands out a random.Random

    assert assign(shuffled) == assign(keys)


@given(VIEW_ID)
def test_a_faithful_name_leads_back(canonical_id: str) -> None:
    """A name that was neither shortened nor suffixed says what it stands for; any other says nothing."""
    name = encode(NameKey(canonical_id))

    assert decode(name) in (canonical_id, None)
    if len(canonical_id.replace(".", "__")) <= 64:
        assert decode(name) == canonical_id


@given(st.text(max_size=80))
def test_reading_a_foreign_name_never_fails(name: str) -> None:
    """Whatever a model sends, reading it back gives an id that encodes to exactly that name, or nothing."""
    decoded = decode(name)

    assert decoded is None or encode(NameKey(decoded)) == name
