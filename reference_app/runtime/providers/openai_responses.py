"""OpenAI Responses, streamed, through the official SDK; the provider is asked to keep nothing of the conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reference_app.runtime.conversation import AssistantTurn, Message, SystemText, ToolAnswer, UserText
from reference_app.runtime.model import ModelEvent, ModelRequest, Progress
from reference_app.runtime.providers.reply import Reply, openai_usage, said, thought
from reference_app.runtime.providers.sdk import SdkModel, accepted_name, arguments_text
from reference_app.strict_json import JsonObject, dumps_text

_INCOMPLETE = {"max_output_tokens": "length", "content_filter": "content-filter"}


class OpenAIResponses(SdkModel):
    """A model behind an endpoint that speaks OpenAI Responses."""

    sdk = "openai"
    client = "AsyncOpenAI"

    async def _open(self, client: Any, request: ModelRequest) -> Any:
        return await client.responses.create(**request_body(request))

    def _begin(self) -> Reply:
        return _Reply()


class _Reply(Reply):
    def take(self, event: Any) -> list[ModelEvent]:
        match event.type:
            case "response.output_text.delta" | "response.refusal.delta":
                return said(event.delta)
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                return thought(event.delta)
            case "response.output_item.added" if event.item.type == "function_call":
                return [self.take_call(event.output_index, id=event.item.call_id, name=event.item.name)]
            case "response.function_call_arguments.delta":
                return [self.take_call(event.output_index, arguments=event.delta)]
            case "response.output_item.done" if event.item.type == "function_call":
                return [self._complete(event.output_index, event.item)]
            case "response.completed" | "response.incomplete":
                self._end(event.response)
            case "response.failed":
                self._count(event.response)
                raise self.failed()
            case "error":
                raise self.failed()
        return [Progress(0)]

    def _complete(self, index: int, item: Any) -> Progress:
        """Take a call whole, from a gateway that sends it in one piece."""
        if index in self.calls and self.calls[index].arguments:
            return Progress(0)
        known = index in self.calls
        return self.take_call(
            index, id=item.call_id, name="" if known else item.name, arguments=item.arguments or ""
        )

    def _end(self, response: Any) -> None:
        self._count(response)
        if response.status == "completed":
            self.reason = "stop"
        else:
            cause = getattr(response.incomplete_details, "reason", None)
            self.reason = _INCOMPLETE.get(str(cause), "unknown")

    def _count(self, response: Any) -> None:
        if getattr(response, "usage", None) is not None:
            self.report(openai_usage(response.usage, "input_tokens", "output_tokens"))


def request_body(request: ModelRequest) -> dict[str, Any]:
    """The body of a streaming request.

    Returns:
        ``model``, ``input``, ``store`` and ``stream``, and ``tools`` when there are any.
    """
    body: dict[str, Any] = {
        "model": request.model_id,
        "input": [item for message in request.messages for item in _items(message)],
        "store": False,
        "stream": True,
    }
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                # Strict schemas may have no optional property, and a capability's input may.
                "strict": False,
            }
            for tool in request.tools
        ]
    return body


def _items(message: Message) -> Iterator[JsonObject]:
    match message:
        case SystemText(text):
            yield {"role": "system", "content": text}
        case UserText(text):
            yield {"role": "user", "content": text}
        case ToolAnswer(call_id, _, value):
            yield {"type": "function_call_output", "call_id": call_id, "output": dumps_text(value)}
        case AssistantTurn(text, calls):
            if text:
                yield {"role": "assistant", "content": text}
            for call in calls:
                yield {
                    "type": "function_call",
                    "call_id": call.id,
                    "name": accepted_name(call.name),
                    "arguments": arguments_text(call),
                }
