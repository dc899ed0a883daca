"""What a fooled model may answer: scripts of the fake model that nobody wrote.

Every call is allowed to name what is not offered, so that the fake model plays it whatever the target offers.
"""

import json
from typing import Any

from hypothesis import strategies as st

from conformance.fuzz.offer import Arguments, Tool
from conformance.fuzz.texts import names, texts, weighted

JsonObject = dict[str, Any]

PLAIN = json.dumps({"steps": [{"say": "Done.", "asked": None}]})
"""A model that only talks, as often as it is asked."""

LAST_WORD: JsonObject = {"say": "Done.", "asked": None, "optional": True}
_MALFORMED = (
    "",
    "[]",
    "null",
    "{",
    '{"id":NaN}',
    '{"id":1e999}',
    '{"id":1,"id":2}',
    '{"__proto__":{"a":1}}',
    "{" * 500,
    '{"id":"\\ud800"}',
)
_FAULTS: tuple[JsonObject, ...] = (
    {"cut": {"after_events": 1}},
    {"cut": {"after_bytes": 60}},
    {"cut": {"after_events": 2, "clean": True}},
    {"broken_event": 1},
    {"error_event": {}},
    {"not_a_stream": {"body": "<h1>Bad gateway</h1>"}},
    {"reset": 1},
)
_FAILS: tuple[JsonObject, ...] = ({"status": {"code": 429}}, {"status": {"code": 500}}, {"reset": 0})
_FINISHES = ("stop", "tool-calls", "length", "content-filter", "missing", "somehow")


def calling(capability: str, arguments: Any = None) -> str:
    """A script in which the model calls one capability, and then talks."""
    call: JsonObject = {"call": capability, "offered": False, "asked": None}
    if arguments is not None:
        call["with"] = arguments
    return json.dumps({"steps": [call, LAST_WORD]})


def scripts(
    tools: tuple[Tool, ...], arguments: Arguments, declared: tuple[str, ...]
) -> st.SearchStrategy[str]:
    """Scripts of one turn: texts, thinking, calls of all kinds, and what can go wrong at a provider.

    Args:
        tools: what the server offers.
        arguments: arguments for them.
        declared: wire names that the tab declares in the same step.
    """
    calls = _calls(tools, arguments, declared)
    talk = st.builds(lambda key, text: {key: text}, st.sampled_from(("say", "reason")), texts())
    last = st.lists(talk, max_size=2).map(lambda parts: [{**_step(parts), "asked": None}])
    calling_steps = st.lists(_calling_step(talk, calls), min_size=1, max_size=2)
    with_calls = calling_steps.map(lambda steps: [*steps, LAST_WORD])
    return weighted((3, with_calls), (1, last)).map(lambda steps: json.dumps({"steps": steps}))


def _step(parts: list[JsonObject]) -> JsonObject:
    return {"parts": parts or [{"say": ""}]}


def _calling_step(
    talk: st.SearchStrategy[JsonObject], calls: st.SearchStrategy[JsonObject]
) -> st.SearchStrategy[JsonObject]:
    def build(
        before: list[JsonObject], called: list[JsonObject], twice: bool, extra: JsonObject
    ) -> JsonObject:
        if twice and len(called) > 1:
            called = [called[0], {**called[1], "same_id_as": 0}, *called[2:]]
        return {"parts": [*before, *called], "asked": None, **extra}

    return st.builds(
        build, st.lists(talk, max_size=1), st.lists(calls, min_size=1, max_size=4), st.booleans(), _extras()
    )


def _extras() -> st.SearchStrategy[JsonObject]:
    """Mostly nothing; else what a provider gets wrong."""
    wrong = (
        st.sampled_from(_FAULTS).map(lambda fault: {"faults": [fault]})
        | st.sampled_from(_FAILS).map(lambda fail: {"fails": [fail]})
        | st.sampled_from(_FINISHES).map(lambda finish: {"finish": finish})
        | st.just({"usage": None})
    )
    return weighted((4, st.just({})), (1, wrong))


def _calls(
    tools: tuple[Tool, ...], arguments: Arguments, declared: tuple[str, ...]
) -> st.SearchStrategy[JsonObject]:
    def written(name: str, text: str) -> JsonObject:
        return {"call": name, "raw": text, "offered": False}

    text = weighted((2, st.just("{}")), (1, st.sampled_from(_MALFORMED)))
    known = (*(tool.wire_name for tool in tools), *(tool.canonical_id for tool in tools))
    choices = [(1, st.builds(written, names(known), text))]
    if declared:
        choices.append((2, st.builds(written, st.sampled_from(declared), text)))
    if tools:
        fitting = st.sampled_from(tools).flatmap(
            lambda tool: arguments.of(tool.wire_name).map(lambda text: written(tool.wire_name, text))
        )
        choices.append((4, fitting))
    return weighted(*choices)
