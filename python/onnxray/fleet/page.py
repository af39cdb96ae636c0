"""Pages of a fleet: one file each, which asks for nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from .chart import Cell, Dot, heat, lines, percent, shown
from .findings import END_TO_END, Finding, Pair, Point
from .selecting import Series

Trends: TypeAlias = Sequence[tuple[Series, Sequence[Point]]]

_STYLE = """
:root { color-scheme: light dark; --slower: #d6453d; --faster: #2b74c9; --line: #8885; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1120px; }
body { margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; } th, td { padding: .25rem .6rem; text-align: left; }
th { font-weight: 600; } thead th { border-bottom: 1px solid var(--line); }
td.number, .heat td { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.heat th { font-weight: 400; white-space: nowrap; } .heat td { min-width: 4.2em; }
.heat td.found { outline: 2px solid currentcolor; outline-offset: -2px; font-weight: 600; }
.heat a { color: inherit; } .unknown { opacity: .45; }
.wide { overflow-x: auto; } svg { width: 100%; min-width: 560px; font-size: 12px; }
svg text { fill: currentcolor; } .end { text-anchor: end; } .middle { text-anchor: middle; }
.grid { stroke: var(--line); } polyline { fill: none; stroke-width: 2; }
svg g { stroke: currentcolor; fill: currentcolor; } svg g line { stroke-width: 1.5; }
.ring { fill: none; stroke-width: 2; } .key { list-style: none; padding: 0; margin: 0; }
.key li { display: inline; margin-right: 1.2em; } .key li::before { content: "■ "; }
.c0 { color: #2b74c9; } .c1 { color: #d97706; } .c2 { color: #0f8a6a; } .c3 { color: #9b51b6; }
.c4 { color: #b91c5c; } .c5 { color: #6b8e23; } .c6 { color: #64748b; } .c7 { color: #8b5a2b; }
summary { cursor: pointer; margin: .6rem 0; } .verdict-slower { color: var(--slower); }
.verdict-faster { color: var(--faster); }
"""


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<title>{shown(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{shown(title)}</h1>{body}</body></html>\n"
    )


def trend_page(by: str, layer: str | None, of: Trends) -> str:
    """The trend of each model, with a line for each hardware."""
    what = f"Time of {layer}" if layer else "Latency"
    unit = "ms, mean" if layer else "ms, median"
    body = "".join(
        f"<h2>{shown(model)}</h2>{_lines(of_model, set(), unit)}"
        for model, of_model in _by_subject(of)
    )
    return _page(f"{what} by {by}", body)


def regressions_page(
    headline: str,
    by: str,
    findings: Sequence[Finding],
    pairs: Sequence[Pair],
    trend: Trends,
    links: Mapping[int, str],
) -> str:
    """What was found; the trend of each model, and its layers on each hardware."""
    changes = {
        (pairs[number].series.name, finding.step)
        for finding in findings
        for number in finding.pairs
    }
    body = [f"<p>{shown(headline)}</p>", _findings(findings, links)]
    for subject, of in _by_subject(trend):
        body.append(f"<h2>{shown(subject)}</h2>{_lines(of, changes, 'ms, median')}")
        body += [_heat(by, one, findings, pairs, links) for one, _ in of]
    body.append(_not_compared([pair for pair in pairs if pair.report is None]))
    return _page(f"Regressions by {by}", "".join(body))


def _findings(findings: Sequence[Finding], links: Mapping[int, str]) -> str:
    if not findings:
        return "<p>Nothing got slower or faster.</p>"
    rows = "".join(
        "<tr>"
        f"<td>{shown(one.model)}</td><td>{shown(one.layer)}</td><td>{shown(one.type)}</td>"
        f"<td>{shown(one.step)}</td>"
        f'<td class="number verdict-{one.verdict}">{percent(one.ratio)}</td>'
        f'<td class="number">{_interval(one)}</td>'
        f"<td>{shown('; '.join(one.hardware))}</td><td>{_links(one.pairs, links)}</td></tr>"
        for one in findings
    )
    heads = ("Model", "Layer", "Type", "Since", "Time", "95 % intervals", "On", "Comparisons")
    head = "".join(f"<th>{name}</th>" for name in heads)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="wide">{table}</div>'


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


def _lines(of: Trends, changes: set[tuple[str, str]], unit: str) -> str:
    steps = _merged([[point.step for point in points] for _, points in of])
    drawn = [
        (
            one.hardware_name,
            [
                Dot(
                    point.step,
                    point.value_ms,
                    point.low_ms,
                    point.high_ms,
                    _label(one, point),
                    (one.name, point.step) in changes,
                )
                for point in points
            ],
        )
        for one, points in of
    ]
    return lines(steps, drawn, unit)


def _label(one: Series, point: Point) -> str:
    hardware = one.hardware_name
    if point.value_ms is None:
        return f"{point.step}, {hardware}: unknown"
    interval = ""
    if point.low_ms is not None and point.high_ms is not None:
        interval = f" ({point.low_ms:.4g} to {point.high_ms:.4g})"
    return f"{point.step}, {hardware}: {point.value_ms:.4g} ms{interval}, {point.launches} launches"


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
    table = heat("layer", [pair.b.value for _, pair in own], rows)
    is_open = " open" if any(number in {n for n, _ in found_here} for number, _ in own) else ""
    name = shown(one.hardware_name)
    says = f"Layers on {name}, each to the {shown(by)} before"
    return f"<details{is_open}><summary>{says}</summary>{table}</details>"


def _compared(pair: Pair) -> list[Mapping[str, Any]]:
    """The latency as the first of the layers."""
    assert pair.report is not None
    latency = [row for row in pair.report["inference"] if row["verdict"] is not None][:1]
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
        f"<tr><td>{shown(pair.name)}</td><td>{shown(pair.error or '')}</td></tr>" for pair in pairs
    )
    return (
        f"<h2>Not compared</h2><table><thead><tr><th>Steps</th><th>Why</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
