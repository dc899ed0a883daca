"""The same questions get the same answers, in whichever provider's format the request came."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from fake_model import CallPart, ModelRequest, Place, RequestError, ResultPart, Role, ToolChanges
from fake_model.ids import Marker
from fake_model.names import Alias
from fake_model.providers.anthropic import Anthropic
from fake_model.providers.base import Provider
from fake_model.providers.openai_chat import OpenAIChat
from fake_model.providers.openai_responses import OpenAIResponses
from tests.fake_model import bodies

Build = Callable[..., dict[str, Any]]

FORMATS = [
    pytest.param(OpenAIChat(), bodies.chat, id="chat"),
    pytest.param(OpenAIResponses(), bodies.responses, id="responses"),
    pytest.param(Anthropic(), bodies.anthropic, id="anthropic"),
]

EACH_FORMAT = pytest.mark.parametrize(("provider", "build"), FORMATS)


def parsed(provider: Provider, body: dict[str, Any]) -> ModelRequest:
    """Return a request as the journal has it."""
    return provider.parse(json.dumps(body).encode())


@EACH_FORMAT
def test_tools_are_found_by_canonical_id(provider: Provider, build: Build) -> None:
    """A case asks by canonical id; names, schemas and descriptions are those that were sent."""
    request = parsed(provider, build())

    tool = request.tool("view:invoices.pending.setFilters")
    assert tool is not None
    assert (tool.name, tool.description) == (
        "view_invoices__pending__setFilters",
        "view_invoices__pending__setFilters.",
    )
    assert (sorted(tool.fields), sorted(tool.required)) == (["client", "due"], ["due"])
    assert request.offers("domain:collections-aging")
    assert not request.offers("domain:issue-invoice")
    assert request.tool_names == tuple(bodies.SCHEMAS)


@EACH_FORMAT
def test_the_conversation_is_one_sequence_of_roles_and_parts(provider: Provider, build: Build) -> None:
    """Calls and results are paired by id, with names, arguments and values."""
    request = parsed(provider, build())

    assert request.system[0] == bodies.INSTRUCTIONS
    assert bodies.PROMPT in request.user_texts
    assert request.all_calls == (
        CallPart(bodies.FIRST, "domain_collections-aging", "{}"),
        CallPart(bodies.SECOND, "view_invoices__pending__setFilters", '{"due":"overdue"}'),
    )
    assert request.unanswered_calls == ()
    assert [result.value for result in request.results] == [bodies.AGING, bodies.DENIED]
    assert (request.model, request.stream) == ("acme/large", True)


@EACH_FORMAT
def test_the_last_result_has_its_code(provider: Provider, build: Build) -> None:
    """What a model would read of a failure can be asked for by its code."""
    last = parsed(provider, build()).last_result

    assert last is not None
    assert (last.code, last.status, last.at("/error/retryable")) == ("FORBIDDEN", "error", False)


@EACH_FORMAT
def test_only_results_since_the_users_message_count(provider: Provider, build: Build) -> None:
    """The first step of a turn has none."""
    request = parsed(provider, build(step=0))

    assert request.results == ()
    assert request.last_result is None


@EACH_FORMAT
def test_marker_and_step_follow_from_the_messages(provider: Provider, build: Build) -> None:
    """The user's text says run and turn, the call ids say how far it is."""
    first, second = parsed(provider, build(step=0)), parsed(provider, build())

    assert (first.marker, second.marker) == (Marker("k7"), Marker("k7"))
    assert (first.step_asked("k7", 0), second.step_asked("k7", 0)) == (0, 1)
    assert second.step_asked("k7", 1) == 0
    assert second.step_asked("other", 0) == 0


@EACH_FORMAT
@pytest.mark.parametrize("step", [0, 1])
def test_the_state_block_after_the_conversation_is_seen_there(
    provider: Provider, build: Build, step: int
) -> None:
    """Live state belongs after the conversation, in whatever way a format can put it there."""
    request = parsed(provider, build(step=step))

    (line,) = request.state_lines
    assert (line.canonical_id, line.available) == ("view:invoices.pending.readState", False)
    assert (line.note, line.place) == ("Open the list first", Place.AFTER_CONVERSATION)
    assert request.state_lines_in_tool_block == ()


@EACH_FORMAT
def test_a_state_block_before_the_conversation_is_seen_there(provider: Provider, build: Build) -> None:
    """Frameworks hoist system messages; that a block was moved must show."""
    (line,) = parsed(provider, build(state_first=True)).state_lines

    assert line.place is Place.BEFORE_CONVERSATION


