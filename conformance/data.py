"""A target's data, as its declared reads show it, and what moved between two looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.errors import Departure, Untested
from conformance.people import People
from conformance.roles import Prepared
from conformance.stage import Stage
from conformance.target import expand
from conformance.wire.pointer import MISSING, resolve


@dataclass(frozen=True)
class Look:
    """What the declared reads answered at one moment."""

    values: Mapping[str, Any]

    def differences(self, before: "Look") -> tuple[str, ...]:
        """Say what moved since another look; empty when nothing did."""
        found: list[str] = []
        for name, value in self.values.items():
            _compare(name, before.values.get(name), value, found)
        return tuple(found[:20])

    def without(self, read: str, find: Mapping[str, Any]) -> "Look":
        """The same look with the rows that `find` picks left out of one read."""
        rows = [row for row in self.values[read] if not _fits(row, find)]
        return Look({**self.values, read: rows})


@dataclass
class Data:
    """The target's data, as its declared reads show it to somebody who may see everything."""

    stage: Stage
    people: People

    def look(self) -> Look:
        """Read everything that the file declares.

        Raises:
            Untested: the file declares no reads.
            Departure: a read fails.
        """
        reads = self.stage.target.reads
        if not reads:
            raise Untested("reads", "to see whether data moved")
        rpc = self.people.full.rpc
        return Look({name: rpc.value(read.procedure, read.input) for name, read in reads.items()})

    def effect(self, prepared: Prepared) -> Any:
        """The value that one execution of a role changes.

        Raises:
            Untested: the role names no effect.
        """
        effect = prepared.role.effect
        if effect is None:
            raise Untested("roles.*.effect", f"of {prepared.capability}")
        find = expand(effect.find, {"prepared": prepared.prepared})
        return self.value(effect.read, find, effect.at)

    def count(self, prepared: Prepared) -> int:
        """The counter that each execution of a role moves up by one.

        Raises:
            Untested: the role names no effect.
            Departure: its effect is no whole number.
        """
        value = self.effect(prepared)
        if not isinstance(value, int):
            raise Departure(f"the counter of {prepared.capability} shows {value!r}")
        return value

    def value(self, read: str, find: Mapping[str, Any], at: str) -> Any:
        """The value at a pointer, in a read or in the one row of it that `find` picks; `MISSING` where there is none."""
        return pick(self._read(read), find, at)

    def column(self, read: str, at: str) -> tuple[Any, ...]:
        """What stands at a pointer in every row of a read; of a read that is no list, in the whole."""
        value = self._read(read)
        return tuple(resolve(row, at) for row in (value if isinstance(value, list) else [value]))

    def _read(self, name: str) -> Any:
        spec = self.stage.target.reads.get(name)
        if spec is None:
            raise Untested(f"reads.{name}")
        return self.people.full.rpc.value(spec.procedure, spec.input)


def pick(value: Any, find: Mapping[str, Any], at: str) -> Any:
    """Pick the one row that has all the values of `find`, and what stands at a pointer in it.

    Returns `MISSING` where no row fits or nothing stands there.

    Raises:
        Departure: several rows fit, so that nobody can say which one is meant.
    """
    if find:
        rows = value if isinstance(value, list) else []
        fitting = [row for row in rows if _fits(row, find)]
        if not fitting:
            return MISSING
        if len(fitting) > 1:
            raise Departure(
                f"{len(fitting)} rows of the read fit {dict(find)}: the file's `find` must pick one"
            )
        value = fitting[0]
    return resolve(value, at)


def _fits(row: Any, find: Mapping[str, Any]) -> bool:
    return isinstance(row, Mapping) and all(row.get(key) == value for key, value in find.items())


def _compare(path: str, before: Any, after: Any, found: list[str]) -> None:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            _compare(f"{path}.{key}", before.get(key, MISSING), after.get(key, MISSING), found)
    elif _is_list(before) and _is_list(after) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            _compare(f"{path}[{index}]", old, new, found)
    elif _is_list(before) and _is_list(after):
        found.append(f"{path}: {len(before)} rows before, {len(after)} after")
    elif before != after or type(before) is not type(after):
        found.append(f"{path}: {before!r} before, {after!r} after")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
