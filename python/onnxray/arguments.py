"""Arguments of functions, as words of the program's command line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypeAlias

__all__ = ["Dimensions", "Paths", "StrPath"]

StrPath: TypeAlias = str | os.PathLike[str]
"""A file, a folder, a pattern, or a profile of a folder: ``folder:name``."""

Paths: TypeAlias = StrPath | Sequence[StrPath]
"""One of these, or several, which are the launches of one recording."""

Dimensions: TypeAlias = Mapping[str, int]
"""Sizes of free dimensions, by their names in the model."""

Value: TypeAlias = (
    str | int | float | os.PathLike[str] | Sequence[StrPath | int | float] | Mapping[str, object]
)


def words(paths: Paths | None) -> tuple[str, ...]:
    """Paths as words that are not taken for options, nor for standard input; none for None."""
    if paths is None:
        return ()
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    found = [os.fspath(path) for path in paths]
    return tuple(f".{os.sep}{word}" if word.startswith("-") else word for word in found)


def option(name: str, value: Value | None) -> list[str]:
    """An option and its value: none for None and False, none but the name for True.

    A sequence and a mapping repeat the option.
    """
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    if isinstance(value, Mapping):
        return [f"{name}={key}={_text(each)}" for key, each in value.items()]
    if isinstance(value, (str, int, float, os.PathLike)):
        return [f"{name}={_text(value)}"]
    return [f"{name}={_text(each)}" for each in value]


def reading(
    model: StrPath | None = None,
    dimensions: Dimensions | None = None,
    format: str | None = None,
    warmup: int | None = None,
    strict: bool = False,
    phase: str | None = None,
) -> list[str]:
    """How traces are read, as options that all commands have which read some."""
    return [
        *option("--model", model),
        *option("--dim", dimensions),
        *option("--from", format),
        *option("--warmup", warmup),
        *option("--strict", strict),
        *option("--phase", phase),
    ]


def listed(values: object) -> str | None:
    """Several values of one option, with commas between them."""
    if values is None:
        return None
    if isinstance(values, Sequence) and not isinstance(values, str):
        return ",".join(map(str, values))
    return str(values)


def _text(value: object) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
