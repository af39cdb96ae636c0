"""``ENGINE_PROFILING=1``: sessions of ONNX Runtime are profiled without a change to a program.

Their recordings lie where the recorder writes its own, once the program has ended.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _onnxruntime
from ._messages import Subject, failure
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


@dataclass
class _Session:
    model: str | None
    began: float
    prefix: str
    session: weakref.ref[Any] | None = None


class _Profiler:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._profiles = Path(tempfile.mkdtemp(prefix="onnxray-"))
        self._process = os.getpid()
        self._sessions: list[_Session] = []

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
        if not str(options.profile_file_prefix).startswith(str(self._profiles)):
            return
        # The same options may make other sessions.
        options.enable_profiling = False
        options.profile_file_prefix = self._prefix
        if session is not None:
            self._sessions[-1].session = weakref.ref(session)

    def end(self) -> None:
        """Ends all profiles and makes recordings of them, without failing the program."""
        # A process that was forked has sessions of its parent.
        if os.getpid() != self._process:
            return
        is_complete = True
        for known in self._sessions:
            if known.session is None:
                continue
            if session := known.session():
                session.end_profiling()
            for profile in self._profiles.glob(f"{known.prefix}*"):
                try:
                    print(f"Recording: {self._record(profile, known)}", file=sys.stderr)
                except (Error, OSError) as error:
                    print(f"error: {profile} is kept as it is: {error}", file=sys.stderr)
                    is_complete = False
        if is_complete:
            shutil.rmtree(self._profiles, ignore_errors=True)

    def _record(self, profile: Path, known: _Session) -> Path:
        traces, tables = (self._folder / f"profiling_{name}" for name in ("trace", "csv"))
        for folder in (traces, tables):
            folder.mkdir(parents=True, exist_ok=True)
        # Readers of the folders do not look at such names.
        name = f".{known.prefix}{self._process}"
        trace, table = traces / f"{name}.json", tables / f"{name}.csv"
        try:
            _convert(profile, known.model, trace, table)
            recording = _take_time(trace, traces, known.began)
            table.replace(tables / f"{recording.stem}.csv")
            return recording
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


def _take_time(written: Path, folder: Path, began: float) -> Path:
    """Gives a recording its name: the time at which it began, or the next second that is free."""
    while True:
        name = time.strftime("profiling_%Y-%m-%d_%H-%M-%S", time.localtime(began))
        recording = folder / f"{name}_0.json"
        try:
            if not any(folder.glob(f"{name}_*")):
                os.link(written, recording)
                return recording
        except FileExistsError:
            pass
        began += 1
