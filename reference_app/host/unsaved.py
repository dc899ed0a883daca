"""Which of the posted messages a thread does not have yet."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType

from reference_app.host.request import PostedMessage
from reference_app.strict_json import JsonObject, JsonValue


def unsaved_messages(
    posted: Sequence[PostedMessage],
    step_index: int,
    settled: Container[str],
    host_results: Mapping[str, JsonValue] = MappingProxyType({}),
) -> tuple[JsonObject, ...]:
    """The tab's results since the last reply, and at the beginning of a turn what the person said.

    Args:
        posted: The posted history.
        step_index: Which step of the turn this is.
        settled: Calls whose result this server stored itself.
        host_results: The results of the host's own tools, which are kept instead of what was posted for them.
    """
    since = [message for message in _after_last_reply(posted) if message.role == "tool"]
    results = [
        kept for message in since if (kept := _foreign_results(message, settled, host_results)) is not None
    ]
    if step_index > 0:
        return tuple(results)
    said = [message for message in posted if message.role == "user"][-1:]
    return (*results, *(_written(message.role, message.content) for message in said))


def _after_last_reply(posted: Sequence[PostedMessage]) -> Sequence[PostedMessage]:
    replies = [index for index, message in enumerate(posted) if message.role == "assistant"]
    return posted[replies[-1] + 1 :] if replies else ()


def _foreign_results(
    message: PostedMessage, settled: Container[str], host_results: Mapping[str, JsonValue]
) -> JsonObject | None:
    if isinstance(message.content, str):
        return None
    parts = [
        _settled_by_host(part, host_results)
        for part in message.content
        if part.get("toolCallId") not in settled
    ]
    return _written(message.role, parts) if parts else None


def _settled_by_host(part: JsonObject, host_results: Mapping[str, JsonValue]) -> JsonObject:
    call_id = part.get("toolCallId")
    if not isinstance(call_id, str) or call_id not in host_results:
        return part
    return {**part, "output": {"type": "json", "value": host_results[call_id]}}


def _written(role: str, content: JsonValue) -> JsonObject:
    return {"role": role, "content": content}
