"""What is said on standard output and standard error: the only place that prints.

A name comes from a file that somebody else made. It is shown by the program's own rule,
`printable`, so that it stays on its line and commands no terminal.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from typing import TextIO

_HIDDEN = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


class NotWritten(OSError):
    """Standard output takes no more, and not for want of a reader."""


def printable(text: str) -> str:
    """A text without letters that do something else than to be seen, which are written as escapes.

    These are control characters, marks of direction and of no width, and halves of characters.
    """
    return _HIDDEN.sub(_escaped, text)


def _escaped(letter: re.Match[str]) -> str:
    return _SHORT.get(letter[0], f"\\u{{{ord(letter[0]):x}}}")


def printable_lines(text: str) -> str:
    """The same of a message that has several lines, each of which is one."""
    return "\n".join(map(printable, text.split("\n")))


def say(line: str) -> None:
    """Writes a line to standard output. A reader that has seen enough is not a failure.

    Raises
    ------
    NotWritten
        It cannot be written.
    """
    _to_output(printable(line))


def say_lines(text: str) -> None:
    """Writes a text of ours that has several lines."""
    for line in text.split("\n"):
        say(line)


def say_json(value: object) -> None:
    """Writes a value as JSON, in which what `printable` would hide is written in JSON's own way."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    # Line ends are those between members: JSON has none in texts.
    _to_output("\n".join(_HIDDEN.sub(_escaped_in_json, line) for line in text.split("\n")))


def _escaped_in_json(letter: re.Match[str]) -> str:
    return json.dumps(letter[0])[1:-1]


def finish() -> None:
    """Writes what is left of standard output.

    Raises
    ------
    NotWritten
        It cannot be written.
    """
    _to_output(None)


def _to_output(text: str | None) -> None:
    stream = sys.stdout
    if stream is None:
        return
    try:
        if text is not None:
            stream.write(_encodable(f"{text}\n", stream))
        else:
            stream.flush()
    except BrokenPipeError:
        _forget(stream)
    except OSError as error:
        _forget(stream)
        raise NotWritten(
            error.errno, f"cannot write to standard output: {error.strerror}"
        ) from None


def _forget(stream: TextIO) -> None:
    """What is in the buffer has no reader, and is not tried again when the process ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def tell(message: str) -> None:
    """Writes a message, of one line or several, to standard error, if that can be written to."""
    _to_error(f"{printable_lines(message)}\n")


def show(line: str) -> None:
    """Writes a line over the last one, for whoever watches."""
    _to_error(f"\r{printable(line)}")


def clear(width: int) -> None:
    """Removes a line of that width again."""
    _to_error(f"\r{' ' * width}\r")


def _to_error(text: str) -> None:
    stream = sys.stderr
    if stream is None:
        return
    try:
        stream.write(_encodable(text, stream))
        stream.flush()
    except (OSError, ValueError):
        # Or the interpreter would try again as it ends, and fail the program for it.
        _forget(stream)


def _encodable(text: str, stream: TextIO) -> str:
    """Letters that the stream has none for become escapes, instead of an exception."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
