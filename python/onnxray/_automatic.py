"""``ENGINE_PROFILING=1``: sessions of ONNX Runtime are profiled without a change to a program.

Their recordings lie where the recorder writes its own, once the program has ended. A process that
is forked or spawned has sessions, profiles and an end of its own, and is a launch of its own.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from . import _files, _onnxruntime
from ._launches import Meeting, is_alive, number_of
from ._messages import Subject, failure
from ._printing import tell
from ._program import capture
from .errors import Error

_OFF = ("", "0", "false")
_profiler: Profiler | None = None


def is_asked_for() -> bool:
    """Whether the environment asks for it."""
    return os.environ.get("ENGINE_PROFILING", "").lower() not in _OFF


def begin(folder: Path | None = None, root: Path | None = None, leader: int | None = None) -> None:
    """Profiles all sessions of ONNX Runtime that are made from now on.

    Parameters
    ----------
    folder : path, optional
        Folder of the recordings; ``engine_profiling`` without it.
    root : path, optional
        Folder of the profiles of this run, if there is one already.
    leader : int, optional
        The process that tells of all recordings; without it, each tells of its own.
    """
    global _profiler
    if _profiler is not None:
        _profiler.leader = leader
        return
    folder = Path.cwd() / "engine_profiling" if folder is None else folder
    _profiler = Profiler(folder, root, leader)
    _onnxruntime.watch_once_imported(_profiler)
    atexit.register(_profiler.end)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_profiler.forked)


def follow() -> None:
    """Has processes that are spawned profile as well, and ends profiles when this one is ended."""
    from multiprocessing import spawn

    assert _profiler is not None
    profiler = _profiler
    prepare = spawn.get_preparation_data

    def prepare_profiled(name: str) -> dict[str, Any]:
        # Unpickled before anything else of the program.
        return {**prepare(name), "onnxray": _Stowaway(profiler)}

    spawn.get_preparation_data = prepare_profiled
    profiler.end_by_signal()


class _Stowaway:
    """Begins profiling where it is unpickled."""

    def __init__(self, profiler: Profiler) -> None:
        self._given = (str(profiler.folder), str(profiler.root), profiler.leader)

    def __reduce__(self) -> tuple[Callable[..., None], tuple[object, ...]]:
        return _join, self._given


def _join(folder: str, root: str, leader: int | None) -> None:
    if _profiler is None:
        begin(Path(folder), Path(root), leader)
        assert _profiler is not None
        _profiler.end_in_child()


@dataclass
class _Session:
    model: str | None
    key: str
    began: float
    prefix: str
    session: weakref.ref[Any] | None = None


class Profiler:
    """Profiles the sessions of this process, and makes recordings of them."""

    def __init__(self, folder: Path, root: Path | None, leader: int | None) -> None:
        self.folder = folder
        self.leader = leader
        self.root = Path(tempfile.mkdtemp(prefix="onnxray-")) if root is None else root
        self._meeting = Meeting(self.root)
        self._own: Path | None = None
        self._begin()
        if root is None:
            # It stays for as long as this process, whose children meet there.
            self._own = self._meeting.enter()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._sessions: list[_Session] = []
        self._own = None
        self._instances: tuple[Meeting, Path] | None = None
        self._told: list[Path] = []
        self._is_ending = self._is_ended_by_signal = False

    def forked(self) -> None:
        """Begins anew in a process that was forked, since sessions so far are its parent's."""
        self._begin()
        self.end_in_child()

    def end_in_child(self) -> None:
        """Ends with a process of multiprocessing as well.

        These end without Python's own functions for that, forget what was to be done before they
        began, and are ended by a signal if they are of a pool.
        """
        if multiprocessing := sys.modules.get("multiprocessing.util"):
            multiprocessing.register_after_fork(self, _end_with_multiprocessing)
        self.end_by_signal()

    def end_by_signal(self) -> None:
        """Ends when the process is asked to, unless the program has plans of its own with that."""
        with suppress(ValueError):
            if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
                signal.signal(signal.SIGTERM, self._ended_by_signal)

    def _ended_by_signal(self, *_: object) -> None:
        self._is_ended_by_signal = True
        # In the middle of it, it goes on.
        if not self._is_ending:
            self.end()

    @property
    def _profiles(self) -> Path:
        """The folder of this process, made when it is needed."""
        if self._own is None:
            self._own = self._meeting.enter()
        if self._instances is None and (most := _instances()) > 1:
            # Processes that have no parent in common meet beside their recordings.
            meeting = Meeting(self.folder / ".instances", most)
            self._instances = meeting, meeting.enter()
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
        key = _key(model if file is None else file, options)
        # Another session of the same model in this process is not another launch.
        same = sum(each.key.partition("-")[0] == key for each in self._sessions)
        prefix = f"session_{len(self._sessions)}_"
        self._sessions.append(_Session(file, f"{key}-{same}", time.time(), prefix))
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
        self._is_ending = True
        sessions, self._sessions = self._sessions, []
        for known in sessions:
            self._end_session(known)
        if self._instances is not None:
            meeting, own = self._instances
            meeting.leave(own)
            self._instances = None
        self._tell()
        self._tell_of_the_dead()
        if self._own is not None:
            # What is kept keeps its folder.
            self._meeting.leave(self._own)
        self._is_ending = False
        if self._is_ended_by_signal:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTERM)

    def _end_session(self, known: _Session) -> None:
        if session := known.session and known.session():
            session.end_profiling()
        for profile in self._profiles.glob(f"{known.prefix}*"):
            if known.session is None:
                # It could not be made.
                profile.unlink(missing_ok=True)
                continue
            try:
                self._told.append(self._record(profile, known))
                profile.unlink(missing_ok=True)
            except (Error, OSError) as error:
                tell(f"error: {profile} is kept as it is: {error}")

    def _tell(self) -> None:
        told, self._told = self._told, []
        if self.leader is None or (self.leader != self._process and not is_alive(self.leader)):
            for recording in told:
                tell(f"Recording: {recording}")
        elif self.leader == self._process and self._own is not None:
            names = {recording.name.rpartition("_")[0] for recording in told}
            tell(_all_told(self.folder, sorted(names.union(self._meeting.names()))))

    def _tell_of_the_dead(self) -> None:
        """Names what processes left that were killed, and so had no end."""
        for folder in self._meeting.processes():
            process = number_of(folder)
            if process == self._process or is_alive(process):
                continue
            for profile in sorted(folder.iterdir()):
                tell(f"error: {profile} is kept as it is: process {process} was killed")
            with suppress(OSError):
                folder.rmdir()

    def _record(self, profile: Path, known: _Session) -> Path:
        traces, tables = (self.folder / f"profiling_{name}" for name in ("trace", "csv"))
        for folder in (traces, tables):
            _files.make_folder(folder)
        # Readers of the folders do not look at such names.
        name = f".{known.prefix}{self._process}"
        trace, table = traces / f"{name}.json", tables / f"{name}.csv"
        meeting = self._meeting if self._instances is None else self._instances[0]
        try:
            _convert(profile, known.model, trace, table)
            return meeting.name(known.key, known.began, trace, table)
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


