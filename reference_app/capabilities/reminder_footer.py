"""``reminder-footer``: the closing line of every reminder letter.

A procedure for the page alone: it carries no agent metadata, so no agent ever sees it.
"""

from __future__ import annotations

from reference_app.domain.capability import Call, Procedure
from reference_app.domain.errors import BusinessError
from reference_app.domain.shapes import Input, Note, Omissible, Output
from reference_app.identity import Role
from reference_app.ledger.store import Ledger

_NAME = "reminder-footer"
_STANDARD = "Please quote our reference with your payment."


class ReminderFooter(Input):
    """The new line, or nothing to read the present one."""

    text: Omissible[Note] = None


class FooterOut(Output):
    """The line as it is now."""

    text: str


async def handle(value: ReminderFooter, call: Call) -> FooterOut:
    """Set the line when one is given, and return what it is now."""
    ledger = Ledger(call.work)
    if value.text is None:
        return FooterOut(text=await ledger.text(_NAME) or _STANDARD)
    if call.actor.role != Role.CONTROLLER:
        raise BusinessError("FORBIDDEN", "Only a controller can change the closing line.")
    await ledger.set_text(_NAME, value.text)
    return FooterOut(text=value.text)


PROCEDURE = Procedure(
    id="reminder-footer",
    input=ReminderFooter,
    output=FooterOut,
    handler=handle,
    errors=frozenset({"FORBIDDEN"}),
    changes=True,
)
