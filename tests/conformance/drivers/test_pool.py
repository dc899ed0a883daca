"""Using tab processes again."""

from collections.abc import Callable, Iterator

import pytest

from conformance.drivers.session import Session
from conformance.drivers.tabs.base import Place
from conformance.drivers.tabs.pool import TabPool
from conformance.drivers.tabs.process import ProcessTab
from conformance.errors import Untested
from conformance.target_file import parse_target
from conformance.target_tables import Token
from conformance.transcript import Transcript
from tests.conformance.drivers.test_process_tab import READY, SCRIPT
from tests.conformance.target_text import LAUNCHED, MINIMAL

TARGET = f"""{MINIMAL}
[tab]
command = ["{{python}}", "{SCRIPT}", '{READY}']
modes = {{ meta = [] }}
variants = {{ impatient = [] }}
"""
URL = "http://127.0.0.1:9"
PLACE = Place()


def take(
    pool: TabPool, *, place: Place = PLACE, who: str = "carla-token", url: Callable[[], str] = lambda: URL
) -> ProcessTab:
    """A tab for somebody."""
    return pool.take(place, url, Session(Token(name="sid"), who), Transcript())


@pytest.fixture
def pool() -> Iterator[TabPool]:
    """A pool of tiny tabs."""
    made = TabPool(parse_target(TARGET, "tiny.toml"))
    yield made
    made.close()


def test_a_tab_is_used_again_by_somebody_else(pool: TabPool) -> None:
    """Starting a process for each case would make a run slow; the next person's session and record are their own."""
    first = take(pool)
    first.open("/invoices")
    before = first.transcript
    pool.give_back(first)
    second = take(pool, who="ada-token")
    opened = second.open("/clients")

    assert second is first
    assert ("/clients", ('{"headers": {"cookie": "sid=ada-token"}}',)) == (opened.route, opened.notices)
    assert before is not second.transcript
    assert not any("clients" in entry.line for entry in before.entries)


def test_a_tab_that_is_in_use_is_not_shared(pool: TabPool) -> None:
    """Two tabs of one case are two processes."""
    first, second = take(pool), take(pool)
    for tab in (first, second):
        pool.give_back(tab)

    assert first is not second


@pytest.mark.parametrize(
    "other", [Place("http://127.0.0.1:8"), Place(mode="meta"), Place(variant="impatient")], ids=str
)
def test_a_tab_is_used_again_only_where_it_fits(pool: TabPool, other: Place) -> None:
    """It is at one application, in one mode and variant, for as long as it lives."""
    first = take(pool)
    pool.give_back(first)
    second = take(pool, place=other)
    second.close()

    assert first is not second


def test_a_tab_that_owes_a_reply_is_ended(pool: TabPool) -> None:
    """Its late reply would land in somebody else's case."""
    owing = take(pool)
    owing.start("Go")
    pool.give_back(owing)
    fresh = take(pool)
    pool.give_back(fresh)

    assert owing is not fresh
    assert not owing.idle


def test_a_tab_that_has_ended_is_not_used_again(pool: TabPool) -> None:
    """Whether it ended before it was given back or after."""
    for late in (False, True):
        tab = take(pool)
        if late:
            pool.give_back(tab)
        tab.kill()
        if not late:
            pool.give_back(tab)
        fresh = take(pool)
        fresh.open("/invoices")
        pool.give_back(fresh)

        assert tab is not fresh


def test_a_target_without_the_tab_the_mode_or_the_variant_is_untested(pool: TabPool) -> None:
    """The key that would say more is named."""
    with pytest.raises(Untested) as caught:
        take(TabPool(parse_target(MINIMAL, "tiny.toml")))
    assert "tab" == caught.value.missing
    with pytest.raises(Untested) as caught:
        take(pool, place=Place(mode="sideways"))
    assert "tab.modes.sideways" == caught.value.missing
    with pytest.raises(Untested) as caught:
        take(pool, place=Place(variant="sleepy"))
    assert "tab.variants.sleepy" == caught.value.missing


def test_a_tab_of_an_application_that_the_suite_did_not_start_has_no_relay(pool: TabPool) -> None:
    """Such an application may well look at the address that it is asked under."""
    assert None is take(pool).wire


def test_a_tab_of_a_started_application_talks_through_a_relay() -> None:
    """So its address stays when the application is started again elsewhere, and what it asks for can be read."""
    table = TARGET[TARGET.index("[tab]") :]
    pool = TabPool(parse_target(f"{LAUNCHED}\n{table}", "tiny.toml"))
    tab = take(pool)
    wire = tab.wire
    tab.close()

    assert wire is not None
    assert URL != wire.url
