// How the charts of a projection draw their marks: bars with their low and high ends, before and
// after.

import { chartLabel, shown } from "../../cells.js";

/** Part of the room of a row that its bars take. */
const FILLED = 0.72;
/** Half of the height of the cap of an interval. */
const CAP = 3;

/**
 * Of a legend: pixels of an entry without its letters, pixels of a letter, and letters of a
 * name.
 */
const LEGEND_GAP = 46;
const LEGEND_LETTER = 7.5;
export const LEGEND_LETTERS = 24;

/**
 * A side of a chart: its estimates, null where they are unknown, and `fillOf(row)` if a row is to
 * have another colour.
 * @typedef {{name: string, fill: string, ink: string, fillOf?: (row: number) => string,
 *   estimates: (import("../../projection_inputs.js").Estimate|null)[]}} Side
 */

/** The colours of before and after, which stand apart in lightness as well. */
export const sidesOf = (theme) => [
  { name: "before", fill: theme.axis, ink: theme.text },
  { name: "projected", fill: theme.accent, ink: theme.text },
];

/** A height at which every row of bars can be told from the next. */
export const rowsHeight = (rows, sides) => 60 + rows * (8 + 10 * sides);

/** Pixels of a legend of these names, which may take several lines. */
export function legendHeight(names, width) {
  const lines = names.reduce(
    ({ count, used }, name) => {
      const more = LEGEND_GAP + LEGEND_LETTER * chartLabel(name, LEGEND_LETTERS).length;
      return used + more > width - LEGEND_GAP ? { count: count + 1, used: more } : { count, used: used + more };
    },
    { count: 1, used: 0 },
  );
  return 12 + 22 * lines.count;
}

/**
 * Horizontal bars with their intervals, a row for each name and in it a bar for each side. What is
 * unknown has no bar, and says so.
 * @param {object} chart
 * @param {string[]} chart.names from top to bottom
 * @param {Side[]} chart.sides
 * @param {import("../../colours.js").Theme} theme
 * @param {number} width pixels that names may take
 */
export function endBars({ names, sides }, theme, width) {
  return {
    grid: { left: 8, right: 24, top: sides.length > 1 ? 30 : 8, bottom: 8, containLabel: true },
    legend:
      sides.length > 1
        ? { top: 0, left: 0, data: sides.map(({ name }) => name), selectedMode: false }
        : undefined,
    xAxis: { type: "value", min: 0, position: "bottom", axisLabel: { hideOverlap: true } },
    yAxis: {
      type: "category",
      inverse: true,
      data: names.map((_, row) => row),
      axisLabel: { interval: 0, formatter: (row) => chartLabel(names[row], width) },
      axisTick: { show: false },
    },
    series: sides.map((side, place) => ({
      type: "custom",
      name: side.name,
      itemStyle: { color: side.fill },
      dimensions: ["row", "value", "low", "high"],
      encode: { x: [1, 2, 3], y: 0 },
      data: side.estimates.map((estimate, row) => [
        row,
        estimate?.value ?? NaN,
        estimate?.low ?? NaN,
        estimate?.high ?? NaN,
      ]),
      renderItem: (_, api) => endBar(api, side, place, sides.length, theme),
    })),
  };
}

function endBar(api, side, place, sides, theme) {
  const row = api.value(0);
  const estimate = side.estimates[row];
  const [left, middle] = api.coord([0, row]);
  const height = (api.size([0, 1])[1] * FILLED) / sides;
  const top = middle - (height * sides) / 2 + place * height;
  const center = top + height / 2;
  if (!estimate) {
    const style = {
      text: "unknown",
      x: left + 6,
      y: center,
      fill: theme.unknown,
      verticalAlign: "middle",
      fontSize: 11,
    };
    return { type: "text", style };
  }
  const at = (value) => api.coord([value, row])[0];
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map(at);
  const bar = {
    type: "rect",
    shape: { x: left, y: top + 1, width: Math.max(0, value - left), height: height - 2 },
    style: { fill: side.fillOf?.(row) ?? side.fill },
  };
  if (low === high) return { type: "group", children: [bar] };
  const line = (x1, y1, x2, y2) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: side.ink, lineWidth: 1.5 },
  });
  const ends = [low, high].map((x) => line(x, center - CAP, x, center + CAP));
  return { type: "group", children: [bar, line(low, center, high, center), ...ends] };
}

/** An estimate in words: its value, and its ends where they are apart. */
export function estimateText(estimate, unit, suffix = "") {
  if (!estimate) return "unknown";
  const { value, low, high } = estimate;
  const ends = low === high ? "" : ` (${shown(low, unit)} to ${shown(high, unit)})`;
  return `${shown(value, unit)}${suffix}${ends}`;
}

/** Milliseconds before and after, in words; `side` is what after is called. */
export function beforeAndAfter(before, after, side = "projected") {
  const of = (estimate) => estimateText(estimate, "milliseconds", " ms");
  return `${of(before)} before, ${of(after)} ${side}`;
}

/**
 * The estimate in a row of a table's cells; null where it is unknown.
 * @param {import("../../report.js").Table} table
 * @param {string[]} keys of the value and its ends
 * @param {number} row
 */
export function estimateAt(table, [value, low, high], row) {
  const number = table.number(value, row);
  if (number === undefined) return null;
  return {
    value: number,
    low: table.number(low, row) ?? number,
    high: table.number(high, row) ?? number,
  };
}
