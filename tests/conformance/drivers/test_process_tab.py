"""Driving a tab process: what it answers, and what it comes to when it does not."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.drivers.session import Session
from conformance.drivers.tabs.base import Place
from conformance.drivers.tabs.process import ProcessTab
from conformance.errors import Departure
from conformance.target_tables import Tab, Token
from conformance.transcript import Transcript

SCRIPT = str(Path(__file__).with_name("tiny_tab.py"))
PLACE = Place()
READY = '{"ready": true, "protocol": 1}'


def new_tab(*command: str, within: float = 5, deadline: float = 5, place: Place = PLACE) -> ProcessTab:
    """A tab that is not launched yet."""
    table = Tab(
        command=command,
        within=within,
        fault=("--fault", "{fault}"),
        modes={"meta": ("--mode", "meta")},
        variants={"impatient": ("--ttl", "1")},
    )
    return ProcessTab(table, Session(Token(name="sid"), "0123456789"), Transcript(), deadline, place)


@contextlib.contextmanager
def launched(*hello: str, deadline: float = 5) -> Iterator[ProcessTab]:
    """A running tiny tab that begins with these lines."""
    tab = new_tab("{python}", SCRIPT, *hello, deadline=deadline)
    tab.launch("http://127.0.0.1:9")
    try:
        yield tab
    finally:
        tab.close()


@pytest.fixture
def tab() -> Iterator[ProcessTab]:
    """A running tiny tab."""
    with launched(READY) as running:
        yield running


def test_verbs_are_answered(tab: ProcessTab) -> None:
    """Each verb reaches the tab with its parameters, and its reply comes back as what a person would see."""
    opened = tab.open("/invoices")
    seen = tab.visible()

    assert ("/invoices", ('{"headers": {"cookie": "sid=0123456789"}}',)) == (opened.route, opened.notices)
    assert ("18", {"reference": "HAL-1"}) == (seen.row_keys[0], seen.rows[0].cells)
    assert (True, "apr_1") == ((told := tab.decide("approval", approved=True, card="apr_1")).ok, told.id)


def test_a_turn_stays_open_while_the_person_acts(tab: ProcessTab) -> None:
    """Replies come in any order: the person decides while the turn runs, and that is what ends it."""
    turn = tab.start("Issue it")
    tab.decide("confirmation", approved=True)

    assert ("completed", 2) == ((end := turn.end()).status, end.steps)


def test_an_error_is_a_finding_in_the_tab_s_own_words(tab: ProcessTab) -> None:
    """What a person would read is what a reader of the verdict reads."""
    with pytest.raises(Departure, match=r"^the tab answered ACT_FAILED: The button is grey\.$"):
        tab.act("fail")


def test_lines_out_of_place_are_noted_and_passed_over(tab: ProcessTab) -> None:
    """Garbage, a second hello and replies to nothing must not stop the reader or settle somebody else's reply."""
    lines = [
        "oops",
        "[1]",
        READY,
        '{"id": 99, "result": {}}',
        '{"id": "1", "result": {}}',
        '{"id": 1, "id": 1}',
        "",
    ]

    tab.act("print", {"lines": lines})
    noted = [entry.line for entry in tab.transcript.entries]

    assert tab.visible().row_keys == ("18",)
    assert [
        "a line that is not JSON (Expecting value at character 0): b'oops\\n'",
        "a line that is not an object: b'[1]\\n'",
        "a reply to nothing: {'ready': True, 'protocol': 1}",
        "a reply to nothing: {'id': 99, 'result': {}}",
        "a reply to nothing: {'id': '1', 'result': {}}",
        "a line that is not JSON (the key 'id' stands twice in one object): b'{\"id\": 1, \"id\": 1}\\n'",
        "a line that is not JSON (Expecting value at character 1): b'\\n'",
    ] == noted[1:8]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            {"result": {"rows": [{"cells": {}}]}},
            "the tab's reply to `act` is not readable: rows.0.key: Field required",
        ),
        (
            {"result": {"busy": "no"}},
            "the tab's reply to `act` is not readable: busy: Input should be a valid boolean",
        ),
        ({"result": []}, "the tab's reply 1 has neither result nor error"),
        ({}, "the tab's reply 1 has neither result nor error"),
    ],
)
def test_a_reply_in_another_shape_is_a_finding(
    tab: ProcessTab, reply: dict[str, object], message: str
) -> None:
    """The tab protocol is a contract; what departs from it is said with the field."""
    with pytest.raises(Departure) as caught:
        tab.act("reply", reply)

    assert message == str(caught.value)


