"""Mounting: what a screen wants on the page is registered, what it no longer wants is unregistered, at each commit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from reference_app.surface import availability
from reference_app.surface.definition import Component
from reference_app.surface.live import Override
from reference_app.surface.registry import Handle, Registry


class Mountable(Protocol):
    """A component of a screen."""

    @property
    def key(self) -> str:
        """What makes it the same component from one commit to the next."""

    def definition(self) -> Component:
        """What it declares."""


@dataclass(slots=True)
class _Mounted:
    component: Component
    handle: Handle


class Stage:
    """The components that are on the page."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._mounted: dict[str, _Mounted] = {}

    def show(self, wanted: Sequence[Mountable]) -> None:
        """Make the page hold exactly these components; those that stay are left alone."""
        by_key = {item.key: item for item in wanted}
        for key in [key for key in self._mounted if key not in by_key]:
            leave(self._mounted.pop(key).handle)
        for key, item in by_key.items():
            if key not in self._mounted:
                component = item.definition()
                self._mounted[key] = _Mounted(component, self._registry.register(component))

    def clear(self) -> None:
        """Take everything off the page."""
        self.show(())

    def refresh(self) -> None:
        """Tell the registry what changed with this commit: the state that is shown, and what it makes available."""
        for mounted in self._mounted.values():
            mounted.handle.invalidate()
            mounted.handle.update(availability=dict(current_availability(mounted.component)))


def leave(handle: Handle) -> None:
    """Unmount: the component's capabilities are gone with it."""
    handle.unregister()


def current_availability(component: Component) -> Mapping[str, Override]:
    """What a component's own conditions say now, for each capability that has one."""
    found = {}
    for name, source in members(component):
        if source.when is not None:
            state = availability.by_state(source)
            found[name] = Override(state.available, state.reason)
    return found


def members(component: Component) -> list[tuple[str, availability.Conditional]]:
    """Everything with a condition, by the name under which its availability is pushed."""
    named: list[tuple[str, availability.Conditional]] = [(item.name, item) for item in component.observations]
    named += [(item.name, item) for item in component.actions]
    named += [(item.ref.path, item) for item in component.procedures]
    return named
