"""What goes wrong, as exceptions and warnings."""

from __future__ import annotations

from ._printing import printable_lines

__all__ = [
    "Error",
    "Interrupted",
    "ModelError",
    "ProgramMismatch",
    "ProgramMissing",
    "TraceError",
    "TraceWarning",
    "UsageError",
]


class Error(Exception):
    """Something that onnxray could not do.

    Attributes
    ----------
    message : str
        What is wrong, in the program's words, without the hint.
    exit_code : int or None
        Exit code of the program, negative if a signal ended it; None if it was not run.
    file : str or None
        The file that the message is about, as the message names it.
    position : str or None
        Place in that file, such as ``line 8, byte 824``.
    hint : str or None
        What to do about it.
    """

    def __init__(
        self,
        message: str,
        *,
        exit_code: int | None = None,
        file: str | None = None,
        position: str | None = None,
        hint: str | None = None,
    ) -> None:
        # Whoever prints an exception does not know which names are in it.
        message = printable_lines(message)
        hint = None if hint is None else printable_lines(hint)
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")
        self.message = message
        self.exit_code = exit_code
        self.file = file
        self.position = position
        self.hint = hint


class TraceError(Error):
    """A trace or a recording could not be read, or not as it was asked for."""


class ModelError(Error):
    """A model could not be loaded, run or recorded."""


class UsageError(Error):
    """Arguments that the program does not take."""


class Interrupted(Error):
    """Somebody else interrupted the program; what it recorded until then is kept."""


class ProgramMissing(Error):
    """The program is not there, or cannot be run."""


class ProgramMismatch(Error):
    """The program is of another version than this package."""


class TraceWarning(UserWarning):
    """A doubt about what was read or measured; also in ``warnings`` of the result."""
