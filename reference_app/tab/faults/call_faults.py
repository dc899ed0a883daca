"""Faults in how a call is carried out: which mount it means, what is checked, what comes back."""

from collections.abc import Mapping
from dataclasses import replace as changed

from reference_app.surface import (
    availability,
    execution,
    invocation,
    outputs,
    preconditions,
    refusals,
    resolution,
    validation,
)
from reference_app.surface.availability import Availability
from reference_app.surface.contract_binding import Doing
from reference_app.surface.dedupe import DedupeCache
from reference_app.surface.definition import HandlerContext
from reference_app.surface.errors import CapabilityError, ErrorCode, ErrorPayload, Retry
from reference_app.surface.execution import Guard, InFlight
from reference_app.surface.invocation_types import InvocationRequest
from reference_app.surface.json_value import Json, JsonObject, Unset
from reference_app.surface.limits import Limits
from reference_app.surface.live import Candidate, Capability, Registration
from reference_app.surface.resolution import Scene
from reference_app.surface.tools import Tool, Toolset
from reference_app.tab import dispatch
from reference_app.tab.faults.fault import Replace, fault
from reference_app.tab.records import Invoice
from reference_app.tab.screens.chase import ChaseDialog
from reference_app.tab.screens.table_component import TableComponent


@fault(
    "availability-not-rechecked", "A call to what is unavailable runs, on whatever the page had open last."
)
def availability_not_rechecked(replace: Replace) -> None:
    """Trust that nobody calls what was said to be unavailable."""
    open_invoice = ChaseDialog.open_invoice

    def unchecked(_candidate: Candidate) -> None:
        return

    def open_or_first(dialog: ChaseDialog) -> Invoice | None:
        pending = dialog.desk.rows.pending
        return open_invoice(dialog) or (pending[0] if pending else None)

    def truly_open(dialog: ChaseDialog) -> bool:
        return open_invoice(dialog) is not None

    replace(invocation, "check_available", unchecked)
    replace(ChaseDialog, "open_invoice", open_or_first)
    replace(ChaseDialog, "is_open", truly_open)


@fault(
    "unavailable-untyped", "A call to what is unavailable is answered without the reason and without a type."
)
def unavailable_untyped(replace: Replace) -> None:
    """Answer with the error for everything."""

    def vague(_reason: str) -> CapabilityError:
        return refusals.execution_failed("handler-error")

    replace(refusals, "not_available", vague)


@fault("unmounted-callable", "A call to a component that has left the page is carried out all the same.")
def unmounted_callable(replace: Replace) -> None:
    """Keep serving the dead."""
    resolve, evaluate = resolution.resolve, availability.evaluate

    def or_buried(request: InvocationRequest, scene: Scene) -> Candidate:
        mounted = {found.registration.key for found in scene.live}
        left = [
            found
            for found in scene.buried
            if request.registration_id in (None, found.registration.id)
            and found.registration.key not in mounted
        ]
        unnamed = request.registration_id is None
        return left[-1] if left and not (unnamed and scene.live) else resolve(request, scene)

    def as_if_mounted(registration: Registration, capability: Capability) -> Availability:
        if registration.status == "unregistered":
            return availability.by_state(capability.source)
        return evaluate(registration, capability)

    def no_check(_in_flight: InFlight, _caller: object) -> None:
        return

    def always_live(_toolset: Toolset, _tool: Tool) -> bool:
        return True

    replace(dispatch, "is_live", always_live)
    replace(resolution, "resolve", or_buried)
    replace(availability, "evaluate", as_if_mounted)
    replace(execution, "check_may_start", no_check)


@fault("leaving-unnoticed", "A call goes on to its end although its component has left the page.")
def leaving_unnoticed(replace: Replace) -> None:
    """Look at the result only."""

    def nothing(_in_flight: InFlight) -> None:
        return

    replace(InFlight, "owner_unmounted", nothing)


@fault(
    "stale-registration-accepted",
    "A call that was meant for a component since replaced reaches its replacement.",
)
def stale_registration_accepted(replace: Replace) -> None:
    """Ignore which mount was meant."""
    strict = resolution.by_registration

    def any_mount(request: InvocationRequest, live: list[Candidate], scene: Scene) -> Candidate:
        return live[0] if live else strict(request, live, scene)

    replace(resolution, "by_registration", any_mount)


