"""Tables of ratios, whose cells have colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .names import percent, short_names, shown
from .style import STRENGTHS

_STRONGEST = math.log(1.25)
"""A change by a quarter has the full colour."""


@dataclass(frozen=True)
class Cell:
    """A ratio, whether it was found, and a page about it."""

    ratio: float | None
    is_found: bool
    title: str
    link: str | None = None


def heat(
    corner: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell | None]]]
) -> str:
    """Ratios as a table with colours, those of the program's comparisons."""
    head = "".join(
        f'<th class="step" title="{shown(name)}">{shown(short)}</th>'
        for name, short in zip(columns, short_names(columns), strict=True)
    )
    body = "".join(
        f"<tr><th>{shown(name)}</th>{''.join(map(_cell, cells))}</tr>" for name, cells in rows
    )
    return (
        f'<div class="wide"><table class="heat"><thead><tr><th>{shown(corner)}</th>{head}</tr>'
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return '<td class="number unknown">&ndash;</td>'
    kinds = ["number", *(["found"] if cell.is_found else [])]
    text = percent(cell.ratio)
    if cell.ratio is None or not cell.ratio > 0:
        kinds.append("unknown")
    else:
        change = math.log(cell.ratio)
        strength = round(STRENGTHS * min(abs(change) / _STRONGEST, 1))
        kinds += ["slower" if change > 0 else "faster", f"n{strength}"] if strength else []
    if cell.link:
        text = f'<a href="{shown(cell.link)}">{text}</a>'
    return f'<td class="{" ".join(kinds)}" title="{shown(cell.title)}">{text}</td>'
