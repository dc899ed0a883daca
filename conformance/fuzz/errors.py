"""What keeps a fuzzing run from going on."""

from conformance.errors import ConformanceError


class FuzzError(ConformanceError):
    """A fuzzing run can't be made: an option, a file, or what the target publishes about itself."""
