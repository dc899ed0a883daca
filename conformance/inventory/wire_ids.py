"""From the wire names that a model is offered back to canonical ids; a name that tells nothing keeps itself as its id.

Source: Architecture, "The transport" (canonical ids are mapped to provider-safe names); a shortened name can't be turned back
and is looked up among ids that are known from elsewhere.
"""

import re
from collections.abc import Iterable, Mapping

from fake_model.names import CanonicalName, encode, read_canonical

_PLAIN = re.compile(r"(view|domain)_(.+)")
_INSTANCE = "_at_"
_LEVELS = range(4)


def known_names(ids: Iterable[str]) -> Mapping[str, str]:
    """Return every wire name that ids from elsewhere may have; an id may name an instance (`view:x.y@left`)."""
    found: dict[str, str] = {}
    for name in sorted(set(ids)):
        canonical = read_canonical(name)
        if canonical is not None:
            found |= {encode(canonical, level): name for level in _LEVELS}
    return found


def canonical_id(wire_name: str, known: Mapping[str, str]) -> str:
    """Return the id of a wire name: a known one, the one that it spells, or `wire:` and the name itself."""
    return known.get(wire_name) or _spelled(wire_name) or f"wire:{wire_name}"


def _spelled(wire_name: str) -> str | None:
    """Read a name backwards, and keep the result only if it is spelled so forwards."""
    match = _PLAIN.fullmatch(wire_name)
    if match is None:
        return None
    path, _, instance = match[2].partition(_INSTANCE)
    for candidate in (CanonicalName(_id(match[1], path), instance), CanonicalName(_id(match[1], match[2]))):
        if encode(candidate) == wire_name:
            return (
                f"{candidate.canonical_id}@{candidate.instance}"
                if candidate.instance
                else candidate.canonical_id
            )
    return None


def _id(plane: str, path: str) -> str:
    return f"{plane}:{path.replace('__', '.')}"
