"""Whether a component accepts an input in its present state, in its author's words."""

from collections.abc import Mapping

from reference_app.surface import refusals
from reference_app.surface.definition import Action, HandlerContext
from reference_app.surface.errors import CapabilityError
from reference_app.surface.json_value import Json
from reference_app.surface.live import Capability


def check(capability: Capability, given: Json, context: HandlerContext) -> None:
    """Ask a view action's author.

    Raises:
        CapabilityError: ``PRECONDITION_FAILED`` with the author's message and details, or what the author raised;
            ``EXECUTION_FAILED`` when asking failed.
    """
    source = capability.source
    if not isinstance(source, Action) or source.precondition is None or not isinstance(given, Mapping):
        return
    try:
        failure = source.precondition(given, context)
    except CapabilityError:
        raise
    except Exception as error:
        raise refusals.execution_failed("handler-error") from error
    if failure is not None:
        raise refusals.precondition(failure.message, failure.details)
