"""The file of approved changes: each names one change by its fingerprint, says why, and ends on a day.

    [approved.0f1e2d3c4b5a69788796a5b4c3d2e1f0]
    reason = "The clerks asked for it, see the ticket."
    last_day = 2027-01-31

A fingerprint binds the exact change: when what changed is different, the approval no longer fits.
"""

import datetime
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from conformance.inventory.errors import ApprovalsError
from conformance.inventory.finding import FINGERPRINT_LENGTH

Fingerprint = Annotated[str, StringConstraints(pattern=rf"^[0-9a-f]{{{FINGERPRINT_LENGTH}}}$")]


class Approved(BaseModel):
    """One approved change."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    reason: Annotated[str, StringConstraints(min_length=5, strip_whitespace=True)]
    last_day: datetime.date

    def holds(self, today: datetime.date) -> bool:
        """Whether the approval is still good; its last day counts."""
        return today <= self.last_day


class Approvals(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    approved: Mapping[Fingerprint, Approved] = Field(default_factory=dict)


def read_approvals(content: bytes, file: str) -> Approvals:
    """Read an approvals file.

    Raises:
        ApprovalsError: it is not TOML, or an entry lacks its reason or last day, or a key is not a fingerprint.
    """
    try:
        value = tomllib.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ApprovalsError(f"{file}: not TOML: {error}") from None
    try:
        return Approvals.model_validate(value)
    except ValidationError as error:
        raise ApprovalsError(f"{file}: {_complaint(error.errors(include_url=False)[0])}") from None


def _complaint(detail: Any) -> str:
    path = ".".join(str(part) for part in detail["loc"] if part != "[key]")
    if detail["type"] == "missing":
        return f"`{path}` is missing; an approval needs a reason and a last_day (a date, 2027-01-31)"
    if detail["type"] == "extra_forbidden":
        return f"unknown key `{path}`; expected [approved.FINGERPRINT] tables with reason and last_day"
    return f"`{path}`: {detail['msg']}"
