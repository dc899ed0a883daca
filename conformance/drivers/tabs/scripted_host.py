"""Answers of a host, as frames, for cases in which the suite stands between a tab and the application and plays the host itself."""

import json
from collections.abc import Sequence
from typing import Any

from conformance.drivers.tabs.wiretap import Reply


def step(
    *,
    call: dict[str, Any] | None = None,
    text: str = "",
    cut: bool = False,
    extra: Sequence[dict[str, Any]] = (),
) -> Reply:
    """One step: a text, or a call that waits for the browser.

    Args:
        call: `toolCallId`, `wireName`, `canonicalId` and `input` of the call.
        text: what the model says otherwise.
        cut: end the stream after the call's frame, before `step-finish`.
        extra: more frames, between `step-start` and the rest.
    """
    frames: list[dict[str, Any]] = [
        {
            "type": "step-start",
            "stepId": "stp_suite",
            "turnId": "trn_suite",
            "conversationId": "cnv_suite",
            "domainTools": [],
            "catalogMode": "direct",
        }
    ]
    frames += extra
    if call is not None:
        frames.append({"type": "tool-call", "executor": "browser", **call})
    else:
        frames.append({"type": "text-delta", "text": text})
    if not cut:
        frames.append(_finish(call, text))
    return Reply(_lines(frames), cut=cut)


def _finish(call: dict[str, Any] | None, text: str) -> dict[str, Any]:
    part: dict[str, Any] = {"type": "text", "text": text}
    if call is not None:
        part = {
            "type": "tool-call",
            "toolCallId": call["toolCallId"],
            "toolName": call["wireName"],
            "input": call["input"],
        }
    return {
        "type": "step-finish",
        "stepId": "stp_suite",
        "finishReason": "stop" if call is None else "tool-calls",
        "responseMessages": [{"role": "assistant", "content": [part]}],
        "pendingToolCalls": [] if call is None else [call],
    }


def _lines(frames: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(frame).encode() + b"\n" for frame in frames)