@fault("instance-ignored", "A call to one of several components of a kind is carried out by the first.")
def instance_ignored(replace: Replace) -> None:
    """Take the first where there are several."""
    exact = resolution.by_registration

    def first_of_several(request: InvocationRequest, live: list[Candidate], scene: Scene) -> Candidate:
        return live[0] if len(live) > 1 else exact(request, live, scene)

    replace(resolution, "by_registration", first_of_several)


@fault("ambiguous-guessed", "Of several components that offer a capability the first is taken.")
def ambiguous_guessed(replace: Replace) -> None:
    """Guess."""
    strict = resolution.only_one

    def first(request: InvocationRequest, live: list[Candidate], scene: Scene) -> Candidate:
        return live[0] if live else strict(request, live, scene)

    replace(resolution, "only_one", first)


@fault("view-input-unchecked", "The input of a view action is not held against its schema.")
def view_input_unchecked(replace: Replace) -> None:
    """Take any input for valid."""

    def anything(_schema: JsonObject, _value: Json) -> tuple[validation.Issue, ...]:
        return ()

    replace(validation, "validate", anything)


@fault("precondition-skipped", "A view action runs although its component refuses the input.")
def precondition_skipped(replace: Replace) -> None:
    """Do not ask."""

    def unasked(_capability: Capability, _given: Json, _context: HandlerContext) -> None:
        return

    replace(preconditions, "check", unasked)


@fault("call-runs-twice", "A call that is repeated under its own id is carried out again.")
def call_runs_twice(replace: Replace) -> None:
    """Forget every id."""

    def unknown(_cache: DedupeCache, _key: str, _print: str, _now_ms: int) -> None:
        return

    replace(DedupeCache, "find", unknown)


@fault("output-unchecked", "What a handler returns is delivered whatever it is.")
def output_unchecked(replace: Replace) -> None:
    """Trust every handler."""

    def as_is(_capability: Capability, value: Json, _limits: Limits, _environment: str) -> Json | Unset:
        return value

    replace(outputs, "check_output", as_is)


@fault("view-timeout-ignored", "A handler that takes too long is waited for.")
def view_timeout_ignored(replace: Replace) -> None:
    """Set the timer to never."""
    start = execution.start_timer

    def patient(in_flight: InFlight, guard: Guard) -> object:
        return start(in_flight, changed(guard, timeout_ms=86_400_000))

    replace(execution, "start_timer", patient)


@fault("view-internals-leak", "A handler's exception is told to the model, text and all.")
def view_internals_leak(replace: Replace) -> None:
    """Pass the text on."""
    failure_of = execution.failure_of

    def telling(error: Exception, in_flight: InFlight) -> CapabilityError:
        error_type = failure_of(error, in_flight)
        return CapabilityError(
            changed(error_type.payload, message=f"{type(error).__name__}: {error} {error.__cause__}")
        )

    replace(execution, "failure_of", telling)


@fault("view-retry-missing", "The errors of the view plane give no hint whether calling again can help.")
def view_retry_missing(replace: Replace) -> None:
    """Say no more than code and text."""
    to_json = ErrorPayload.to_json

    def mute(payload: ErrorPayload) -> dict[str, Json]:
        body = to_json(payload)
        del body["retry"]
        return body

    replace(ErrorPayload, "to_json", mute)


@fault("view-retry-wrong", "Every error of the view plane says that calling again helps.")
def view_retry_wrong(replace: Replace) -> None:
    """Be optimistic."""
    refuse = refusals.refuse

    def optimistic(
        code: ErrorCode, message: str, _retry: Retry, details: JsonObject | None = None
    ) -> CapabilityError:
        return refuse(code, message, Retry.YES, details)

    replace(refusals, "refuse", optimistic)


@fault(
    "agent-path-differs",
    "The assistant's filters narrow nothing that a person can see, and are in no address.",
)
def agent_path_differs(replace: Replace) -> None:
    """Give the assistant a setter of its own."""
    doings = TableComponent.doings

    def quieter(table: TableComponent[Invoice]) -> Mapping[str, Doing]:
        return {**doings(table), "setFilters": Doing(_nothing)}

    replace(TableComponent, "doings", quieter)


def _nothing(_given: JsonObject, _context: HandlerContext) -> Json:
    return None
