"""Recording: what a provider answers becomes a script that gives the same stream, tested on another fake model."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from fake_model import (
    FakeModel,
    Fault,
    Recorder,
    call,
    cut,
    gate,
    load_script,
    load_scripts,
    reason,
    reset,
    say,
    script,
    status,
    step,
    turn,
    usage,
)
from tests.fake_model.clients import (
    PLAIN,
    Answered,
    AnthropicClient,
    ChatClient,
    Client,
    ResponsesClient,
    Said,
)
from tests.fake_model.test_faults import CONNECTION_ERRORS, STATUS_ERRORS, status_error

CLIENTS = [ChatClient, ResponsesClient, AnthropicClient]
EACH = pytest.mark.parametrize("kind", CLIENTS, ids=["chat", "responses", "anthropic"])

CONVERSATION = script(
    turn(
        step(
            reason("Hm", "m."),
            say("Let me ", "look."),
            call("domain:list-invoices", {"kind": "all"}, pieces=3),
            call("domain:issue-invoice"),
            usage=usage(24, 16, cached=8, reasoning=4),
        ),
        step(say("Three", " of them."), finish="length"),
    ),
    turn(step(say("Bye. ✓"), usage=usage(7, 8))),
)


@pytest.fixture
def recorder(model: FakeModel, tmp_path: Path) -> Iterator[Recorder]:
    """A recorder in front of a fake model, which stands for the real provider."""
    with Recorder(model.url, tmp_path / "scripts") as started:
        yield started


def converse(kind: type[Client], url: str, token: str, *, stream: bool) -> None:
    """Hold the whole conversation once."""
    client = kind(url)
    talk: list[Said | Answered] = [Said(f"What is late? [[dp:{token}]]")]
    seen = client.ask(talk, stream=stream)
    talk.append(Answered(seen, ("[]", "{}")))
    talk.append(Answered(client.ask(talk, stream=stream)))
    talk.append(Said(f"Thanks. [[dp:{token}.1]]"))
    client.ask(talk, stream=stream)


def bodies(model: FakeModel) -> list[bytes]:
    """Return what was sent, exchange by exchange."""
    return [exchange.sent.body for exchange in model.exchanges if exchange.sent]


@EACH
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_a_recording_replays_the_same_bytes(
    kind: type[Client], stream: bool, model: FakeModel, recorder: Recorder, tmp_path: Path
) -> None:
    """The conversation is held once through the recorder and once with what it wrote; every byte is the same."""
    model.play(CONVERSATION, token="k7")
    converse(kind, recorder.url, "k7", stream=stream)

    with FakeModel(standing=load_scripts(tmp_path / "scripts")) as replay:
        converse(kind, replay.url, "k7", stream=stream)
        replay.assert_complete()

        if stream:
            assert bodies(replay) == bodies(model)
        else:
            spaceless = [body.replace(b" ", b"") for body in bodies(model)]
            assert [body.replace(b" ", b"") for body in bodies(replay)] == spaceless


@EACH
def test_a_recorded_script_can_be_read(
    kind: type[Client], model: FakeModel, recorder: Recorder, tmp_path: Path
) -> None:
    """What was heard is a script of parts with their deltas, not a dump of bytes."""
    model.play(CONVERSATION, token="k7")
    converse(kind, recorder.url, "k7", stream=True)

    document = yaml.safe_load((tmp_path / "scripts" / "k7.yaml").read_text())

    first = document["turns"][0]["steps"][0]
    assert first["parts"] == [
        {"reason": ["Hm", "m."]},
        {"say": ["Let me ", "look."]},
        {"call": "domain_list-invoices", "raw": ['{"kin', 'd": "', 'all"}']},
        {"call": "domain_issue-invoice", "raw": ["{}"]},
    ]
    assert first["usage"] == {"input": 24, "output": 16, "cached": 8, "reasoning": 4}
    assert document["turns"][0]["steps"][1]["finish"] == "length"


def test_failed_attempts_are_recorded_as_such(model: FakeModel, recorder: Recorder, tmp_path: Path) -> None:
    """An error and then an answer is one step that fails at first, with the provider's own body."""
    model.play(script(step(say("At last."), fails=[status(429, "slow down", retry_after=2)])), token="k7")
    client = ChatClient(recorder.url)
    with pytest.raises(STATUS_ERRORS) as caught:
        client.ask([Said("Hi [[dp:k7]]")], stream=True)
    assert client.ask([Said("Hi [[dp:k7]]")], stream=True).text == "At last."

    assert status_error(caught).response.headers["retry-after"] == "2"
    written = load_script(tmp_path / "scripts" / "k7.yaml").turns[0].plain_steps[0]
    (failed,) = written.fails
    assert getattr(failed, "status", None) == 429
    assert getattr(failed, "retry_after", None) == "2"
    assert "slow down" in str(getattr(failed, "body", ""))


