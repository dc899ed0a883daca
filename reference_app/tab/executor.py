"""Bound operations on their way to the server: as the person's own call over /rpc, and never with more authority."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeAlias

from reference_app.surface import refusals
from reference_app.surface.contract_files import ContextualManifest
from reference_app.surface.definition import HandlerContext
from reference_app.surface.errors import CapabilityError, ErrorCode, Retry, TransportError
from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab.errors import ServerError, UnreachableError

Rpc: TypeAlias = Callable[[str, Json], Awaitable[Json]]
"""A procedure called as the page does it."""


class CorrelatedRpc(Protocol):
    """The same for the assistant: with the id of its call, which the server records and does not trust."""

    def __call__(self, path: str, given: Json, invocation_id: str | None = None) -> Awaitable[Json]:
        """Call a procedure."""


_REFUSED = frozenset({"UNAUTHORIZED", "FORBIDDEN"})


class RpcExecutor:
    """Executes what the contextual manifest lists, and nothing else."""

    def __init__(self, manifest: ContextualManifest, rpc: CorrelatedRpc) -> None:
        self._paths = frozenset(manifest.tools)
        self.rpc = rpc

    @property
    def paths(self) -> frozenset[str]:
        """The operations that may be bound."""
        return self._paths

    async def execute(self, path: str, effective_input: JsonObject, context: HandlerContext) -> Json:
        """Call the procedure; see ``core.ProcedureExecutor``."""
        if path not in self._paths:
            raise refusals.transport_failed(transient=False)
        try:
            return await self.rpc(path, effective_input, context.invocation_id)
        except UnreachableError as error:
            raise TransportError(str(error), transient=True) from error
        except ServerError as error:
            raise meaning_of(error) from error


def meaning_of(error: ServerError) -> CapabilityError:
    """What a server's error means to the caller; its text stays behind."""
    if error.kind in _REFUSED or error.status in (401, 403):
        return refusals.not_authorized("server")
    if error.approval_id is not None or error.kind == "APPROVAL_REQUIRED":
        return _approval_required(error)
    if error.kind == "NOT_FOUND":
        return refusals.refuse(
            ErrorCode.PRECONDITION_FAILED,
            "The server does not find what the page is bound to. Look at the current state.",
            Retry.AFTER_REFRESH,
        )
    if error.kind == "BAD_REQUEST":
        return refusals.refuse(
            ErrorCode.INVALID_INPUT, "The server does not accept this input. Correct it.", Retry.WITH_CHANGES
        )
    return refusals.transport_failed(transient=False)


def _approval_required(error: ServerError) -> CapabilityError:
    details: Mapping[str, Json] = {"origin": "server"}
    if error.approval_id is not None:
        details = {**details, "confirmationId": error.approval_id}
    return refusals.refuse(
        ErrorCode.CONFIRMATION_REQUIRED,
        "The server wants this approved by a person first.",
        Retry.WITH_CONFIRMATION,
        details,
    )
