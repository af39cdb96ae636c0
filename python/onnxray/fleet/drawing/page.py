"""Pages of a fleet: one file each, which asks for nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ..findings import COSTS, END_TO_END, FIGURES, LATENCY, WORSE, Finding, Pair, Point, unit
from ..selecting import Series
from .chart import Chart, Dot, Line
from .document import document
from .heat import Cell, heat
from .names import percent, shown

Trends: TypeAlias = Sequence[tuple[Series, Sequence[Point]]]

Changes: TypeAlias = Mapping[tuple[str, str], Sequence[Finding]]
"""What was found, by the names of a series and of its step."""

_MOST_NAMED = 3
"""Changes of one step that its readout names."""


def trend_page(by: str, layer: str | None, of: Trends, figure: str = LATENCY) -> str:
    """The trend of each model, with a line for each hardware."""
    name = "Mean time" if layer else FIGURES[figure]
    in_bytes = not layer and unit(figure) == "bytes"
    charts = (
        (model, _chart(by, name, of_model, {}, in_bytes)) for model, of_model in _by_subject(of)
    )
    body = "".join(
        f'<section class="view"><h2>{shown(model)}</h2>{chart}</section>' for model, chart in charts
    )
    what = "Latency" if figure == LATENCY else name
    return document(f"Time of {layer} by {by}" if layer else f"{what} by {by}", "", body)


def regressions_page(
    headline: str,
    by: str,
    findings: Sequence[Finding],
    pairs: Sequence[Pair],
    trend: Trends,
    links: Mapping[int, str],
) -> str:
    """What was found; the trend of each model, and its layers on each hardware."""
    changes: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        for name in dict.fromkeys(pairs[number].series.name for number in finding.pairs):
            changes.setdefault((name, finding.step), []).append(finding)
    body = [f'<section class="view"><h2>Changes</h2>{_findings(findings, links)}</section>']
    for subject, of in _by_subject(trend):
        tables = "".join(_heat(by, one, findings, pairs, links) for one, _ in of)
        chart = _chart(by, FIGURES[LATENCY], of, changes)
        body.append(f'<section class="view"><h2>{shown(subject)}</h2>{chart}{tables}</section>')
    body.append(_not_compared([pair for pair in pairs if pair.report is None]))
    return document(f"Regressions by {by}", headline, "".join(body))


def _findings(findings: Sequence[Finding], links: Mapping[int, str]) -> str:
    if not findings:
        return "<p>Nothing got slower or faster.</p>"
    rows = "".join(
        "<tr>"
        f'<td class="model">{shown(one.model)}</td><td class="name">{shown(one.layer)}</td>'
        f'<td class="number tone-{_tone(one)}">{percent(one.ratio)}</td>'
        f'<td class="number">{_interval(one)}</td>'
        f'<td class="step" title="{shown(one.step)}">{shown(one.step)}</td>'
        f'<td class="name">{"<br>".join(map(shown, one.hardware))}</td>'
        f"<td>{shown(one.type)}</td><td>{_links(one.pairs, links)}</td></tr>"
        for one in findings
    )
    heads = ("Model", "Layer", "Time", "95 % intervals", "Since", "On", "Type", "Comparisons")
    head = "".join(
        f'<th class="number">{name}</th>' if name in heads[2:4] else f"<th>{name}</th>"
        for name in heads
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _tone(one: Finding) -> str:
    return "bad" if one.verdict in WORSE else "good"


def _interval(one: Finding) -> str:
    if one.ratio_low is None and one.ratio_high is None:
        return "unknown"
    return f"{percent(one.ratio_low)} to {percent(one.ratio_high)}"


def _links(numbers: Iterable[int], links: Mapping[int, str]) -> str:
    return " ".join(
        f'<a href="{shown(links[number])}">{number}</a>' for number in numbers if number in links
    )


def _by_subject(trend: Trends) -> list[tuple[str, Trends]]:
    grouped: dict[str, list[tuple[Series, Sequence[Point]]]] = {}
    for one, points in trend:
        grouped.setdefault(one.subject_name, []).append((one, points))
    return list(grouped.items())


def _chart(by: str, figure: str, of: Trends, changes: Changes, in_bytes: bool = False) -> str:
    steps = _merged([[point.step for point in points] for _, points in of])
    hardware = " and ".join(map(_words, of[0][0].hardware)) or "series"
    lines = [
        Line(
            one.hardware_name or "all hardware",
            [_dot(one, point, changes.get((one.name, point.step), ())) for point in points],
        )
        for one, points in of
    ]
    return Chart(figure, by, hardware, steps, lines, in_bytes).html()


def _words(column: str) -> str:
    """A column of ``launches`` as people call it."""
    return "processor" if column == "cpu" else column.replace("_", " ")


def _dot(one: Series, point: Point, found: Sequence[Finding]) -> Dot:
    began = next((step.began for step in one.steps if step.value == point.step), None)
    when = f"{began:%Y-%m-%d %H:%M} UTC" if began else ""
    named = [
        f"{each.layer} {each.verdict if each.ratio is None else percent(each.ratio)}"
        for each in found[:_MOST_NAMED]
    ]
    if len(found) > _MOST_NAMED:
        named.append(f"{len(found) - _MOST_NAMED} more")
    change = f"{', '.join(named)} since {found[0].before}" if found else ""
    verdict = found[0].verdict if found else ""
    figures = (point.value, point.low, point.high)
    return Dot(point.step, *figures, point.launches, when, change, verdict)


def _merged(orders: Sequence[Sequence[str]]) -> list[str]:
    """All steps in an order that agrees with each of the series, which have one order."""
    merged: list[str] = []
    for order in orders:
        place = 0
        for step in order:
            if step in merged:
                place = merged.index(step) + 1
            else:
                merged.insert(place, step)
                place += 1
    return merged


def _heat(
    by: str,
    one: Series,
    findings: Sequence[Finding],
    pairs: Sequence[Pair],
    links: Mapping[int, str],
) -> str:
    own = [(number, pair) for number, pair in enumerate(pairs) if pair.series is one]
    compared = [(number, pair) for number, pair in own if pair.report is not None]
    if not compared:
        return ""
    found_here = {(number, finding.layer) for finding in findings for number in finding.pairs}
    shares: dict[str, float] = {}
    by_place: dict[tuple[int, str], Mapping[str, Any]] = {}
    for number, pair in compared:
        for layer in _compared(pair):
            name = layer["layer"]
            by_place[number, name] = layer
            share = max(layer.get("a_share") or 0, layer.get("b_share") or 0)
            shares[name] = max(shares.get(name, 0), share)
    rows = [
        (
            name,
            [
                _layer(
                    pair,
                    by_place.get((number, name)),
                    (number, name) in found_here,
                    links.get(number),
                )
                for number, pair in own
            ],
        )
        # The latency has no share, and is above its layers.
        for name in sorted(shares, key=lambda name: (name != END_TO_END, -shares[name]))
    ]
    table = heat("Layer", [pair.b.value for _, pair in own], rows)
    is_open = " open" if any(number in {n for n, _ in found_here} for number, _ in own) else ""
    name = shown(one.hardware_name)
    says = f"Layers on {name}: change since the {shown(by)} before"
    return f"<details{is_open}><summary>{says}</summary>{table}</details>"


def _compared(pair: Pair) -> list[Mapping[str, Any]]:
    """The latency as the first of the layers."""
    assert pair.report is not None
    rows = [row for row in pair.report["inference"] if row["figure"] not in COSTS]
    latency = [row for row in rows if row["verdict"] is not None][:1]
    return [*({**row, "layer": END_TO_END} for row in latency), *pair.report["layers"]]


def _layer(
    pair: Pair, layer: Mapping[str, Any] | None, is_found: bool, link: str | None
) -> Cell | None:
    if layer is None:
        return None
    ratio, low, high = layer["ratio"], layer["ratio_low"], layer["ratio_high"]
    is_known = low is not None and high is not None
    interval = f", {percent(low)} to {percent(high)}" if is_known else ""
    title = f"{layer['layer']}, {pair.a.value} to {pair.b.value}: {layer['verdict']}{interval}"
    return Cell(ratio, is_found, title, link if is_found else None)


def _not_compared(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return ""
    rows = "".join(
        f'<tr><td class="name">{shown(pair.name)}</td>'
        f'<td class="name">{shown(pair.error or "")}</td></tr>'
        for pair in pairs
    )
    return (
        '<section class="view"><h2>Not compared</h2><div class="wide"><table><thead>'
        f"<tr><th>Steps</th><th>Why</th></tr></thead><tbody>{rows}</tbody></table></div></section>"
    )
