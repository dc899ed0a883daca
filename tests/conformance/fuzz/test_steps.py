"""Every described chat step gets a script, so that the model answers it."""

import json
from typing import Any

import pytest

from conformance.fuzz.attempt import MARKER, Request
from conformance.fuzz.openapi import SCRIPT_KEY
from conformance.fuzz.scripts import PLAIN
from conformance.fuzz.steps import with_script

SCRIPTS = {"read": "the script that reads"}


def hooked(body: Any) -> tuple[Any, str]:
    """The body that goes out, and its script."""
    request = with_script(Request("POST /c", "POST", "/c", json.dumps(body).encode()), SCRIPTS)
    return json.loads(request.body), request.script


def test_the_name_of_the_script_does_not_leave_the_suite() -> None:
    """It is a property of the description only, through which the script is generated and made smaller too."""
    body, script = hooked({SCRIPT_KEY: "read", "messages": []})

    assert ({"messages": []}, "the script that reads") == (body, script)


@pytest.mark.parametrize("name", [None, "unknown", 7, []])
def test_without_a_known_name_the_model_only_talks(name: Any) -> None:
    """A body that a description does not allow must be answered too."""
    assert PLAIN == hooked({SCRIPT_KEY: name})[1]


def test_the_last_message_of_the_person_carries_the_marker() -> None:
    """The fake model looks there for the run; what else was generated stays as it is."""
    messages = [
        {"role": "user", "content": "one"},
        {"role": "user", "content": "two"},
        {"role": "assistant", "content": "three"},
    ]

    body, _ = hooked({"messages": messages})

    assert [messages[0], {"role": "user", "content": f"two {MARKER}"}, messages[2]] == body["messages"]


def test_where_nobody_said_anything_a_message_is_added() -> None:
    """Otherwise the model would be asked about a run that nobody knows."""
    body, _ = hooked({"messages": [{"role": "assistant", "content": [{"type": "text"}]}, 7]})

    assert [{"role": "user", "content": f"Please go on. {MARKER}"}] == body["messages"][2:]


@pytest.mark.parametrize("body", [b"\x00", b"[]", b'"x"', b'{"messages":[]}', b'{"messages":{}}'])
def test_what_can_carry_no_marker_goes_out_as_it_is(body: bytes) -> None:
    """Such a body is a test of its own: nothing may repair it on the way."""
    assert body == with_script(Request("POST /c", "POST", "/c", body), SCRIPTS).body
