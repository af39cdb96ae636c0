// Every operator in the order of execution: a chart with the selectors of the layer summaries,
// and a table to search, sort and filter, which the chart follows.

import * as address from "../../address.js";
import { decimalsOf, isNone, isUnknown, shorten, shown } from "../../cells.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import * as choices from "./choices.js";
import { layerChart } from "./layer_chart.js";
import { levelsOf } from "./levels.js";
import { openOperator } from "./operator_details.js";
import { addressOf, narrowed, rowOf, timeColumn } from "./operators.js";
import { summarySelectors } from "./selectors.js";
import { typeLegend } from "./type_legend.js";

const SEARCHED = ["name", "type", "weight", "nodes"];
/** Characters for texts, so that figures stand beside them. */
const WIDTHS = new Map([
  ["name", 36],
  ["type", 16],
  ["weight", 18],
  ["weight_shape", 13],
]);
/** Letters are narrower than the digits that widths are counted in. */
const LETTERS_OF_NAMES = 41;
const NOTHING =
  "There are no operators: the trace tells nothing of what the model spends its time on.";

export default function layerResults(report, context) {
  const operators = report.table("operators");
  if (!operators || operators.rows === 0) {
    return { node: element("p", { class: "nothing" }, NOTHING), show: () => false };
  }
  const timeKey = timeColumn(operators);
  const levels = levelsOf(report);
  const measured = timeKey && choices.measured(operators, timeKey);
  const all = [measured, ...levels.choices, choices.flops(operators)].filter(Boolean);
  const chosen = summarySelectors(all, changed);
  const words = element("p", { class: "left-out", role: "status" });
  const everyRow = Array.from({ length: operators.rows }, (_, row) => row);
  const inChart = inChartColumn(operators, chosen);
  let found;

  const chart = layerChart({
    operators,
    chosen,
    isFound: (row) => found?.has(row) ?? true,
    fixed: levels.fixed,
    open: go,
  });
  const keys = columnsOf(operators, timeKey);
  const known = keys.filter((key) => isKnown(operators, key));
  const table = dataTable({
    table: operators,
    columns: [
      ...known.map((key) => (WIDTHS.has(key) ? narrowed(operators, key, WIDTHS.get(key)) : key)),
      inChart,
    ],
    caption: operators.title,
    rowKey: "name",
    search: SEARCHED,
    filters: true,
    open: go,
    cell(key, row) {
      if (key === "name") return nameOf(operators, row);
      return key === inChart.key ? element("span", null, inChart.text(row)) : undefined;
    },
    changed: follow,
  });

  function go(row) {
    const name = addressOf(report, row);
    // To go where one is changes nothing, and so would open nothing.
    if (address.current().name === name) show(name);
    else context.go("layer-results", name);
  }

  function changed() {
    inChart.refresh();
    sayWhatIsLeftOut();
    chart.refresh();
    table.refresh();
  }

  /** Has the chart show which rows the search and the filters leave. */
  function follow(rows) {
    const next = rows.length === operators.rows ? undefined : new Set(rows);
    const isSame =
      next === found ||
      (next && found && next.size === found.size && rows.every((row) => found.has(row)));
    found = next;
    if (!isSame) chart.refresh();
  }

  function sayWhatIsLeftOut() {
    const out = choices.leftOut(chosen.choice, chosen.display, everyRow, [
      "operator is",
      "operators are",
    ]);
    replace(words, out);
  }

  function show(name) {
    const row = rowOf(report, name);
    if (row === undefined) return false;
    chart.show(row);
    table.reveal(row);
    openOperator(report, row);
    return true;
  }

  sayWhatIsLeftOut();
  const unknown = keys
    .filter((key) => !known.includes(key))
    .map((key) => operators.column(key)?.heading)
    .filter(Boolean);
  const reasons = [
    !timeKey && "Times are unknown: nothing was measured.",
    levels.why,
    unknown.length > 0 && `Columns in which nothing is known are left out: ${unknown.join(", ")}.`,
  ].filter(Boolean);
  const node = element(
    "div",
    { class: "view layer-results" },
    chosen.node,
    reasons.length > 0 && element("p", { class: "nothing" }, reasons.join(" ")),
    chart.node,
    typeLegend(report),
    words,
    table.node,
  );
  return { node, show };
}

/** Number, name, type, weight, shape, time with interval, share, FLOPs and GFLOP/s. */
function columnsOf(operators, timeKey) {
  const ends = operators.hasNumbers("time_low_ms")
    ? ["time_low_ms", "time_high_ms"]
    : ["time_p10_ms", "time_p90_ms"];
  const shape = isKnown(operators, "weight_shape") ? "weight_shape" : "output_shapes";
  return [
    "number",
    "name",
    "type",
    "weight",
    shape,
    timeKey,
    ...ends,
    "share",
    "flops",
    "gflops_per_second",
  ].filter(Boolean);
}

/** Whether a column says anything of any operator. */
function isKnown(operators, key) {
  return operators.column(key)?.cells.some((cell) => !isUnknown(cell) && !isNone(cell)) ?? false;
}

/** A name without its middle, since names of operators differ at their ends. */
function nameOf(operators, row) {
  const name = operators.text("name", row);
  return element(
    "span",
    { dataset: { value: name }, title: name },
    element("bdi", null, shorten(name, LETTERS_OF_NAMES)),
  );
}

/** What the chart shows of each operator, so that all of it can be read and sorted. */
function inChartColumn(operators, chosen) {
  let decimals;
  const column = {
    key: "in_chart",
    heading: "In the chart",
    unit: "number",
    meaning: "what the chart shows of it",
    cells: [],
  };
  column.refresh = () => {
    const { choice, display } = chosen;
    const value = (row) => (display === "percent" ? choice.share(row) : choice.value(row));
    column.cells = Array.from({ length: operators.rows }, (_, row) => value(row) ?? null);
    column.unit = display === "percent" ? "share" : choice.unit;
    decimals = decimalsOf(column);
  };
  column.text = (row) => shown(column.cells[row], column.unit, decimals);
  column.refresh();
  return column;
}
