// The columns of the table of operators: those that a reader looks at first fit a window of
// 1280 pixels, and all others can be added.

import { decimalsOf, isUnknown, shown, valueElement } from "../../cells.js";
import { isKnown } from "../../columns.js";
import { element } from "../../dom.js";
import { deviceColumns, narrowed } from "./operators.js";

/** Characters for texts, so that figures stand beside them. */
const WIDTHS = new Map([
  ["type", 15],
  ["weight", 11],
]);
const SHAPE_WIDTH = 13;
/** The same for names: more in wider windows. */
const NAME = { least: 27, most: 64, from: 1280, pixels: 8 };

/**
 * Name, time and share on each clock; FLOPs and GFLOP/s, type, shape and weight, the interval of
 * the time, the number, and what the chart shows.
 *
 * @param {import("./folded.js").Folded} folded
 * @param {string|undefined} timeKey
 * @param {{choice: import("./choices.js").Choice, display: string}} chosen what the chart shows
 * @returns {{columns: (string|import("../../columns.js").ShownColumn)[], unknown: string[],
 *   cell: (key: string, row: number) => Element|undefined, refresh: () => void}} as `dataTable`
 *   takes them; `unknown` are headings of columns in which nothing is known
 */
export function layerColumns(folded, timeKey, chosen) {
  const operators = folded.table;
  const shape = says(operators, "weight_shape") ? "weight_shape" : "output_shape";
  const ends = endsOf(operators);
  const time = timeKey === undefined ? [] : [timeKey];
  const times = [...time, "share", ...deviceColumns(operators)];
  const keys = ["name", ...times, "flops", "gflops_per_second", "type", shape, ...ends];
  keys.push("weight", "number");
  const asked = keys.filter((key) => operators.column(key));
  const known = asked.filter((key) => says(operators, key));
  const widths = new Map([...WIDTHS, ["name", widthOfNames()]]);
  const inChart = inChartColumn(folded, chosen);
  const columns = known.flatMap((key) => {
    if (key === shape) return [narrowed(operators, key, SHAPE_WIDTH)];
    if (key === ends[0]) return [intervalColumn(operators, ends, timeKey)];
    if (key === ends[1]) return [];
    return [narrowed(operators, key, widths.get(key))];
  });
  return {
    columns: [...columns, inChart],
    unknown: asked
      .filter((key) => !known.includes(key))
      .map((key) => operators.column(key).heading),
    cell(key, row) {
      return key === inChart.key ? element("span", null, inChart.text(row)) : undefined;
    },
    refresh: inChart.refresh,
  };
}

/** Whether a column says anything of any operator. */
function says(operators, key) {
  const column = operators.column(key);
  return column !== undefined && isKnown(column);
}

/** Ends of the interval of the mean; percentiles where that is unknown. */
function endsOf(operators) {
  const ends = ["time_low_ms", "time_high_ms"];
  return operators.hasNumbers(ends[0]) ? ends : ["time_p10_ms", "time_p90_ms"];
}

function widthOfNames() {
  const more = Math.floor((window.innerWidth - NAME.from) / NAME.pixels);
  return Math.max(NAME.least, Math.min(NAME.most, NAME.least + more));
}

/** Both ends in one column. */
function intervalColumn(operators, ends, timeKey) {
  const columns = ends.map((key) => operators.column(key));
  const decimals = decimalsOf(operators.column(timeKey));
  const length = (cell) => shown(cell, columns[0].unit, { decimals }).length;
  const lengths = columns[0].cells.map((low, row) => length(low) + length(columns[1].cells[row]));
  const longest = lengths.reduce((most, own) => Math.max(most, own), 0);
  const end = (column, row) => {
    const value = valueElement(column.cells[row], column.unit, "span", { decimals });
    value.dataset.column = column.key;
    return value;
  };
  return {
    key: "interval",
    heading: columns.map(({ heading }) => heading.replace(/ ms$/, "")).join("–"),
    meaning: columns.map(({ meaning }) => meaning).join("; "),
    width: longest + 1,
    element(row) {
      const isSame = columns.every(({ cells }) => isUnknown(cells[row]));
      return element(
        "span",
        { class: "interval" },
        end(columns[0], row),
        !isSame && ["–", end(columns[1], row)],
      );
    },
  };
}

/** What the chart shows of each operator, so that all of it can be read and sorted. */
function inChartColumn(folded, chosen) {
  let decimals;
  const column = {
    key: "in_chart",
    heading: "In chart",
    unit: "number",
    meaning: "what the chart shows of it",
    width: 9,
    cells: /** @type {(number|null)[]} */ ([]),
  };
  column.refresh = () => {
    const { choice, display } = chosen;
    const value = (row) => (display === "percent" ? choice.share(row) : choice.value(row));
    const own = Array.from({ length: folded.operators }, (_, row) => value(row) ?? null);
    column.cells = folded.withSums(own);
    column.unit = display === "percent" ? "share" : choice.unit;
    decimals = decimalsOf(column);
  };
  column.text = (row) => shown(column.cells[row], column.unit, { decimals });
  column.refresh();
  return column;
}
