"""What the suite does not do to a target unasked, how much it sends to it, and what it is going to write.

A target that the suite starts itself lives in a private folder and may be treated roughly. One that runs already may be somebody's.
"""

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from conformance.errors import ConformanceError
from conformance.target import Target
from conformance.target_tables import HttpCall, Limits

CONNECTED = Limits(requests_per_second=100, max_requests=50_000)
"""For a target on this machine that the suite did not start."""

REMOTE = Limits(requests_per_second=10, max_requests=20_000)
"""For a target on another machine."""


def is_remote(target: Target) -> bool:
    """Whether a target that runs already is on another machine, as far as its address says."""
    if target.connect is None:
        return False
    host = urlsplit(target.connect.url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


def refuse_unasked(target: Target, *, allow_remote: bool, allow_writes: bool) -> None:
    """Refuse to touch what the caller has not said may be touched.

    Raises:
        ConformanceError: the target is not on this machine, or can't put its data back; the message names the option.
    """
    if is_remote(target) and not allow_remote:
        url = target.connect.url if target.connect else ""
        raise ConformanceError(
            f"{target.name} is at {url}, which is not this machine: the run writes there; --allow-remote allows it"
        )
    if target.controls.reset is None and not allow_writes:
        raise ConformanceError(
            f"{target.name} has no controls.reset, so that what the run writes stays there; --allow-writes allows it"
        )


def bounded(target: Target) -> Limits:
    """The target's limits, with bounds of the suite's own where the file sets none for a target that runs already."""
    if target.connect is None:
        return target.limits
    bounds = REMOTE if is_remote(target) else CONNECTED
    unset = {"requests_per_second", "max_requests"} - target.limits.model_fields_set
    return target.limits.model_copy(update={name: getattr(bounds, name) for name in unset})


def announce(target: Target) -> Iterator[str]:
    """Say, a line each, what a run is going to write: before it does."""
    where = target.connect.url if target.connect else "an instance of its own, in a private folder"
    limits = bounded(target)
    yield f"{target.name}: {where}"
    yield f"  signs in as {', '.join(target.identities) or 'nobody'}"
    for name in ("reset", "freeze_clock", "advance_clock", "change_rights", "disable_policy"):
        call: HttpCall | None = getattr(target.controls, name)
        if call is not None:
            yield f"  {name}: {call.method} {call.path}"
    calls = dict.fromkeys(_procedures(target))
    yield f"  calls, directly and through the model: {', '.join(calls) or 'nothing that the file names'}"
    rate = f"{limits.requests_per_second:g} a second" if limits.requests_per_second else "as fast as they go"
    yield f"  at most {limits.max_requests or 'any number of'} requests, {rate}"


def _procedures(target: Target) -> Iterator[str]:
    for role in target.roles.values():
        for part in (role.prepare, role.change, role.removal):
            if part is not None:
                yield part.procedure
        yield role.procedure
    for view in target.view.values():
        yield view.capability
