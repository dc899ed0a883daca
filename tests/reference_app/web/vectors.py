"""The vectors that the Python surface and the page share, and the program that runs them against the page's modules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("vectors.js").read_text("utf-8")
EXPECTED_AT_LEAST = {"encode": 10, "assign": 2, "decode": 10, "reduce": 5, "validate": 20, "canonical": 5}
"""How many checks there are of each kind, so that none falls out silently."""


def vectors() -> dict[str, Any]:
    """All files by their names."""
    return {
        path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / "fixtures/surface").glob("*.json")
    }


def expression() -> str:
    """The program as one expression, without what stands before it."""
    return PROGRAM[PROGRAM.index("async (") :].rstrip().removesuffix(";")
