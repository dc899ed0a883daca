"""The journal as JSON, for callers in other languages and for files: one object for each exchange."""

import base64
from collections.abc import Iterable

from fake_model.exchange import Exchange, SentReply
from fake_model.findings import Finding
from fake_model.pointer import JsonValue
from fake_model.providers.base import compact


def as_json(exchange: Exchange) -> JsonValue:
    """Return an exchange as plain JSON; a body that is not UTF-8 is given in base64."""
    return {
        "order": exchange.order,
        "generation": exchange.generation,
        "provider": exchange.provider,
        "method": exchange.method,
        "path": exchange.path,
        "headers": [list(header) for header in exchange.headers],
        "token": exchange.token,
        "turn": exchange.turn,
        "step": exchange.step,
        "attempt": exchange.attempt,
        "sideCall": exchange.side_call,
        "arrivedAt": exchange.arrived_at,
        "body": _text(exchange.body),
        "findings": [finding_as_json(finding) for finding in exchange.findings],
        "reply": _sent(exchange.sent) if exchange.sent else None,
    }


def finding_as_json(finding: Finding) -> JsonValue:
    """Return a finding as plain JSON."""
    return {
        "kind": finding.kind.value,
        "message": finding.message,
        "token": finding.token,
        "turn": finding.turn,
        "step": finding.step,
    }


def as_jsonl(exchanges: Iterable[Exchange]) -> bytes:
    """Return exchanges as JSON Lines."""
    return b"".join(compact(as_json(exchange)) + b"\n" for exchange in exchanges)


def _sent(sent: SentReply) -> JsonValue:
    return {
        "status": sent.status,
        "ending": sent.ending.value,
        "startedAt": sent.started_at,
        "endedAt": sent.ended_at,
        "body": _text(sent.body),
    }


def _text(data: bytes) -> JsonValue:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
