"""How far it is, on a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType


class Progress:
    """A line on standard error that says how many of how many are done; only on a terminal."""

    def __init__(self, what: str, count: int) -> None:
        self._what = what
        self._count = count
        self._began = time.monotonic()
        self._is_shown = sys.stderr.isatty()
        self._width = 0

    def show(self, done: int) -> None:
        """Says that so many are done, once it has taken a second."""
        if self._is_shown and time.monotonic() - self._began > 1:
            line = f"{self._what} {done} of {self._count}"
            self._width = max(self._width, len(line))
            print(f"\r{line}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)
