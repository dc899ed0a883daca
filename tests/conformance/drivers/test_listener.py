"""A listener that nobody has a reason to speak to."""

import httpx

from conformance.drivers.listener import Listener


def test_it_notes_who_speaks_to_it() -> None:
    """The first line says what was asked for."""
    with Listener() as listener:
        before = listener.heard
        status = httpx.get(f"{listener.url}/canary.png", trust_env=False, timeout=5).status_code

        assert ((), 204, ("GET /canary.png HTTP/1.1",)) == (before, status, listener.heard)
