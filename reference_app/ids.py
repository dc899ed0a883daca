"""Where identifiers come from: one injected source, random unless it is seeded."""

from __future__ import annotations

import random
import string
import uuid

_ALPHABET = string.digits + string.ascii_lowercase


class Ids:
    """A source of identifiers.

    Args:
        seed: With a seed the sequence repeats from run to run; without one it comes from the system's randomness.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.SystemRandom() if seed is None else random.Random(seed)

    def uuid(self, prefix: str) -> str:
        """``<prefix>_<uuid>``, for executions and approvals."""
        return f"{prefix}_{uuid.UUID(int=self._random.getrandbits(128), version=4)}"

    def short(self, prefix: str) -> str:
        """``<prefix>_<12 characters of a-z0-9>``, for steps and calls."""
        return f"{prefix}_{''.join(self._random.choices(_ALPHABET, k=12))}"
