"""The data files that ship with the suite: read strictly, so that what is wrong in one is named with its file and field."""

import tomllib
from importlib import resources
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from conformance.errors import CatalogueError

Shape = TypeVar("Shape")


def parse_shipped(text: str, file: str, shape: TypeAdapter[Shape]) -> Shape:
    """Read the text of a data file.

    Args:
        text: TOML.
        file: what an error calls it.
        shape: what the file must look like.

    Raises:
        CatalogueError: the text is not TOML, or not of this shape; the message names the file and the field.
    """
    try:
        return shape.validate_python(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{file}: not TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CatalogueError(f"{file}: {where}: {first['msg']}") from None


def shipped_text(file: str) -> str:
    """The text of a data file of the package."""
    return (resources.files("conformance") / file).read_text(encoding="utf-8")
