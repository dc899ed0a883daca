"""Deliberate defects: each can be switched on alone, changes something, and leaves nothing behind."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from reference_app import faults
from reference_app.errors import SettingsError
from reference_app.faults import Fault, Patches, catalogue, installed

ALL = catalogue()


def attributes() -> dict[tuple[str, str], Any]:
    """What every module and class of the application is made of, by identity."""
    found: dict[tuple[str, str], Any] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("reference_app.") and not name.startswith("reference_app.faults"):
            found |= _attributes_of(name, module)
    return found


def _attributes_of(name: str, owner: ModuleType | type) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {}
    for attribute, value in list(vars(owner).items()):
        found[name, attribute] = value
        if isinstance(value, type) and value.__module__ == name:
            found |= _attributes_of(f"{name}.{attribute}", value)
    return found


def changed(before: dict[tuple[str, str], Any]) -> set[tuple[str, str]]:
    """What is something else now."""
    now = attributes()
    return {key for key, value in before.items() if now.get(key) is not value}


def test_names_are_unique_and_every_fault_says_what_is_wrong() -> None:
    """A name is all that somebody has who switches a fault on, and its line all who reads about it."""
    names = [fault.name for fault in ALL]

    assert sorted(set(names)) == names
    assert [] == [
        fault.name
        for fault in ALL
        if not fault.summary or fault.summary.endswith(".") or len(fault.summary) > 120
    ]
    assert 30 <= len(names)


@pytest.mark.parametrize("fault", ALL, ids=lambda fault: fault.name)
def test_each_fault_replaces_a_rule_and_puts_it_back(fault: Fault) -> None:
    """A fault that hooks in nowhere would prove nothing, and one that stays would spoil the next start."""
    before = attributes()
    with installed([fault.name]):
        during = changed(before)

    assert during
    assert set() == changed(before)


def test_an_unknown_fault_is_refused_with_the_nearest_names() -> None:
    """A mistyped fault must not start a correct application."""
    with pytest.raises(SettingsError, match="nearest: expiry-ignored"), installed(["expiry-ignord"]):
        pass


def test_a_rule_that_has_moved_is_noticed() -> None:
    """A fault must not silently hook into nothing when the code changes."""
    with pytest.raises(AttributeError):
        Patches().replace(faults, "no_such_rule", None)
