"""The server: takes requests in every provider's format, finds the run, plays the step and carries the plan out."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, replace

from fake_model import http, models
from fake_model import plan as plans
from fake_model.carry import Carried, Carrier
from fake_model.control import Control, JsonAnswer
from fake_model.errors import RequestError
from fake_model.findings import Finding, FindingKind
from fake_model.gates import GateKey, Gates
from fake_model.http import Connection, HttpRequest
from fake_model.journal import Ending, Exchange, Journal, SentReply
from fake_model.plan import Plan
from fake_model.player import play
from fake_model.providers.base import Identity, Provider
from fake_model.providers.openai_chat import OpenAIChat
from fake_model.reply import Reply
from fake_model.request import ModelRequest
from fake_model.routing import Routed, masked, masked_target, route
from fake_model.walk import Position

PROVIDERS: tuple[Provider, ...] = (OpenAIChat(),)
"""The wire formats that are served, each at its own path."""

CREATED = 1_767_225_600
"""The time that replies carry, in seconds since 1970: fixed, so that the same script gives the same bytes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server decided for one request: its exchange as recorded on arrival, the plan and the reply in it."""

    exchange: Exchange
    plan: Plan
    reply: Reply | None


class ModelServer:
    """Answers requests from scripts.

    Args:
        journal: where runs are opened and requests recorded.
        gates: where replies wait.
        control: the endpoints for callers in other languages.
    """

    def __init__(self, journal: Journal, gates: Gates, control: Control) -> None:
        self._journal = journal
        self._gates = gates
        self._control = control
        self._connections: set[Connection] = set()

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Begin to accept connections; port 0 takes a free one."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: Connection(self.handle, self._connections), host, port)

    def drop_connections(self) -> None:
        """Reset what is still open, so that nobody waits for an answer that will not come."""
        for connection in tuple(self._connections):
            connection.reset()

    def drop_busy(self) -> None:
        """Reset the connections on which an answer is under way."""
        for connection in tuple(self._connections):
            if connection.is_busy:
                connection.reset()

    def handle(self, request: HttpRequest, connection: Connection) -> Coroutine[None, None, None] | None:
        """Answer one request: at once where nothing has to be waited for."""
        path = request.target.partition("?")[0]
        provider = next((p for p in PROVIDERS if path.endswith(p.path)), None)
        if provider is None or request.method != "POST":
            self._aside(request, path, connection)
            return None
        answer = self._decide(request, provider)
        if self._answer_at_once(answer, connection):
            return None
        self._journal.arrived(answer.exchange)
        return self._carry(answer, connection)

    def _answer_at_once(self, answer: Answer, connection: Connection) -> bool:
        """Send an answer in one write and return True, where nothing else happens than sending it."""
        body = answer.plan.at_once
        if body is None:
            return False
        now = self._journal.clock()
        sent = SentReply(answer.plan.status, body, Ending.COMPLETE, now, now, answer.reply)
        self._journal.arrived(replace(answer.exchange, sent=sent))
        connection.write(_whole(answer.plan, body))
        return True

    def _aside(self, request: HttpRequest, path: str, connection: Connection) -> None:
        """Answer what is no request for a reply: control, the list of models, and paths that nobody serves."""
        if path.startswith("/__"):
            _send_json(connection, self._control.answer(request, path))
        elif request.method == "GET" and path.endswith("/models"):
            _send_json(connection, models.listing(CREATED))
        else:
            message = f"expected POST to a path that ends in one of {[p.path for p in PROVIDERS]}, got {request.method} {path}"
            exchange = self._arrival(request, "none")
            plan = plans.of_error(PROVIDERS[0], 404, message, FindingKind.UNMATCHED.value)
            finding = Finding(FindingKind.UNMATCHED, message)
            self._answer_at_once(Answer(replace(exchange, findings=(finding,)), plan, None), connection)

    def _arrival(self, request: HttpRequest, provider: str) -> Exchange:
        return Exchange(
            order=self._journal.next_order(),
            generation=self._journal.generation,
            provider=provider,
            method=request.method,
            path=masked_target(request.target),
            headers=masked(request.headers),
            body=request.body,
            arrived_at=self._journal.clock(),
        )

    def _decide(self, request: HttpRequest, provider: Provider) -> Answer:
        exchange = self._arrival(request, provider.name)
        try:
            parsed = provider.parse(request.body, ())
        except RequestError as error:
            return _refused(exchange, provider, Finding(FindingKind.UNREADABLE, str(error)))
        routed = route(request, parsed)
        if routed is None:
            return _refused(
                replace(exchange, parsed=parsed),
                provider,
                Finding(
                    FindingKind.UNMATCHED,
                    f"expected a marker [[dp:TOKEN]] in the user's text, a path /run/TOKEN/… or an API key dp-TOKEN, "
                    f"got none of them in {request.method} {exchange.path}",
                ),
            )
        return self._play(exchange, parsed, routed, provider)

    def _play(self, exchange: Exchange, parsed: ModelRequest, routed: Routed, provider: Provider) -> Answer:
        place = self._journal.take_place(routed.token, routed.turn, routed.step)
        if place is None:
            return self._no_such_run(replace(exchange, parsed=parsed), routed, provider)
        if place.script.aliases:
            parsed = replace(parsed, aliases=place.script.aliases)
        position = Position(place.token, place.turn, place.step)
        played = play(place.script, parsed, position, place.attempt)
        exchange = replace(
            exchange,
            parsed=parsed,
            token=place.token,
            turn=place.turn,
            step=place.step,
            attempt=place.attempt,
            findings=played.findings,
        )
        if played.reply is None:
            return _refused(exchange, provider, *played.findings)
        identity = Identity(f"dp-{place.token}-{place.turn}-{place.step}", parsed.model, CREATED)
        return Answer(
            exchange, plans.of_reply(played.reply, provider, identity, stream=parsed.stream), played.reply
        )

    def _no_such_run(self, exchange: Exchange, routed: Routed, provider: Provider) -> Answer:
        generation = self._journal.generation_of(routed.token)
        late = generation != self._journal.generation
        message = f"run {routed.token} ended with a reset" if late else f"there is no run {routed.token}"
        finding = Finding(
            FindingKind.LATE if late else FindingKind.UNMATCHED,
            message,
            routed.token,
            routed.turn,
            routed.step,
        )
        placed = replace(
            exchange, generation=generation, token=routed.token, turn=routed.turn, step=routed.step
        )
        return _refused(placed, provider, finding)

    async def _carry(self, answer: Answer, connection: Connection) -> None:
        started = self._journal.clock()
        token = answer.exchange.token or ""

        def over(carried: Carried) -> None:
            sent = SentReply(
                answer.plan.status, carried.body, carried.ending, started, self._journal.clock(), answer.reply
            )
            self._journal.finished(answer.exchange, sent, _ran_out(answer.exchange, carried))

        carrier = Carrier(
            connection, answer.plan, _headers(answer.plan), lambda gate: self._wait(token, gate)
        )
        await carrier.carry(over)

    async def _wait(self, token: str, gate: str) -> None:
        await self._gates.wait(GateKey(token, gate))


def _refused(exchange: Exchange, provider: Provider, *findings: Finding) -> Answer:
    message = "; ".join(str(finding) for finding in findings)
    plan = plans.of_error(provider, 400, message, findings[0].kind.value)
    return Answer(replace(exchange, findings=findings), plan, None)


def _ran_out(exchange: Exchange, carried: Carried) -> tuple[Finding, ...]:
    if not carried.ran_out:
        return ()
    message = "the reader did not stop an endless stream; it was ended"
    return (Finding(FindingKind.ENDLESS_READ, message, exchange.token, exchange.turn, exchange.step),)


def _headers(plan: Plan) -> http.Headers:
    """Return the headers beside type and length; a refusal says that trying again is no use."""
    if plan.retry_after is not None:
        return (("retry-after", plan.retry_after),)
    return (("x-should-retry", "false"),) if plan.status == 400 else (("cache-control", "no-cache"),)


def _whole(plan: Plan, body: bytes) -> bytes:
    start = http.head(plan.status, plan.content_type, plan.length, _headers(plan))
    return start + (http.chunk(body) + http.LAST_CHUNK if plan.length is None else body)


def _send_json(connection: Connection, answer: JsonAnswer) -> None:
    connection.write(http.head(answer.status, answer.content_type, len(answer.body)) + answer.body)
