"""How pages look: as those that the program writes."""

from __future__ import annotations

COLOURS = {
    "background": ("#ffffff", "#14171a"),
    "surface": ("#f4f5f6", "#1e2328"),
    "text": ("#1b1f24", "#e6e9ec"),
    "muted": ("#59636e", "#a2abb5"),
    "line": ("#d0d7de", "#39414a"),
    "control-line": ("#848d97", "#7d8791"),
    "unknown": ("#5f6873", "#a2abb5"),
    "accent": ("#0969b8", "#6cb2f5"),
    "good": ("#0b6e5e", "#6fdcc8"),
    "bad": ("#b3261e", "#ff7b72"),
    "diverging-good": ("#52b5a4", "#0f6b5c"),
    "diverging-bad": ("#ec7d73", "#a1322a"),
}
"""The program's properties of these names, light and dark; a test holds them to its style."""

SERIES = (
    ("#0ba37a", "#2b9187"),
    ("#7a2350", "#f0e6a0"),
    ("#8a9a4b", "#ec9eb4"),
    ("#4c1f7a", "#8f68bd"),
    ("#b57db4", "#9fe8dd"),
    ("#54606c", "#8c6a45"),
)
"""Colours of lines. The program's first two are those of sides A and B, of which there are none."""

DASHES = ("", "6 4", "2 3", "8 3 2 3")
"""With these, lines differ without colours too."""

STRENGTHS = 10
"""Steps of a colour, from none to all of it."""

PLOT_MARGINS = (56, 40)
"""Pixels at the left and at the right of a plot, for what is written there."""

WIDTHS = (356, 480, 720, 960)
"""Pixels across from which more names have room below an axis; the first one always has."""

