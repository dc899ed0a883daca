"""Small request bodies in the shapes that real applications send, in each provider's format.

The same conversation stands in all of them: a prompt, a state block, one server and one browser call, their results.
"""

import json
from typing import Any

PROMPT = "What is late? [[dp:k7]]"
INSTRUCTIONS = "You keep the books of a small shop."
STATE = "State of this step:\n- view:invoices.pending.readState — unavailable: Open the list first"
AGING = {"status": "ok", "data": [{"id": "late", "count": 3}]}
DENIED = {"status": "error", "error": {"code": "FORBIDDEN", "message": "No.", "retryable": False}}

SCHEMAS: dict[str, dict[str, Any]] = {
    "domain_collections-aging": {"type": "object", "properties": {}, "additionalProperties": True},
    "view_invoices__pending__setFilters": {
        "type": "object",
        "properties": {"due": {"type": "string", "enum": ["all", "overdue"]}, "client": {"type": "integer"}},
        "required": ["due"],
        "additionalProperties": False,
    },
}

FIRST, SECOND = "call_dp_k7_0_0_0", "call_dp_k7_0_0_1"


def chat(*, step: int = 1, state: str = STATE, state_first: bool = False) -> dict[str, Any]:
    """Return a Chat Completions body, with the state block after the conversation or before it."""
    calls = [
        {
            "id": FIRST,
            "type": "function",
            "function": {"name": "domain_collections-aging", "arguments": "{}"},
        },
        {
            "id": SECOND,
            "type": "function",
            "function": {"name": "view_invoices__pending__setFilters", "arguments": '{"due":"overdue"}'},
        },
    ]
    talk: list[dict[str, Any]] = [{"role": "user", "content": PROMPT}]
    if step:
        talk += [
            {"role": "assistant", "content": "Looking.", "tool_calls": calls},
            {
                "role": "tool",
                "tool_call_id": FIRST,
                "content": json.dumps(AGING),
                "name": "domain_collections-aging",
            },
            {"role": "tool", "tool_call_id": SECOND, "content": json.dumps(DENIED)},
        ]
    block = [{"role": "system", "content": [{"type": "text", "text": state}]}] if state else []
    system = {"role": "system", "content": [{"type": "text", "text": INSTRUCTIONS}]}
    messages = [system, *block, *talk] if state_first else [system, *talk, *block]
    tools = [
        {"type": "function", "function": {"name": name, "description": f"{name}.", "parameters": schema}}
        for name, schema in SCHEMAS.items()
    ]
    return {
        "model": "acme/large",
        "messages": messages,
        "tools": tools,
        "tool_choice": "auto",
        "stream": True,
    }


def anthropic(*, step: int = 1, state: str = STATE, state_first: bool = False) -> dict[str, Any]:
    """Return a Messages body; the state block stands in the last user message, or in the system texts."""
    block = [{"type": "text", "text": state}] if state else []
    prompt: list[dict[str, Any]] = [{"type": "text", "text": PROMPT}]
    talk: list[dict[str, Any]] = [{"role": "user", "content": prompt}]
    if step:
        uses = [
            {"type": "text", "text": "Looking."},
            {"type": "tool_use", "id": FIRST, "name": "domain_collections-aging", "input": {}},
            {
                "type": "tool_use",
                "id": SECOND,
                "name": "view_invoices__pending__setFilters",
                "input": {"due": "overdue"},
            },
        ]
        results = [
            {"type": "tool_result", "tool_use_id": FIRST, "content": json.dumps(AGING)},
            {
                "type": "tool_result",
                "tool_use_id": SECOND,
                "content": [{"type": "text", "text": json.dumps(DENIED)}],
                "is_error": True,
            },
        ]
        talk += [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]
    system = [{"type": "text", "text": INSTRUCTIONS}]
    if state_first:
        system += block
    else:
        talk[-1]["content"] = [*talk[-1]["content"], *block]
    tools = [
        {"name": name, "description": f"{name}.", "input_schema": schema, "eager_input_streaming": True}
        for name, schema in SCHEMAS.items()
    ]
    return {
        "model": "acme/large",
        "max_tokens": 64000,
        "system": system,
        "messages": talk,
        "tools": tools,
        "tool_choice": {"type": "auto"},
        "stream": True,
    }


def responses(*, step: int = 1, state: str = STATE, state_first: bool = False) -> dict[str, Any]:
    """Return a Responses body, with the state block after the conversation or before it."""
    talk: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "input_text", "text": PROMPT}]}]
    if step:
        talk += [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Looking.", "annotations": []}],
            },
            {
                "type": "function_call",
                "call_id": FIRST,
                "name": "domain_collections-aging",
                "arguments": "{}",
            },
            {
                "type": "function_call",
                "call_id": SECOND,
                "name": "view_invoices__pending__setFilters",
                "arguments": '{"due":"overdue"}',
            },
            {"type": "function_call_output", "call_id": FIRST, "output": json.dumps(AGING)},
            {
                "type": "function_call_output",
                "call_id": SECOND,
                "output": [{"type": "input_text", "text": json.dumps(DENIED)}],
            },
        ]
    block = [{"role": "developer", "content": state}] if state else []
    tools = [
        {"type": "function", "name": name, "description": f"{name}.", "parameters": schema, "strict": False}
        for name, schema in SCHEMAS.items()
    ]
    return {
        "model": "acme/large",
        "instructions": INSTRUCTIONS,
        "input": [*block, *talk] if state_first else [*talk, *block],
        "tools": tools,
        "stream": True,
    }
