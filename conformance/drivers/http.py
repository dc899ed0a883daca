"""One HTTP client for all drivers: deadlines, bounds, the transcript, and findings instead of tracebacks."""

import contextlib
import json as json_module
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import httpx

from conformance.errors import ConformanceError, Departure
from conformance.target_tables import Limits
from conformance.transcript import Transcript, mask
from conformance.wire.answer import Answer

MAX_BODY = 32 * 1024 * 1024


@dataclass
class Budget:
    """How much the suite may still send to this target, across all cases of a worker."""

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep
    sent: int = 0
    _next: float = 0.0

    def spend(self) -> None:
        """Take one request from the budget, waiting where the target file bounds the rate.

        Raises:
            ConformanceError: `limits.max_requests` is used up.
        """
        self.sent += 1
        if self.limits.max_requests and self.sent > self.limits.max_requests:
            raise ConformanceError(f"limits.max_requests = {self.limits.max_requests} is used up")
        if self.limits.requests_per_second:
            now = self.clock()
            self.pause(max(0.0, self._next - now))
            self._next = max(now, self._next) + 1 / self.limits.requests_per_second


def open_connections() -> httpx.Client:
    """A client that keeps nothing between requests.

    No idle connection can die under a case or outlive a restart, and no cookie of one person travels with another's request.
    """
    client = httpx.Client(trust_env=False, limits=httpx.Limits(max_keepalive_connections=0))
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


@dataclass
class Http:
    """Sends requests to the target on behalf of one person.

    Attributes:
        base_url: asked anew for each request, since a restarted target may have another port.
        client: shared by all cases of a worker.
        budget: likewise; holds the deadlines of the target file.
        transcript: where exchanges are noted.
        headers: sent with every request (the session).
    """

    base_url: Callable[[], str]
    client: httpx.Client
    budget: Budget
    transcript: Transcript
    headers: Mapping[str, str] = field(default_factory=dict)

    def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request and read the whole answer.

        Raises:
            Departure: the target can't be reached, resets, is late, or answers more than 32 MiB.
        """
        with self.stream(method, path, json=json, content=content, headers=headers) as response:
            body = bytearray()
            for chunk in response.iter_raw():
                body += chunk
                if len(body) > MAX_BODY:
                    raise Departure(f"{method} {path} answered with more than {MAX_BODY} bytes")
            answer = Answer(method, path, response.status_code, dict(response.headers), bytes(body))
        self.transcript.add(
            "http",
            f"{method} {path} -> {answer.status} {answer.text[:120]!r}",
            request=_shown(json, content),
            headers=mask({**self.headers, **(headers or {})}),
            status=answer.status,
            answer=answer.text[:20_000],
        )
        return answer

    @contextlib.contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[httpx.Response]:
        """Send one request and hand over the answer while it arrives. Redirects are not followed.

        Raises:
            Departure: the target can't be reached, resets, or stays silent beyond the deadline.
        """
        self.budget.spend()
        deadline = self.budget.limits.deadline
        try:
            with self.client.stream(
                method,
                self.base_url() + path,
                json=json,
                content=content,
                headers={"accept-encoding": "identity", **self.headers, **(headers or {})},
                timeout=deadline,
            ) as response:
                yield response
        except httpx.TimeoutException:
            self._note(method, path, "no answer within the deadline")
            raise Departure(f"{method} {path} was not answered within {deadline:g} s") from None
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            self._note(method, path, reason)
            raise Departure(f"{method} {path} broke off: {reason}") from None

    def post_and_leave(self, path: str, value: Any) -> None:
        """Send one whole request and hang up before any of its answer is read, as a page does that is closed.

        Raises:
            Departure: the target can't be reached.
        """
        self.budget.spend()
        url = httpx.URL(self.base_url())
        body = json_module.dumps(value).encode()
        headers = {
            "host": url.netloc.decode(),
            "content-type": "application/json",
            "content-length": str(len(body)),
            **self.headers,
        }
        head = f"POST {path} HTTP/1.1\r\n" + "".join(f"{name}: {text}\r\n" for name, text in headers.items())
        self._note("POST", path, "the suite hung up before the answer")
        try:
            with socket.create_connection(
                (url.host, url.port or 80), self.budget.limits.deadline
            ) as connection:
                connection.sendall(head.encode() + b"\r\n" + body)
        except OSError as error:
            raise Departure(f"POST {path} broke off: {error}") from None

    def _note(self, method: str, path: str, what: str) -> None:
        self.transcript.add("http", f"{method} {path} -> {what}")

    def as_(self, headers: Mapping[str, str]) -> "Http":
        """The same client with another session."""
        return Http(self.base_url, self.client, self.budget, self.transcript, dict(headers))


def _shown(json: Any, content: bytes | None) -> Any:
    return json if content is None else content.decode("utf-8", "replace")[:20_000]
