"""A chart of a page: lines over steps with intervals, from 0, read out and listed below.

It is as wide as its place: across, all is in percent of the plot, and down in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..findings import WORSE
from .axis import Axis, axis, is_known
from .names import cells, counted, short_names, shown
from .style import DASHES, PLOT_MARGINS, SERIES, WIDTHS

_TOP, _PLOT, _BOTTOM = 30, 200, 46
"""Pixels above, of and below the plot."""
_BASE = _TOP + _PLOT
_CELL, _GAP = 7.25, 12
"""Pixels of a letter of a name, and between two names."""
_HINT = "Point at the chart, or press the arrow keys, to read values."


@dataclass(frozen=True)
class Dot:
    """A step of a line: a value in ms or bytes with its 95 % interval; None is unknown.

    ``began`` says when its first launch did, if that is known; ``change`` what was found there, and
    ``verdict`` which way it went.
    """

    step: str
    value: float | None
    low: float | None
    high: float | None
    launches: int
    began: str = ""
    change: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Line:
    """Dots in their order, under the name of what they are of."""

    name: str
    dots: Sequence[Dot]


@dataclass(frozen=True)
class Chart:
    """What is drawn: lines of a figure over the steps of a label, such as commits."""

    figure: str
    by: str
    hardware: str
    steps: Sequence[str]
    lines: Sequence[Line]
    in_bytes: bool = False

    def html(self) -> str:
        """The chart with its legend, readout and table, as markup."""
        dots = [dot for line in self.lines for dot in line.dots]
        values, highs = (dot.value for dot in dots), (dot.high for dot in dots)
        scale = axis(values, highs, self.in_bytes)
        if scale is None:
            shows = f"No {self.figure.lower()} is known."
            return f'<figure class="chart"><p>{shown(shows)}</p></figure>' + self._table(None)
        title = f"{self.figure}, {scale.unit}"
        return (
            f'<figure class="chart"><figcaption><h3>{shown(title)}</h3>'
            f'<p class="chart-shows">{shown(self._shows(scale))}</p></figcaption>{self._legend()}'
            f'<div class="chart-plot" role="application" aria-roledescription="chart" '
            f'aria-label="{shown(title)}">{self._drawn(scale)}</div>'
            f'<p class="chart-readout" aria-live="polite" hidden>{_HINT}</p>'
            f"{self._table(scale)}</figure>"
        )

    def _shows(self, scale: Axis) -> str:
        rings = " Rings mark changes: solid is slower or higher, dashed is faster or lower."
        dots = [dot for line in self.lines for dot in line.dots]
        unknown = " A question mark is an unknown value."
        beyond = " Intervals that end beyond the axis are cut off."
        return (
            f"By {self.by}, with 95 % intervals, a line for each {self.hardware}."
            f"{rings if any(dot.verdict for dot in dots) else ''}"
            f"{unknown if not all(is_known(dot.value) for dot in dots) else ''}"
            f"{beyond if any(scale.is_beyond(dot.high) for dot in dots) else ''}"
        )

    def _legend(self) -> str:
        swatch = (
            '<svg width="30" height="10" aria-hidden="true"><g class="of {}">'
            '<polyline points="0,5 30,5"/></g></svg>'
        )
        items = "".join(
            f"<li>{swatch.format(_look(place))} {shown(line.name)}</li>"
            for place, line in enumerate(self.lines)
        )
        return f'<ul class="legend">{items}</ul>'

    def _drawn(self, scale: Axis) -> str:
        places = {
            step: 100 * (place + 0.5) / len(self.steps) for place, step in enumerate(self.steps)
        }
        drawn = [*_ticks(scale), *_names(self.steps, places)]
        drawn.append(
            f'<text class="axis middle" x="50%" y="{_BASE + 40}">{shown(self.by)}</text>'
            f'<line class="cursor" y1="{_TOP}" y2="{_BASE}" visibility="hidden"/>'
        )
        drawn += [
            f'<g class="of {_look(place)}">{self._line(line, scale, places)}</g>'
            for place, line in enumerate(self.lines)
        ]
        height = _TOP + _PLOT + _BOTTOM
        return f'<svg class="plot" height="{height}" aria-hidden="true">{"".join(drawn)}</svg>'

    def _line(self, line: Line, scale: Axis, places: dict[str, float]) -> str:
        runs: list[list[str]] = [[]]
        intervals, marks = [], []
        for dot in line.dots:
            x = f"{places[dot.step]:.6g}"
            says = f'data-text="{shown(self._text(line, dot, scale))}" data-x="{x}"'
            if not is_known(dot.value):
                # Unknown is not zero, and what is on both sides does not lead through it.
                runs.append([])
                y = _TOP + _PLOT / 2
                marks.append(
                    f'<text class="dot middle" x="{x}%" y="{y}" data-y="{y}" {says}>?</text>'
                )
                continue
            y = _y(scale, dot.value)
            runs[-1].append(f"{x},{y:.1f}")
            if is_known(dot.low) and is_known(dot.high):
                intervals.append(
                    f'<line class="interval" x1="{x}%" x2="{x}%" y1="{_y(scale, dot.low):.1f}" '
                    f'y2="{_y(scale, dot.high):.1f}"/>'
                )
            if dot.verdict:
                tone = "bad" if dot.verdict in WORSE else "good"
                marks.append(f'<circle class="ring {tone}" cx="{x}%" cy="{y:.1f}" r="9"/>')
            marks.append(
                f'<circle class="dot" cx="{x}%" cy="{y:.1f}" r="4" data-y="{y:.1f}" {says}/>'
            )
        height = _TOP + _PLOT + _BOTTOM
        paths = "".join(f'<polyline points="{" ".join(run)}"/>' for run in runs if len(run) > 1)
        # Points of a path cannot be in percent: its own picture is 100 wide, and stretched.
        return (
            f'<svg width="100%" height="{height}" viewBox="0 0 100 {height}" '
            f'preserveAspectRatio="none">{paths}</svg>{"".join(intervals)}{"".join(marks)}'
        )

    def _text(self, line: Line, dot: Dot, scale: Axis) -> str:
        value = _value(dot, scale)
        interval = _interval(dot, scale)
        said = f"{self.by} {dot.step}, {line.name}: {value}"
        if is_known(dot.value):
            said += f" {scale.unit}"
            said += f" (95 % interval {interval} {scale.unit})" if interval != "unknown" else ""
        said += f", {counted(dot.launches, 'launch', 'launches')}"
        said += f", the first at {dot.began}" if dot.began else ""
        return f"{said}. Found: {dot.change}" if dot.change else said

    def _table(self, scale: Axis | None) -> str:
        unit = f", {scale.unit}" if scale else ""
        has_changes = any(dot.change for line in self.lines for dot in line.dots)
        heads = [(self.by, "step"), (f"{self.figure}{unit}", "number")]
        heads += [(f"95 % interval{unit}", "number"), (self.hardware, "name")]
        heads += [("launches", "number"), ("first launch", "when")]
        heads += [("found", "change")] if has_changes else []
        head = "".join(f'<th class="{kind}">{shown(_sentence(name))}</th>' for name, kind in heads)

        def title(kind: str, text: str) -> str:
            """Of what may be cut off."""
            return f' title="{shown(text)}"' if kind == "step" else ""

        by_step: dict[str, list[tuple[Line, Dot]]] = {step: [] for step in self.steps}
        for line in self.lines:
            for dot in line.dots:
                by_step[dot.step].append((line, dot))
        body = []
        for step, found in by_step.items():
            for line, dot in found:
                texts = [step, _value(dot, scale), _interval(dot, scale), line.name]
                texts += [str(dot.launches), dot.began or "unknown"]
                texts += [dot.change] if has_changes else []
                body.append(
                    "<tr>"
                    + "".join(
                        f'<td class="{kind}"{title(kind, text)}>{shown(text)}</td>'
                        for text, (_, kind) in zip(texts, heads, strict=True)
                    )
                    + "</tr>"
                )
        return (
            '<details class="chart-table"><summary>Table</summary><div class="wide"><table><thead>'
            f"<tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div></details>"
        )


def _sentence(name: str) -> str:
    return name[:1].upper() + name[1:]


def _look(place: int) -> str:
    """Colour and dashes of a line, as the program's charts have them."""
    dash = (place + place // (len(SERIES) * 2)) % len(DASHES)
    return f"c{place % len(SERIES)} d{dash}"


def _y(scale: Axis, ms: float) -> float:
    return _BASE - _PLOT * scale.share(ms)


def _value(dot: Dot, scale: Axis | None) -> str:
    if scale is None or not is_known(dot.value):
        return "unknown"
    return scale.number(dot.value)


def _interval(dot: Dot, scale: Axis | None) -> str:
    if scale is None or not (is_known(dot.low) and is_known(dot.high)):
        return "unknown"
    return f"{scale.number(dot.low)} to {scale.number(dot.high)}"


def _ticks(scale: Axis) -> list[str]:
    drawn = []
    for tick in scale.ticks:
        y = _y(scale, tick / scale.per_one)
        kind = "grid" if tick else "base"
        drawn.append(
            f'<line class="{kind}" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="end" x="-8" y="{y + 4:.1f}">{tick:.6g}</text>'
        )
    left, _ = PLOT_MARGINS
    drawn.append(f'<text class="axis" x="{8 - left}" y="{_TOP - 16}">{scale.unit}</text>')
    return drawn


def _names(steps: Sequence[str], places: dict[str, float]) -> list[str]:
    """Names of steps, with the widths of the chart at which each has room."""
    short = short_names(steps)
    wide = max(map(cells, short)) * _CELL + _GAP
    rooms = [max(1, int((width - sum(PLOT_MARGINS)) / wide)) for width in WIDTHS]
    every = [math.ceil(len(steps) / room) for room in rooms]
    drawn = []
    for number, (step, name) in enumerate(zip(steps, short, strict=True)):
        shown_at = [f"w{place}" for place, each in enumerate(every) if number % each == 0]
        if shown_at:
            drawn.append(
                f'<text class="step middle {" ".join(shown_at)}" x="{places[step]:.6g}%" '
                f'y="{_BASE + 20}">{shown(name)}</text>'
            )
    return drawn
