"""The page's own calls: the same operations, in an envelope, with errors that can be read."""

import json
from urllib.parse import quote

import pytest

from conformance.data import Data
from conformance.errors import Departure, Untested
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import last_word
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, say, script, step

NOWHERE = "no-such-procedure"
NOT_JSON = {"cut": b'{"json": {', "words": b"hello", "not UTF-8": b'{"json": "\xff"}'}


@pytest.mark.requirement("RPC-01")
def test_output_comes_in_the_envelope(people: People, roles: Roles) -> None:
    """The page's client looks for the output in one place."""
    read = roles("read")

    answer = people.full.rpc.raw("POST", read.procedure, json={"json": read.input})

    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert "json" in answer.json()


@pytest.mark.requirement("RPC-02")
@pytest.mark.parametrize("how", ["invalid input", "refused", "unknown"])
def test_error_is_typed_and_says_its_status(how: str, people: People, roles: Roles) -> None:
    """A client that only sees the body must learn the same as one that only sees the header."""
    write, failing = roles("write"), roles("failing")
    procedure, value = {
        "invalid input": (write.procedure, write.invalid_input),
        "refused": (failing.procedure, failing.failing_input),
        "unknown": (NOWHERE, {}),
    }[how]

    answer = people.full.rpc.raw("POST", procedure, json={"json": value})

    body = answer.json()
    assert answer.status >= 400
    error = body.get("json") if isinstance(body, dict) else None
    assert isinstance(error, dict), f"no typed error: {answer.text[:200]}"
    assert error.get("status") == answer.status
    assert error.get("code"), "the error carries no code"
    assert error.get("message"), "the error carries no message"


@pytest.mark.requirement("RPC-03")
def test_invalid_input_says_where(people: People, roles: Roles) -> None:
    """A form marks the field that is wrong, if it is told which."""
    write = roles("write")
    wrong = [key for key, value in write.invalid_input.items() if value != write.input.get(key)]

    answer = people.full.rpc.call(write.procedure, write.invalid_input)

    assert answer.answer.status == 400
    assert answer.error is not None
    issues = str(answer.error.data)
    assert [key for key in wrong if key not in issues] == [], (
        f"the error does not name the field: {issues[:200]}"
    )


@pytest.mark.requirement("RPC-04")
def test_unknown_procedure_is_a_typed_404(people: People) -> None:
    """A misspelled name is the caller's mistake, and not a page that happens to be served there."""
    answer = people.full.rpc.call(NOWHERE, {})

    assert answer.answer.status == 404
    assert answer.error is not None
    assert answer.error.code, f"no typed error: {answer.answer.text[:200]}"


@pytest.mark.requirement("RPC-05")
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_get_runs_nothing(method: str, people: People, roles: Roles, data: Data) -> None:
    """A link, an image, a browser that fetches ahead: none of them may do anything."""
    write = roles("write")
    body = quote(json.dumps({"json": write.input}))
    before = data.look()

    answer = people.full.http.request(method, f"{people.full.rpc.path(write.procedure)}?data={body}")

    assert data.look().differences(before) == (), f"a {method} ran a procedure"
    expected = (405,) if method == "GET" else range(400, 500)  # how a HEAD is refused is nobody's business
    assert answer.status in expected, f"a {method} was answered {answer.status}"


@pytest.mark.requirement("RPC-06")
@pytest.mark.parametrize("how", NOT_JSON)
def test_body_that_is_no_json_is_refused(how: str, people: People, roles: Roles) -> None:
    """What can't be read is not the same as nothing, also for a procedure that takes nothing."""
    read = roles("read")

    answer = people.full.rpc.raw(
        "POST", read.procedure, content=NOT_JSON[how], headers={"content-type": "application/json"}
    )

    assert answer.status == 400, f"a body that is no JSON was answered {answer.status}: {answer.text[:120]}"


