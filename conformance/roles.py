"""A target's capabilities by what they are for, with their inputs filled in."""

from dataclasses import dataclass
from typing import Any

from conformance.errors import Departure, Untested
from conformance.people import People
from conformance.stage import Stage
from conformance.target import expand
from conformance.target_tables import Change, Role
from conformance.wire.pointer import MISSING, resolve


@dataclass(frozen=True)
class Prepared:
    """A role with its inputs filled in, ready to be called."""

    role: Role
    prepared: Any
    input: Any
    other_input: Any
    invalid_input: Any
    failing_input: Any

    @property
    def capability(self) -> str:
        """The canonical id."""
        return self.role.capability

    @property
    def procedure(self) -> str:
        """The id at `/rpc`."""
        return self.role.procedure

    @property
    def change(self) -> Change:
        """What changes the thing that this role works on; untested where the file names nothing."""
        return self._with_input(self.role.change, "change")

    @property
    def removal(self) -> Change:
        """What takes it away; untested where the file names nothing."""
        return self._with_input(self.role.removal, "removal")

    def _with_input(self, change: Change | None, key: str) -> Change:
        if change is None:
            raise Untested(f"roles.*.{key}", f"of {self.capability}")
        return Change(procedure=change.procedure, input=expand(change.input, {"prepared": self.prepared}))

    @property
    def route(self) -> str:
        """The name of a route on which it is offered."""
        return self.role.route


@dataclass
class Roles:
    """The capabilities of the target file by what they are for."""

    stage: Stage
    people: People

    def __call__(self, name: str) -> Prepared:
        """Prepare a role as somebody who may, or raise `Untested` naming it."""
        role = self.stage.target.role(name)
        self.stage.worker.asked_for_approval |= name.startswith("gated")
        prepared = self._prepare(role)
        fills = {"prepared": prepared} if role.prepare is not None else {}
        return Prepared(
            role=role,
            prepared=prepared,
            input=expand(role.input, fills),
            other_input=expand(role.other_input, fills),
            invalid_input=expand(role.invalid_input, fills),
            failing_input=expand(role.failing_input, fills),
        )

    def hidden_from_restricted(self) -> tuple[str, ...]:
        """Names of the roles whose capabilities the restricted identity may not use."""
        name = self.people.restricted.name
        hidden = self.stage.target.hidden_from.get(name, ())
        if not hidden:
            raise Untested(f"hidden_from.{name}")
        return hidden

    def _prepare(self, role: Role) -> Any:
        if role.prepare is None:
            return None
        output = self.people.full.rpc.value(role.prepare.procedure, role.prepare.input)
        value = resolve(output, role.prepare.pick)
        if value is MISSING:
            raise Departure(f"{role.prepare.procedure} answered without {role.prepare.pick}: {output!r}")
        return value
