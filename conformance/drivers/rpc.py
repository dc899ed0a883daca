"""The person's own way to the domain plane: the buttons of the application, over `/rpc`."""

from dataclasses import dataclass
from typing import Any

from conformance.drivers.http import Http
from conformance.errors import Departure
from conformance.target_tables import Paths
from conformance.wire.answer import Answer
from conformance.wire.rpc import RpcAnswer, read_rpc


@dataclass(frozen=True)
class Rpc:
    """Calls procedures as one person."""

    http: Http
    paths: Paths

    def path(self, procedure: str) -> str:
        """The path of a procedure."""
        return self.paths.rpc.replace("{procedure}", procedure)

    def call(self, procedure: str, value: Any = None) -> RpcAnswer:
        """Call a procedure and read what it came to, success or error."""
        return read_rpc(self.http.request("POST", self.path(procedure), json={"json": value}))

    def value(self, procedure: str, value: Any = None) -> Any:
        """Call a procedure that must succeed and return its output.

        Raises:
            Departure: it failed.
        """
        answer = self.call(procedure, value)
        if answer.error is not None:
            raise Departure(
                f"{procedure} was refused with {answer.error.status} {answer.error.code}: {answer.error.message}"
            )
        return answer.value

    def raw(self, method: str, procedure: str, **request: Any) -> Answer:
        """Send any request to a procedure's path."""
        return self.http.request(method, self.path(procedure), **request)
