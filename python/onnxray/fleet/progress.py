"""How far it is, for whoever watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .._printing import clear
from .._printing import show as show_line
from .._status import is_watched


@contextmanager
def progress(what: str, count: int) -> Iterator[Callable[[int], None]]:
    """Takes how many of how many are done, and says it once it has taken a second.

    In a terminal or a notebook, as what the program itself does is said.
    """
    began = time.monotonic()
    watched = is_watched()
    width = 0

    def show(done: int) -> None:
        nonlocal width
        if watched and time.monotonic() - began > 1:
            line = f"{what} {done} of {count}"
            width = max(width, len(line))
            show_line(line)

    try:
        yield show
    finally:
        if width:
            clear(width)
