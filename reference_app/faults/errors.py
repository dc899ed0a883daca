"""Faults in errors: they stay typed results, say whether to try again, and never carry internals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.responses import Response

from reference_app.api import rpc as rpc_api
from reference_app.api.errors import orpc_error
from reference_app.domain import stages
from reference_app.domain.errors import CapabilityError
from reference_app.faults import Fault, Patches, fault
from reference_app.faults.calls import stop_after
from reference_app.host import answers, frames
from reference_app.host.step import Step
from reference_app.runtime.loop import CallAnswered, Ending
from reference_app.strict_json import JsonObject, JsonValue

FAULTS: list[Fault] = []


@fault(FAULTS, "refusal-ends-run", "an operation that refuses ends the run")
def _refusal_ends_run(patches: Patches) -> None:
    def stop(step: Step, batch: list[CallAnswered]) -> bool:
        del step
        return any(_code(answered.value) == "EXECUTION_FAILED" for answered in batch)

    stop_after(patches, stop)


@fault(FAULTS, "no-retry-hint", "an error does not say whether trying again makes sense")
def _no_retry_hint(patches: Patches) -> None:
    def make(face: Callable[[CapabilityError], JsonObject]) -> Any:
        return lambda error: {key: value for key, value in face(error).items() if key != "retryable"}

    patches.wrap(answers, "public_face", make)


@fault(FAULTS, "internals-to-model", "an exception's text reaches the model")
def _internals_to_model(patches: Patches) -> None:
    def make(face: Callable[[CapabilityError], JsonObject]) -> Any:
        def tell(error: CapabilityError) -> JsonObject:
            shown = face(error)
            return (
                shown
                if error.exposed or error.__cause__ is None
                else {**shown, "message": str(error.__cause__)}
            )

        return tell

    patches.wrap(answers, "public_face", make)


@fault(FAULTS, "internals-to-page", "an exception's text reaches a direct caller")
def _internals_to_page(patches: Patches) -> None:
    def make(respond: Callable[..., Response]) -> Any:
        def tell(procedure: Any, error: CapabilityError) -> Response:
            if error.exposed or error.__cause__ is None:
                return respond(procedure, error)
            return orpc_error(500, repr(error.__cause__))

        return tell

    patches.wrap(rpc_api, "respond_error", make)


@fault(FAULTS, "bad-output-delivered", "an output that breaks its own declaration is delivered")
def _bad_output_delivered(patches: Patches) -> None:
    def make(checked: Callable[..., JsonValue]) -> Any:
        def deliver(procedure: Any, value: Any) -> JsonValue:
            try:
                return checked(procedure, value)
            except CapabilityError:
                if not hasattr(value, "model_dump"):
                    raise
                delivered: JsonValue = value.model_dump(warnings=False)
                return delivered

        return deliver

    patches.wrap(stages, "checked_output", make)


@fault(FAULTS, "no-finish-after-provider-error", "a step whose provider fails has no step-finish")
def _no_finish_after_provider_error(patches: Patches) -> None:
    def make(settle: Callable[[Step], Awaitable[None]]) -> Any:
        async def leave_open(self: Step) -> None:
            if self._ended.ending is Ending.FAILED:
                self._stream.write(frames.ErrorFrame("MODEL_ERROR", self._ended.message))
                return
            await settle(self)

        return leave_open

    patches.wrap(Step, "_settle", make)


@fault(FAULTS, "unknown-name-retryable", "the answer to a name that is not offered says to try again")
def _unknown_tool_invites_retry(patches: Patches) -> None:
    def invite(name: str) -> JsonObject:
        return {"error": {"code": "NO_SUCH_TOOL", "message": f"{name[:64]} did not answer.", "retry": "yes"}}

    patches.replace(answers, "no_such_tool", invite)


def _as_written(problem: Exception, sdk: Any) -> str:
    del sdk
    return str(problem)[:300]


def _code(value: JsonValue) -> object:
    error = value.get("error") if isinstance(value, dict) else None
    return error.get("code") if isinstance(error, dict) else None
