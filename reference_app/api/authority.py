"""From where cards may be reached: this machine alone, unless further hosts are named. A fence, and no authentication.

(Architecture (A2UI), Trust boundary: the default RPC authority is loopback; ``trusted-host`` is opt-in, and only a host-header and
same-origin fence.)
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from reference_app.api.errors import refuse
from reference_app.errors import SettingsError
from reference_app.settings import Tunables

PATHS = ("/a2ui/", "/api/a2ui/")
AUTHORITIES = ("loopback", "trusted-host")


@dataclass(frozen=True)
class Authority:
    """Which hosts are let through, besides this machine's own names.

    Attributes:
        trusted: Hosts in lower case; with a port exactly that one, without one any.
    """

    trusted: frozenset[str] = frozenset()

    def allows(self, headers: Headers) -> bool:
        """Whether a request may pass."""
        hosts = headers.getlist("host")
        return len(hosts) == 1 and self.allows_host(hosts[0].lower()) and is_same_origin(headers, hosts[0])

    def allows_host(self, host: str) -> bool:
        """Whether a Host header, in lower case, names this machine or a trusted host."""
        name = host_name(host)
        return is_loopback(name) or host in self.trusted or name in self.trusted


class AuthorityFence:
    """Refuses what reaches for the cards from elsewhere."""

    def __init__(self, app: ASGIApp, authority: Authority) -> None:
        self._app = app
        self._authority = authority

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if not is_for_cards(scope) or self._authority.allows(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        refusal = refuse(scope["path"], 403, "Cards are not served to this host or origin.")
        await refusal(scope, receive, send)


def is_for_cards(scope: Scope) -> bool:
    """Whether a request is about cards."""
    return scope["type"] == "http" and str(scope["path"]).startswith(PATHS)


def authority_of(tunables: Tunables) -> Authority:
    """The authority that the settings ask for.

    Raises:
        SettingsError: There is none of that name.
    """
    if tunables.a2ui_authority not in AUTHORITIES:
        raise SettingsError(
            f"a2ui_authority is one of {', '.join(AUTHORITIES)}, not {tunables.a2ui_authority!r}."
        )
    if tunables.a2ui_authority == "loopback":
        return Authority()
    named = (host.strip().lower() for host in tunables.a2ui_trusted_hosts.split(","))
    return Authority(frozenset(host for host in named if host))


def host_name(host: str) -> str:
    """A Host header without its port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isascii() and port.isdigit() else host


def is_loopback(name: str) -> bool:
    """Whether a host name is this machine's own: ``localhost``, 127.0.0.0/8 or ``[::1]``."""
    if name == "localhost":
        return True
    bare = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return False
    return address.is_loopback and (address.version == 4) == (bare == name)


def is_same_origin(headers: Headers, host: str) -> bool:
    """Whether nothing says that another site's page sent the request."""
    if headers.get("sec-fetch-site") == "cross-site":
        return False
    origins = [origin.lower() for origin in headers.getlist("origin")]
    return origins in ([], [f"http://{host.lower()}"], [f"https://{host.lower()}"])
