"""The endpoints for callers in other languages: everything that Python can do with a run, over HTTP."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from fake_model import FakeModel

SCRIPT: dict[str, Any] = {"steps": [{"say": "Hi."}]}


@pytest.fixture
def http(model: FakeModel) -> Iterator[httpx.Client]:
    """A client for the fake model, in a language of its own."""
    with httpx.Client(verify=False, base_url=model.url) as client:
        yield client


def ask(http: httpx.Client, prompt: str) -> httpx.Response:
    """Ask once, not streamed."""
    return http.post(
        "/v1/chat/completions", json={"model": "m", "messages": [{"role": "user", "content": prompt}]}
    )


def test_a_script_is_loaded_and_played(http: httpx.Client) -> None:
    """The answer says the token, and every way to name the run."""
    loaded = http.post("/__scripts", json={"script": SCRIPT, "token": "k7"})

    assert loaded.json() == {"token": "k7", "marker": "[[dp:k7]]", "path": "/run/k7/v1", "apiKey": "dp-k7"}
    assert ask(http, "Hello [[dp:k7]]").json()["choices"][0]["message"]["content"] == "Hi."


def test_runs_are_listed(http: httpx.Client) -> None:
    """Whoever comes later finds out what is played and how to ask for it."""
    http.post("/__scripts", json={"script": {**SCRIPT, "name": "greeting"}, "token": "k7"})

    assert http.get("/__scripts").json() == {
        "generation": 0,
        "runs": [
            {
                "token": "k7",
                "name": "greeting",
                "marker": "[[dp:k7]]",
                "path": "/run/k7/v1",
                "apiKey": "dp-k7",
            }
        ],
    }


def test_a_script_gets_a_token_where_none_is_given(http: httpx.Client) -> None:
    """The counter goes on from run to run."""
    tokens = [http.post("/__scripts", json={"script": SCRIPT}).json()["token"] for _ in range(2)]

    assert tokens == ["r1", "r2"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"script": {"steps": [{"say": "a"},\n {"sya": "b"}]}}', "script:2: steps.1.sya: unknown field"),
        (b'{"script": {"steps": [{"say": "a"}]}, "token": "A"}', "expected a token of 1 to 16 characters"),
        (b'{"scirpt": {}}', "script: Field required; scirpt: Extra inputs are not permitted"),
        (b"[]", "body: Input should be an object"),
        (b"{", "body: Invalid JSON"),
        (b"\xff", "body: Invalid JSON"),
    ],
)
def test_a_script_that_is_none_is_refused(http: httpx.Client, body: bytes, message: str) -> None:
    """With the line and the field, as in a file."""
    refused = http.post("/__scripts", content=body)

    assert refused.status_code == 400
    assert message in refused.json()["error"]["message"]


def test_a_token_serves_once_here_too(http: httpx.Client) -> None:
    """The second load is refused."""
    for expected in (200, 400):
        assert http.post("/__scripts", json={"script": SCRIPT, "token": "k7"}).status_code == expected


def test_the_journal_can_be_read(http: httpx.Client) -> None:
    """Requests, replies and findings, of one run or of all."""
    http.post(
        "/__scripts",
        json={"script": {"steps": [{"call": "x", "offered": False}, {"say": "."}]}, "token": "k7"},
    )
    ask(http, "Hello [[dp:k7]]")
    ask(http, "Hello")

    every, one = http.get("/__journal").json(), http.get("/__journal", params={"token": "k7"}).json()

    assert [exchange["token"] for exchange in every["exchanges"]] == ["k7", None]
    assert [finding["kind"] for finding in every["findings"]] == ["unmatched-request", "unconsumed-step"]
    assert [finding["kind"] for finding in one["findings"]] == ["unconsumed-step"]
    (exchange,) = one["exchanges"]
    assert (exchange["turn"], exchange["step"], exchange["attempt"], exchange["provider"]) == (
        0,
        0,
        1,
        "openai-chat",
    )
    assert json.loads(exchange["body"])["messages"][0]["content"] == "Hello [[dp:k7]]"
    assert exchange["reply"]["status"] == 200
    assert json.loads(exchange["reply"]["body"])["choices"][0]["finish_reason"] == "tool_calls"


def test_the_journal_is_jsonl_on_demand(http: httpx.Client) -> None:
    """One line for each exchange."""
    for _ in range(2):
        ask(http, "Hello")

    lines = http.get("/__journal", params={"format": "jsonl"}).text.splitlines()

    assert [json.loads(line)["order"] for line in lines] == [0, 1]


def test_a_run_that_is_not_there_has_no_journal(http: httpx.Client) -> None:
    """The refusal says so."""
    refused = http.get("/__journal", params={"token": "nobody"})

    assert (refused.status_code, "no run 'nobody'" in refused.text) == (400, True)


def test_a_gate_is_released(model: FakeModel, http: httpx.Client) -> None:
    """The answer says how many replies were waiting."""
    http.post("/__scripts", json={"script": {"steps": [{"say": "Hi.", "hold": "door"}]}, "token": "k7"})
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask, http, "Hello [[dp:k7]]")
        model.journal.wait(lambda: model.journal.counts("k7")[0] == 1, 5, lambda: "a request")
        released = 0
        while not released:
            released = http.post("/__release", json={"token": "k7", "gate": "door"}).json()["released"]
            if answer.done():
                break

        assert answer.result(5).status_code == 200


@pytest.mark.parametrize(
    "body", [{}, {"token": "k7"}, {"token": "k7", "gate": ""}, {"token": "k7", "gate": "a", "x": 1}]
)
def test_a_release_that_names_no_gate_is_refused(http: httpx.Client, body: dict[str, Any]) -> None:
    """A field is missing, empty or unknown."""
    assert http.post("/__release", json=body).status_code == 400


def test_a_reset_begins_a_new_generation(http: httpx.Client) -> None:
    """Runs and exchanges are gone."""
    http.post("/__scripts", json={"script": SCRIPT, "token": "k7"})
    ask(http, "Hello")

    assert http.post("/__reset").json() == {"generation": 1}
    assert http.get("/__journal").json() == {"generation": 1, "exchanges": [], "findings": []}
    assert http.get("/__health").json() == {"ok": True, "generation": 1, "exchanges": 1}


def test_an_unknown_endpoint_names_the_known_ones(http: httpx.Client) -> None:
    """A typo is found at once."""
    refused = http.get("/__jurnal")

    assert refused.status_code == 404
    assert "GET /__journal" in refused.json()["error"]["message"]
