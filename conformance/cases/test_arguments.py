"""Arguments that are not what they should be: they never become some other arguments, and the model is told."""

from collections import Counter

import pytest

from conformance.drivers.chat import Conversation
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import last_word
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, say, script, step

PANEL = Declaration("view:suite.panel.show", input_schema={"type": "object"})
MALFORMED = {
    "cut": '{"id":',
    "empty": "",
    "array": "[1, 2]",
    "text": '"five"',
    "null": "null",
    "not a number": '{"amount": NaN}',
    "raw newline": '{"note": "one\ntwo"}',
}
AMBIGUOUS = {
    "number beyond a double": '{"amount": 1e400}',
    "duplicate key": '{"amount": 1, "amount": 2}',
    "prototype key": '{"__proto__": {"amount": 1}}',
    "too deep": '{"a":' * 2000 + "1" + "}" * 2000,
}


@pytest.mark.requirement("CALL-06")
@pytest.mark.parametrize("how", MALFORMED)
def test_malformed_arguments_never_execute(how: str, people: People, roles: Roles) -> None:
    """Arguments that can't be read must not become some other arguments, least of all empty ones."""
    tolerant = roles("tolerant")
    chat = people.full.chat(tolerant.route)

    done = chat.send(script(call(tolerant.capability, raw=MALFORMED[how]), last_word()))

    ran = [frame for frame in done.results if frame.ok]
    assert ran == [] or is_no_input(how, chat), f"{tolerant.capability} ran with arguments {MALFORMED[how]!r}"


@pytest.mark.requirement("CALL-28")
@pytest.mark.parametrize("how", AMBIGUOUS)
def test_ambiguous_arguments_never_execute(how: str, people: People, roles: Roles) -> None:
    """What two readers of JSON take differently was validated as one thing and may run as another."""
    tolerant = roles("tolerant")
    chat = people.full.chat(tolerant.route)

    done = chat.send(script(call(tolerant.capability, raw=AMBIGUOUS[how]), last_word()))

    ran = [frame for frame in done.results if frame.ok]
    assert ran == [], f"{tolerant.capability} ran with arguments {AMBIGUOUS[how][:60]!r}"


@pytest.mark.requirement("CALL-14")
@pytest.mark.parametrize("how", MALFORMED)
def test_malformed_call_is_answered_under_its_id(how: str, people: People, roles: Roles) -> None:
    """The model learns what became of this call, and the conversation stays one that providers accept."""
    tolerant = roles("tolerant")
    chat = people.full.chat(tolerant.route)

    done = chat.send(script(call(tolerant.capability, raw=MALFORMED[how]), say("I see.")))

    made = [part.id for part in chat.asked.all_calls]
    answered = Counter(part.call_id for part in chat.asked.all_results)
    assert len(made) == 1, f"the call is gone from the conversation; it has {made}"
    assert answered == Counter(made), f"the calls {made} are answered as {dict(answered)}"
    told = chat.asked.results[0]
    assert told.code or is_no_input(how, chat), f"the answer carries no code: {told.text[:200]}"
    assert done.text.endswith("I see."), "the run did not go on"


@pytest.mark.requirement("CALL-19")
@pytest.mark.parametrize("how", MALFORMED)
def test_malformed_browser_call_is_not_handed_over(how: str, people: People) -> None:
    """The tab would have to guess; the host knows already that nobody can."""
    chat = people.full.chat(catalog=Catalog((PANEL,)))

    done = chat.send(script(step(call(PANEL.canonical_id, raw=MALFORMED[how])), last_word()))

    handed = done.pending != () and not is_no_input(how, chat)
    assert not handed, f"the tab is handed a call with the arguments {MALFORMED[how]!r}"


def is_no_input(how: str, chat: Conversation) -> bool:
    """Whether this is no malformed input: in Anthropic's wire format a call of no arguments streams none."""
    return how == "empty" and chat.asked.provider == "anthropic"
