"""What the program says on standard error: kinds of messages, and errors made of them."""

from __future__ import annotations

import os
import re
import signal
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ._keywords import in_python
from ._printing import printable_lines
from .errors import Error, Interrupted, ModelError, TraceError, TraceWarning, UsageError

_KIND = re.compile(r"(error|warning|note|hint|failed|passed|undecided, passes): (.*)")
_HINT = re.compile(r"(?:\n|^)\s*(?:hint|tip): ")
_POSITION = re.compile(r"((?:line|byte|sheet|record|row) [^:]*?): ")

USAGE = 2
INTERRUPTED = 130


@dataclass(frozen=True)
class Message:
    """One message: its kind, such as ``warning``, and its text, which may have several lines."""

    kind: str
    text: str


@dataclass(frozen=True)
class Subject:
    """What a command is about, as it was given to the program."""

    recordings: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


def messages(said: str) -> list[Message]:
    """The messages in what the program said.

    Indented lines go on with a message; all other lines without a kind are for people who watch,
    such as what was written where.
    """
    found: list[Message] = []
    is_open = False
    for line in said.split("\n"):
        if match := _KIND.match(line):
            found.append(Message(match[1], match[2]))
            is_open = True
        elif is_open and (line.startswith(" ") or not line):
            last = found.pop()
            found.append(Message(last.kind, f"{last.text}\n{line}".rstrip()))
        else:
            is_open = False
    return found


def spoken(said: Iterable[Message], command: str) -> list[Message]:
    """What the program said of a command, as Python says it."""
    return [Message(message.kind, in_python(message.text, command)) for message in said]


def texts(kind: str, of: Iterable[Message]) -> tuple[str, ...]:
    """Texts of the messages of one kind."""
    return tuple(message.text for message in of if message.kind == kind)


def warn(texts: Iterable[str]) -> None:
    """Warns of each text, in the name of the code that called this package."""
    level = 1
    frame = sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == __package__:
        frame = frame.f_back
        level += 1
    for text in texts:
        warnings.warn(printable_lines(text), TraceWarning, stacklevel=level)


def failure(exit_code: int, said: Sequence[Message], subject: Subject) -> Error:
    """Why the program ended with a code other than 0."""
    if exit_code < 0:
        return Error(f"onnxray was ended by {_signal(-exit_code)}", exit_code=exit_code)
    text, hint = _last_error(said)
    if exit_code == INTERRUPTED:
        kept = "onnxray was interrupted; what was recorded until then is kept"
        return Interrupted(text or kept, exit_code=exit_code, hint=hint)
    if not text:
        return Error(f"onnxray ended with {exit_code} and said nothing", exit_code=exit_code)
    if exit_code == USAGE:
        return UsageError(text, exit_code=exit_code, hint=hint)
    file, position = _place(text, (*subject.recordings, *subject.models))
    kind = _kind(file, subject)
    return kind(text, exit_code=exit_code, file=file, position=position, hint=hint)


def _last_error(said: Sequence[Message]) -> tuple[str, str | None]:
    """The last error, and its hint, which may be a message of its own behind it."""
    text, hint = "", None
    for message in said:
        if message.kind == "error":
            text, hint = message.text, None
        elif message.kind == "hint" and text and hint is None:
            hint = message.text
    parts = _HINT.split(text, maxsplit=1)
    usage = parts[-1].find("\n\nUsage:")
    if usage >= 0:
        parts[-1] = parts[-1][:usage]
    return parts[0].strip(), parts[1].strip() if len(parts) > 1 else hint


def _place(text: str, given: Sequence[str]) -> tuple[str | None, str | None]:
    """The file that a message begins with, and the place in it."""
    ends = [match.start() for match in re.finditer(": ", text.split("\n")[0])]
    for end in reversed(ends):
        name = text[:end]
        if name in given or os.path.exists(name):
            position = _POSITION.match(text[end + 2 :])
            return name, position[1] if position else None
    return None, None


def _kind(file: str | None, subject: Subject) -> type[Error]:
    if file is None:
        return TraceError if subject.recordings else ModelError if subject.models else Error
    if file in subject.models:
        return ModelError
    for word in subject.recordings:
        if file == word or _is_below(file, word):
            return TraceError
    return Error


def _is_below(file: str, folder: str) -> bool:
    return os.path.realpath(file).startswith(os.path.join(os.path.realpath(folder), ""))


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