def test_state_in_a_system_message_behind_an_anthropic_conversation_is_seen_there() -> None:
    """Newer models take system messages within a conversation, and clients put live state into one."""
    first = bodies.anthropic(step=0, state="")
    second = bodies.anthropic(state="")
    for body, state in ((first, bodies.STATE), (second, bodies.STATE.replace("list", "page"))):
        body["messages"].append({"role": "system", "content": [{"type": "text", "text": state}]})
    before, after = parsed(Anthropic(), first), parsed(Anthropic(), second)

    assert [line.place for line in after.state_lines] == [Place.AFTER_CONVERSATION]
    assert [result.value for result in after.results] == [bodies.AGING, bodies.DENIED]
    assert after.prefix_unchanged_since(before)


def test_state_within_the_conversation_is_seen_there() -> None:
    """A block that was left in the history is stale state in the middle of it."""
    body = bodies.chat(step=0)
    body["messages"] += [{"role": "assistant", "content": "Yes?"}, {"role": "user", "content": "Go on."}]

    (line,) = parsed(OpenAIChat(), body).state_lines

    assert line.place is Place.WITHIN_CONVERSATION


def test_state_in_a_tool_description_is_seen_there() -> None:
    """Live state in the tool block is what the stack forbids, so it has a question of its own."""
    body = bodies.chat(state="")
    body["tools"][0]["function"]["description"] += "\n- view:x.y — unavailable: not now"

    request = parsed(OpenAIChat(), body)

    assert [line.canonical_id for line in request.state_lines_in_tool_block] == ["view:x.y"]
    assert request.state_lines == ()


@EACH_FORMAT
def test_the_prefix_is_unchanged_while_the_state_moves(provider: Provider, build: Build) -> None:
    """Tools and conversation of step 0 begin step 1 byte for byte; the block at the end may say something else."""
    first = parsed(provider, build(step=0))
    second = parsed(provider, build(state=bodies.STATE.replace("list", "page")))

    assert second.prefix_unchanged_since(first)
    assert not first.prefix_unchanged_since(second)


@EACH_FORMAT
def test_state_before_the_conversation_breaks_the_prefix(provider: Provider, build: Build) -> None:
    """A block in front of the conversation that moves invalidates everything behind it."""
    first = parsed(provider, build(step=0, state_first=True))
    second = parsed(provider, build(state_first=True, state=bodies.STATE.replace("list", "page")))

    assert not second.prefix_unchanged_since(first)


@EACH_FORMAT
def test_a_changed_tool_breaks_the_prefix_and_is_named(provider: Provider, build: Build) -> None:
    """The tool block is the front of the prompt; what changed in it can be asked."""
    before, after = build(step=0), build()
    after["tools"].reverse()
    moved = parsed(provider, after)
    after["tools"].pop()
    after["tools"].append({**after["tools"][0], **_renamed(after["tools"][0], "domain_new")})
    first, changed = parsed(provider, before), parsed(provider, after)

    assert not moved.prefix_unchanged_since(first)
    assert not moved.tool_changes_since(first)
    assert changed.tool_changes_since(first) == ToolChanges(
        ("domain_new",), ("domain_collections-aging",), ()
    )


def test_a_changed_schema_is_a_changed_tool() -> None:
    """The same name with another schema is neither added nor removed."""
    before, after = bodies.chat(), bodies.chat()
    after["tools"][1]["function"]["parameters"] = {"type": "object"}

    changes = parsed(OpenAIChat(), after).tool_changes_since(parsed(OpenAIChat(), before))

    assert changes == ToolChanges((), (), ("view_invoices__pending__setFilters",))


def test_aliases_answer_for_canonical_ids() -> None:
    """A target with its own wire names is asked by canonical id all the same."""
    request = parsed(OpenAIChat(), bodies.chat()).with_aliases(
        (Alias("domain:aging", "domain_collections-aging"),)
    )

    assert request.offers("domain:aging")


def test_merged_user_messages_keep_the_last_marker() -> None:
    """Frameworks merge adjacent user messages into one with several parts; the last marker says the turn."""
    body = bodies.chat(step=0, state="")
    body["messages"][-1]["content"] = [
        {"type": "text", "text": "One [[dp:k7]]"},
        {"type": "text", "text": "Two [[dp:k7.1]]"},
    ]

    assert parsed(OpenAIChat(), body).marker == Marker("k7", 1)