def test_a_tab_that_dies_fails_every_open_request(tab: ProcessTab) -> None:
    """Nobody waits for a deadline, and the last words of the process are in the message."""
    turn = tab.start("Go")
    for request in (lambda: tab.act("die"), turn.end, tab.visible):
        with pytest.raises(Departure) as caught:
            request()
        assert "the tab process ended; it printed last: the engine room is on fire" == str(caught.value)


def test_a_tab_that_does_not_answer_is_a_finding() -> None:
    """Each verb has the deadline of a turn."""
    with launched(READY, deadline=0.2) as tab, pytest.raises(Departure) as caught:
        tab.act("nothing happens")

    assert "the tab did not answer `act` within 0.2 s" == str(caught.value)


def test_closing_ends_the_process_however_it_behaves() -> None:
    """In order where it answers, by force where it does not; closing twice does no harm."""
    deaf = 'import sys; print(\'{"ready": true, "protocol": 1}\', flush=True)\nwhile True: sys.stdin.read()'
    polite, stubborn = new_tab("{python}", SCRIPT, READY), new_tab("{python}", "-c", deaf, within=1)
    for tab in (polite, stubborn):
        tab.launch("http://127.0.0.1:9")
        tab.close()
        tab.close()

    assert (0, -9) == tuple(tab._process.returncode for tab in (polite, stubborn) if tab._process)


@pytest.mark.parametrize(
    ("hello", "within", "message"),
    [
        ('{"ready": true, "protocol": 2}', 5, "the tab process speaks protocol 2, the suite speaks 1"),
        ('{"ready": false}', 0.3, "the tab did not say that it is ready within 0.3 s"),
        ("hello", 0.3, "the tab did not say that it is ready within 0.3 s"),
    ],
)
def test_a_tab_that_does_not_get_ready_is_a_finding(hello: str, within: float, message: str) -> None:
    """Late, mute or of another protocol: the process is ended and the case fails at once."""
    tab = new_tab("{python}", SCRIPT, hello, within=within)

    with pytest.raises(Departure) as caught:
        tab.launch("http://127.0.0.1:9")

    assert message == str(caught.value)
    assert tab._process is not None
    assert tab._process.poll() is not None


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            ("{python}", "-c", "raise SystemExit('no such fault')"),
            "the tab process ended; it printed last: no such fault",
        ),
        (
            ("/nowhere/tab",),
            "the tab process can't be started: [Errno 2] No such file or directory: '/nowhere/tab'",
        ),
    ],
)
def test_a_tab_that_does_not_start_is_a_finding(command: tuple[str, ...], message: str) -> None:
    """A command that ends or can't be run says why in one sentence."""
    with pytest.raises(Departure) as caught:
        new_tab(*command).launch("http://127.0.0.1:9")

    assert message == str(caught.value)


def test_the_command_carries_address_mode_variant_and_faults() -> None:
    """A tab learns from its arguments alone what it is to be."""
    show = "import sys; sys.exit(' '.join(sys.argv[1:]))"
    tab = new_tab("{python}", "-c", show, "{base_url}", place=Place(mode="meta", variant="impatient"))

    with pytest.raises(Departure) as caught:
        tab.launch("http://127.0.0.1:9", faults=("a", "b"))

    assert str(caught.value).endswith(": http://127.0.0.1:9 --mode meta --ttl 1 --fault a --fault b")
