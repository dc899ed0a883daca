"""Telling a hidden name from one that never existed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.likeness import Named, differences, of_answer
from conformance.wire.answer import Answer

HIDDEN, INVENTED, OTHER = "domain:update-invoice", "domain:no-such-thing", "domain:never-was"


def refused(name: str, request: str, **changed: Any) -> Named:
    """What a target answers about a name, in all its spellings, with a request id of its own."""
    bare, wire = name.partition(":")[2], name.replace(":", "_")
    message = f"There is no {name} ({wire}, {bare})."
    return Named(
        name, {"status": 404, "message": message, "names": [name, bare], "request": request, **changed}
    )


def test_answers_that_differ_in_the_name_only_are_alike() -> None:
    """The name that was asked for may be said, and what is new each time may be new."""
    assert () == differences(refused(HIDDEN, "r1"), refused(INVENTED, "r2"), refused(OTHER, "r3"))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"status": 403},
            "/status: 403 for domain:update-invoice, 404 for the invented domain:no-such-thing",
        ),
        (
            {"hint": "ask an admin"},
            "/hint: 'ask an admin' for domain:update-invoice, (missing) for the invented",
        ),
        ({"names": []}, "/names: [] for domain:update-invoice, ['<name>', '<name>'] for the invented"),
        ({"status": 404.0}, "/status: 404.0 for domain:update-invoice, 404 for the invented"),
    ],
)
def test_whatever_else_differs_gives_the_name_away(changed: dict[str, Any], said: str) -> None:
    """One bit is enough to tell a hidden capability from none."""
    (found,) = differences(refused(HIDDEN, "r1", **changed), refused(INVENTED, "r2"), refused(OTHER, "r3"))

    assert found.startswith(said)


def test_what_varies_between_invented_names_says_nothing() -> None:
    """A request id differs anyway, so it is no evidence; were it constant for invented names, it would be."""
    same = refused(INVENTED, "constant"), refused(OTHER, "constant")

    assert () == differences(refused(HIDDEN, "r1"), refused(INVENTED, "r2"), refused(OTHER, "r3"))
    assert 1 == len(differences(refused(HIDDEN, "r1"), *same))


def test_an_answer_is_compared_by_status_headers_and_body() -> None:
    """Dates and lengths vary with every answer; any other header may give a name away."""
    body = b'{"json": {"code": "NOT_FOUND"}}'
    headers = {"Content-Type": "application/json", "Date": "now", "Content-Length": "31", "X-Policy": "hide"}
    lower = {key.lower(): value for key, value in headers.items()}
    answer = of_answer(HIDDEN, Answer("POST", "/rpc/x", 404, lower, body))

    assert {
        "status": 404,
        "headers": {"content-type": "application/json", "x-policy": "hide"},
        "body": {"json": {"code": "NOT_FOUND"}},
    } == answer.value


names = st.from_regex(r"domain:[a-z]{3,8}-[a-z]{3,8}", fullmatch=True)


@given(names, names, names, st.text(alphabet="XYZ ", max_size=20))
def test_one_template_is_alike_for_all_names(seen: str, one: str, other: str, words: str) -> None:
    """Whatever a target says, if it says the same about every name it gives none away."""
    answers = [Named(name, {"text": f"{words}{name}{words}", name: [name]}) for name in (seen, one, other)]

    assert () == differences(*answers)
