// The whole of both sides: latency or throughput with what is known of their intervals, and the
// ratio that decides, with its own.

import { isNone, shown, toneOf } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { differenceFromA } from "../../difference.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { inlineWord } from "../inline_text.js";
import { sentenceCase } from "../words.js";
import { ratioInterval, scaleEnd } from "../ratio_interval.js";
import { wholeBars } from "./whole_bars.js";

/** The table of all figures. */
export const ALL = "inference";

/** What can be drawn, and its rows of the table: the first that is there. */
export const WHOLES = new Map([
  [
    "latency",
    {
      title: "Latency",
      rows: [
        "latency_typical_ms",
        "profiled_latency_typical_ms",
        "operators_typical_ms",
        "latency_mean_ms",
        "profiled_latency_mean_ms",
        "operators_mean_ms",
      ],
      better: "shorter",
    },
  ],
  [
    "throughput",
    {
      title: "Throughput",
      rows: ["throughput_items_per_second", "throughput_iterations_per_second"],
      better: "longer",
    },
  ],
]);
/** Pixels of the interval of the ratio. */
const RATIO_WIDTH = 420;

/** The row of the table for what is drawn, if a side has it. */
export function wholeRow(version, key) {
  const has = (row) =>
    ["a", "b"].some((side) => version.table(ALL).number(side, row) !== undefined);
  return WHOLES.get(key)
    ?.rows.map((figure) => version.row(ALL, "figure", figure))
    .find((row) => row !== undefined && has(row));
}

/** Bars of both sides, or nothing where neither has it. */
export function wholeChart(version, key) {
  const row = wholeRow(version, key);
  if (row === undefined) return null;
  const { better } = WHOLES.get(key) ?? {};
  const table = version.table(ALL);
  const figure = table.text("figure", row);
  const sides = sidesOf(table, row);
  const text = (/** @type {Side} */ { value, low, high }, letter) => {
    if (value === undefined) return `${letter}: unknown`;
    const interval =
      low === undefined
        ? ""
        : `; by the ratio, ${shown(low, "ratio")} to ${shown(high, "ratio")} where A is ${shown(sides[0].value, "ratio")}`;
    return `${letter}: ${shown(value, "ratio")}${interval}`;
  };
  const drawing = drawChart({
    title: sentenceCase(figure),
    shows: `The ${better} bar is the better one. ${whisker(sides[1])}`,
    marks: 4,
    height: 140,
    option: (theme) => wholeBars({ sides, theme }),
    readout: {
      length: 2,
      text: (place) => text(sides[place], "AB"[place]),
      near: (x, y) => Math.max(0, Math.min(1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 0, dataIndex: place }),
    },
    table: () =>
      dataTable({
        table,
        rows: () => [row],
        columns: ["figure", "a", "b", "difference", "ratio"],
        caption: figure,
      }).node,
  });
  return drawing.node;
}

/**
 * Both sides. What is known is the interval of the ratio: the sides are compared pair by pair,
 * and how far both move together says nothing about which one is faster.
 * @typedef {{value?: number, low?: number, high?: number}} Side
 * @returns {Side[]}
 */
function sidesOf(table, row) {
  const [a, b, low, high] = ["a", "b", "ratio_low", "ratio_high"].map((key) =>
    table.number(key, row),
  );
  const hasInterval = a !== undefined && low !== undefined && high !== undefined;
  return [{ value: a }, hasInterval ? { value: b, low: a * low, high: a * high } : { value: b }];
}

/** What the whisker is, or why there is none. @param {Side} side */
function whisker({ low }) {
  return low === undefined
    ? "No interval: the typical time is tested; its ratio is below."
    : "Whisker: 95 % interval of B relative to A.";
}

/** The ratio that is tested, in words and drawn. */
export function ratioOf(version) {
  const table = version.table(ALL);
  const row = version.rows(ALL).find((row) => !isNone(table.cell("verdict", row)));
  if (row === undefined)
    return element(
      "p",
      null,
      "No test was possible: what the sides have of the whole is not of one kind.",
    );
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map((key) =>
    table.number(key, row),
  );
  const verdict = table.cell("verdict", row);
  const reason = table.cell("reason", row);
  if (ratio === undefined) {
    return element(
      "p",
      null,
      "The ratio B / A is unknown: a side has no latency. Verdict: ",
      inlineWord(verdict),
      ".",
    );
  }
  return element(
    "div",
    { class: "verdict" },
    element("h3", null, "Ratio B / A"),
    element(
      "p",
      null,
      `By the ${wholeOf(table, row)}, B is ${differenceFromA({ ratio, low, high })}: `,
      inlineWord(verdict),
      isNone(reason) || reason === null ? null : ["; ", inlineWord(reason)],
      ".",
    ),
    ratioInterval(
      { ratio, low, high, tone: toneOf(verdict), end: scaleEnd(table, [row]) },
      { width: RATIO_WIDTH, hasLabels: true },
    ) ?? null,
  );
}

/** What is tested, by its key. */
const TESTED = new Map([
  ["latency_typical_ms", "typical latency"],
  ["profiled_latency_typical_ms", "typical profiled latency"],
  ["operators_typical_ms", "typical time of all operators"],
]);

function wholeOf(table, row) {
  const [key] = table.cell("figure", row);
  return TESTED.get(key);
}
