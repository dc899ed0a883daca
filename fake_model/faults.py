"""What can go wrong at a provider, as values that stand beside the parts of a reply."""

from dataclasses import dataclass

from fake_model.errors import ScriptError


@dataclass(frozen=True, slots=True)
class HttpError:
    """An HTTP status with the error body of the provider, or with `body` as it is."""

    status: int
    message: str = "scripted failure"
    code: str | None = None
    retry_after: str | None = None
    body: str | None = None

    def __post_init__(self) -> None:
        """Refuse a status that is no error."""
        if not 400 <= self.status <= 599:
            raise ScriptError(f"expected an HTTP error status from 400 to 599, got {self.status}")


@dataclass(frozen=True, slots=True)
class Reset:
    """The TCP connection is reset after so many events; 0 is before the first byte of the answer."""

    after_events: int = 0


@dataclass(frozen=True, slots=True)
class Silence:
    """The connection stays open and no byte comes, until the reader goes away or the gate is released."""

    gate: str = "silence"


@dataclass(frozen=True, slots=True)
class Cut:
    """The answer ends after so many events or bytes of its body.

    `clean` ends the HTTP message properly, so that only the provider's own ending is missing; otherwise the
    connection closes in the middle of it.
    """

    after_events: int | None = None
    after_bytes: int | None = None
    clean: bool = False

    def __post_init__(self) -> None:
        """Refuse a cut that names no place, or two."""
        if (self.after_events is None) == (self.after_bytes is None):
            raise ScriptError("a cut needs either after_events or after_bytes")


@dataclass(frozen=True, slots=True)
class BrokenEvent:
    """The data of event number `at` (from 0) is cut in its middle, so that it is no JSON."""

    at: int = 0


@dataclass(frozen=True, slots=True)
class ErrorEvent:
    """After so many events the provider's error event is sent, inside the 200, and the stream ends."""

    after_events: int = 0
    message: str = "scripted failure"
    code: str = "server_error"


@dataclass(frozen=True, slots=True)
class NotAStream:
    """A 200 whose body is something else than what was asked for."""

    body: str
    content_type: str = "text/html"


Fault = HttpError | Reset | Silence | Cut | BrokenEvent | ErrorEvent | NotAStream


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """Where the body is split into writes: at these byte offsets, or after each `every` bytes."""

    offsets: tuple[int, ...] = ()
    every: int | None = None

    def __post_init__(self) -> None:
        """Refuse offsets that do not grow, and a stride below one byte."""
        grows = all(low < high for low, high in zip((0, *self.offsets), self.offsets, strict=False))
        if not grows or (self.every is not None and self.every < 1):
            raise ScriptError(f"expected growing offsets or a stride of at least 1, got {self}")
