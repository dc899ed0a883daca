"""Templates for tests: one of each kind, and any valid one."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

BASE: dict[str, Any] = {"title": "A card", "fallback_text": "A card, as text."}
SEND = {"name": "send", "label": "Send", "primary": True}
OPTIONS = [{"value": "a", "label": "First"}, {"value": "b", "label": "Second"}]
FIELDS: dict[str, dict[str, Any]] = {
    "text": {"id": "name", "label": "Name", "type": "text", "required": True},
    "long_text": {"id": "note", "label": "Note", "type": "long_text"},
    "number": {"id": "amount", "label": "Amount", "type": "number", "min": 0, "max": 100},
    "boolean": {"id": "urgent", "label": "Urgent", "type": "boolean"},
    "date": {"id": "due", "label": "Due", "type": "date", "min": "2026-01-01", "max": "2026-12-31"},
    "datetime": {"id": "at", "label": "At", "type": "datetime"},
    "single_choice": {"id": "one", "label": "One", "type": "single_choice", "options": OPTIONS},
    "multi_choice": {"id": "many", "label": "Many", "type": "multi_choice", "options": OPTIONS},
    "range": {"id": "level", "label": "Level", "type": "range", "min": 1, "max": 5},
}
FILLED: dict[str, Any] = {
    "name": "Ada",
    "note": "two\nlines",
    "amount": "12.5",
    "urgent": True,
    "due": "2026-11-30",
    "at": "2026-11-30T12:00:00Z",
    "one": ["a"],
    "many": ["b", "a"],
    "level": 3,
}
"""A model that fits a form of all the fields."""

FORM: dict[str, Any] = {**BASE, "kind": "form", "fields": list(FIELDS.values()), "actions": [SEND]}
CHOICE: dict[str, Any] = {
    **BASE,
    "kind": "choice",
    "options": [{**OPTIONS[0], "explanation": "It is the first."}, OPTIONS[1]],
    "actions": [SEND, {"name": "skip", "label": "Skip"}],
}
REVIEW: dict[str, Any] = {
    **BASE,
    "kind": "review",
    "items": [{"label": "Total", "value": "12 €"}],
    "actions": [SEND],
}
STATUS: dict[str, Any] = {
    **BASE,
    "kind": "status",
    "description": "How far it is.",
    "steps": [
        {"label": f"Step {state}", "state": state} for state in ("pending", "running", "done", "failed")
    ],
}
KINDS = {"form": FORM, "choice": CHOICE, "review": REVIEW, "status": STATUS}

_NAMES = st.builds(
    lambda first, rest: first + rest,
    st.sampled_from("abcxyz"),
    st.text("a0_", max_size=31),
)
_NUMBERS = st.integers(-(10**15), 10**15) | st.floats(1e-6, 1e15).map(
    lambda n: int(n) if n.is_integer() else n
)
_DATES = st.dates().map(lambda day: day.isoformat())
_INSTANTS = st.datetimes().map(lambda at: f"{at.replace(microsecond=0).isoformat()}Z")


def texts(least: int, most: int) -> st.SearchStrategy[str]:
    """Any text up to a length, as a strict reader of JSON lets it through: short ones, and the longest."""
    short = st.text(st.characters(exclude_categories=["Cs"]), min_size=least, max_size=min(most, 8))
    return short | st.sampled_from("x\u20ac\U0001f600<").map(lambda character: character * most)


@st.composite
def options(draw: st.DrawFn) -> list[dict[str, Any]]:
    """The options of a field."""
    named = draw(st.lists(texts(1, 64), min_size=2, max_size=5, unique=True))
    return [{"value": value, "label": draw(texts(1, 80))} for value in named]


def optional(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Any part of some members."""
    return st.fixed_dictionaries({}, optional=members)


@st.composite
def fields(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """One field of any type."""
    kind = draw(st.sampled_from(sorted(FIELDS)))
    entry = {"id": name, "label": draw(texts(1, 80)), "type": kind, **draw(optional(required=st.booleans()))}
    return {**entry, **draw(_members(kind))}


@st.composite
def _members(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    if kind in ("single_choice", "multi_choice"):
        offered = draw(options())
        values = [option["value"] for option in offered]
        one, several = st.sampled_from(values), st.lists(st.sampled_from(values), unique=True)
        default: st.SearchStrategy[Any] = one if kind == "single_choice" else several
        return {"options": offered, **draw(optional(default=default))}
    if kind in ("number", "range", "date", "datetime"):
        ordered = {"date": _DATES, "datetime": _INSTANTS}.get(kind, _NUMBERS)
        least, middle, most = sorted(draw(st.lists(ordered, min_size=3, max_size=3, unique=True)))
        given = draw(optional(default=st.just(middle)))
        if kind == "range":
            return {"min": least, "max": most, **given}
        return {**draw(optional(min=st.just(least), max=st.just(most))), **given}
    if kind == "boolean":
        return draw(optional(default=st.booleans()))
    text = (
        texts(0, 100)
        if kind == "long_text"
        else texts(0, 100).map(lambda text: text.replace("\n", "").replace("\r", ""))
    )
    return draw(optional(default=text))


@st.composite
def templates(draw: st.DrawFn) -> dict[str, Any]:
    """Any valid template."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    card: dict[str, Any] = {"kind": kind, "title": draw(texts(1, 120)), "fallback_text": draw(texts(1, 200))}
    card |= draw(optional(description=texts(0, 500)))
    if kind != "status":
        names = draw(st.lists(_NAMES, min_size=1, max_size=3, unique=True))
        card["actions"] = [
            {"name": name, "label": draw(texts(1, 40)), **draw(optional(primary=st.booleans()))}
            for name in names
        ]
    return {**card, **draw(_content(kind))}


@st.composite
def _content(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    if kind == "form":
        names = draw(st.lists(_NAMES, min_size=1, max_size=6, unique=True))
        return {"fields": [draw(fields(name)) for name in names]}
    if kind == "choice":
        explained = [{**option, **draw(optional(explanation=texts(0, 240)))} for option in draw(options())]
        return {"options": explained, **draw(optional(multiple=st.booleans()))}
    if kind == "review":
        item = st.fixed_dictionaries({"label": texts(1, 80), "value": texts(0, 500)})
        return {"items": draw(st.lists(item, min_size=1, max_size=5))}
    states = st.sampled_from(("pending", "running", "done", "failed"))
    step = st.fixed_dictionaries({"label": texts(1, 80), "state": states})
    return {"steps": draw(st.lists(step, min_size=1, max_size=5))}
