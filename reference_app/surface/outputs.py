"""What a handler returned, checked before anyone sees it; it is delivered whole or not at all."""

from reference_app.surface import refusals
from reference_app.surface.errors import CapabilityError, OutputDefectError
from reference_app.surface.json_value import UNSET, Json, Unset, copy_json, js_length, json_defect, stringify
from reference_app.surface.limits import Limits
from reference_app.surface.live import Capability
from reference_app.surface.validation import validate


def check_output(capability: Capability, value: Json, limits: Limits, environment: str) -> Json | Unset:
    """Check an output against its schema, its size and JSON itself; a handler's None is no output.

    Raises:
        CapabilityError: ``EXECUTION_FAILED`` with the reason.
        OutputDefectError: It is not JSON, outside production.
    """
    if value is None:
        return UNSET
    defect = json_defect(value)
    if defect is not None:
        if environment != "production":
            raise OutputDefectError(f"{capability.id} returned {defect}; expected a JSON value")
        raise _invalid()
    if capability.output_schema is not None and validate(capability.output_schema, value):
        raise _invalid()
    if js_length(stringify(value)) > limits.max_output_size:
        raise refusals.execution_failed("output-too-large")
    return copy_json(value)


def _invalid() -> CapabilityError:
    return refusals.execution_failed("output-invalid")
