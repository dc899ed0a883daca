"""Templates and mistakes made up by Hypothesis: any valid template, any single change of a valid payload."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from conformance.a2ui.submission import DELETED, changed
from conformance.a2ui.templates import Template
from conformance.errors import Untested
from conformance.target_a2ui import Bounds
from conformance.wire.pointer import resolve

IDS = "[a-z][a-z0-9_]{0,31}"
UNUSABLE = ("constructor", "prototype")
"""Names that no field may have, because of what JavaScript makes of them."""
STATES = ("pending", "running", "done", "failed")
SIMPLE = ("text", "long_text", "number", "boolean", "date", "datetime")


EXACT = (
    "/session",
    "/call",
    "/message/version",
    "/message/action/name",
    "/message/action/surfaceId",
    "/message/action/sourceComponentId",
)
"""Texts of a payload of which no other will do."""


def hypothesis() -> Any:
    """The package.

    Raises:
        Untested: it is not installed.
    """
    try:
        return importlib.import_module("hypothesis")
    except ImportError:
        raise Untested("the extra a2ui", "hypothesis: pip install 'dualplane[a2ui]'") from None


def for_each(strategy: Any, examples: int, seed: int, check: Callable[[Any], None]) -> None:
    """Check so many values of a strategy, the same ones for the same seed, and show the smallest that fails."""
    package = hypothesis()

    def every(value: Any) -> None:
        check(value)

    settings = package.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(package.HealthCheck),
        phases=(package.Phase.generate, package.Phase.shrink),
    )
    package.seed(seed)(settings(package.given(strategy)(every)))()


class Templates:
    """Strategies for templates within some bounds; lists are kept short, so that many templates can be tried."""

    def __init__(self, bounds: Bounds) -> None:
        self._st = hypothesis().strategies
        self._bounds = bounds

    def any(self) -> Any:
        """Any valid template."""
        st = self._st
        return st.one_of(self._form(), self._choice(), self._review(), self._status())

    def answerable(self) -> Any:
        """Any valid template that can be answered."""
        return self._st.one_of(self._form(), self._choice(), self._review())

    def _text(self, most: int, least: int = 1) -> Any:
        """Texts of every script, most of them short."""
        alphabet = self._st.characters(exclude_categories=("Cs",))
        return self._st.one_of(
            self._st.text(alphabet, min_size=least, max_size=min(most, 12)),
            self._st.sampled_from(["${x}", "<b>x</b>", "/x", "javascript:x", "x" * most]),
        )

    def _name(self) -> Any:
        names = self._st.from_regex(IDS, fullmatch=True, alphabet="abcxyz019_")
        return names.filter(lambda name: name not in UNUSABLE)

    def _framed(self, kind: str, **parts: Any) -> Any:
        st, bounds = self._st, self._bounds
        return st.fixed_dictionaries(
            {
                "kind": st.just(kind),
                "title": self._text(bounds.title),
                "fallback_text": self._text(bounds.fallback_text),
                **parts,
            },
            optional={"description": self._text(bounds.description)},
        )

    def _actions(self) -> Any:
        st = self._st
        action = st.fixed_dictionaries(
            {"name": self._name(), "label": self._text(self._bounds.action_label)},
            optional={"primary": st.booleans()},
        )
        return self._unique(action, "name", 1, self._bounds.actions)

    def _unique(self, entry: Any, key: str, least: int, most: int) -> Any:
        return self._st.lists(entry, min_size=least, max_size=most, unique_by=lambda one: one[key])

    def _options(self, **optional: Any) -> Any:
        entry = self._st.fixed_dictionaries(
            {"value": self._text(self._bounds.option_value), "label": self._text(self._bounds.label)},
            optional=optional,
        )
        return self._unique(entry, "value", 2, min(4, self._bounds.options))

    def _form(self) -> Any:
        return self._framed(
            "form",
            fields=self._unique(self._field(), "id", 1, min(5, self._bounds.fields)),
            actions=self._actions(),
        )

    def _field(self) -> Any:
        st = self._st
        base = {"id": self._name(), "label": self._text(self._bounds.label)}
        required = {"required": st.booleans()}
        numbers = st.integers(-1000, 0), st.integers(1, 1000)
        bounded = {"min": numbers[0], "max": numbers[1]}
        return st.one_of(
            st.fixed_dictionaries({**base, "type": st.sampled_from(SIMPLE)}, optional=required),
            st.fixed_dictionaries({**base, "type": st.just("number"), **bounded}, optional=required),
            st.fixed_dictionaries({**base, "type": st.just("range"), **bounded}, optional=required),
            st.fixed_dictionaries(
                {
                    **base,
                    "type": st.sampled_from(["single_choice", "multi_choice"]),
                    "options": self._options(),
                },
                optional=required,
            ),
            st.fixed_dictionaries(
                {**base, "type": st.just("text"), "default": st.sampled_from(["", "x", "/x", "${x}"])}
            ),
            st.fixed_dictionaries({**base, "type": st.just("boolean"), "default": st.booleans()}),
        )

    def _choice(self) -> Any:
        return self._framed(
            "choice",
            options=self._options(explanation=self._text(self._bounds.explanation)),
            actions=self._actions(),
            multiple=self._st.booleans(),
        )

    def _review(self) -> Any:
        st, bounds = self._st, self._bounds
        item = st.fixed_dictionaries(
            {"label": self._text(bounds.label), "value": self._text(bounds.item_value, 0)}
        )
        return self._framed(
            "review", items=st.lists(item, min_size=1, max_size=min(4, bounds.items)), actions=self._actions()
        )

    def _status(self) -> Any:
        st, bounds = self._st, self._bounds
        entry = st.fixed_dictionaries({"label": self._text(bounds.label), "state": st.sampled_from(STATES)})
        return self._framed("status", steps=st.lists(entry, min_size=1, max_size=min(4, bounds.steps)))


def mistakes(payload: Mapping[str, Any]) -> Any:
    """One change of a payload that no valid one has: a member gone, one more, a value of another JSON type, or another text."""
    st = hypothesis().strategies
    places = list(_places(payload, ""))
    objects = ["", *(place for place, value in places if isinstance(value, Mapping))]
    gone = st.sampled_from([place for place, _ in places]).map(lambda place: (place, DELETED))
    more = st.tuples(st.sampled_from(objects).map(lambda place: f"{place}/suite_key"), _values(st))
    others = st.sampled_from(places).flatmap(
        lambda found: st.tuples(
            st.just(found[0]), _values(st).filter(lambda new: _kind(new) != _kind(found[1]))
        )
    )
    exact = st.tuples(st.sampled_from(EXACT), st.text(max_size=8)).filter(
        lambda found: resolve(payload, found[0]) != found[1]
    )
    return st.one_of(gone, more, others, exact)


def mistaken(payload: Mapping[str, Any], mistake: tuple[str, Any]) -> Template:
    """The payload with a mistake made in it."""
    return changed(payload, *mistake)


def _values(st: Any) -> Any:
    return st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**53), 2**53),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=8),
        st.lists(st.one_of(st.text(max_size=3), st.integers(), st.none()), max_size=2),
        st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    )


def _kind(value: Any) -> str:
    """The JSON type of a value; Python counts the booleans among the numbers."""
    if isinstance(value, bool) or value is None:
        return type(value).__name__
    kinds: Mapping[str, tuple[type, ...]] = {"number": (int, float), "list": (list, tuple), "object": (dict,)}
    return next((name for name, types in kinds.items() if isinstance(value, types)), "text")


def _places(value: Mapping[str, Any], at: str) -> Any:
    """Every member of an object, and of the objects in it, by its pointer."""
    for key, item in value.items():
        yield f"{at}/{key}", item
        if isinstance(item, Mapping):
            yield from _places(item, f"{at}/{key}")
