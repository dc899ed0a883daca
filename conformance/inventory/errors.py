"""What can be wrong with the inventories of a comparison; each ends the command with exit code 2."""

from conformance.errors import ConformanceError
from conformance.inventory.plain import shown


class InventoryError(ConformanceError):
    """The comparison or observation could not be done.

    Messages quote files that nobody has vetted, so whatever is said is made plain first, and stays on one line.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shown(message))


class SourceError(InventoryError):
    """An inventory can't be fetched: no such file, folder, git ref, or too large."""


class MissingSourceError(SourceError):
    """There is nothing at the place named, though the place itself could be looked at."""


class FormatError(InventoryError):
    """A file is not an inventory of a known format, or is damaged; the message says where and what is expected.

    Args:
        file: the file as the person named it.
        problem: what is wrong, with the place in the file.
    """

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: {problem}")


class ApprovalsError(InventoryError):
    """The file of approved changes can't be used."""
