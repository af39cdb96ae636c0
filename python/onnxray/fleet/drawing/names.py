"""Texts from data, as a page shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape

from ..._printing import printable

_CELLS = 10
"""Width of a name below an axis, in letters of a monospaced font."""


def shown(text: str) -> str:
    """A name as text of a page: no markup, and no mark that turns or hides what is around it."""
    return escape(printable(text))


def cells(text: str) -> int:
    """Width of a text in letters of a monospaced font, of which some take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def short_names(names: Sequence[str]) -> list[str]:
    """Names of at most 10 cells, by their beginning, or by their end where only that differs."""
    names = [printable(name) for name in names]
    begins = [_begin(name) for name in names]
    if len(set(begins)) == len(set(names)):
        return begins
    ends = [_begin(name[::-1])[::-1] for name in names]
    return ends if len(set(ends)) > len(set(begins)) else begins


def _begin(name: str) -> str:
    if cells(name) <= _CELLS:
        return name
    kept = ""
    for letter in name:
        if cells(kept + letter) >= _CELLS:
            break
        kept += letter
    return f"{kept}…"


def percent(ratio: float | None) -> str:
    """A ratio as people say it: ``+5.1 %``."""
    # Of a little less than 0, nothing but 0 is left.
    return "unknown" if ratio is None else f"{round((ratio - 1) * 100, 1) + 0.0:+.1f} %"


def counted(number: int, one: str, several: str) -> str:
    """``1 launch``, ``2 launches``."""
    return f"{number} {one if number == 1 else several}"
