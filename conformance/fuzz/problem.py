"""What is wrong with an answer, told by the check that found it."""

from dataclasses import dataclass
from enum import StrEnum


class Check(StrEnum):
    """What no answer may show. The name is what a finding is called."""

    SERVER_ERROR = "server-error"
    STATUS = "undeclared-status"
    MEDIA_TYPE = "undeclared-media-type"
    SCHEMA = "undeclared-schema"
    FRAMES = "frame-grammar"
    PROMPT = "prompt"
    LEAK = "leak"
    HIDDEN = "hidden-offered"
    DATA = "data-moved"
    NO_ANSWER = "no-answer"
    GONE = "target-gone"


MEANING = {
    Check.SERVER_ERROR: "No request makes the target answer with a 5xx.",
    Check.STATUS: "Every status is one that the description declares.",
    Check.MEDIA_TYPE: "Every media type is one that the description declares for its status.",
    Check.SCHEMA: "Every body has the schema that the description declares for its status.",
    Check.FRAMES: "A step begins with step-start and ends with step-finish, and each call is answered once or pending.",
    Check.PROMPT: "The model is never asked what a provider would refuse.",
    Check.LEAK: "No body carries internals: tracebacks, file paths, SQL, or a canary of the target file.",
    Check.HIDDEN: "A step announces no tool that its identity may not use.",
    Check.DATA: "Who may only read, and who is nobody, leaves the data as it was.",
    Check.NO_ANSWER: "Every request is answered whole within the deadline.",
    Check.GONE: "No request ends the target.",
}
"""What each check holds a target to, as a sentence."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with the answer to a request.

    Attributes:
        check: which check found it.
        operation: the operation that was asked, as `POST /rpc/list-invoices`.
        detail: what was seen, as one line.
    """

    check: Check
    operation: str
    detail: str

    @property
    def key(self) -> tuple[Check, str]:
        """What makes two problems the same finding."""
        return self.check, self.operation
