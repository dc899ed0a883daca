"""The errors of the fake model: one small hierarchy, so that a caller can catch all of them or one kind."""


class FakeModelError(Exception):
    """Base of everything that this package raises on purpose."""


class ScriptError(FakeModelError, ValueError):
    """A script says something that can never be played; the message names the place."""


class RequestError(FakeModelError):
    """A request body is not what the provider's wire format allows.

    Args:
        problem: what was expected and what was seen.
        path: the field that it is about, as in `messages[2].role`.
    """

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.problem = problem
        self.path = path

    def within(self, outer: str) -> "RequestError":
        """Return the same error, seen from the field that holds this one."""
        joined = f"{outer}.{self.path}" if self.path else outer
        return RequestError(self.problem, joined)


class JournalError(FakeModelError):
    """A question that the journal can't answer, because what it is about was never recorded or is gone."""


class NotSeenError(FakeModelError, AssertionError):
    """What a caller waited for did not happen before the deadline."""


class IncompleteError(FakeModelError, AssertionError):
    """A run has findings: the message lists each of them."""