def _key(model: object, options: Any) -> str:
    """What sessions have in common that are launches of one recording."""
    content = model.encode(errors="surrogateescape") if isinstance(model, str) else model
    told = [options.intra_op_num_threads, options.inter_op_num_threads, options.execution_mode]
    settings = repr([*told, options.graph_optimization_level]).encode()
    return sha256(sha256(content).digest() + settings).hexdigest()[:32]  # type: ignore[arg-type]


def _instances() -> int:
    """How many processes record at once, as ``INST_NUM`` says."""
    given = os.environ.get("INST_NUM", "").strip()
    return int(given) if given.isascii() and given.isdecimal() else 1


def _all_told(folder: Path, names: list[str]) -> str:
    if not names:
        return "note: no recording: no session of ONNX Runtime was made"
    traces = os.path.relpath(folder / "profiling_trace")
    if len(names) > 1:
        return f"{len(names)} recordings: onnxray summary --per-recording {_word(traces)}"
    launches = list((folder / "profiling_trace").glob(f"{names[0]}_*.json"))
    file = f"{names[0]}_*.json" if len(launches) > 1 else f"{names[0]}_0.json"
    return f"Recording: onnxray summary {_word(os.path.join(traces, file))}"


def _word(path: str) -> str:
    from shlex import quote

    return quote(path)


def _end_with_multiprocessing(profiler: Profiler) -> None:
    from multiprocessing.util import Finalize

    Finalize(None, profiler.end, exitpriority=0)
