"""Faults in the audit: what is recorded, for whom, and what it may hold."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from reference_app.domain.errors import CapabilityError
from reference_app.domain.pipeline import Execution, Runtime
from reference_app.domain.shapes import input_as_json
from reference_app.domain.stages import DenialError
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.host import step as steps
from reference_app.host.frames import InspectorFrame
from reference_app.strict_json import JsonObject

FAULTS: list[Fault] = []

Note = Callable[..., None]


@fault(FAULTS, "execution-not-audited", "a write that completed is recorded as given up")
def _execution_not_audited(patches: Patches) -> None:
    _renamed(patches, "capability.completed", "capability.cancelled", only="update-invoice")


@fault(FAULTS, "two-terminal-events", "an execution that completed is recorded as given up as well")
def _two_terminal_events(patches: Patches) -> None:
    def make(note: Callable[[Execution], None]) -> Any:
        def twice(self: Execution) -> None:
            note(self)
            self.note("capability.cancelled", {"code": "CANCELLED", "durationMs": 0})

        return twice

    patches.wrap(Execution, "note_completion", make)


@fault(FAULTS, "denial-not-audited", "a refused call leaves no trace in the audit")
def _denial_not_audited(patches: Patches) -> None:
    def make(note: Callable[[Execution, CapabilityError], None]) -> Any:
        def forget(self: Execution, error: CapabilityError) -> None:
            if isinstance(error, DenialError) and error.reason == "policy-denied":
                self.note("capability.cancelled", {"code": "CANCELLED", "durationMs": 0})
            else:
                note(self, error)

        return forget

    patches.wrap(Execution, "note_failure", make)


@fault(FAULTS, "inputs-in-audit", "the audit repeats what was in a call")
def _inputs_in_audit(patches: Patches) -> None:
    def make(perform: Callable[..., Awaitable[Any]]) -> Any:
        async def tell(self: Runtime, execution: Execution, capability: Any, value: Any, **rest: Any) -> Any:
            execution.note("capability.input", {"input": input_as_json(value)})
            return await perform(self, execution, capability, value, **rest)

        return tell

    patches.wrap(Runtime, "perform", make)


@fault(FAULTS, "events-of-everybody", "the stream shows what happens in other people's name")
def _events_of_everybody(patches: Patches) -> None:
    patches.replace(steps, "is_for_step", constant(True))


@fault(FAULTS, "correlation-lost", "events do not say to which conversation they belong")
def _correlation_lost(patches: Patches) -> None:
    def make(as_json: Callable[[InspectorFrame], JsonObject]) -> Any:
        def lose(self: InspectorFrame) -> JsonObject:
            known = {
                key: value
                for key, value in self.correlation.items()
                if key not in {"conversationId", "turnId"}
            }
            return {**as_json(self), "correlation": known}

        return lose

    patches.wrap(InspectorFrame, "as_json", make)


@fault(FAULTS, "approval-audited-as-done", "a call that waits for approval is recorded as done")
def _approval_audited_as_done(patches: Patches) -> None:
    _renamed(patches, "capability.approval_requested", "capability.completed")


def _renamed(patches: Patches, event_type: str, other: str, only: str | None = None) -> None:
    def make(note: Note) -> Any:
        def rename(self: Execution, noted: str, data: JsonObject | None = None) -> None:
            is_meant = noted == event_type and only in {None, self.capability_id}
            note(self, other if is_meant else noted, data)

        return rename

    patches.wrap(Execution, "note", make)