_REST = """
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--background); color: var(--text); font: 14px/1.45 var(--font);
  font-variant-numeric: tabular-nums; }
body, h1, h2, h3, p, figure { margin: 0; }
h1 { font-size: 20px; line-height: 1.3; } h2 { font-size: 17px; } h3 { font-size: 15px; }
h1, h2, h3, p, li, summary { overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button.quiet { border: 1px solid transparent; border-radius: 3px; background: transparent;
  color: var(--accent); cursor: pointer; font: inherit; min-height: 28px; padding: 2px 10px; }
button.quiet:hover { background: var(--surface); }
summary { color: var(--accent); cursor: pointer; width: fit-content; }
.banner, main { padding-inline: max(12px, min(2vw, 40px)); }
.banner { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 12px;
  padding-block: 12px 8px; border-bottom: 1px solid var(--line); }
.headline { grid-column: 1 / -1; max-width: 110ch; }
main { padding-block: 12px 48px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 28px; }
.view { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.tone-bad { color: var(--bad); } .tone-good { color: var(--good); }
.unknown { color: var(--unknown); font-style: italic; }
.wide { position: relative; overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: 3px 12px 3px 0; text-align: start; }
thead th { font-weight: 600; white-space: nowrap; } td { vertical-align: baseline; }
.name { min-width: 20ch; max-width: 48ch; overflow-wrap: anywhere; }
.model { min-width: 14ch; max-width: 24ch; overflow-wrap: anywhere; }
.change { min-width: 48ch; max-width: 80ch; overflow-wrap: anywhere; }
.number { text-align: end; }
.number, .when { white-space: nowrap; }
.step { font-family: var(--mono); font-size: 0.86em; white-space: nowrap; }
.chart-table th { font: 600 1em/1.45 var(--font); }
td.step { max-width: 16ch; overflow: hidden; text-overflow: ellipsis; }
.chart { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; max-width: 1200px; }
.chart-shows, .axis { color: var(--muted); } .chart-shows { max-width: 110ch; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 0; padding: 0; list-style: none; }
.legend svg { vertical-align: middle; }
.chart-plot { container: plot / inline-size; overflow: hidden; }
.plot { display: block; overflow: visible; }
.plot text { fill: currentcolor; font-size: 12px; } .plot .step { font-family: var(--mono); }
.axis { stroke: none; } .end { text-anchor: end; } .middle { text-anchor: middle; }
.grid { stroke: var(--line); } .base, .cursor { stroke: var(--control-line); }
.cursor { stroke: var(--text); opacity: 0.6; }
.of { stroke: var(--series); } .of polyline { fill: none; stroke-width: 2; }
.of polyline, .plot .interval { vector-effect: non-scaling-stroke; }
.plot .interval { stroke-width: 1.5; opacity: 0.75; }
.dot { fill: var(--background); stroke-width: 2; } .dot.read { fill: var(--series); }
.plot text.dot { fill: var(--unknown); stroke: none; } .plot text.dot.read { fill: var(--text); }
.ring { fill: none; stroke-width: 1.5; } .ring.bad { stroke: var(--bad); }
.ring.good { stroke: var(--good); stroke-dasharray: 3 2; }
.chart-readout { min-height: 1.45em; border-left: 3px solid var(--line);
  padding-inline-start: 8px; }
.heat { border-collapse: separate; border-spacing: 0; width: max-content; }
.heat th, .heat td { padding: 3px 8px; } .heat td { min-width: 72px; }
.heat th:first-child { position: sticky; inset-inline-start: 0; background: var(--background);
  max-width: 48ch; overflow-wrap: anywhere; }
.heat tbody th { font-weight: 400; } .heat thead th { text-align: end; }
.heat thead th:first-child { text-align: start; }
.heat td.found { outline: 2px solid currentcolor; outline-offset: -2px; font-weight: 600; }
.heat td { background: color-mix(in srgb, var(--heat, transparent) var(--share, 0%), transparent);
  print-color-adjust: exact; }
.heat a { color: inherit; }
.heat .slower { --heat: var(--diverging-bad); } .heat .faster { --heat: var(--diverging-good); }
@media (max-width: 700px) { .chart-readout { min-height: 2.9em; }
  .heat th:first-child { max-width: 40vw; } }
@media (max-width: 480px) { .chart-readout { min-height: 4.35em; } }
@media print { html { font-size: 11px; } .quiet, .chart-readout, .cursor { display: none; }
  .banner, main { padding-inline: 0; } main, .view, .chart { display: block; }
  .view, .chart { margin-block-end: 12px; } .name, .change { min-width: 12ch; }
  .wide { overflow: visible; } .chart-plot { break-inside: avoid; } }
"""


def _style() -> str:
    left, right = PLOT_MARGINS
    properties = [f"--{name}: light-dark({', '.join(both)});" for name, both in COLOURS.items()]
    rules = [
        ":root { color-scheme: light dark; "
        '--font: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; '
        '--mono: ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace;',
        *properties,
        "}",
        ':root[data-theme="light"] { color-scheme: light; }',
        ':root[data-theme="dark"] { color-scheme: dark; }',
        # Paper is white.
        "@media print { :root:root { color-scheme: light; } }",
        _REST.strip(),
        f".plot {{ margin-inline: {left}px {right}px; width: calc(100% - {left + right}px); }}",
    ]
    rules += [
        f".c{place} {{ --series: light-dark({', '.join(both)}); }}"
        for place, both in enumerate(SERIES)
    ]
    rules += [
        f".d{place} polyline {{ stroke-dasharray: {dash}; }}"
        for place, dash in enumerate(DASHES)
        if dash
    ]
    rules += [
        f".n{strength} {{ --share: {100 * strength // STRENGTHS}%; }}"
        for strength in range(1, STRENGTHS + 1)
    ]
    ends = [*(f" and (max-width: {width - 0.02}px)" for width in WIDTHS[1:]), ""]
    for place, (width, end) in enumerate(zip(WIDTHS, ends, strict=True)):
        begin = f"(min-width: {width if place else 0}px)"
        rules.append(
            f"@container plot {begin}{end} {{ .plot .step:not(.w{place}) {{ display: none; }} }}"
        )
    return "\n".join(rules)


STYLE = _style()
