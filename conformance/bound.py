"""A screen that binds a contextual operation, and what stands at the place that it is bound to."""

from collections.abc import Mapping
from typing import Any

from conformance.data import Data
from conformance.errors import Untested
from conformance.people import People
from conformance.seat import Seat
from conformance.target_tables import ViewCall, ViewRole


def enabling_call(role: ViewRole) -> ViewCall:
    """The view capability that makes a role's capability available."""
    if role.enable_call is None:
        raise Untested("view.contextual.enable_call")
    return role.enable_call


def bound_seat(people: People, role: ViewRole, *, mode: str = "direct", variant: str = "") -> Seat:
    """A tab on which a person has brought the contextual capability about."""
    if not role.enable:
        raise Untested("view.contextual.enable")
    seat = people.full.tab(mode=mode, variant=variant)
    seat.open(role.route)
    seat.act(*role.enable)
    return seat


def confirmed_seat(people: People, role: ViewRole) -> Seat:
    """A bound tab on which each call to the contextual capability has to be confirmed."""
    if not role.confirm:
        raise Untested("view.contextual.confirm")
    seat = bound_seat(people, role)
    seat.act(*role.confirm)
    return seat


def written(data: Data, role: ViewRole, at: str = "") -> tuple[Any, Any]:
    """What stands at the place that the screen is bound to, and at the one that it is bound to after `rebind`."""
    if not (role.target_read and role.target_find and role.rebound_find):
        raise Untested("view.contextual.target_read")
    first = data.value(role.target_read, role.target_find, at or role.at)
    second = data.value(role.target_read, role.rebound_find, at or role.at)
    return first, second


def as_object(value: object) -> dict[str, Any]:
    """An input as an object."""
    return dict(value) if isinstance(value, Mapping) else {}


def locked_input(role: ViewRole, find: Mapping[str, Any]) -> dict[str, Any]:
    """The role's input with its locked keys filled in, by the values that pick a row."""
    if not role.locked or not find:
        raise Untested("view.contextual.locked")
    value = next(iter(find.values()))
    return {**as_object(role.input), **dict.fromkeys(role.locked, value)}
