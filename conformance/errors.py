"""What can go wrong in a run, told apart by whose fault it is."""


class ConformanceError(Exception):
    """Something about the run itself is wrong: a file, an option, the machine. The run ends with exit code 2."""


class CatalogueError(ConformanceError):
    """The requirement catalogue contradicts itself or the cases."""


class TargetFileError(ConformanceError):
    """A target file can't be used; the message names the file, the line, the key and what is allowed."""


class LaunchError(ConformanceError):
    """A target did not start, or did not become ready within its deadline."""


class Untested(Exception):  # noqa: N818 - it is a verdict, not an error
    """The target file or the machine gives no means to test this.

    Args:
        missing: the key of the target file, or the program, that is missing (`roles.gated`, `controls.clock`).
        why: what the case needs it for, as half a sentence.
    """

    def __init__(self, missing: str, why: str = "") -> None:
        self.missing = missing
        self.why = why
        super().__init__(f"needs {missing}" + (f": {why}" if why else ""))


class Departure(AssertionError):  # noqa: N818 - it is a finding about the target
    """The target did something that no conforming target does, seen by a driver before the case could look.

    It counts as a failed assertion of the case that was running: a dead, silent or garbled target is a finding, never a
    traceback.
    """
