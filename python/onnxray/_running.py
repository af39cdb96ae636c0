"""``python -m onnxray PROGRAM.py``: a program as it is, with its sessions recorded."""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import CodeType, ModuleType
from typing import Any

from . import _automatic, _files
from ._printing import tell

_MOST = 1 << 28


def is_program(words: Sequence[str]) -> bool:
    """Whether these words are a program of Python's, and its arguments."""
    return bool(words) and (words[0].endswith(".py") or words[0] == "-m")


def run(words: Sequence[str]) -> int:
    """Runs a program as Python does, as ``__main__``; its exit code.

    Raises
    ------
    SystemExit, KeyboardInterrupt
        The program did.
    """
    try:
        module, code = _module(words[1:]) if words[0] == "-m" else _file(words)
    except (OSError, ImportError) as error:
        why = (getattr(error, "strerror", None) or str(error)) if words else ""
        tell(f"error: {words[-1] if words[0] == '-m' else words[0]}: {why}")
        return 2
    _automatic.begin(leader=os.getpid())
    _automatic.follow()
    # Processes that it spawns, and pickles, look at it, also when it has ended.
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        # As Python does, from the program's own lines on.
        own = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error.with_traceback(own), own)
        return 1
    return 0


def _file(words: Sequence[str]) -> tuple[ModuleType, CodeType]:
    path = words[0]
    content = _files.read(path, _MOST)
    sys.argv[:] = words
    _look_in(os.path.dirname(os.path.realpath(path)))
    return _main(os.path.abspath(path), None), _compiled(content, path)


def _compiled(content: bytes, path: str) -> CodeType:
    try:
        return compile(content, os.path.abspath(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        sys.excepthook(type(error), error.with_traceback(None), None)
        sys.exit(1)


def _module(words: Sequence[str]) -> tuple[ModuleType, CodeType]:
    if not words:
        raise ImportError("expected the name of a module")
    _look_in(os.getcwd())
    name = words[0]
    spec = find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        name = f"{name}.__main__"
        spec = find_spec(name)
    loader: Any = spec and spec.loader
    code = loader.get_code(name) if hasattr(loader, "get_code") else None
    if spec is None or code is None:
        raise ImportError(f"no module named {name} that can be run")
    file = spec.origin or ""
    sys.argv[:] = [file, *words[1:]]
    return _main(file, spec), code


def _look_in(folder: str) -> None:
    """Modules are looked for there first, as Python does."""
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        sys.path.insert(0, folder)


def _main(file: str, spec: ModuleSpec | None) -> ModuleType:
    module = ModuleType("__main__")
    module.__dict__.update(
        __file__=file,
        __builtins__=builtins,
        __spec__=spec,
        __loader__=spec.loader if spec else None,
        __package__=spec.parent if spec else None,
    )
    return module
