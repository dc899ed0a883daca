"""Ids that the surface mints, from a random source that is handed to it."""

import itertools
from random import Random
from typing import Final

from reference_app.surface.wire_names import base36

_BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ALNUM: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_registrations: Final = itertools.count(1)


class TokenSource:
    """Mints ids; the same random source gives the same ids, but for the process-wide registration counter."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def _letters(self, alphabet: str, length: int) -> str:
        return "".join(self._random.choices(alphabet, k=length))

    def surface(self) -> str:
        """The id of one registry."""
        return f"srf_{self._letters(_BASE62, 22)}"

    def registration(self) -> str:
        """The id of one mount; a remount gets another."""
        return f"reg_{base36(next(_registrations)).rjust(4, '0')}{self._letters(_BASE62, 6)}"

    def invocation(self) -> str:
        """The id of a call whose caller gave none."""
        return f"inv_{self._letters(_BASE62, 12)}"

    def confirmation(self) -> str:
        """The id of one question put to the person."""
        return f"cnf_{self._letters(_BASE62, 12)}"

    def host(self, prefix: str) -> str:
        """An id of the host protocol: a conversation, a turn, a step."""
        return f"{prefix}_{self._letters(_ALNUM, 12)}"
