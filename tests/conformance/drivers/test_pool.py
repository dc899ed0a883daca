"""Using tab processes again."""

from collections.abc import Iterator

import pytest

from conformance.drivers.session import Session
from conformance.drivers.tabs.pool import TabPool
from conformance.drivers.tabs.process import ProcessTab
from conformance.errors import Untested
from conformance.target_file import parse_target
from conformance.target_tables import Token
from conformance.transcript import Transcript
from tests.conformance.drivers.test_process_tab import READY, SCRIPT
from tests.conformance.target_text import MINIMAL

TARGET = f"""{MINIMAL}
[tab]
command = ["{{python}}", "{SCRIPT}", '{READY}']
modes = {{ meta = [] }}
"""
URL = "http://127.0.0.1:9"


def take(pool: TabPool, *, url: str = URL, mode: str = "direct", who: str = "carla-token") -> ProcessTab:
    """A tab for somebody."""
    return pool.take(url, mode, Session(Token(name="sid"), who), Transcript())


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
    pool.give_back(URL, "direct", first)
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
        pool.give_back(URL, "direct", tab)

    assert first is not second


@pytest.mark.parametrize("other", [{"url": "http://127.0.0.1:8"}, {"mode": "meta"}])
def test_a_tab_is_used_again_only_where_it_fits(pool: TabPool, other: dict[str, str]) -> None:
    """It talks to one address, in one mode, for as long as it lives."""
    first = take(pool)
    pool.give_back(URL, "direct", first)
    second = take(pool, url=other.get("url", URL), mode=other.get("mode", "direct"))
    second.close()

    assert first is not second


def test_a_tab_that_owes_a_reply_is_ended(pool: TabPool) -> None:
    """Its late reply would land in somebody else's case."""
    owing = take(pool)
    owing.start("Go")
    pool.give_back(URL, "direct", owing)
    fresh = take(pool)
    pool.give_back(URL, "direct", fresh)

    assert owing is not fresh
    assert not owing.idle


def test_a_tab_that_has_ended_is_not_used_again(pool: TabPool) -> None:
    """Whether it ended before it was given back or after."""
    for late in (False, True):
        tab = take(pool)
        if late:
            pool.give_back(URL, "direct", tab)
        tab.kill()
        if not late:
            pool.give_back(URL, "direct", tab)
        fresh = take(pool)
        fresh.open("/invoices")
        pool.give_back(URL, "direct", fresh)

        assert tab is not fresh


def test_a_target_without_the_tab_or_the_mode_is_untested(pool: TabPool) -> None:
    """The key that would say more is named."""
    with pytest.raises(Untested) as caught:
        take(TabPool(parse_target(MINIMAL, "tiny.toml")))
    assert "tab" == caught.value.missing
    with pytest.raises(Untested) as caught:
        take(pool, mode="sideways")
    assert "tab.modes.sideways" == caught.value.missing
