"""Finds the program, and runs it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO

from ._messages import Message, messages
from ._status import status
from ._version import version
from .errors import ProgramMismatch, ProgramMissing

_AGAIN = "install it again: pip install --force-reinstall onnxray"
_checked: set[str] = set()
# Of two threads that ask sysconfig for the first time, one may find it half made.
_one_looks = threading.Lock()


def _after_fork() -> None:
    """In a child, no thread is there that would let go of the lock."""
    global _one_looks
    _one_looks = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def program() -> str:
    """Path of the program that belongs to this package.

    It lies in the environment's folder of scripts; otherwise beside the interpreter, or on
    ``PATH``. The environment variable ``ONNXRAY_PROGRAM`` names another one.

    Raises
    ------
    ProgramMissing
        There is none.
    ProgramMismatch
        It is of another version than this package.
    """
    with _one_looks:
        found = next((file for file in _candidates() if os.access(file, os.X_OK)), None)
        if found is None:
            given = os.environ.get("ONNXRAY_PROGRAM")
            named = f", which ONNXRAY_PROGRAM names as {given}," if given else ""
            raise ProgramMissing(f"the program onnxray{named} is not there", hint=_AGAIN)
        if found not in _checked:
            _check_version(found)
            _checked.add(found)
        return found


def _candidates() -> Iterator[str]:
    if given := os.environ.get("ONNXRAY_PROGRAM"):
        # A name alone would be looked for elsewhere than here.
        yield os.path.abspath(given)
        return
    name = "onnxray.exe" if os.name == "nt" else "onnxray"
    user = sysconfig.get_preferred_scheme("user")
    for folder in (
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", user),
        os.path.dirname(sys.executable),
    ):
        # An interpreter that is part of another program may not know where it is.
        if os.path.isabs(folder) and os.path.isfile(file := os.path.join(folder, name)):
            yield file
    # What lies in the current folder is data, and an empty entry stands for that.
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    absolute = os.pathsep.join(filter(os.path.isabs, folders))
    if on_path := shutil.which(name, path=absolute):
        yield on_path


def _check_version(file: str) -> None:
    try:
        said = subprocess.run(
            [file, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        raise ProgramMissing(f"{file}: cannot be run: {error.strerror}", hint=_AGAIN) from None
    words = said.stdout.decode(errors="replace").split()
    if len(words) < 2 or words[0] != "onnxray":
        raise ProgramMissing(f"{file}: is not onnxray", hint=_AGAIN)
    ours = version()
    # A package that is used from a checkout has no version.
    if ours and _as_python(words[1]) != ours:
        raise ProgramMismatch(
            f"{file} is version {words[1]}, and this package is version {ours}", hint=_AGAIN
        )


def _as_python(version: str) -> str:
    """A version of Cargo as Python writes it: 0.2.0-rc.1 is 0.2.0rc1."""
    return re.sub(r"-(a|b|rc)\w*?\.?(\d+)$", r"\1\2", version)


@dataclass(frozen=True)
class Ended:
    """How a run ended: its exit code, negative if by a signal, and what it said."""

    exit_code: int
    messages: list[Message]


class Run:
    """One run of the program, to be used in a ``with`` block, which ends it.

    ``output`` is its standard output. It runs apart from the terminal, so that Ctrl-C reaches it
    once: by this object, when the block is left by a KeyboardInterrupt. Then it is asked to stop,
    and keeps what it recorded; a second KeyboardInterrupt stops it at once. Any other exception
    kills it.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        file = program()
        try:
            self._process = subprocess.Popen(
                [file, *arguments, "--color=never"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramMissing(f"{file}: cannot be run: {error.strerror}", hint=_AGAIN) from None
        self._said = b""
        # What it says must be read beside its output, or it would wait for a reader.
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stderr
        self._said = self._process.stderr.read()

    @property
    def output(self) -> IO[bytes]:
        assert self._process.stdout
        return self._process.stdout

    def end(self) -> Ended:
        """Waits for its end."""
        code = self._process.wait()
        self._listener.join()
        return Ended(code, messages(self._said.decode(errors="replace")))

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # It may be writing what nobody reads any more.
        self.output.close()
        if kind is not None and self._process.poll() is None:
            if issubclass(kind, KeyboardInterrupt):
                self._interrupt()
            else:
                self._process.kill()
        self._process.wait()
        self._listener.join()
        assert self._process.stderr
        self._process.stderr.close()

    def _interrupt(self) -> None:
        while self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait()
            except KeyboardInterrupt:
                continue


def capture(arguments: Sequence[str]) -> tuple[bytes, Ended]:
    """Runs the program; what it wrote to standard output, and how it ended."""
    with status(arguments), Run(arguments) as run:
        output = run.output.read()
        return output, run.end()


def _environment() -> dict[str, str]:
    """The environment, in which `python3` is this Python: it may have ONNX Runtime installed."""
    folders = [os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    return {**os.environ, "PATH": os.pathsep.join(folders)}
