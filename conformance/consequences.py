"""What else turns red under a fault, as `consequences.toml` has it.

A requirement names the faults that break its own rule. Many a defect breaks more than one rule's ground: where nothing is held
back for a decision, nothing expires either. Such requirements are no proof that the fault is seen, and the kill pass does not run
them; but a soak meets them, and they must not hide what nobody expected.
"""

import functools
from collections.abc import Mapping

from pydantic import TypeAdapter

from conformance.shipped import parse_shipped, shipped_text

FILE = "consequences.toml"
Consequences = Mapping[str, tuple[str, ...]]
"""For a fault the requirements that turn red with it, beside those that name it."""
_FILE: TypeAdapter[Consequences] = TypeAdapter(dict[str, tuple[str, ...]])


def parse_consequences(text: str) -> Consequences:
    """Read the file.

    Raises:
        CatalogueError: it is not TOML, or not a list of ids for each fault; the message names the fault.
    """
    return parse_shipped(text, FILE, _FILE)


@functools.cache
def load_consequences() -> Consequences:
    """Read the file that ships with the suite."""
    return parse_consequences(shipped_text(FILE))
