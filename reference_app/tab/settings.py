"""What can be set for a tab from outside: ``--setting name=value``, checked in one place."""

import difflib
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reference_app.surface.audit import AuditSink, MemorySink, StreamSink
from reference_app.surface.limits import Limits
from reference_app.surface.policies import authenticated, rate_limit
from reference_app.surface.policy import Policy
from reference_app.tab.errors import BadRequestError


class TabSettings(BaseModel):
    """Times are milliseconds; a ``rate_limit`` of zero is none; ``seed`` makes minted ids repeat, zero leaves them to chance."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    confirmations: Literal["wait", "two-phase"] = "wait"
    turn_steps: int = Field(default=8, ge=1)
    turn_deadline_ms: int = Field(default=180_000, ge=1)
    settle_ms: int = Field(default=1500, ge=1)
    observation_timeout_ms: int = Field(default=5000, ge=1)
    action_timeout_ms: int = Field(default=10_000, ge=1)
    procedure_timeout_ms: int = Field(default=30_000, ge=1)
    confirmation_ttl_ms: int = Field(default=120_000, ge=1)
    max_pending_confirmations: int = Field(default=32, ge=1)
    rate_limit: int = Field(default=0, ge=0)
    rate_window_ms: int = Field(default=60_000, ge=1)
    audit: Literal["memory", "stderr"] = "memory"
    lab: bool = False
    seed: int = Field(default=0, ge=0)

    def policies(self) -> tuple[Policy, ...]:
        """The policies that everything on the page stands under."""
        limit = (rate_limit(self.rate_limit, self.rate_window_ms),) if self.rate_limit else ()
        return (authenticated(), *limit)

    def audit_sinks(self) -> tuple[AuditSink, ...]:
        """Where records go."""
        return (StreamSink(),) if self.audit == "stderr" else (MemorySink(),)

    def limits(self) -> Limits:
        """The surface's bounds with the times that were set."""
        return Limits(
            observation_timeout_ms=self.observation_timeout_ms,
            action_timeout_ms=self.action_timeout_ms,
            procedure_timeout_ms=self.procedure_timeout_ms,
            confirmation_ttl_ms=self.confirmation_ttl_ms,
            max_pending_confirmations=self.max_pending_confirmations,
        )


def parse_settings(pairs: Sequence[str]) -> TabSettings:
    """Read ``name=value`` pairs.

    Raises:
        BadRequestError: An unknown name, with the nearest ones, or a value that does not fit.
    """
    values = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator:
            raise BadRequestError(f"--setting {pair}: expected name=value")
        if name not in TabSettings.model_fields:
            near = difflib.get_close_matches(name, TabSettings.model_fields, 3, 0) or list(
                TabSettings.model_fields
            )
            raise BadRequestError(
                f"--setting {name}: there is no such setting; nearest are {', '.join(near)}"
            )
        values[name] = value
    try:
        return TabSettings.model_validate(values)
    except ValidationError as error:
        issue = error.errors()[0]
        raise BadRequestError(f"--setting {issue['loc'][0]}: {issue['msg']}") from error
