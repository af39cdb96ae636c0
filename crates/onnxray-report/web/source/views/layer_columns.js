// The columns of the groups of layers: both sides of a word in one cell, times in words where
// there are none, and the drawn interval of the ratio. Layer, ratio and verdict fit a window of 700 pixels.

import { isNone, textOf, toneOf, valueElement } from "../cells.js";
import { differenceFromA } from "../difference.js";
import { element } from "../dom.js";
import { nonEmptyColumns } from "./non_empty_columns.js";
import { endsOf, ratioInterval } from "./ratio_interval.js";

/** Columns of both sides, as one; widths in characters. */
const OF_BOTH_SIDES = new Map([
  ["type", { heading: "Type", meaning: "types of the group's operators, A → B", width: 13 }],
  ["precision", { heading: "Precision", meaning: "element type it computes in, A → B", width: 11 }],
]);
const LAYER_WIDTH = 24;
const MATCHED_WIDTH = 14;
const DRAWN = "ratio_drawn";
const DRAWN_WIDTH = 13;
const TIMES = ["a_ms", "b_ms"];
/** Of the words for what a side does not execute. */
const WORDS_WIDTH = 11;

/** The columns of table `layers`, for `dataTable`. `end`: of the scale of ratios */
export function layerColumns(table, rows, end) {
  const width = (key, most) => ({ ...table.column(key), width: most });
  const hasRatio = rows.some((row) => table.number("ratio", row) !== undefined);
  return [
    width("layer", LAYER_WIDTH),
    ...nonEmptyColumns(table, rows, ["ratio"]),
    ...(hasRatio ? [drawnColumn(table, end)] : []),
    "verdict",
    ...TIMES.map((key) => timeColumn(table.column(key), rows)),
    ...nonEmptyColumns(table, rows, ["difference_ms"]),
    ...[...OF_BOTH_SIDES.keys()].map((key) => bothSides(table, key)),
    width("matched_by", MATCHED_WIDTH),
  ];
}

/** What such a cell shows; undefined where it is the column's own. */
export function layerCell(table, key, row, end) {
  if (key === DRAWN) return drawing(table, row, end);
  if (OF_BOTH_SIDES.has(key)) return fromTo(table, key, row);
  if (TIMES.includes(key) && isNone(table.cell(key, row))) {
    return element("span", { class: "muted", dataset: { value: "" } }, "not executed");
  }
  return undefined;
}

/** `MatMul → MatMulInteger` as a column that can be sorted. */
function bothSides(table, key) {
  const of = (letter) => table.column(`${letter}_${key}`).cells.map(textOf);
  const [a, b] = [of("a"), of("b")];
  const cells = a.map((text, row) => `${text} ${b[row]}`);
  return { key, unit: "text", cells, ...OF_BOTH_SIDES.get(key) };
}

/** One word where both sides have the same, or only one has any. */
function fromTo(table, key, row) {
  const known = ["a", "b"]
    .map((letter) => `${letter}_${key}`)
    .filter((side) => !isNone(table.cell(side, row)));
  const words = known.map((side) => table.text(side, row));
  const shown = words[0] === words[1] ? known.slice(0, 1) : known;
  const value = (side) =>
    element("span", { dataset: { column: side } }, valueElement(table.cell(side, row), "text"));
  const title = shown.map((side) => table.text(side, row)).join(" → ");
  return element(
    "span",
    { title },
    shown.map((side, place) => [place > 0 && " → ", value(side)]),
  );
}

/** As wide as the words for what a side does not execute. */
function timeColumn(column, rows) {
  const hasWords = rows.some((row) => isNone(column.cells[row]));
  return hasWords ? { ...column, width: WORDS_WIDTH } : column;
}

/** It sorts by the ratio, and says in its heading which ratios its ends are. */
function drawnColumn(table, end) {
  const [low, high] = endsOf(end);
  return {
    key: DRAWN,
    heading: `${low} … ${high}`,
    unit: "text",
    meaning:
      "the ratio and its 95 % interval on a logarithmic scale; left of the line B is faster, " +
      "an arrow leads beyond the scale",
    cells: table.column("ratio").cells,
    width: DRAWN_WIDTH,
  };
}

function drawing(table, row, end) {
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map((key) =>
    table.number(key, row),
  );
  const drawn = ratioInterval({ ratio, low, high, tone: toneOf(table.cell("verdict", row)), end });
  return element("span", { title: drawn && `B is ${differenceFromA({ ratio, low, high })}` }, drawn);
}
