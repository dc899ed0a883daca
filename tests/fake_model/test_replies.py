"""Every kind of reply, read by each provider's own client, streamed and whole."""

import pytest

from fake_model import FakeModel, Finish, call, reason, say, script, step, turn, usage
from tests.fake_model.clients import Answered, Called, Client, ResponsesClient, Said, Seen

FINISH = {
    "openai-chat": {
        "stop": "stop",
        "tool-calls": "tool_calls",
        "length": "length",
        "content-filter": "content_filter",
    },
    "openai-responses": {
        "stop": "completed",
        "tool-calls": "completed",
        "length": "max_output_tokens",
        "content-filter": "content_filter",
    },
    "anthropic": {
        "stop": "end_turn",
        "tool-calls": "tool_use",
        "length": "max_tokens",
        "content-filter": "refusal",
    },
}
"""How each provider says why the model stopped."""

STREAMED = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])


@STREAMED
def test_text_and_reasoning_arrive_as_scripted(model: FakeModel, client: Client, stream: bool) -> None:
    """What a script says and reasons is what a client reads, however many deltas carry it."""
    run = model.play(script(step(reason("Hm", "m."), say("Three ", "are ", "overdue. ✓"))))

    seen = client.ask([Said(run.prompt("What is overdue?"))], stream=stream)

    assert (seen.text, seen.reasoning) == ("Three are overdue. ✓", "Hmm.")
    assert seen.finish == FINISH[client.name]["stop"]
    run.assert_complete()


@STREAMED
def test_calls_arrive_in_the_order_of_the_script(model: FakeModel, client: Client, stream: bool) -> None:
    """Several calls of one message keep their order, their names are those offered, their ids say their place."""
    run = model.play(
        script(
            step(
                say("Let me look."),
                call("view:invoices.pending.setFilters", {"kind": "overdue"}, pieces=3),
                call("domain:list-invoices", {"kind": "all"}),
            ),
            say("Done."),
        )
    )

    seen = client.ask([Said(run.prompt("What is overdue?"))], stream=stream)

    assert seen == Seen(
        text="Let me look.",
        calls=(
            Called(f"call_dp_{run.token}_0_0_0", "view_invoices__pending__setFilters", '{"kind": "overdue"}'),
            Called(f"call_dp_{run.token}_0_0_1", "domain_list-invoices", '{"kind": "all"}'),
        ),
        finish=FINISH[client.name]["tool-calls"],
        usage=(16, 16),
        cached=seen.cached,
        thinking_tokens=seen.thinking_tokens,
    )


@STREAMED
def test_the_step_after_results_follows_from_the_call_ids(
    model: FakeModel, client: Client, stream: bool
) -> None:
    """The second request is the second step, because its messages carry the ids of the first."""
    run = model.play(script(call("domain:list-invoices"), call("domain:issue-invoice"), say("Done.")))
    talk: list[Said | Answered] = [Said(run.prompt("Go on."))]

    for _ in range(2):
        talk.append(Answered(client.ask(talk, stream=stream), results=('{"status": "ok"}',)))
    last = client.ask(talk, stream=stream)

    assert last.text == "Done."
    assert [exchange.step for exchange in run.exchanges] == [0, 1, 2]
    run.assert_complete()


@STREAMED
def test_a_later_message_of_the_user_is_the_next_turn(model: FakeModel, client: Client, stream: bool) -> None:
    """The marker in the user's text says the turn, so a second question gets the second turn's answer."""
    run = model.play(script(turn(call("domain:list-invoices"), say("First.")), turn(say("Second."))))
    talk: list[Said | Answered] = [Said(run.prompt("One?"))]
    talk.append(Answered(client.ask(talk, stream=stream), results=("[]",)))
    talk.append(Answered(client.ask(talk, stream=stream)))
    talk.append(Said(run.prompt("Two?", turn=1)))

    seen = client.ask(talk, stream=stream)

    assert seen.text == "Second."
    run.assert_complete()


@STREAMED
def test_usage_is_nested_as_the_provider_nests_it(model: FakeModel, client: Client, stream: bool) -> None:
    """Cached tokens are part of the input and reasoning tokens part of the output, whatever the wire format."""
    run = model.play(script(step(say("Hi."), usage=usage(24, 16, cached=8, reasoning=4))))

    seen = client.ask([Said(run.prompt("Hello"))], stream=stream)

    assert (seen.usage, seen.cached, seen.thinking_tokens) == ((24, 16), 8, 4)


@STREAMED
def test_parts_of_the_usage_can_be_left_out(model: FakeModel, client: Client, stream: bool) -> None:
    """A provider without a cache says nothing of one; OpenAI Responses has no usage without both figures."""
    run = model.play(script(step(say("Hi."), usage=usage(24, 16))))

    seen = client.ask([Said(run.prompt("Hello"))], stream=stream)

    expected = 0 if isinstance(client, ResponsesClient) else None
    assert (seen.usage, seen.cached, seen.thinking_tokens) == ((24, 16), expected, expected)


@STREAMED
def test_usage_can_be_left_out(model: FakeModel, client: Client, stream: bool) -> None:
    """A provider that reports no usage is scripted with None, and a client sees none."""
    run = model.play(script(step(say("Hi."), usage=None)))

    seen = client.ask([Said(run.prompt("Hello"))], stream=stream)

    assert seen.usage is None
    assert seen.text == "Hi."


@STREAMED
@pytest.mark.parametrize("finish", ["length", "content-filter"])
def test_a_reply_can_stop_early(model: FakeModel, client: Client, stream: bool, finish: str) -> None:
    """Each provider's own word is sent for a reply that stopped for length or by a filter."""
    run = model.play(script(step(say("Half a sen"), finish=finish)))

    seen = client.ask([Said(run.prompt("Hello"))], stream=stream)

    assert seen.finish == FINISH[client.name][finish]
    assert run.exchanges[0].reply is not None
    assert run.exchanges[0].reply.finish is Finish(finish)


@STREAMED
def test_a_call_can_reuse_the_id_of_another(model: FakeModel, client: Client, stream: bool) -> None:
    """Duplicate call ids are a real fault of models, and a script can commit it."""
    run = model.play(
        script(step(call("domain:list-invoices"), call("domain:issue-invoice", same_id_as=0)), say("."))
    )

    seen = client.ask([Said(run.prompt("Hello"))], stream=stream)

    assert [called.id for called in seen.calls] == [f"call_dp_{run.token}_0_0_0"] * 2


@STREAMED
def test_the_same_script_gives_the_same_bytes(model: FakeModel, client: Client, stream: bool) -> None:
    """Nothing in a reply depends on the clock or on chance."""
    bodies = []
    for token in ("same", "same2"):
        run = model.play(script(step(reason("Hm."), call("domain:list-invoices")), say(".")), token=token)
        client.ask([Said(run.prompt("Hello"))], stream=stream)
        sent = run.exchanges[0].sent
        assert sent is not None
        bodies.append(sent.body.replace(token.encode(), b"TOKEN"))

    assert bodies[0] == bodies[1]
