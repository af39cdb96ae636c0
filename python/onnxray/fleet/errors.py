"""What goes wrong with datasets, and libraries that are missing."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import ParamSpec, TypeVar

from .._printing import printable
from ..errors import Error

__all__ = ["FleetError"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_LIBRARIES = ("_duckdb", "_internal", "deltalake", "duckdb", "fsspec", "pyarrow", "pyo3_runtime")
"""Modules whose exceptions tell of a dataset; deltalake's own are of ``_internal``."""


class FleetError(Error):
    """A dataset cannot be used as it was asked for; one sentence, and the way out."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        # Names of files and labels are in it, and one with a line end would be a line of its own.
        super().__init__(printable(message), hint=None if hint is None else printable(hint))


class OwnFailure(FleetError):
    """What is wrong is here, and not in a file that was to be collected."""


def library(name: str, extra: str) -> ModuleType:
    """A library of one of the package's extras.

    Raises
    ------
    FleetError
        It is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise FleetError(
            f"{name.split('.')[0]} is not installed", hint=f"pip install 'onnxray[{extra}]'"
        ) from None


def in_a_sentence(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Makes a `FleetError` of what the system and the libraries raise of files and datasets."""

    @functools.wraps(function)
    def run(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        try:
            return function(*arguments, **named)
        except (Error, KeyboardInterrupt):
            raise
        # A library in Rust that gives up raises no Exception.
        except BaseException as error:
            text = said(error)
            if text is None:
                raise
            raise FleetError(text) from error

    return run


def said(error: BaseException) -> str | None:
    """What an exception of the system, or of a library, says; None of one of our own."""
    if isinstance(error, OSError) and error.strerror:
        # pyarrow has a sentence there that names the file.
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return f"there is not enough memory: {error}".removesuffix(": ")
    if isinstance(error, RecursionError):
        return "what was read is too deeply nested"
    is_foreign = type(error).__module__.split(".")[0] in _LIBRARIES
    if isinstance(error, OSError) or is_foreign:
        return str(error).split("\n")[0] or type(error).__name__
    return None
