"""What providers refuse in a prompt: a conversation or a tool list that a real one would answer with 400."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from fake_model.request import CallPart, ModelRequest, OtherPart, ResultPart, Tool

MAX_TOOLS = 128
"""How many tools OpenAI takes; the other formats take at least as many."""

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def problems(request: ModelRequest) -> tuple[str, ...]:
    """Return what a provider would refuse, one text each; none for a prompt that it would take."""
    found = [*_in_tools(request.tools), *_in_conversation(request)]
    if not request.messages:
        found.insert(0, "there is no message")
    return tuple(found)


def _in_tools(tools: tuple[Tool, ...]) -> Iterator[str]:
    names = [tool.name for tool in tools]
    yield from (f"tool {name!r} is offered {count} times" for name, count in _repeated(names))
    yield from (
        f"tool name {name!r} is not 1 to 64 of a-z, A-Z, 0-9, _ and -"
        for name in names
        if not _TOOL_NAME.fullmatch(name)
    )
    if len(tools) > MAX_TOOLS:
        yield f"{len(tools)} tools are offered, a provider takes {MAX_TOOLS}"


def _in_conversation(request: ModelRequest) -> Iterator[str]:
    """Yield what is wrong with calls and results: each call has one result, after it, and no result has none."""
    called: list[str] = []
    answered: list[str] = []
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, CallPart):
                called.append(part.id)
            elif isinstance(part, ResultPart):
                answered.append(part.call_id)
                if part.call_id not in called and not _refers_elsewhere(request):
                    yield f"the result of {part.call_id!r} follows no call"
    yield from (f"call id {name!r} is used {count} times" for name, count in _repeated(called))
    yield from (f"call {name!r} is answered {count} times" for name, count in _repeated(answered))
    yield from (f"call {name!r} is not answered" for name in dict.fromkeys(called) if name not in answered)


def _refers_elsewhere(request: ModelRequest) -> bool:
    """Tell whether the provider is meant to know earlier items itself, so that calls need not stand in the request."""
    if request.provider != "openai-responses":
        return False
    parts = [part for message in request.messages for part in message.parts]
    refers = any(isinstance(part, OtherPart) and part.kind == "item_reference" for part in parts)
    return refers or not request.user_texts


def _repeated(names: Iterable[str]) -> Iterator[tuple[str, int]]:
    return ((name, count) for name, count in Counter(names).items() if count > 1)
