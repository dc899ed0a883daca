"""The target file: where an application is, how to start it, what it claims, and which of its capabilities play which role.

Cases never name a capability, a URL or a person of a target: they ask this file. A key that is not there is no error until
a case needs it; then the case is untested, and says which key it missed.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field, PrivateAttr, StringConstraints, model_validator

from conformance.catalogue import Profile
from conformance.errors import Untested
from conformance.target_a2ui import A2ui
from conformance.target_page import Page
from conformance.target_tables import (
    Connect,
    Controls,
    Departure,
    Identity,
    Inventory,
    Launch,
    Limits,
    Model,
    Name,
    Part,
    Paths,
    Read,
    Role,
    Route,
    Tab,
    Timers,
    ViewRole,
)

_Entry = TypeVar("_Entry")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def _no_duplicates(value: tuple[Profile, ...]) -> tuple[Profile, ...]:
    if len(set(value)) != len(value):
        raise ValueError("names a profile twice")
    return value


class Target(Part):
    """One application under test."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    summary: str = ""
    extends: str = Field(
        default="",
        description="The name of a file that ships with the suite; what this file does not say is as it is there.",
    )
    reference: bool = Field(default=False, description="Held to this project's own contracts as well.")
    profiles: Annotated[tuple[Profile, ...], AfterValidator(_no_duplicates), Field(min_length=1)]
    approvers: Literal["requester", "others"] = "requester"
    unauthenticated_writes: bool = Field(
        default=False, description="Declares that a request without a token may write."
    )
    correlation_header: str = Field(
        default="", description="A request header at /rpc by which a tab says what a call belongs to."
    )
    launch: Launch | None = None
    connect: Connect | None = None
    model: Model = Field(default_factory=Model)
    paths: Paths = Field(default_factory=Paths)
    controls: Controls = Field(default_factory=Controls)
    timers: Timers = Field(default_factory=Timers)
    identities: Mapping[Name, Identity] = Field(default_factory=dict)
    routes: Mapping[Name, Route] = Field(default_factory=dict)
    reads: Mapping[Name, Read] = Field(default_factory=dict)
    roles: Mapping[Name, Role] = Field(default_factory=dict)
    hidden_from: Mapping[Name, tuple[Name, ...]] = Field(
        default_factory=dict, description="For an identity, the roles whose capabilities it may not use."
    )
    policies: Mapping[Name, str] = Field(
        default_factory=dict,
        description="The target's names for policies that `controls.disable_policy` takes: `freeze` is one that is "
        "out of force and that refuses every write once it is in force.",
    )
    view: Mapping[Name, ViewRole] = Field(default_factory=dict)
    tab: Tab | None = None
    page: Page | None = None
    a2ui: A2ui | None = None
    inventory: Inventory = Field(default_factory=Inventory)
    limits: Limits = Field(default_factory=Limits)
    known_departures: tuple[Departure, ...] = ()
    _folder: Path | None = PrivateAttr(default=None)

    @property
    def folder(self) -> Path | None:
        """Where the file lies, which is where its commands run; None for a file that ships with the suite."""
        return self._folder

    def placed(self, folder: Path | None) -> "Target":
        """The same target, read from a file in this folder."""
        copy = self.model_copy()
        copy._folder = folder
        return copy

    @model_validator(mode="after")
    def _one_address(self) -> "Target":
        if (self.launch is None) == (self.connect is None):
            raise ValueError("needs exactly one of [launch] and [connect]")
        return self

    def role(self, name: str) -> Role:
        """Return the capability that plays a role, or raise `Untested` naming `roles.<name>`."""
        return self._find("roles", self.roles, name)

    def policy(self, name: str) -> str:
        """Return the target's own name of a policy, or raise `Untested` naming `policies.<name>`."""
        return self._find("policies", self.policies, name)

    def view_role(self, name: str) -> ViewRole:
        """Return the view capability that plays a role, or raise `Untested` naming `view.<name>`."""
        return self._find("view", self.view, name)

    def route(self, name: str) -> Route:
        """Return a route, or raise `Untested` naming `routes.<name>`."""
        return self._find("routes", self.routes, name)

    def identity(self, name: str) -> Identity:
        """Return an identity by its name in the file, or raise `Untested`."""
        return self._find("identities", self.identities, name)

    @staticmethod
    def _find(table: str, entries: Mapping[str, _Entry], name: str) -> _Entry:
        try:
            return entries[name]
        except KeyError:
            raise Untested(f"{table}.{name}") from None


def expand(value: Any, fills: Mapping[str, Any]) -> Any:
    """Fill placeholders into a JSON value.

    A string that is exactly `{name}` becomes the filled value itself, with its type; inside a longer string it becomes text.
    Braces that name nothing stay as they are.
    """
    if isinstance(value, str):
        for name, fill in fills.items():
            if value == "{" + name + "}":
                return fill
        return _PLACEHOLDER.sub(lambda match: str(fills.get(match[1], match[0])), value)
    if isinstance(value, Mapping):
        return {key: expand(item, fills) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [expand(item, fills) for item in value]
    return value


def bundled_target(name: str) -> Path | None:
    """Return the path of a target file that ships with the suite, or None."""
    path = Path(__file__).parent / "targets" / f"{name}.toml"
    return path if path.is_file() else None
