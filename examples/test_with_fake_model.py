"""A chat function, and its tests without a language model. Copy this next to your own tests and change it.

The fixture `fake_model` comes from `pytest_plugins = ["fake_model.pytest_plugin"]` in your top `conftest.py`.
"""

import json
from typing import Any

import openai
import pytest

from fake_model import FakeModel, call, expect, result_of, say, script, status, step

TOOL = {
    "type": "function",
    "function": {
        "name": "find_invoice",
        "parameters": {"type": "object", "properties": {"reference": {"type": "string"}}},
    },
}

INVOICES = {"HAL-7": {"id": 7, "amount": 1200}}


def answer(question: str, base_url: str) -> str:
    """Answer a question with a model that may look invoices up: the application under test."""
    client = openai.OpenAI(base_url=f"{base_url}/v1", api_key="not-needed", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": question}]
    tools: list[Any] = [TOOL]
    while True:
        message = (
            client.chat.completions.create(model="any", messages=messages, tools=tools).choices[0].message
        )
        if not message.tool_calls:
            return message.content or ""
        messages.append(message)
        for made in message.tool_calls:
            assert made.type == "function"
            found = INVOICES.get(json.loads(made.function.arguments)["reference"])
            result = {"status": "ok", "data": found} if found else {"error": {"code": "NOT_FOUND"}}
            messages.append({"role": "tool", "tool_call_id": made.id, "content": json.dumps(result)})


def test_the_model_is_given_what_it_looked_up(fake_model: FakeModel) -> None:
    """The result of the first step is in the second request, where the script checks it."""
    run = fake_model.play(
        script(
            call("find_invoice", {"reference": "HAL-7"}),
            step(expect(last_value={"/data/amount": 1200}), say("It is 1,200.")),
        )
    )

    assert answer(run.prompt("How much is HAL-7?"), fake_model.url) == "It is 1,200."


def test_an_invoice_that_is_not_there_is_a_typed_error(fake_model: FakeModel) -> None:
    """The model is told by a code, and can look again with what it has learned."""
    run = fake_model.play(
        script(
            call("find_invoice", {"reference": "NOPE"}),
            step(
                expect(last_code="NOT_FOUND"),
                call("find_invoice", {"reference": result_of(pointer="/error/code")}),
            ),
            say("There is none."),
        )
    )

    assert answer(run.prompt("How much is NOPE?"), fake_model.url) == "There is none."
    assert [exchange.step for exchange in run.exchanges] == [0, 1, 2]


def test_an_overloaded_provider_is_an_error(fake_model: FakeModel) -> None:
    """The application is told, and does not make an answer up."""
    run = fake_model.play(script(status(503, "overloaded")))

    with pytest.raises(openai.InternalServerError, match="overloaded"):
        answer(run.prompt("How much?"), fake_model.url)
