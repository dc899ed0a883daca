"""The scripts under fixtures/, played as their first lines say."""

import json
from pathlib import Path

import pytest

from fake_model import FakeModel, load_script, load_scripts
from tests.fake_model.clients import Answered, ChatClient, Said, Seen
from tests.fake_model.test_faults import CONNECTION_ERRORS, STATUS_ERRORS

FOLDER = Path(__file__).parents[2] / "fixtures" / "scripts"

TOOLS = (
    "domain_collections-aging",
    "domain_issue-invoice",
    "view_invoices__pending__setFilters",
    "view_invoices__pending__readState",
)


def converse(model: FakeModel, prompt: str, *results: dict[str, object]) -> Seen:
    """Ask, answer each call with the next result, and return the last reply."""
    client, left = ChatClient(model.url), list(results)
    talk: list[Said | Answered] = [Said(prompt)]
    seen = client.ask(talk, stream=True, tools=TOOLS)
    while seen.calls:
        answers = tuple(json.dumps(left.pop(0)) for _ in seen.calls)
        talk.append(Answered(seen, answers))
        seen = client.ask(talk, stream=True, tools=TOOLS)
    return seen


def test_overdue_is_a_whole_turn() -> None:
    """Server and browser in one message, a look at the page, and an answer."""
    with FakeModel(standing=[("overdue", load_script(FOLDER / "overdue.yaml"))]) as model:
        seen = converse(
            model, "What is overdue? [[dp:overdue]]", {"status": "ok"}, {"ok": True}, {"rows": []}
        )

        assert seen.text == "Your list now shows what is overdue."
        model.assert_complete()


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("approval-required", "Invoice 20 waits for your approval."),
        ("ok", "Invoice 20 is issued."),
        ("error", "Invoice 20 could not be issued."),
    ],
)
def test_approve_says_what_became_of_it(status: str, text: str) -> None:
    """The answer follows the result."""
    with FakeModel(standing=[("approve", load_script(FOLDER / "approve.yaml"))]) as model:
        assert converse(model, "Issue invoice 20. [[dp:approve]]", {"status": status}).text == text
        model.assert_complete()


def test_a_bad_day_goes_from_bad_to_half() -> None:
    """Refused, broken, and then cut in the middle."""
    with FakeModel(standing=load_scripts(FOLDER)) as model:
        for expected in (STATUS_ERRORS, CONNECTION_ERRORS, CONNECTION_ERRORS):
            with pytest.raises(expected):
                converse(model, "Summarise. [[dp:flakyprovider]]")
