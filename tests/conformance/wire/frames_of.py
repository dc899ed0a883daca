"""Frames for tests, as a target would send them."""

import json
from typing import Any

from conformance.wire.frames import FrameLog, read_frames


def start(**changed: Any) -> dict[str, Any]:
    """A `step-start` frame."""
    return {
        "type": "step-start",
        "stepId": "stp_1",
        "turnId": "t-1",
        "conversationId": "c-1",
        "domainTools": [],
        **changed,
    }


def finish(*pending: str, **changed: Any) -> dict[str, Any]:
    """A `step-finish` frame that leaves these call ids to the browser."""
    return {
        "type": "step-finish",
        "stepId": "stp_1",
        "finishReason": "stop",
        "responseMessages": [],
        "pendingToolCalls": [
            {"toolCallId": call, "wireName": "view_a", "canonicalId": "view:a", "input": {}}
            for call in pending
        ],
        **changed,
    }


def call(call_id: str = "c1", executor: str = "server", canonical_id: str = "domain:a") -> dict[str, Any]:
    """A `tool-call` frame."""
    return {
        "type": "tool-call",
        "toolCallId": call_id,
        "wireName": "domain_a",
        "canonicalId": canonical_id,
        "executor": executor,
        "input": {},
    }


def result(call_id: str = "c1", canonical_id: str = "domain:a") -> dict[str, Any]:
    """A `tool-result` frame."""
    return {
        "type": "tool-result",
        "toolCallId": call_id,
        "wireName": "domain_a",
        "canonicalId": canonical_id,
        "ok": True,
        "result": {},
    }


def text(words: str = "hello") -> dict[str, Any]:
    """A `text-delta` frame."""
    return {"type": "text-delta", "text": words}


def dropped() -> dict[str, Any]:
    """The report that inspector frames were dropped, which may follow `step-finish`."""
    return {"type": "inspector", "lane": "host", "eventType": "inspector.dropped", "summary": "3 dropped"}


def ndjson(*frames: dict[str, Any]) -> bytes:
    """Frames as bytes, a line each."""
    return b"".join(json.dumps(frame, ensure_ascii=False).encode() + b"\n" for frame in frames)


def log(*frames: dict[str, Any]) -> FrameLog:
    """Frames as they are read."""
    return read_frames(ndjson(*frames))
