// Every operator in the order of execution: a chart with the selectors of the layer summaries,
// and a table to search, sort and filter, which the chart follows.

import * as address from "../../address.js";
import { numberOf, shown } from "../../cells.js";
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
const NOTHING = "There are no operators: the trace tells nothing of what the model spends its time on.";

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
  const table = dataTable({
    table: operators,
    columns: columnsOf(operators, timeKey, levels, inChart),
    caption: operators.title,
    rowKey: "name",
    search: SEARCHED,
    filters: true,
    open: go,
    cell: (key, row) => (key === inChart.key ? element("span", null, inChart.text(row)) : undefined),
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
    const isSame = next === found || (next && found && next.size === found.size && rows.every((row) => found.has(row)));
    found = next;
    if (!isSame) chart.refresh();
  }

  function sayWhatIsLeftOut() {
    const out = choices.leftOut(chosen.choice, chosen.display, everyRow, ["operator is", "operators are"]);
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
  const reasons = [!timeKey && "Times are unknown: nothing was measured.", levels.why].filter(Boolean);
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
function columnsOf(operators, timeKey, levels, inChart) {
  const shape = operators.column("weight_shape")?.cells.some((cell) => typeof cell === "string") ? "weight_shape" : "output_shapes";
  return [
    "number",
    narrowed(operators, "name", 34),
    narrowed(operators, "type", 17),
    narrowed(operators, "weight", 20),
    shape,
    timeKey,
    intervalColumn(operators, levels),
    ..."share flops gflops_per_second".split(" "),
    inChart,
  ].filter((column) => column !== undefined);
}

/** How far the mean of each operator may be off; percentiles where that is unknown. */
function intervalColumn(operators, levels) {
  const of = (low, high) => (row) => [numberOf(operators.cell(low, row)), numberOf(operators.cell(high, row))];
  const isKnown = operators.hasNumbers("time_low_ms");
  const stated = of("time_low_ms", "time_high_ms");
  const ends = isKnown ? stated : levels.interval;
  const text = (row) => {
    const both = ends(row);
    if (!both || both.includes(undefined)) return null;
    return both.map((end) => shown(end, "milliseconds")).join(" to ");
  };
  const cells = Array.from({ length: operators.rows }, (_, row) => text(row));
  if (cells.every((cell) => cell === null)) return operators.column("time_p90_ms");
  return {
    key: "time_interval",
    heading: "95 % interval",
    unit: "text",
    meaning: "how far the mean may be off, in milliseconds; unknown with fewer than three launches or blocks of iterations",
    cells,
  };
}

/** What the chart shows of each operator, so that all of it can be read and sorted. */
function inChartColumn(operators, chosen) {
  const column = { key: "in_chart", heading: "In the chart", unit: "number", meaning: "what the chart shows of it", cells: [] };
  column.refresh = () => {
    const { choice, display } = chosen;
    const value = (row) => (display === "percent" ? choice.share(row) : choice.value(row));
    column.cells = Array.from({ length: operators.rows }, (_, row) => value(row) ?? null);
    column.shownUnit = display === "percent" ? "share" : choice.unit;
  };
  column.text = (row) => shown(column.cells[row], column.shownUnit);
  column.refresh();
  return column;
}
