"""Sessions of ONNX Runtime, watched as they are made, wherever that is."""

from __future__ import annotations

import functools
import os
import sys
import threading
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Protocol

__all__ = ["Watcher", "unwatch", "watch", "watch_once_imported"]


class Watcher(Protocol):
    """Is told of each session; it may give it other options."""

    def before(self, model: object, options: Any) -> Any:
        """The options to make a session with, which were given or are None."""

    def after(self, session: Any, options: Any) -> None:
        """What was made with them; the session is None if that failed."""


_watchers: list[Watcher] = []
_installing = threading.Lock()
# Options are changed for the time that a session is made, and threads may share them.
_making = threading.RLock()
_is_installed = False


def _after_fork() -> None:
    """In a child, no thread is there that would let go of the locks."""
    global _installing, _making
    _installing, _making = threading.Lock(), threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def watch(watcher: Watcher) -> None:
    """Tells a watcher of all sessions that are made from now on."""
    _install()
    _watchers.append(watcher)


def watch_once_imported(watcher: Watcher) -> None:
    """The same, without importing ONNX Runtime: a program may never do so, or prepare for it."""
    _watchers.append(watcher)
    if "onnxruntime" in sys.modules:
        _install()
    else:
        sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    """Is asked for modules first, and lets the others find ONNX Runtime."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != "onnxruntime":
            return None
        sys.meta_path.remove(self)
        found = find_spec(fullname)
        if found is None or found.loader is None:
            sys.meta_path.insert(0, self)
            return found
        load = found.loader.exec_module

        def load_watched(module: ModuleType) -> None:
            try:
                load(module)
                _install()
            except BaseException:
                # It may be tried again.
                sys.meta_path.insert(0, self)
                raise

        found.loader.exec_module = load_watched  # type: ignore[method-assign]
        return found


def unwatch(watcher: Watcher) -> None:
    """Ends that."""
    _watchers.remove(watcher)


def _install() -> None:
    """Puts itself around the making of sessions, once: in the class, whoever has its name."""
    global _is_installed
    with _installing:
        if _is_installed:
            return
        from onnxruntime import InferenceSession

        make = InferenceSession.__init__

        @functools.wraps(make)
        def make_watched(
            self: Any, path_or_bytes: Any, sess_options: Any = None, *args: Any, **kwargs: Any
        ) -> None:
            if not _watchers:
                make(self, path_or_bytes, sess_options, *args, **kwargs)
                return
            with _making:
                told = list(_watchers)
                for watcher in told:
                    sess_options = watcher.before(path_or_bytes, sess_options)
                made = None
                try:
                    make(self, path_or_bytes, sess_options, *args, **kwargs)
                    made = self
                finally:
                    for watcher in reversed(told):
                        watcher.after(made, sess_options)

        InferenceSession.__init__ = make_watched
        _is_installed = True
