"""Pictures of a page: lines with intervals, and tables whose cells have colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from .._printing import printable

_WIDTH = 880
_HEIGHT = 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 14, 44
_STRONGEST = math.log(1.25)
"""A change by a quarter has the full colour."""


def shown(text: str) -> str:
    """A name as text of a page: no markup, and no mark that turns or hides what is around it."""
    return escape(printable(text))


@dataclass(frozen=True)
class Dot:
    """A value and its interval at a step; None is unknown."""

    step: str
    value: float | None
    low: float | None
    high: float | None
    label: str
    is_change: bool = False


def lines(steps: Sequence[str], of: Sequence[tuple[str, Sequence[Dot]]], unit: str) -> str:
    """Lines over steps, one for each name, with intervals; changes have a ring."""
    known = [
        number
        for _, dots in of
        for dot in dots
        for number in (dot.value, dot.low, dot.high)
        if number is not None
    ]
    if not known:
        return "<p>Nothing is known.</p>"
    low, high, ticks = _axis(min(known), max(known))

    def x(step: str) -> float:
        room = _WIDTH - _LEFT - _RIGHT
        return _LEFT + room * (steps.index(step) + 0.5) / len(steps)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)

    drawn = [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(tick):.1f}" '
        f'y2="{y(tick):.1f}"/><text class="end" x="{_LEFT - 8}" y="{y(tick) + 4:.1f}">'
        f"{tick:.6g}</text>"
        for tick in ticks
    ]
    every = math.ceil(len(steps) / 10)
    drawn += [
        f'<text class="middle" x="{x(step):.1f}" y="{_HEIGHT - _BOTTOM + 18}">'
        f"{shown(_short(step))}</text>"
        for step in steps[::every]
    ]
    drawn.append(f'<text x="0" y="{_HEIGHT - 4}">{shown(unit)}</text>')
    for number, (_, dots) in enumerate(of):
        drawn.append(_line(number, dots, x, y))
    keys = "".join(
        f'<li class="c{number % 8}">{shown(name)}</li>' for number, (name, _) in enumerate(of)
    )
    return (
        f'<ul class="key">{keys}</ul><div class="wide"><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'role="img">{"".join(drawn)}</svg></div>'
    )


def _line(
    number: int, dots: Sequence[Dot], x: Callable[[str], float], y: Callable[[float], float]
) -> str:
    drawn = []
    path = []
    for dot in dots:
        if dot.value is None:
            continue
        at = x(dot.step)
        path.append(f"{at:.1f},{y(dot.value):.1f}")
        if dot.low is not None and dot.high is not None:
            drawn.append(
                f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y(dot.low):.1f}" y2="{y(dot.high):.1f}"/>'
            )
        ring = f'<circle class="ring" cx="{at:.1f}" cy="{y(dot.value):.1f}" r="8"/>'
        drawn.append(
            f'<circle cx="{at:.1f}" cy="{y(dot.value):.1f}" r="3">'
            f"<title>{shown(dot.label)}</title></circle>{ring if dot.is_change else ''}"
        )
    return f'<g class="c{number % 8}"><polyline points="{" ".join(path)}"/>{"".join(drawn)}</g>'


def _axis(low: float, high: float) -> tuple[float, float, list[float]]:
    """Ends and round ticks of an axis; from 0 unless that would hide what differs."""
    low = 0.0 if low < high / 2 else low
    span = (high - low) or abs(high) or 1.0
    step = 10 ** math.floor(math.log10(span / 4))
    step *= next(each for each in (1, 2, 5, 10) if span / (step * each) <= 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    last = last if last > first else first + 1
    return first * step, last * step, [number * step for number in range(first, last + 1)]


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
    """Ratios as a table with colours: red is slower, blue is faster."""
    head = "".join(f"<th>{shown(_short(name))}</th>" for name in columns)
    body = "".join(
        f"<tr><th>{shown(name)}</th>{''.join(map(_cell, cells))}</tr>" for name, cells in rows
    )
    return (
        f'<div class="wide"><table class="heat"><thead><tr><th>{shown(corner)}</th>{head}</tr>'
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _cell(cell: Cell | None) -> str:
    if cell is None or cell.ratio is None or cell.ratio <= 0:
        return '<td class="unknown">&ndash;</td>'
    change = math.log(cell.ratio)
    strength = min(abs(change) / _STRONGEST, 1)
    colour = "var(--slower)" if change > 0 else "var(--faster)"
    text = percent(cell.ratio)
    if cell.link:
        text = f'<a href="{shown(cell.link)}">{text}</a>'
    found = ' class="found"' if cell.is_found else ""
    share = round(100 * strength * 0.75)
    return (
        f'<td{found} style="background: color-mix(in srgb, {colour} {share}%, transparent)" '
        f'title="{shown(cell.title)}">{text}</td>'
    )


def percent(ratio: float | None) -> str:
    """A ratio as people say it: ``+5.1 %``."""
    return "unknown" if ratio is None else f"{(ratio - 1) * 100:+.1f} %"


def _short(text: str) -> str:
    return text if len(text) <= 10 else f"{text[:9]}…"
