"""``ENGINE_PROFILING=1``: sessions of ONNX Runtime are profiled without a change to a program.

Their recordings lie where the recorder writes its own, once the program has ended. A process that
is forked has sessions, profiles and an end of its own.
"""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _files, _onnxruntime
from ._messages import Subject, failure
from ._printing import tell
from ._program import capture
from .errors import Error

_OFF = ("", "0", "false")


def is_asked_for() -> bool:
    """Whether the environment asks for it."""
    return os.environ.get("ENGINE_PROFILING", "").lower() not in _OFF


def begin() -> None:
    """Profiles all sessions that are made from now on, if ONNX Runtime is installed."""
    profiler = _Profiler(Path.cwd() / "engine_profiling")
    try:
        _onnxruntime.watch(profiler)
    except ImportError:
        return
    atexit.register(profiler.end)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=profiler.forked)


@dataclass
class _Session:
    model: str | None
    began: float
    prefix: str
    session: weakref.ref[Any] | None = None


class _Profiler:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Of all processes: who ends last removes it.
        self._root = Path(tempfile.mkdtemp(prefix="onnxray-"))
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._sessions: list[_Session] = []
        self._own: Path | None = None

    def forked(self) -> None:
        """Begins anew in a process that was forked, since sessions so far are its parent's."""
        self._begin()
        # Processes of multiprocessing end without Python's own functions for that, and forget what
        # was to be done before they began.
        if multiprocessing := sys.modules.get("multiprocessing.util"):
            multiprocessing.register_after_fork(self, _end_with_multiprocessing)

    @property
    def _profiles(self) -> Path:
        """The folder of this process, made when it is needed."""
        if self._own is None:
            if not self._root.is_dir():
                self._root = Path(tempfile.mkdtemp(prefix="onnxray-"))
            self._own = Path(tempfile.mkdtemp(prefix=f"{self._process}-", dir=self._root))
        return self._own

    def before(self, model: object, options: Any) -> Any:
        if options is None:
            from onnxruntime import SessionOptions

            options = SessionOptions()
        # Whoever profiles it already has other plans with it.
        if options.enable_profiling:
            return options
        is_file = isinstance(model, (str, os.PathLike))
        file = os.path.abspath(os.fspath(model)) if is_file else None  # type: ignore[call-overload]
        prefix = f"session_{len(self._sessions)}_"
        self._sessions.append(_Session(file, time.time(), prefix))
        self._prefix = options.profile_file_prefix
        options.profile_file_prefix = str(self._profiles / prefix)
        options.enable_profiling = True
        return options

    def after(self, session: Any, options: Any) -> None:
        is_own = self._own is not None and self._own in Path(options.profile_file_prefix).parents
        if not is_own:
            return
        # The same options may make other sessions.
        options.enable_profiling = False
        options.profile_file_prefix = self._prefix
        if session is not None:
            self._sessions[-1].session = weakref.ref(session)

    def end(self) -> None:
        """Ends all profiles and makes recordings of them, without failing the program."""
        sessions, self._sessions = self._sessions, []
        for known in sessions:
            if session := known.session and known.session():
                session.end_profiling()
            for profile in self._profiles.glob(f"{known.prefix}*"):
                if known.session is None:
                    # It could not be made.
                    profile.unlink(missing_ok=True)
                    continue
                try:
                    tell(f"Recording: {self._record(profile, known)}")
                    profile.unlink(missing_ok=True)
                except (Error, OSError) as error:
                    tell(f"error: {profile} is kept as it is: {error}")
        # What is kept keeps its folder.
        with suppress(OSError):
            if self._own is not None:
                self._own.rmdir()
        with suppress(OSError):
            self._root.rmdir()
        self._tell_of_the_dead()

    def _tell_of_the_dead(self) -> None:
        """Names what processes left that were killed, and so had no end."""
        for folder in sorted(self._root.glob("*-*")):
            process = int(folder.name.partition("-")[0])
            if process == self._process or _is_alive(process):
                continue
            for profile in sorted(folder.iterdir()):
                tell(f"error: {profile} is kept as it is: process {process} was killed")
            with suppress(OSError):
                folder.rmdir()

    def _record(self, profile: Path, known: _Session) -> Path:
        traces, tables = (self._folder / f"profiling_{name}" for name in ("trace", "csv"))
        for folder in (traces, tables):
            _files.make_folder(folder)
        # Readers of the folders do not look at such names.
        name = f".{known.prefix}{self._process}"
        trace, table = traces / f"{name}.json", tables / f"{name}.csv"
        try:
            _convert(profile, known.model, trace, table)
            return _take_time(trace, table, known.began)
        finally:
            trace.unlink(missing_ok=True)
            table.unlink(missing_ok=True)


def _convert(profile: Path, model: str | None, trace: Path, table: Path) -> None:
    arguments = ["convert", "--force", f"--output={trace}", f"--profile-csv={table}"]
    # A model may need sizes that nobody gave; the profile says enough without it.
    joined = [] if model is None else [[*arguments, f"--model={model}", str(profile)]]
    for words in (*joined, [*arguments, str(profile)]):
        _, ended = capture(words)
        if ended.exit_code == 0:
            return
    raise failure(ended.exit_code, ended.messages, Subject((str(profile),)))


def _take_time(trace: Path, table: Path, began: float) -> Path:
    """Gives a recording its name: the time at which it began, or the next second that is free."""
    while True:
        name = time.strftime("profiling_%Y-%m-%d_%H-%M-%S", time.localtime(began))
        recording, with_it = trace.with_name(f"{name}_0.json"), table.with_name(f"{name}_0.csv")
        is_free = not any(trace.parent.glob(f"{name}_*")) and not os.path.lexists(with_it)
        if is_free and _files.claim(trace, recording):
            _files.claim(table, with_it)
            return recording
        began += 1


def _end_with_multiprocessing(profiler: _Profiler) -> None:
    from multiprocessing.util import Finalize

    Finalize(None, profiler.end, exitpriority=0)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