@pytest.mark.requirement("RPC-07")
def test_refusal_is_no_internal_error(people: People, roles: Roles) -> None:
    """The operation said no, in words; that is an answer, and nobody needs to be called out of bed."""
    failing = roles("failing")

    answer = people.full.rpc.call(failing.procedure, failing.failing_input)

    assert answer.error is not None, "the operation did not refuse"
    assert 400 <= answer.answer.status < 500, f"a refusal was answered {answer.answer.status}"
    assert answer.error.message, "the refusal says nothing"


@pytest.mark.requirement("RPC-08")
def test_page_reads_what_models_may_not(people: People, roles: Roles) -> None:
    """What is kept from a model is kept from the model, and not from the person."""
    role = roles("redacted")

    answer = people.full.rpc.call(role.procedure, role.input)

    assert withheld_by(roles) in answer.answer.text, "the page does not read what its person may read"


@pytest.mark.requirement("RPC-09")
def test_model_does_not_read_what_is_withheld(people: People, roles: Roles) -> None:
    """What reaches a model reaches its provider."""
    role = roles("redacted")
    chat = people.full.chat(role.route)

    done = chat.send(script(call(role.capability, role.input), last_word()))

    assert done.result_of(role.capability).ok
    read = " ".join(part.text for asked in chat.requests for part in asked.all_results)
    assert withheld_by(roles) not in read, "the model was sent what should have been withheld"


@pytest.mark.requirement("RPC-12")
def test_posted_result_is_withheld_too(people: People, roles: Roles) -> None:
    """The tab calls as the page does and reads everything; what it hands on to the model is a result like any other."""
    role = roles("contextual")
    if not role.role.withheld:
        raise Untested("roles.contextual.withheld")
    declared = Declaration(role.capability, input_schema={"type": "object"})
    chat = people.full.chat(role.route, catalog=Catalog((declared,)))
    done = chat.send(script(step(call(role.capability, role.input)), say("I see.")))
    output = people.full.rpc.value(role.procedure, role.input)
    if role.role.withheld not in str(output):
        raise Departure(f"the page's own output does not hold what should be withheld: {str(output)[:200]}")

    chat.resume({pending.tool_call_id: output for pending in done.pending})

    assert len(chat.asked.results) == 1, "the model was not told what became of its call"
    assert role.role.withheld not in chat.asked.results[0].text, (
        "the model was sent what should have been withheld"
    )


@pytest.mark.requirement("RPC-10")
def test_long_list_is_cut_for_the_model(people: People, roles: Roles) -> None:
    """A prompt is no database; but a model that does not know that rows are missing draws wrong conclusions."""
    role = roles("long_list")
    rows = people.full.rpc.value(role.procedure, role.input)
    chat = people.full.chat(role.route)

    chat.send(script(call(role.capability, role.input), last_word()))

    result = chat.asked.last_result
    assert result is not None, "the model was not answered"
    envelope = result.value if isinstance(result.value, dict) else {}
    cut = envelope.get("data")
    assert isinstance(cut, dict), f"the model reads {result.text[:120]}"
    assert len(cut.get("rows", [])) < len(rows), "the model reads every row"
    assert cut.get("totalRows") == len(rows), "the model is not told how many rows there are"
    assert cut.get("truncatedForModel") is True


@pytest.mark.requirement("RPC-11")
@pytest.mark.parametrize("name", ["write", "contextual", "gated"])
def test_direct_call_with_invalid_input_runs_nothing(
    name: str, people: People, roles: Roles, data: Data
) -> None:
    """The browser has checked its form, or says so; the server looks for itself, every time."""
    role = roles(name)
    if role.invalid_input is None:
        raise Untested(f"roles.{name}.invalid_input")
    before = data.look()

    answer = people.full.rpc.call(role.procedure, role.invalid_input)

    assert not answer.ok, f"{role.procedure} took {role.invalid_input}"
    assert data.look().differences(before) == ()


def withheld_by(roles: Roles) -> str:
    """The text that no model may read."""
    withheld = roles("redacted").role.withheld
    if not withheld:
        raise Untested("roles.redacted.withheld")
    return withheld
