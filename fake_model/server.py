"""The server: takes requests in every provider's format, finds the run, plays the step and carries the plan out."""

import asyncio
from collections.abc import Coroutine
from functools import lru_cache
from typing import NamedTuple

from fake_model import http, models
from fake_model import plan as plans
from fake_model.carry import Carrier
from fake_model.control import Control, JsonAnswer
from fake_model.errors import RequestError
from fake_model.exchange import Carried, Ending, Entry
from fake_model.findings import Finding, FindingKind
from fake_model.gates import GateKey, Gates
from fake_model.http import Connection, HttpRequest
from fake_model.ids import Position
from fake_model.journal import Journal
from fake_model.plan import Plan
from fake_model.player import play
from fake_model.providers.anthropic import Anthropic
from fake_model.providers.base import Identity, Provider
from fake_model.providers.openai_chat import OpenAIChat
from fake_model.providers.openai_responses import OpenAIResponses
from fake_model.reply import Reply
from fake_model.request import ModelRequest
from fake_model.routing import masked, route
from fake_model.script import Say, Usage
from fake_model.side_calls import SideCall, matching
from fake_model.validity import problems

PROVIDERS: tuple[Provider, ...] = (OpenAIChat(), OpenAIResponses(), Anthropic())
"""The wire formats that are served, each at its own path."""

CREATED = 1_767_225_600
"""The time that replies carry, in seconds since 1970: fixed, so that the same script gives the same bytes."""


REMEMBERED_BODY = 65_536
"""Largest request body, in bytes, of which what it asks is remembered."""


class Decision(NamedTuple):
    """What the server decided for one request: the plan, and what the journal is to say about it."""

    plan: Plan
    parsed: ModelRequest | None = None
    position: Position | None = None
    attempt: int = 1
    findings: tuple[Finding, ...] = ()
    side_call: str | None = None


class ModelServer:
    """Answers requests from scripts.

    Args:
        journal: where runs are opened and requests recorded.
        gates: where replies wait.
        control: the endpoints for callers in other languages.
        side_calls: what gets a canned reply.
        strict: whether a prompt that a provider would refuse is refused.
    """

    def __init__(
        self,
        journal: Journal,
        gates: Gates,
        control: Control,
        *,
        side_calls: tuple[SideCall, ...] = (),
        strict: bool = False,
    ) -> None:
        self._journal = journal
        self._gates = gates
        self._control = control
        self._side_calls = side_calls
        self._strict = strict
        self._under_way: dict[Connection, Entry] = {}
        self._connections: set[Connection] = set()

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Begin to accept connections; port 0 takes a free one."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: Connection(self.handle, self._connections), host, port)

    def drop_connections(self) -> None:
        """Reset what is still open, so that nobody waits for an answer that will not come."""
        for connection in tuple(self._connections):
            connection.reset()

    def drop_late(self) -> None:
        """Reset the connections on which an answer from before a reset is under way."""
        for connection, entry in tuple(self._under_way.items()):
            if entry.generation != self._journal.generation:
                connection.reset()

    def handle(self, request: HttpRequest, connection: Connection) -> Coroutine[None, None, None] | None:
        """Answer one request: at once where nothing has to be waited for."""
        path = request.target.partition("?")[0]
        provider = _speaker(path)
        if provider is None or request.method != "POST":
            self._aside(request, path, connection)
            return None
        arrived_at = self._journal.clock()
        return self._answer(request, provider, arrived_at, self._decide(request, path, provider), connection)

    def _aside(self, request: HttpRequest, path: str, connection: Connection) -> None:
        """Answer what is no request for a reply: control, the list of models, and paths that nobody serves."""
        if path.startswith("/__"):
            _send_json(connection, self._control.answer(request, path))
        elif request.method == "GET" and path.endswith("/models"):
            _send_json(connection, models.listing(CREATED))
        elif side_call := matching(self._side_calls, path, None):
            self._answer(request, PROVIDERS[0], self._journal.clock(), _canned(side_call), connection)
        else:
            served = [p.path for p in PROVIDERS]
            message = f"expected POST to a path that ends in one of {served}, got {request.method} {path}"
            plan = plans.of_error(PROVIDERS[0], 404, message, FindingKind.UNMATCHED.value)
            decision = Decision(plan, findings=(Finding(FindingKind.UNMATCHED, message),))
            self._answer(request, PROVIDERS[0], self._journal.clock(), decision, connection)

    def _answer(
        self,
        request: HttpRequest,
        provider: Provider,
        arrived_at: float,
        decision: Decision,
        connection: Connection,
    ) -> Coroutine[None, None, None] | None:
        """Record the request, and send the answer or return the coroutine that does."""
        plan = decision.plan
        entry = Entry(masked(request), provider.name, provider.parse, arrived_at)
        entry.plan = plan
        entry.position = decision.position
        entry.attempt = decision.attempt
        entry.findings = decision.findings
        entry.side_call = decision.side_call
        wire = plan.wire
        if wire is None:
            self._journal.arrived(entry, decision.parsed)
            return self._carry(entry, plan, connection)
        entry.written = plan.at_once or b""
        entry.started_at = entry.ended_at = self._journal.clock()
        entry.ending = Ending.COMPLETE
        self._journal.arrived(entry, decision.parsed)
        connection.write(wire)
        return None

    def _decide(self, request: HttpRequest, path: str, provider: Provider) -> Decision:
        try:
            parsed = _read(provider, request.body)
        except RequestError as error:
            return _refused(provider, Finding(FindingKind.UNREADABLE, str(error)))
        if self._side_calls and (side_call := matching(self._side_calls, path, parsed)):
            return _canned(side_call, provider, parsed)
        position = route(request, parsed)
        if position is None:
            message = (
                "expected a marker [[dp:TOKEN]] in the user's text, a path /run/TOKEN/… or an API key dp-TOKEN, "
                f"got none of them in {request.method} {masked(request).target}"
            )
            return _refused(provider, Finding(FindingKind.UNMATCHED, message), parsed=parsed)
        return self._play(parsed, position, provider)

    def _play(self, parsed: ModelRequest, position: Position, provider: Provider) -> Decision:
        place = self._journal.take_place(position)
        if place is None:
            return self._no_such_run(parsed, position, provider)
        script = place.script
        if self._strict and (wrong := problems(parsed)):
            finding = Finding(
                FindingKind.REFUSED, "; ".join(wrong), position.token, position.turn, position.step
            )
            return _refused(provider, finding, parsed=parsed, position=position, attempt=place.attempt)
        if script.aliases:
            parsed = parsed.with_aliases(script.aliases)
        played = play(script, parsed, position, place.attempt)
        if played.reply is None:
            return _refused(
                provider, *played.findings, parsed=parsed, position=position, attempt=place.attempt
            )
        key = f"dp-{position.token}-{position.turn}-{position.step}"
        identity = Identity(key, parsed.model, CREATED)
        plan = plans.of_reply(played.reply, provider, identity, stream=parsed.stream)
        return Decision(plan, parsed, position, place.attempt, played.findings)

    def _no_such_run(self, parsed: ModelRequest, position: Position, provider: Provider) -> Decision:
        late = self._journal.generation_of(position.token) != self._journal.generation
        kind = FindingKind.LATE if late else FindingKind.UNMATCHED
        message = f"run {position.token} ended with a reset" if late else f"there is no run {position.token}"
        finding = Finding(kind, message, position.token, position.turn, position.step)
        return _refused(provider, finding, parsed=parsed, position=position)

    async def _carry(self, entry: Entry, plan: Plan, connection: Connection) -> None:
        token = entry.position.token if entry.position else ""

        def over(carried: Carried) -> None:
            self._journal.finished(entry, carried, _ran_out(entry, carried))

        async def wait(gate: str) -> None:
            await self._gates.wait(GateKey(token, gate))

        self._under_way[connection] = entry
        try:
            await Carrier(connection, plan, wait, self._journal.clock).carry(over)
        finally:
            del self._under_way[connection]


