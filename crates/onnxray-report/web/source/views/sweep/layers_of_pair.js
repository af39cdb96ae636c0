// A and B of a sweep next to each other, layer by layer, where the page has their comparison.

import { isNone, shown, textOf, toneOf } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { differenceFromA } from "../../difference.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { inlineWord } from "../inline_text.js";
import { layerCell, layerColumns } from "../layer_columns.js";
import { ratioInterval, scaleEnd } from "../ratio_interval.js";
import { sideBars, sideValue } from "../side_bars.js";
import { counted, listed } from "../words.js";

/** Keys of the tables: pairs, and the layers of all of them. */
const PAIRS = "compared_points";
const LAYERS = "compared_layers";
/** Layers that are drawn: those that differ most. */
const MOST_BARS = 15;

/**
 * Whether the page has any comparison.
 * @param {import("../../report.js").Report} report
 */
export const hasComparisons = (report) => (report.table(PAIRS)?.rows ?? 0) > 0;

/** Whether the page has the comparison of B with A. */
export const hasComparison = (report, a, b) => pairOf(report, a, b) !== undefined;

function pairOf(report, a, b) {
  const table = report.table(PAIRS);
  if (table === undefined) return undefined;
  return Array.from({ length: table.rows }, (_, row) => row).find(
    (row) => table.text("a", row) === a.name && table.text("b", row) === b.name,
  );
}

/**
 * The comparison of two points; nothing where the page has none.
 * @param {import("../../report.js").Report} report
 * @param {import("./points.js").Point} a @param {import("./points.js").Point} b
 */
export function layersOfPair(report, a, b) {
  const pair = pairOf(report, a, b);
  const [pairs, table] = [PAIRS, LAYERS].map((key) => report.table(key));
  if (pair === undefined || pairs === undefined || table === undefined) return null;
  const rows = Array.from({ length: table.rows }, (_, row) => row).filter(
    (row) => table.number("pair", row) === pair,
  );
  const end = scaleEnd(table, rows);
  const times = pairs.text("layer_times", pair);
  const notes = textOf(pairs.cell("notes", pair)).split("\n").filter(Boolean);
  return element(
    "div",
    { class: "stack", dataset: { pair: `${a.name} ${b.name}` } },
    element("h3", null, "A and B, layer by layer"),
    whole(pairs, pair),
    element("p", null, measured(times, a, b)),
    bars(table, rows),
    rows.length > 0 &&
      dataTable({
        table,
        rows: () => rows,
        rowKey: "layer",
        columns: layerColumns(table, rows, end),
        caption: "Layers of A and B",
        search: ["layer", "a_type", "b_type"],
        filters: true,
        cell: (key, row) => layerCell(table, key, row, end),
      }).node,
    notes.length > 0 &&
      element(
        "details",
        null,
        element("summary", null, `${counted(notes.length, "note")} on this comparison`),
        element(
          "ul",
          null,
          notes.map((note) => element("li", null, note)),
        ),
      ),
  );
}

/** Which of both is faster, end to end. */
function whole(table, pair) {
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map((key) =>
    table.number(key, pair),
  );
  const verdict = table.cell("verdict", pair);
  if (ratio === undefined) return element("p", null, "B / A is unknown, end to end.");
  return element(
    "p",
    null,
    `End to end, B is ${differenceFromA({ ratio, low, high })}: `,
    inlineWord(verdict),
    ". ",
    ratioInterval({ ratio, low, high, tone: toneOf(verdict), end: scaleEnd(table, [pair]) }) ?? null,
  );
}

/** Which times these are, and of how much work. */
function measured(times, a, b) {
  const kind = `Times of layers are ${times} times from profiled iterations, per iteration.`;
  const items = [a, b].map(({ batchSize }) => batchSize);
  if (items[0] === items[1]) return kind;
  const said = items.map((size) => (size === undefined ? "an unknown number of items" : counted(size, "item")));
  return `${kind} An iteration is ${said[0]} in A and ${said[1]} in B: ratios compare iterations, not items.`;
}

/** The layers that differ most, as bars of both sides. */
function bars(table, rows) {
  const drawn = rows
    .filter((row) => ["a_ms", "b_ms"].some((key) => table.number(key, row) !== undefined))
    .slice(0, MOST_BARS);
  if (drawn.length === 0) return null;
  const cells = (key) => drawn.map((row) => table.cell(key, row));
  const side = (key, row) => {
    const cell = table.cell(key, row);
    return isNone(cell) ? "not executed" : sideValue(cell, "milliseconds");
  };
  return drawChart({
    title: "Time by layer",
    shows: `How long each layer takes in A and in B: ${
      drawn.length < rows.length
        ? `the ${drawn.length} of ${rows.length} that differ most`
        : "those that differ most first"
    }.`,
    marks: () => 2 * drawn.length,
    height: () => Math.max(120, 34 * drawn.length + 64),
    option: (theme, { width }) =>
      sideBars({
        labels: drawn.map((row) => table.text("layer", row)),
        a: cells("a_ms"),
        b: cells("b_ms"),
        unit: "milliseconds",
        theme,
        width,
      }),
    readout: {
      length: () => drawn.length,
      text(place) {
        const row = drawn[place];
        const difference = table.number("difference_ms", row);
        const parts = [
          `${table.text("layer", row)}: A ${side("a_ms", row)}, B ${side("b_ms", row)}`,
          difference !== undefined && `B − A ${shown(difference, "milliseconds")} ms`,
          table.text("verdict", row),
        ];
        return parts.filter(Boolean).join("; ");
      },
      near: (x, y) => Math.max(0, Math.min(drawn.length - 1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 0, dataIndex: place }),
    },
  }).node;
}

/** Which pairs the page has, in words. */
export function comparedPairs(report) {
  const table = report.table(PAIRS);
  const names = new Set();
  for (let row = 0; row < table.rows; row++) {
    for (const key of ["a", "b"]) names.add(table.text(key, row));
  }
  return listed([...names]);
}
