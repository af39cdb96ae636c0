// The marks of iterations: a symbol for each, or, where there are more than pixels, a line from
// the lowest to the highest of each pixel and kind, so that none of the extremes is lost.

import { firstFrom, stretchOf } from "./stretch.js";

/** Iterations in sight up to which each is drawn. */
const MOST_SINGLE = 1500;
/** Outliers in sight up to which each is drawn, however many iterations there are. */
const MOST_OUTLIERS = 400;
const RADIUS = 3;

/** Kinds in the order in which they are drawn, and how legends show them. */
export const KINDS = [
  { kind: "plain", name: "plain, without instrumentation", symbol: "△" },
  { kind: "measured", name: "measured", symbol: "●" },
  { kind: "warm-up", name: "warm-up, flagged", symbol: "○" },
  { kind: "outlier", name: "outliers", symbol: "◆" },
];

/** Places of kinds in the list. */
export const [PLAIN, MEASURED, WARM_UP, OUTLIER] = KINDS.keys();

/**
 * A group of all marks in sight, for `renderItem` of a custom series.
 *
 * @param {{line: object, kinds: Uint8Array, whole: [number, number], theme: object, top: number}}
 *   marked `line` of launches_in_line.js, the place of each row's kind, the ends of the x axis,
 *   and a value of the y axis
 */
export function iterationMarks(params, api, { line, kinds, whole, theme, top }) {
  const { rows, places, latencies } = line;
  const stretch = stretchOf(params, api, whole, top);
  const at = (i) => places[rows[i]];
  const [first, last] = [firstFrom(rows, stretch.from, at), firstFrom(rows, stretch.to, at)];
  const [, zero] = api.coord([whole[0], 0]);
  const [, one] = api.coord([whole[0], 1]);
  const y = (row) => zero + latencies[row] * (one - zero);
  const x = (row) => stretch.pixel(places[row]);

  const lookOf = looks(theme);
  const byKind = KINDS.map(() => []);
  for (let i = first; i < last; i += 1) byKind[kinds[rows[i]]].push(rows[i]);
  const isSingle = last - first <= MOST_SINGLE;
  const children = byKind.map((own, kind) => {
    const look = lookOf[kind];
    const areSingle = isSingle || (kind === OUTLIER && own.length <= MOST_OUTLIERS);
    const marks = areSingle
      ? own.map((row) => look.mark(x(row), y(row)))
      : columns(own, x, y, look.colour, stretch);
    return { type: "group", children: marks };
  });
  return { type: "group", children };
}

/** A line in each pixel, from its lowest to its highest iteration. */
function columns(rows, x, y, colour, { left, width }) {
  const pixels = Math.ceil(width) + 1;
  const [top, bottom] = [Infinity, -Infinity].map((none) => new Float64Array(pixels).fill(none));
  for (const row of rows) {
    const pixel = Math.floor(x(row) - left);
    const height = y(row);
    if (height < top[pixel]) top[pixel] = height;
    if (height > bottom[pixel]) bottom[pixel] = height;
  }
  const marks = [];
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    if (top[pixel] === Infinity) continue;
    marks.push({
      type: "rect",
      shape: {
        x: left + pixel,
        y: top[pixel] - 0.5,
        width: 1,
        height: bottom[pixel] - top[pixel] + 1,
      },
      style: { fill: colour },
      silent: true,
    });
  }
  return marks;
}

/** How each kind looks: symbols differ by shape as well, so that colour alone tells nothing. */
function looks(theme) {
  const filled = (fill) => ({ fill, stroke: theme.background, lineWidth: 0.5 });
  const hollow = (stroke) => ({ fill: theme.background, stroke, lineWidth: 1.25 });
  const polygon = (points, style) => ({ type: "polygon", shape: { points }, style, silent: true });
  const circle = (cx, cy, style) => ({
    type: "circle",
    shape: { cx, cy, r: RADIUS },
    style,
    silent: true,
  });
  const triangle = (x, y, r) => [
    [x, y - r],
    [x + r, y + r],
    [x - r, y + r],
  ];
  const diamond = (x, y, r) => [
    [x, y - r],
    [x + r, y],
    [x, y + r],
    [x - r, y],
  ];
  const [measured, outlier, plain] = theme.series;
  return [
    { colour: plain, mark: (x, y) => polygon(triangle(x, y, RADIUS + 0.5), hollow(plain)) },
    { colour: measured, mark: (x, y) => circle(x, y, filled(measured)) },
    { colour: theme.axis, mark: (x, y) => circle(x, y, hollow(theme.axis)) },
    { colour: outlier, mark: (x, y) => polygon(diamond(x, y, RADIUS + 2), filled(outlier)) },
  ];
}
