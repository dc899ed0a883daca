"""The hook through which every described chat step gets a script: without one the fake model would refuse to answer."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from conformance.fuzz.attempt import Request
from conformance.fuzz.description import json_bytes
from conformance.fuzz.openapi import SCRIPT_KEY
from conformance.fuzz.scripts import PLAIN
from conformance.fuzz.texts import marked


def with_script(request: Request, scripts: Mapping[str, str]) -> Request:
    """Take the name of a script out of a generated body, and put the marker of its run into the person's last message.

    A body that says nothing of the kind, or has no messages that could carry a marker, goes out as it is.

    Args:
        request: a generated chat step.
        scripts: the scripts that it may name, as JSON text.
    """
    try:
        body = json.loads(request.body)
    except ValueError:
        return request
    if not isinstance(body, dict):
        return request
    name = body.pop(SCRIPT_KEY, None)
    script = scripts.get(name, PLAIN) if isinstance(name, str) else PLAIN
    messages = body.get("messages")
    if isinstance(messages, list) and messages:
        body["messages"] = _with_marker(messages)
    return replace(request, body=json_bytes(body), script=script)


def _with_marker(messages: list[Any]) -> list[Any]:
    """Mark the last message of the person, or add one."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if (
            isinstance(message, dict)
            and message.get("role") == "user"
            and isinstance(message.get("content"), str)
        ):
            return [
                *messages[:index],
                {**message, "content": marked(message["content"])},
                *messages[index + 1 :],
            ]
    return [*messages, {"role": "user", "content": marked("Please go on.")}]