def test_a_split_or_dropped_assistant_message_leaves_the_step() -> None:
    """However a framework cuts the history up, the highest step that it still shows is the last one."""
    body = bodies.chat()
    assistant = body["messages"][2]
    split = [{**assistant, "tool_calls": [call]} for call in assistant["tool_calls"]]
    for messages in (
        [*body["messages"][:2], *split, *body["messages"][3:]],
        [*body["messages"][:2], *body["messages"][3:]],
        [
            *body["messages"][:2],
            {**assistant, "tool_calls": assistant["tool_calls"][:1]},
            body["messages"][3],
        ],
        [*body["messages"], {"role": "assistant", "content": "I was not scripted."}],
    ):
        assert parsed(OpenAIChat(), {**body, "messages": messages}).step_asked("k7", 0) == 1


def test_a_call_without_a_result_is_shown() -> None:
    """Providers refuse such a conversation; a case can ask before one does."""
    body = bodies.chat()
    del body["messages"][4]

    assert [call.id for call in parsed(OpenAIChat(), body).unanswered_calls] == [bodies.SECOND]


def test_parts_that_are_no_text_are_kept_by_their_kind() -> None:
    """Images and thinking that was sent back stand in the conversation, without a text."""
    body = bodies.anthropic(step=0, state="")
    body["messages"][0]["content"].append({"type": "image", "source": {}})

    (message,) = [m for m in parsed(Anthropic(), body).messages if m.role is Role.USER]

    assert [type(part).__name__ for part in message.parts] == ["TextPart", "OtherPart"]


def test_a_reference_to_a_call_counts_as_the_call() -> None:
    """A client that lets the provider keep the conversation sends references; they still say the step."""
    body = {
        "model": "m",
        "input": [{"role": "user", "content": "Hi"}, {"type": "item_reference", "id": f"fc_{bodies.FIRST}"}],
    }

    assert parsed(OpenAIResponses(), body).step_asked("k7", 0) == 1


@pytest.mark.parametrize(
    ("result", "code", "status"),
    [
        ('{"error": {"code": "NO_SUCH_TOOL"}}', "NO_SUCH_TOOL", None),
        ('{"ok": false, "error": {"code": "UNMOUNTED"}}', "UNMOUNTED", None),
        ('{"status": "approval-required"}', None, "approval-required"),
        ('{"code": "X"}', "X", None),
        ('{"error": {"code": 7}}', None, None),
        ("plain text", None, None),
        ("[]", None, None),
    ],
)
def test_codes_are_read_from_every_envelope(result: str, code: str | None, status: str | None) -> None:
    """Hosts wrap errors differently; a result without a code has none."""
    part = ResultPart("id", result)

    assert (part.code, part.status) == (code, status)


@pytest.mark.parametrize(
    ("provider", "body", "message"),
    [
        (OpenAIChat(), b"{", "expected JSON as the request body"),
        (OpenAIChat(), b"[]", "expected a JSON object as the request body, got list"),
        (OpenAIChat(), b'{"messages": {}}', "messages: expected an array, got dict"),
        (OpenAIChat(), b'{"messages": [1]}', r"messages\[0\]: expected an object, got int"),
        (
            OpenAIChat(),
            b'{"messages": [{"role": "robot"}]}',
            r"messages\[0\].role: expected one of .*, got 'robot'",
        ),
        (
            OpenAIChat(),
            b'{"messages": [{"role": "assistant", "tool_calls": [{"id": "a"}]}]}',
            r"messages\[0\].tool_calls\[0\].function: expected an object, got null",
        ),
        (
            OpenAIChat(),
            b'{"tools": [{"function": {}}]}',
            r"tools\[0\].function.name: expected a string, got null",
        ),
        (
            Anthropic(),
            b'{"messages": [{"role": "user", "content": [{"type": "text"}]}]}',
            r"messages\[0\].content\[0\].text: expected a string, got null",
        ),
        (
            OpenAIResponses(),
            b'{"input": [{"type": "function_call_output", "output": "x"}]}',
            r"input\[0\].call_id: expected a string, got null",
        ),
    ],
)
def test_an_unreadable_body_is_refused_with_its_field(provider: Provider, body: bytes, message: str) -> None:
    """Whoever sent it is told where it departs from the format."""
    with pytest.raises(RequestError, match=message):
        provider.parse(body)


def test_what_only_some_parsers_take_is_read_all_the_same() -> None:
    """A target may pass lone surrogates and huge numbers on; the journal must be able to show that."""
    body = b'{"messages": [{"role": "user", "content": "\\ud800"}], "temperature": 1e999}'

    assert OpenAIChat().parse(body).user_texts == ("\ud800",)


def _renamed(tool: dict[str, Any], name: str) -> dict[str, Any]:
    if "function" in tool:
        return {"function": {**tool["function"], "name": name}}
    return {"name": name}
