"""The errors of the reference app.

Everything that this package raises on purpose derives from :class:`ReferenceAppError`; what may be shown to a caller is
said by the subclass, never by the text of another exception.
"""

from __future__ import annotations


class ReferenceAppError(Exception):
    """The base of every error that this package raises on purpose."""


class SettingsError(ReferenceAppError):
    """A command-line option, environment variable or setting cannot be used; the message says what is allowed."""


class ManifestError(ReferenceAppError):
    """The contextual manifest binds an operation that it must not bind, or describes it differently."""
