"""What else turns red under a fault, as `consequences.toml` has it.

A requirement names the faults that break its own rule. Many a defect breaks more than one rule's ground: where nothing is held
back for a decision, nothing expires either. Such requirements are no proof that the fault is seen, and the kill pass does not run
them; but a soak meets them, and they must not hide what nobody expected.
"""

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources

from pydantic import TypeAdapter, ValidationError

from conformance.errors import CatalogueError

FILE = "consequences.toml"
Consequences = Mapping[str, tuple[str, ...]]
"""For a fault the requirements that turn red with it, beside those that name it."""
_FILE: TypeAdapter[Consequences] = TypeAdapter(dict[str, tuple[str, ...]])


def parse_consequences(text: str) -> Consequences:
    """Read the file.

    Raises:
        CatalogueError: it is not TOML, or not a list of ids for each fault; the message names the fault.
    """
    try:
        return _FILE.validate_python(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{FILE}: not TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CatalogueError(f"{FILE}: {where}: {first['msg']}") from None


@functools.cache
def load_consequences() -> Consequences:
    """Read the file that ships with the suite."""
    return parse_consequences((resources.files("conformance") / FILE).read_text(encoding="utf-8"))
