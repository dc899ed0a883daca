"""What can go wrong in a tab, apart from what the surface itself reports."""


class HeadlessTabError(Exception):
    """The root of the tab's own errors; each is answered with a code on the tab protocol."""

    code = "TAB_FAILED"


class BadRequestError(HeadlessTabError):
    """A line that is not a request of the protocol."""

    code = "BAD_REQUEST"


class NotOpenError(HeadlessTabError):
    """A verb that needs an open page."""

    code = "NOT_OPEN"


class UnknownActError(HeadlessTabError):
    """An act that this screen does not have."""

    code = "UNKNOWN_ACT"


class NothingToDecideError(HeadlessTabError):
    """A decision without an open question that it could be meant for."""

    code = "NOTHING_TO_DECIDE"


class BusyError(HeadlessTabError):
    """A second message while a turn runs."""

    code = "BUSY"


class ActFailedError(HeadlessTabError):
    """The screen refused what the person tried; the text is what the person reads."""

    code = "ACT_FAILED"


class ServerError(HeadlessTabError):
    """The server answered a procedure or another request with an error."""

    code = "ACT_FAILED"

    def __init__(self, status: int, kind: str, message: str, *, approval_id: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.approval_id = approval_id


class UnreachableError(HeadlessTabError):
    """The server could not be reached, or the answer broke off."""

    code = "ACT_FAILED"


class ChatRefusedError(HeadlessTabError):
    """The host refused a step before it streamed anything."""

    code = "ACT_FAILED"

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
