"""What a provider would refuse in a prompt."""

from collections.abc import Callable
from typing import Any

import pytest

from fake_model import FakeModel, FindingKind, problems, say, script
from fake_model.providers.base import Provider
from fake_model.providers.openai_chat import OpenAIChat
from fake_model.providers.openai_responses import OpenAIResponses
from tests.fake_model import bodies
from tests.fake_model.clients import PLAIN
from tests.fake_model.test_request import EACH_FORMAT, Build, parsed

Spoil = Callable[[dict[str, Any]], object]


@EACH_FORMAT
@pytest.mark.parametrize("step", [0, 1])
def test_a_sound_prompt_has_no_problems(provider: Provider, build: Build, step: int) -> None:
    """Each call has its result, each tool its name."""
    assert problems(parsed(provider, build(step=step))) == ()


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda body: body["messages"].clear(), "there is no message"),
        (lambda body: body["messages"].pop(4), f"call '{bodies.SECOND}' is not answered"),
        (lambda body: body["messages"].pop(2), f"the result of '{bodies.FIRST}' follows no call"),
        (
            lambda body: body["messages"].append(body["messages"][4]),
            f"call '{bodies.SECOND}' is answered 2 times",
        ),
        (
            lambda body: body["messages"].insert(3, body["messages"][2]),
            f"call id '{bodies.FIRST}' is used 2 times",
        ),
        (
            lambda body: body["tools"].append(body["tools"][0]),
            "tool 'domain_collections-aging' is offered 2 times",
        ),
        (
            lambda body: body["tools"][0]["function"].update(name="domain:list"),
            "tool name 'domain:list' is not 1 to 64",
        ),
        (
            lambda body: body["tools"].extend(
                {"type": "function", "function": {"name": f"t{number}"}} for number in range(127)
            ),
            "129 tools are offered, a provider takes 128",
        ),
    ],
)
def test_what_a_provider_refuses_is_named(spoil: Spoil, expected: str) -> None:
    """One thing is wrong, and the first text says which."""
    body = bodies.chat(state="")
    spoil(body)

    assert problems(parsed(OpenAIChat(), body))[0].startswith(expected)


def test_a_conversation_that_the_provider_keeps_need_not_stand_in_the_request() -> None:
    """Results and references stand for what came before."""
    result = {"type": "function_call_output", "call_id": bodies.FIRST, "output": "{}"}
    reference = {"type": "item_reference", "id": f"fc_{bodies.FIRST}"}
    prompt = {"role": "user", "content": "Hi"}

    for items in ([result], [prompt, reference, result]):
        assert problems(parsed(OpenAIResponses(), {"input": items})) == ()
    assert problems(parsed(OpenAIResponses(), {"input": [prompt, result]}))


def test_a_strict_model_refuses_what_a_provider_would() -> None:
    """The application sees the 400 that it would see in reality, and the run has the finding."""
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "Hello [[dp:k7]]"}, bodies.chat()["messages"][3]],
    }
    with FakeModel(strict=True) as model:
        run = model.play(script(say("Hi.")), token="k7")
        response = PLAIN.post(f"{model.url}/v1/chat/completions", json=body)

        assert response.status_code == 400
        assert "follows no call" in response.json()["error"]["message"]
        assert run.findings[0].kind is FindingKind.REFUSED
