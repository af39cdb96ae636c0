// Throughput or latency of both sides with their intervals, the ratio that decides with its own,
// and in what the recordings were not made alike.

import { isNone, shown, toneOf } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { differenceFromA } from "../../difference.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import { radioChoice } from "../controls.js";
import { saidColumns } from "../said_columns.js";
import { spokenWord } from "../spoken.js";
import { sentenceCase } from "../words.js";
import { ofVersion } from "./frame.js";
import { ratioInterval, scaleEnd } from "./ratio_interval.js";
import { wholeBars } from "./whole_bars.js";

/** What can be shown, and its rows of table `inference`: the first that is there. */
const CHOICES = new Map([
  [
    "throughput",
    {
      title: "Throughput",
      rows: ["throughput_items_per_second", "throughput_iterations_per_second"],
      better: "longer",
    },
  ],
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
]);
/** Pixels of the interval of the ratio. */
const RATIO_WIDTH = 420;
/** Tables of all figures, and of differences. */
const [ALL, SETTINGS] = ["inference", "configuration_differences"];

export default function inferenceTime(report) {
  return ofVersion(report, (version) => {
    const tables = [ALL, SETTINGS]
      .filter((key) => version.rows(key).length > 0)
      .map((key) => tableOf(version, key));
    if (version.rows(ALL).length === 0) {
      const nothing = "Neither latency nor throughput is known of this comparison.";
      return { node: element("div", { class: "stack" }, element("p", null, nothing), tables) };
    }
    return { node: element("div", { class: "stack" }, chosen(version), decision(version), tables) };
  });
}

/** The bars, and the choice of what they are of. */
function chosen(version) {
  const rowOf = ({ rows }) =>
    rows
      .map((key) => version.row(ALL, "figure", key))
      .find((row) => row !== undefined && isKnown(version, row));
  const options = [...CHOICES].filter(([, choice]) => rowOf(choice) !== undefined);
  if (options.length === 0)
    return element(
      "p",
      null,
      "Of neither side a latency or throughput is known, so there is nothing to draw.",
    );
  const place = element("div");
  const show = (key) => {
    const choice = CHOICES.get(key);
    if (choice) replace(place, chartOf(version, rowOf(choice), choice));
  };
  const choice = radioChoice({
    label: "Chart shows",
    options: options.map(([key, { title }]) => [key, title.toLowerCase()]),
    value: options[0][0],
    change: show,
  });
  const missing = [...CHOICES.keys()].filter((key) => !options.some(([shown]) => shown === key));
  show(options[0][0]);
  return element(
    "div",
    { class: "stack" },
    element(
      "div",
      { class: "controls" },
      choice,
      missing.map((key) =>
        element("span", { class: "muted" }, `No ${key}: ${whyMissing(version)}`),
      ),
    ),
    place,
  );
}

const isKnown = (version, row) =>
  ["a", "b"].some((side) => version.table(ALL).number(side, row) !== undefined);

function whyMissing(version) {
  const isOfOperators =
    version.row(ALL, "figure", "operators_mean_ms") !== undefined &&
    ["latency_mean_ms", "profiled_latency_mean_ms"].every(
      (key) => version.row(ALL, "figure", key) === undefined,
    );
  return isOfOperators
    ? "a side has no wall times, so the whole is the time of all operators."
    : "it is unknown on both sides.";
}

function chartOf(version, row, { better }) {
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
    ? "It has no interval: what is tested is the typical time, whose ratio stands below."
    : "The whisker is where B would end at either end of the ratio's 95 % interval, beside an A as long as drawn.";
}

/** The ratio that is tested, in words and drawn. */
function decision(version) {
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
      spokenWord(verdict),
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
      spokenWord(verdict),
      isNone(reason) || reason === null ? null : ["; ", spokenWord(reason)],
      ".",
    ),
    ratioInterval(
      { ratio, low, high, tone: toneOf(verdict), end: scaleEnd(table, [row]) },
      { width: RATIO_WIDTH, hasLabels: true },
    ) ?? null,
  );
}

/** What is tested, by its key. */
const WHOLES = new Map([
  ["latency_typical_ms", "typical latency"],
  ["profiled_latency_typical_ms", "typical profiled latency"],
  ["operators_typical_ms", "typical time of all operators"],
]);

function wholeOf(table, row) {
  const [key] = table.cell("figure", row);
  return WHOLES.get(key);
}

function tableOf(version, key) {
  const table = version.table(key);
  return dataTable({
    table,
    rows: () => version.rows(key),
    columns: saidColumns(table, version.rows(key)).filter((column) => column !== "version"),
    caption: table.title,
  }).node;
}