def test_an_error_alone_is_the_answer(model: FakeModel, recorder: Recorder, tmp_path: Path) -> None:
    """A request that was only ever refused is recorded as refused."""
    model.play(script(status(401, "who are you")), token="k7")
    with pytest.raises(STATUS_ERRORS):
        ChatClient(recorder.url).ask([Said("Hi [[dp:k7]]")], stream=True)

    written = load_script(tmp_path / "scripts" / "k7.yaml").turns[0].plain_steps[0]
    assert (written.fails, [getattr(fault, "status", None) for fault in written.faults]) == ((), [401])


@pytest.mark.parametrize("fault", [cut(after_events=3), reset(3)])
def test_a_broken_stream_is_recorded_as_broken(
    fault: Fault, model: FakeModel, recorder: Recorder, tmp_path: Path
) -> None:
    """The reader's connection breaks where the provider's did, and so does the replay's."""
    model.play(script(step(say("a", "b", "c"), fault)), token="k7")
    with pytest.raises(CONNECTION_ERRORS):
        ChatClient(recorder.url).ask([Said("Hi [[dp:k7]]")], stream=True)

    written = load_script(tmp_path / "scripts" / "k7.yaml").turns[0].plain_steps[0]
    assert len(written.faults) == 1
    with (
        FakeModel(standing=load_scripts(tmp_path / "scripts")) as replay,
        pytest.raises(CONNECTION_ERRORS),
    ):
        ChatClient(replay.url).ask([Said("Hi [[dp:k7]]")], stream=True)


def test_conversations_without_markers_are_told_by_their_first_message(
    model: FakeModel, recorder: Recorder, tmp_path: Path
) -> None:
    """A real application marks nothing; each conversation gets a file, played by path or key."""
    runs = [model.play(script(call("domain:list-invoices"), say(f"{name}."))) for name in ("One", "Two")]
    for run in runs:
        client = ChatClient(f"{recorder.url}/run/{run.token}")
        talk: list[Said | Answered] = [Said(f"Hello, {run.token}")]
        talk.append(Answered(client.ask(talk, stream=True), ("[]",)))
        client.ask(talk, stream=True)

    scripts = dict(load_scripts(tmp_path / "scripts"))
    assert sorted(scripts) == ["c1", "c2"]
    with FakeModel(standing=scripts.items()) as replay:
        client = ChatClient(f"{replay.url}/run/c2")
        talk = [Said("Hello")]
        talk.append(Answered(client.ask(talk, stream=True), ("[]",)))
        assert client.ask(talk, stream=True).text == "Two."


def test_a_recording_may_begin_in_the_middle(model: FakeModel, recorder: Recorder, tmp_path: Path) -> None:
    """Turns that were over before are empty and optional, so that the later ones keep their number."""
    model.play(script(turn(step(say("First."), optional=True)), turn(say("Second."))), token="k7")
    ChatClient(recorder.url).ask([Said("Two? [[dp:k7.1]]")], stream=True)

    with FakeModel(standing=load_scripts(tmp_path / "scripts")) as replay:
        assert ChatClient(replay.url).ask([Said("Two? [[dp:k7.1]]")], stream=True).text == "Second."
        replay.assert_complete()


def test_what_is_no_reply_is_passed_on_and_not_recorded(recorder: Recorder, tmp_path: Path) -> None:
    """The list of models goes through; no file comes of it."""
    assert PLAIN.get(f"{recorder.url}/v1/models").json()["data"][0]["id"] == "dualplane-scripted"
    assert not (tmp_path / "scripts").exists()


def test_no_key_is_written(model: FakeModel, recorder: Recorder, tmp_path: Path) -> None:
    """The provider is sent the key, and the script does not have it."""
    run = model.play(script(say("Hi.")))
    headers = {"authorization": f"Bearer {run.api_key}"}
    body = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}

    response = PLAIN.post(f"{recorder.url}/v1/chat/completions", json=body, headers=headers)

    assert response.status_code == 200
    (path,) = (tmp_path / "scripts").iterdir()
    assert run.api_key not in path.read_text()


def test_a_provider_that_is_not_there_is_a_502(tmp_path: Path) -> None:
    """The application is told by whom."""
    with Recorder("http://127.0.0.1:9", tmp_path) as recorder:
        response = PLAIN.post(f"{recorder.url}/v1/chat/completions", json={})

    assert response.status_code == 502
    assert "expected an answer from http://127.0.0.1:9" in response.json()["error"]["message"]


def test_the_stream_is_passed_back_as_it_comes(model: FakeModel, recorder: Recorder) -> None:
    """What the provider has said is read before it goes on."""
    run = model.play(script(step(say("Before. "), gate("door"), say("After."))))
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": run.prompt("Hi")}]}

    with PLAIN.stream("POST", f"{recorder.url}/v1/chat/completions", json=body) as response:
        lines = response.iter_lines()
        next(line for line in lines if "Before" in line)
        run.release("door")
        assert any("After" in line for line in lines)
