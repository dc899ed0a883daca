"""Which of the posted messages a thread does not have yet."""

from __future__ import annotations

from collections.abc import Container, Sequence

from reference_app.host.request import PostedMessage
from reference_app.strict_json import JsonObject, JsonValue


def unsaved_messages(
    posted: Sequence[PostedMessage], step_index: int, settled: Container[str]
) -> tuple[JsonObject, ...]:
    """The tab's results since the last reply, and at the beginning of a turn what the person said.

    Args:
        posted: The posted history.
        step_index: Which step of the turn this is.
        settled: Calls whose result this server stored itself.
    """
    since = [message for message in _after_last_reply(posted) if message.role == "tool"]
    results = [kept for message in since if (kept := _foreign_results(message, settled)) is not None]
    if step_index > 0:
        return tuple(results)
    said = [message for message in posted if message.role == "user"][-1:]
    return (*results, *(_written(message.role, message.content) for message in said))


def _after_last_reply(posted: Sequence[PostedMessage]) -> Sequence[PostedMessage]:
    replies = [index for index, message in enumerate(posted) if message.role == "assistant"]
    return posted[replies[-1] + 1 :] if replies else ()


def _foreign_results(message: PostedMessage, settled: Container[str]) -> JsonObject | None:
    if isinstance(message.content, str):
        return None
    parts = [part for part in message.content if part.get("toolCallId") not in settled]
    return _written(message.role, parts) if parts else None


def _written(role: str, content: JsonValue) -> JsonObject:
    return {"role": role, "content": content}
