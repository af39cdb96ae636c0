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

/** Places of kinds in the list. */
export const [, MEASURED, WARM_UP, OUTLIER] = KINDS.keys();

/**
 * A group of all marks in sight, for `renderItem` of a custom series.
 *
 * @param {any} params @param {any} api of ECharts
 * @param {object} marked
 * @param {ReturnType<typeof import("./launches_in_line.js").launchesInLine>} marked.line
 * @param {Uint8Array} marked.kinds the place of each row's kind
 * @param {[number, number]} marked.whole the ends of the x axis
 * @param {import("../../colours.js").Theme} marked.theme
 * @param {number} marked.top a value of the y axis
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

  const looks = looksOf(theme);
  const group = (children) => ({ type: "group", children });
  if (last - first <= MOST_SINGLE) {
    const byKind = KINDS.map(() => /** @type {number[]} */ ([]));
    for (let i = first; i < last; i += 1) byKind[kinds[rows[i]]].push(rows[i]);
    const marks = byKind.map((own, kind) => own.map((row) => looks[kind].mark(x(row), y(row))));
    return group(marks.map(group));
  }
  const columns = KINDS.map(() => newColumns(stretch));
  for (let i = first; i < last; i += 1) columns[kinds[rows[i]]].add(x(rows[i]), y(rows[i]));
  return group(columns.map((own, kind) => group(own.marks(looks[kind].colour))));
}

/** From the highest to the lowest mark in each pixel. */
function newColumns({ left, width }) {
  const pixels = Math.ceil(width) + 1;
  const top = new Float64Array(pixels).fill(Infinity);
  const bottom = new Float64Array(pixels).fill(-Infinity);
  return {
    add(x, y) {
      const pixel = Math.floor(x - left);
      if (y < top[pixel]) top[pixel] = y;
      if (y > bottom[pixel]) bottom[pixel] = y;
    },
    /** Pixels that touch are one mark, which is quicker to draw than one for each. */
    marks(fill) {
      const marks = [];
      for (let from = 0; from < pixels; from += 1) {
        if (top[from] === Infinity) continue;
        let to = from;
        while (top[to] < Infinity && to < pixels) to += 1;
        marks.push(outline(left, from, to, top, bottom, fill));
        from = to;
      }
      return marks;
    },
  };
}

/** A mark along the tops of pixels and back along their bottoms, a pixel high at least. */
function outline(left, from, to, top, bottom, fill) {
  /** @type {number[][]} */
  const there = [];
  /** @type {number[][]} */
  const back = [];
  for (let pixel = from; pixel < to; pixel += 1) {
    const [high, low] = [top[pixel] - 0.5, bottom[pixel] + 0.5];
    there.push([left + pixel, high], [left + pixel + 1, high]);
    back.push([left + pixel, low], [left + pixel + 1, low]);
  }
  return {
    type: "polygon",
    shape: { points: [...there, ...back.reverse()] },
    style: { fill },
    silent: true,
  };
}

/** How each kind looks: symbols differ by shape as well, so that colour alone tells nothing. */
function looksOf(theme) {
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
