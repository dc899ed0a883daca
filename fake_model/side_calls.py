"""Calls that an application makes beside its conversation: titles for threads, moderation, embeddings.

They belong to no script. A target lists them, and each is recognised by what it is and never by parts of a prompt.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from fake_model.errors import ScriptError
from fake_model.request import ModelRequest


@dataclass(frozen=True, slots=True)
class SideCall:
    """A call that gets the same answer each time; all conditions that are given must hold.

    Args:
        name: what the journal calls it.
        say: the answer as the model's text, in the format that is asked for.
        body: the answer as a JSON text, sent as it is; either this or `say`.
        path: the end of the request's path.
        model: the model that the request names.
        system: the first system text, the whole of it.
        offers_tools: whether the request offers tools.
    """

    name: str
    say: str | None = None
    body: str | None = None
    path: str | None = None
    model: str | None = None
    system: str | None = None
    offers_tools: bool | None = None

    def __post_init__(self) -> None:
        """Refuse a side call that has no answer, two answers, or no condition.

        Raises:
            ScriptError: the message says what is wrong.
        """
        if (self.say is None) == (self.body is None):
            raise ScriptError(f"side call {self.name!r}: expected either say or body")
        if self.path is None and not self.asks_about_the_prompt:
            raise ScriptError(
                f"side call {self.name!r}: expected path, model, system or offers_tools, got none of them"
            )

    @property
    def asks_about_the_prompt(self) -> bool:
        """Whether recognising it needs a request that could be read."""
        return self.model is not None or self.system is not None or self.offers_tools is not None

    def fits(self, path: str, request: ModelRequest | None) -> bool:
        """Tell whether a request is this call; `request` is None where the body is of no known format."""
        if self.path is not None and not path.endswith(self.path):
            return False
        if not self.asks_about_the_prompt:
            return True
        if request is None:
            return False
        first = request.system[0] if request.system else None
        return (
            self.model in (None, request.model)
            and self.system in (None, first)
            and self.offers_tools in (None, bool(request.tools))
        )


def matching(side_calls: Iterable[SideCall], path: str, request: ModelRequest | None) -> SideCall | None:
    """Return the first side call that a request is, or None."""
    return next((call for call in side_calls if call.fits(path, request)), None)
