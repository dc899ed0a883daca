"""What begins anew with a reset, and what ends with the server."""

import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from fake_model import FakeModel, JournalError, say, script, step
from tests.fake_model.asking import ask, text


def test_a_reset_begins_a_new_generation(model: FakeModel, http: httpx.Client) -> None:
    """What one case left behind is not there for the next."""
    run = model.play(script(say("Hi."), name="first"))
    ask(http, "unmatched")
    ask(http, run.prompt("Hello"))

    model.reset()

    assert (model.exchanges, model.findings) == ((), ())
    with pytest.raises(JournalError, match="ended with a reset"):
        _ = run.exchanges
    later = model.play(script(say("Hi again.")))
    assert later.token != run.token
    ask(http, later.prompt("Hello"))
    assert [exchange.generation for exchange in model.exchanges] == [1]


def test_a_late_request_is_not_read_by_the_next_case(model: FakeModel, http: httpx.Client) -> None:
    """A request of a case that is over is refused, and belongs to that case's generation."""
    run = model.play(script(say("Hi.")))
    model.reset()

    response = ask(http, run.prompt("Hello"))

    assert response.status_code == 400
    assert "ended with a reset" in response.json()["error"]["message"]
    assert (model.exchanges, model.findings) == ((), ())
    model.assert_complete()


def test_a_reset_lets_go_of_replies_that_are_held(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """Nobody waits for an answer that will not come."""
    run = model.play(script(step(say("Never."), hold="door")))
    answer = pool.submit(ask, http, run.prompt("Hello"))
    run.wait_held("door")

    model.reset()

    with pytest.raises(httpx.TransportError):
        answer.result(5)
    assert model.findings == ()


def test_a_reset_leaves_replies_alone_that_came_after_it(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """What a reset lets go of is what was there before it, however late the server gets round to it."""
    model.reset()
    run = model.play(script(step(say("At last."), hold="door")))
    answer = pool.submit(ask, http, run.prompt("Hello"))
    run.wait_held("door")

    done = threading.Event()
    model._background.call(model._server.drop_late)
    model._background.call(done.set)
    done.wait(5)
    run.release("door")

    assert text(answer.result(5)) == "At last."


def test_a_late_end_is_not_counted_in_the_next_generation(pool: ThreadPoolExecutor) -> None:
    """A standing run begins anew with a reset; the reply that the reset broke off belongs to the old one."""
    standing = [("hello", script(step(say("Hi."), hold="door")))]
    with FakeModel(standing=standing) as model, httpx.Client(verify=False, base_url=model.url) as http:
        answer = pool.submit(ask, http, "Hello [[dp:hello]]")
        model.journal.wait(lambda: model.journal.counts("hello")[0] == 1, 5, lambda: "a request")
        model.reset()
        with pytest.raises(httpx.TransportError):
            answer.result(5)
        settled = threading.Event()
        model._background.call(settled.set)
        settled.wait(5)

        assert model.journal.counts("hello") == (0, 0)


def test_closing_lets_go_of_everything(pool: ThreadPoolExecutor) -> None:
    """A server that stops resets what is open, and its thread ends; servers of other tests may go on beside it."""
    before = _serving()
    with FakeModel() as model, httpx.Client(verify=False, base_url=model.url) as http:
        run = model.play(script(step(say("Never."), hold="door")))
        answer = pool.submit(ask, http, run.prompt("Hello"))
        run.wait_held("door")
        model.close()
        with pytest.raises(httpx.TransportError):
            answer.result(5)

    assert _serving() == before


def test_a_token_serves_once(model: FakeModel) -> None:
    """A second run under a token would read the first one's requests."""
    run = model.play(script(say("Hi.")), token="mine")

    assert (run.token, run.prompt("Hello", turn=2)) == ("mine", "Hello [[dp:mine.2]]")
    with pytest.raises(JournalError, match="'mine' was used before"):
        model.play(script(say("Hi.")), token="mine")
    model.reset()
    with pytest.raises(JournalError, match="'mine' was used before"):
        model.play(script(say("Hi.")), token="mine")


def test_standing_scripts_are_played_again_after_a_reset(pool: ThreadPoolExecutor) -> None:
    """What a folder serves is there in each generation, under the same token."""
    with (
        FakeModel(standing=[("hello", script(say("Hi.")))]) as model,
        httpx.Client(verify=False, base_url=model.url) as http,
    ):
        for _ in range(2):
            assert text(ask(http, "Hello [[dp:hello]]")) == "Hi."
            model.assert_complete()
            model.reset()


def _serving() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "fake-model"}
