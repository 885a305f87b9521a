"""What can go wrong, and what a user may want to know."""

from __future__ import annotations


class LigamentError(Exception):
    """Anything that Ligament could not do. Nothing was written, unless the message says so."""


class OptionError(LigamentError, ValueError):
    """An option has a value that it cannot have, or the method does not know it."""


class InputError(LigamentError, ValueError):
    """The arrays or the character cannot be worked on."""


class FileError(LigamentError, OSError):
    """A file cannot be read or written."""


class Cancelled(LigamentError):
    """The work was stopped before its end. Nothing was changed."""


class LigamentWarning(UserWarning):
    """Something that was guessed or set right. ``code`` is a stable name for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} [{code}]")
        self.code = code
        self.message = message
