"""Which run a request belongs to: by marker, path, key and call ids, and never by a guess."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from fake_model import (
    FakeModel,
    FindingKind,
    IncompleteError,
    JournalError,
    SideCall,
    call,
    say,
    script,
    step,
    turn,
)
from tests.fake_model.asking import ask, body, kinds, text


def test_a_request_is_routed_by_its_marker(model: FakeModel, http: httpx.Client) -> None:
    """Two runs side by side don't meet."""
    one, other = model.play(script(say("One."))), model.play(script(say("Other.")))

    answers = [text(ask(http, run.prompt("Hello"))) for run in (other, one)]

    assert answers == ["Other.", "One."]
    assert [exchange.token for exchange in model.exchanges] == [other.token, one.token]
    assert len(one.exchanges) == len(other.exchanges) == 1


def test_a_request_is_routed_by_its_path(model: FakeModel, http: httpx.Client) -> None:
    """An application whose prompts can't be marked is given an address of its own."""
    run = model.play(script(turn(say("First.")), turn(say("Second."))))

    first = ask(http, "Hello", path=f"/run/{run.token}/v1/chat/completions")
    talk = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "First."},
        {"role": "user", "content": "And?"},
    ]
    second = ask(http, "", path=f"/run/{run.token}/v1/chat/completions", messages=talk)

    assert (text(first), text(second)) == ("First.", "Second.")
    run.assert_complete()


@pytest.mark.parametrize("header", ["authorization", "x-api-key"])
def test_a_request_is_routed_by_its_key(model: FakeModel, http: httpx.Client, header: str) -> None:
    """Or a key of its own, which is not kept."""
    run = model.play(script(say("By key.")))
    value = f"Bearer {run.api_key}" if header == "authorization" else run.api_key

    response = http.post("/v1/chat/completions", json=body("Hello"), headers={header: value})

    assert text(response) == "By key."
    assert (header, "***") in run.exchanges[0].headers


def test_a_marker_goes_before_a_path(model: FakeModel, http: httpx.Client) -> None:
    """The user's own text is nearest to what is meant."""
    one, other = model.play(script(say("One."))), model.play(script(step(say("Other."), optional=True)))

    assert text(ask(http, one.prompt("Hello"), path=f"/run/{other.token}/v1/chat/completions")) == "One."
    model.assert_complete()


def test_a_continuation_without_the_prompt_is_routed_by_its_call_ids(
    model: FakeModel, http: httpx.Client
) -> None:
    """A client that lets the provider keep the conversation sends only results; they say where they belong."""
    run = model.play(script(call("tool"), say("Done.")))
    tool = {"type": "function", "name": "tool", "parameters": {}}
    first = http.post("/v1/responses", json={"model": "m", "input": run.prompt("Go"), "tools": [tool]})
    identity = first.json()["output"][0]["call_id"]

    result = {"type": "function_call_output", "call_id": identity, "output": "{}"}
    second = http.post(
        "/v1/responses", json={"model": "m", "input": [result], "previous_response_id": "resp_1"}
    )

    assert second.json()["output"][0]["content"][0]["text"] == "Done."
    run.assert_complete()


def test_an_unmatched_request_is_refused_and_found(model: FakeModel, http: httpx.Client) -> None:
    """Nothing is answered on a guess; the refusal says how a request names its run, and not to try again."""
    response = ask(http, "Hello")

    assert response.status_code == 400
    assert response.headers["x-should-retry"] == "false"
    assert "expected a marker [[dp:TOKEN]]" in response.json()["error"]["message"]
    assert kinds(model) == [FindingKind.UNMATCHED]
    with pytest.raises(IncompleteError, match="unmatched-request"):
        model.assert_complete()


def test_an_unknown_run_is_refused_and_found(model: FakeModel, http: httpx.Client) -> None:
    """A token that nobody plays is as unmatched as none."""
    response = ask(http, "Hello [[dp:nobody]]")

    assert "there is no run nobody" in response.json()["error"]["message"]
    assert kinds(model) == [FindingKind.UNMATCHED]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v1/embeddings"), ("GET", "/v1/chat/completions"), ("GET", "/"), ("DELETE", "/v1/responses")],
)
def test_a_path_that_nobody_serves_is_404_and_found(
    model: FakeModel, http: httpx.Client, method: str, path: str
) -> None:
    """What an application asks for beside replies shows up, and is not taken for one."""
    response = http.request(method, path)

    assert response.status_code == 404
    assert f"got {method} {path}" in response.json()["error"]["message"]
    assert kinds(model) == [FindingKind.UNMATCHED]


def test_an_unreadable_request_is_refused_and_kept(model: FakeModel, http: httpx.Client) -> None:
    """The journal has the bytes, and says why it has no more."""
    response = http.post("/v1/chat/completions", content=b'{"messages": 1}')

    assert response.status_code == 400
    assert kinds(model) == [FindingKind.UNREADABLE]
    (exchange,) = model.exchanges
    assert exchange.body == b'{"messages": 1}'
    with pytest.raises(JournalError, match="messages: expected an array"):
        _ = exchange.request


def test_side_calls_get_their_canned_reply() -> None:
    """Titles and moderation belong to no script: they are recognised by what they are and told apart in the journal."""
    side_calls = [
        SideCall("titles", say="A fine thread", system="Name this thread."),
        SideCall("moderation", body='{"flagged":false}', path="/moderations"),
        SideCall("small model", say="ok", model="tiny", offers_tools=False),
    ]
    with FakeModel(side_calls=side_calls) as model, httpx.Client(verify=False, base_url=model.url) as http:
        run = model.play(script(say("Hi.")))
        messages = [
            {"role": "system", "content": "Name this thread."},
            {"role": "user", "content": run.prompt("Hello")},
        ]
        title = http.post("/v1/chat/completions", json={"model": "m", "messages": messages})
        moderation = http.post("/v1/moderations", json={"input": run.prompt("Hello")})
        small = http.post("/v1/messages", json={**body("Hello", stream=False), "model": "tiny"})
        tools = [{"name": "x", "input_schema": {}}]
        not_small = http.post(
            "/v1/messages", json={**body("Hello", stream=False, tools=tools), "model": "tiny"}
        )
        answer = ask(http, run.prompt("Hello"))

        assert title.json()["choices"][0]["message"]["content"] == "A fine thread"
        assert moderation.json() == {"flagged": False}
        assert small.json()["content"][0]["text"] == "ok"
        assert not_small.status_code == 400
        assert text(answer) == "Hi."
        known = [exchange.side_call for exchange in model.exchanges]
        assert known == ["titles", "moderation", "small model", None, None]
        run.assert_complete()


def test_many_threads_may_ask_at_once(model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor) -> None:
    """Runs side by side keep their answers and their journals apart."""
    runs = [model.play(script(say(f"Answer {number}."))) for number in range(40)]

    answers = list(pool.map(lambda run: text(ask(http, run.prompt("Hello"))), runs))

    assert answers == [f"Answer {number}." for number in range(40)]
    assert all(len(run.exchanges) == 1 for run in runs)
    assert [exchange.order for exchange in model.exchanges] == list(range(40))
    model.assert_complete()
