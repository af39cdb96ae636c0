// The marks of iterations: a symbol for each, or, where there are more than pixels, a line from
// the lowest to the highest of each pixel and kind, so that none of the extremes is lost.

import { firstFrom, stretchOf } from "./stretch.js";

/** Iterations in sight up to which each is drawn. */
const MOST_SINGLE = 1500;
const RADIUS = 3;

/** Kinds in the order in which they are drawn, and how legends show them. */
export const KINDS = [
  { kind: "plain", name: "plain, without instrumentation", symbol: "△" },
  { kind: "measured", name: "measured", symbol: "●" },
  { kind: "warm-up", name: "warm-up, flagged", symbol: "○" },
  { kind: "outlier", name: "outliers", symbol: "◆" },
];

/** A group of all marks in sight, for `renderItem` of a custom series. */
export function iterationMarks(params, api, { line, kinds, whole, theme, top }) {
  const stretch = stretchOf(params, api, whole, top);
  const at = (i) => line.places[line.rows[i]];
  const first = firstFrom(line.rows, stretch.from, at);
  const last = firstFrom(line.rows, stretch.to, at);
  const rows = line.rows.slice(first, last);
  const [, zero] = api.coord([whole[0], 0]);
  const [, one] = api.coord([whole[0], 1]);
  const y = (row) => zero + line.latencies[row] * (one - zero);
  const x = (row) => stretch.pixel(line.places[row]);
  const looks = looksOf(theme);
  const children = [];
  for (const { kind } of KINDS) {
    const own = rows.filter((row) => kinds.get(row) === kind);
    const single = rows.length <= MOST_SINGLE || kind === "outlier" ? own : [];
    for (const row of single) children.push(looks.get(kind).mark(x(row), y(row)));
    if (single !== own) children.push(...columns(own, x, y, looks.get(kind).colour));
  }
  return { type: "group", children };
}

/** A line in each pixel, from its lowest to its highest iteration. */
function columns(rows, x, y, colour) {
  const byPixel = new Map();
  for (const row of rows) {
    const pixel = Math.floor(x(row));
    const [high, low] = byPixel.get(pixel) ?? [Infinity, -Infinity];
    byPixel.set(pixel, [Math.min(high, y(row)), Math.max(low, y(row))]);
  }
  return Array.from(byPixel, ([pixel, [top, bottom]]) => ({
    type: "rect",
    shape: { x: pixel, y: top - 0.5, width: 1, height: bottom - top + 1 },
    style: { fill: colour },
    silent: true,
  }));
}

/** Symbols differ by shape as well, so that colour alone tells nothing. */
function looksOf(theme) {
  const filled = (fill) => ({ fill, stroke: theme.background, lineWidth: 0.5 });
  const hollow = (stroke) => ({ fill: theme.background, stroke, lineWidth: 1.25 });
  const polygon = (points, style) => ({ type: "polygon", shape: { points }, style, silent: true });
  const circle = (x, y, style) => ({ type: "circle", shape: { cx: x, cy: y, r: RADIUS }, style, silent: true });
  const [r, d] = [RADIUS + 0.5, RADIUS + 2];
  return new Map([
    ["measured", { colour: theme.series[0], mark: (x, y) => circle(x, y, filled(theme.series[0])) }],
    ["warm-up", { colour: theme.axis, mark: (x, y) => circle(x, y, hollow(theme.axis)) }],
    ["plain", { colour: theme.series[2], mark: (x, y) => polygon([[x, y - r], [x + r, y + r], [x - r, y + r]], hollow(theme.series[2])) }],
    ["outlier", { colour: theme.series[1], mark: (x, y) => polygon([[x, y - d], [x + d, y], [x, y + d], [x - d, y]], filled(theme.series[1])) }],
  ]);
}