@lru_cache(maxsize=64)
def _speaker(path: str) -> Provider | None:
    """Return the format that is spoken at a path; the last paths are remembered."""
    return next((provider for provider in PROVIDERS if path.endswith(provider.path)), None)


def _read(provider: Provider, body: bytes) -> ModelRequest:
    """Return what was asked; the last small bodies are remembered, because the same bytes ask the same."""
    return _remembered(provider, body) if len(body) <= REMEMBERED_BODY else provider.parse(body)


@lru_cache(maxsize=64)
def _remembered(provider: Provider, body: bytes) -> ModelRequest:
    return provider.parse(body)


def _canned(
    side_call: SideCall, provider: Provider = PROVIDERS[0], parsed: ModelRequest | None = None
) -> Decision:
    """Return the decision for a side call; one that only the path tells is answered as the first provider would."""
    if side_call.body is not None:
        body = side_call.body.encode()
        return Decision(Plan(200, plans.JSON_TYPE, (body,), len(body)), parsed, side_call=side_call.name)
    reply = Reply((Say((side_call.say or "",)),), usage=Usage())
    identity = Identity(f"dp-{side_call.name}", parsed.model if parsed else models.MODEL, CREATED)
    plan = plans.of_reply(reply, provider, identity, stream=parsed.stream if parsed else False)
    return Decision(plan, parsed, side_call=side_call.name)


def _refused(
    provider: Provider,
    *findings: Finding,
    parsed: ModelRequest | None = None,
    position: Position | None = None,
    attempt: int = 1,
) -> Decision:
    message = "; ".join(str(finding) for finding in findings)
    plan = plans.of_error(provider, 400, message, findings[0].kind.value)
    return Decision(plan, parsed, position, attempt, findings)


def _ran_out(entry: Entry, carried: Carried) -> tuple[Finding, ...]:
    if not carried.ran_out or entry.position is None:
        return ()
    place = entry.position
    message = "the reader did not stop an endless stream; it was ended"
    return (Finding(FindingKind.ENDLESS_READ, message, place.token, place.turn, place.step),)


def _send_json(connection: Connection, answer: JsonAnswer) -> None:
    connection.write(http.head(answer.status, answer.content_type, len(answer.body)) + answer.body)
