"""Tools of the host itself: offered with the server's, suspended like the tab's, and settled by the host alone."""

from __future__ import annotations

from typing import Protocol

from reference_app.domain.actor import Actor
from reference_app.host.records import StepKey
from reference_app.runtime.conversation import ToolCall
from reference_app.strict_json import JsonObject, JsonValue


class HostTool(Protocol):
    """One tool of the host.

    A call of it suspends the run. What the tab posts as its result is not believed: the tool says itself what became of it.
    """

    @property
    def wire_name(self) -> str:
        """Its name for the model."""
        ...

    @property
    def canonical_id(self) -> str:
        """Its name everywhere else."""
        ...

    @property
    def description(self) -> str:
        """What the model reads."""
        ...

    @property
    def parameters(self) -> JsonObject:
        """JSON Schema of its arguments."""
        ...

    def refuse(self, call: ToolCall) -> JsonValue | None:
        """The answer to a call whose arguments are wrong, or None when it can be presented."""
        ...

    async def present(self, owner: Actor, key: StepKey, call: ToolCall) -> None:
        """Begin what the call of a step asks for; called before the run suspends."""
        ...

    async def settle(self, owner: Actor, conversation_id: str, call: ToolCall) -> JsonValue:
        """What became of a call that an earlier step presented."""
        ...
