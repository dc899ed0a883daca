"""JSON Schemas of the readable subset, and values for them, drawn at random but small enough to meet each other."""

from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]

NAMES = st.sampled_from(["a", "b", "c"])
BOUNDS = st.integers(-2, 4)
COUNTS = st.integers(0, 3)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.sampled_from([0.5, 1.5, 2.0])
    | st.sampled_from(["", "x", "xy", "y", "xyz"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def optional(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    """An object with some of these keys."""
    return st.fixed_dictionaries({}, optional=parts)


NUMBERS = st.builds(
    lambda kind, more: {"type": kind, **more},
    st.sampled_from(["integer", "number"]),
    optional(
        minimum=BOUNDS,
        maximum=BOUNDS,
        exclusiveMinimum=BOUNDS,
        exclusiveMaximum=BOUNDS,
        multipleOf=st.sampled_from([1, 2, 3, 0.5]),
    ),
)
TEXTS = optional(minLength=COUNTS, maxLength=COUNTS, pattern=st.sampled_from(["^x", "y$"])).map(
    lambda more: {"type": "string", **more}
)
SIMPLE = st.sampled_from(
    [{"type": "null"}, {"type": "boolean"}, {"type": ["string", "null"]}, {}, {"const": "x"}]
)
LISTED = st.lists(VALUES, min_size=1, max_size=3).map(lambda values: {"enum": values})


def containers(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Objects, lists and alternatives of other schemas."""
    objects = st.builds(
        lambda properties, more: {"type": "object", "properties": properties, **more},
        st.dictionaries(NAMES, inner, max_size=3),
        optional(
            required=st.lists(NAMES, unique=True, max_size=2), additionalProperties=st.booleans() | inner
        ),
    )
    lists = optional(items=inner, minItems=COUNTS, maxItems=COUNTS, uniqueItems=st.booleans()).map(
        lambda more: {"type": "array", **more}
    )
    alternatives = st.lists(inner, min_size=1, max_size=3).map(lambda schemas: {"anyOf": schemas})
    return objects | lists | alternatives


SCHEMAS = st.recursive(SIMPLE | NUMBERS | TEXTS | LISTED, containers, max_leaves=6)
