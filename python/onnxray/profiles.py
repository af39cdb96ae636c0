"""Profiles of one's own program: of sessions of ONNX Runtime, and of PyTorch."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from . import _onnxruntime
from ._folder import TemporaryFolder
from .arguments import Dimensions, StrPath
from .errors import Error
from .trace import Kind, Trace, read_trace

__all__ = ["SessionProfile", "TorchProfile", "profile_session", "torch_profile"]

Profile = TypeVar("Profile", bound="_Profile")


class _Profile(ABC):
    """A block of code that is profiled, and the files that it leaves."""

    def __init__(self, folder: StrPath | None) -> None:
        self._kept: TemporaryFolder | None = None
        if folder is None:
            self._kept = TemporaryFolder()
            folder = self._kept.path
        self._folder = Path(folder)
        self._paths: tuple[str, ...] | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that the profiler wrote, once the block has ended.

        Raises
        ------
        Error
            It has not.
        """
        if self._paths is None:
            raise Error("the profile is there once the `with` block has ended")
        return self._paths

    def trace(
        self,
        model: StrPath | None = None,
        *,
        dimensions: Dimensions | None = None,
        kind: Kind = "measured",
    ) -> Trace:
        """What was profiled, as tables.

        Parameters
        ----------
        model : path, optional
            ONNX file to take weights, FLOPs and types of nodes from.
        dimensions : mapping of str to int, optional
            Sizes of its free dimensions.
        kind : {"measured", "warm-up", "all"}
            Iterations that its events are of; see `onnxray.read_trace`.

        Raises
        ------
        Error
            The block has not ended, or nothing ran in it.
        TraceError
            The profiles cannot be read together: `read_trace` reads each of ``paths``.
        """
        trace = read_trace(self.paths, model, dimensions=dimensions, kind=kind)
        if len(trace.events) == len(trace.iterations) == 0:
            raise Error("nothing ran while it was profiled")
        return trace

    def __enter__(self: Profile) -> Profile:
        self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        paths = self._end(kind, error, traceback)
        if kind is None and not paths:
            raise Error(
                "no session was made with these options in the block",
                hint="ONNX Runtime profiles a session from its beginning: make it in the block",
            )
        self._paths = tuple(str(path) for path in paths)

    @abstractmethod
    def _begin(self) -> None: ...

    @abstractmethod
    def _end(self, *how: object) -> list[Path]: ...


def profile_session(session_options: Any, folder: StrPath | None = None) -> SessionProfile:
    """Profiles the sessions that a block makes with these options.

    The block makes the sessions and runs them. Their profiles are complete when it ends: sessions
    that are still there go on without the profiler.

    Parameters
    ----------
    session_options : onnxruntime.SessionOptions
        Options, the same object that the sessions are made with. Profiling is off in them again
        after the block.
    folder : path, optional
        Where the profiles stay; without it, they are gone with this object.

    Raises
    ------
    Error
        The block made no session with these options, or they have profiling on already.

    Examples
    --------
    >>> with onnxray.profile_session(options) as profile:  # doctest: +SKIP
    ...     session = onnxruntime.InferenceSession("model.onnx", options)
    ...     session.run(None, inputs)
    >>> profile.trace().events  # doctest: +SKIP
    """
    return SessionProfile(session_options, folder)


class SessionProfile(_Profile):
    """A block in which sessions of ONNX Runtime are profiled; see `profile_session`."""

    def __init__(self, session_options: Any, folder: StrPath | None) -> None:
        super().__init__(folder)
        self._options = session_options
        self._sessions: list[weakref.ref[Any]] = []

    def before(self, model: object, options: Any) -> Any:
        """Is told of a session to come."""
        return options

    def after(self, session: Any, options: Any) -> None:
        """Is told of a session, and keeps it if it is profiled here."""
        if session is not None and options is self._options:
            self._sessions.append(weakref.ref(session))

    def _begin(self) -> None:
        options = self._options
        if options.enable_profiling:
            raise Error("these options have profiling on already")
        self._folder.mkdir(parents=True, exist_ok=True)
        self._before = set(self._folder.iterdir())
        self._prefix = options.profile_file_prefix
        options.profile_file_prefix = str(self._folder / "onnxruntime_profile_")
        options.enable_profiling = True
        _onnxruntime.watch(self)

    def _end(self, *how: object) -> list[Path]:
        _onnxruntime.unwatch(self)
        self._options.enable_profiling = False
        self._options.profile_file_prefix = self._prefix
        # What is gone has written its profile.
        for reference in self._sessions:
            if session := reference():
                session.end_profiling()
        return sorted(set(self._folder.iterdir()) - self._before)


def torch_profile(folder: StrPath | None = None, **options: Any) -> TorchProfile:
    """Profiles a block by ``torch.profiler``.

    Parameters
    ----------
    folder : path, optional
        Where the trace stays; without it, it is gone with this object.
    **options
        Options of ``torch.profiler.profile``. Shapes are recorded unless they say otherwise.

    Examples
    --------
    >>> with onnxray.torch_profile() as profile:  # doctest: +SKIP
    ...     for batch in batches:
    ...         model(batch)
    ...         profile.step()
    >>> profile.trace().events  # doctest: +SKIP
    """
    return TorchProfile(folder, **options)


class TorchProfile(_Profile):
    """A block that PyTorch's profiler runs beside; see `torch_profile`."""

    def __init__(self, folder: StrPath | None, **options: Any) -> None:
        super().__init__(folder)
        self._options = {"record_shapes": True, **options}

    def step(self) -> None:
        """Ends an iteration."""
        self._profiler.step()

    def _begin(self) -> None:
        from torch.profiler import profile

        self._folder.mkdir(parents=True, exist_ok=True)
        self._profiler = profile(**self._options)
        self._profiler.__enter__()

    def _end(self, *how: object) -> list[Path]:
        self._profiler.__exit__(*how)
        file = self._folder / "torch_profile.json"
        self._profiler.export_chrome_trace(str(file))
        return [file]
