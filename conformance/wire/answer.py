"""One HTTP answer, read to its end."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.errors import Departure
from conformance.wire import strict_json


@dataclass(frozen=True)
class Answer:
    """One answer, read to its end."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text; bytes that are not UTF-8 are replaced."""
        return self.body.decode("utf-8", "replace")

    @property
    def media_type(self) -> str:
        """The media type without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def json(self) -> Any:
        """Parse the body.

        Raises:
            Departure: it is not JSON.
        """
        try:
            return strict_json.loads(self.body)
        except strict_json.NotJson as error:
            raise Departure(
                f"{self.method} {self.path} answered {self.status} with a body that is not JSON ({error}): {self.text[:120]!r}"
            ) from None
