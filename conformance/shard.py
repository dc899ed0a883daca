"""Sharing a run out: which shard a requirement belongs to follows from its id alone, so that it stays there.

All cases of one requirement are in one shard, so each shard grades whole requirements and nothing has to be added up.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from conformance.errors import ConformanceError


@dataclass(frozen=True)
class Shard:
    """One of several parts of a run; `number` counts from 1."""

    number: int = 1
    of: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether there is only one."""
        return self.of == 1

    def holds(self, requirement_id: str) -> bool:
        """Whether a requirement belongs to this shard."""
        digest = hashlib.sha256(requirement_id.encode()).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.number - 1

    def part_of(self, requirements: Iterable[str]) -> tuple[str, ...]:
        """The requirements of this shard, in their order."""
        return tuple(name for name in requirements if self.holds(name))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(text: str) -> Shard:
    """Read `2/5`; nothing at all is the whole.

    Raises:
        ConformanceError: it says something else.
    """
    if not text:
        return Shard()
    number, slash, of = text.partition("/")
    if slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= 1000:
        return Shard(int(number), int(of))
    raise ConformanceError(f"--shard takes NUMBER/OF, 2/5 for instance, not {text!r}")
