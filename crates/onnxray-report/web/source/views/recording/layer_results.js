// Every operator in the order of execution: a chart with the selectors of the layer summaries,
// and a table to search, sort and filter, which the chart follows.

import * as address from "../../address.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import * as choices from "./choices.js";
import { foldChoice, foldedOperators } from "./folded.js";
import { layerChart } from "./layer_chart.js";
import { layerColumns } from "./layer_columns.js";
import { levelsOf } from "./levels.js";
import { openOperator } from "./operator_details.js";
import { addressOf, deviceColumns, rowOf, timeColumn } from "./operators.js";
import { summarySelectors } from "./selectors.js";
import { typeLegend } from "./type_legend.js";

const SEARCHED = ["name", "type", "weight", "nodes"];
const NOTHING =
  "There are no operators: the trace tells nothing of what the model spends its time on.";

export default function layerResults(report, context) {
  const operators = report.table("operators");
  if (!operators || operators.rows === 0) {
    return { node: element("p", { class: "nothing" }, NOTHING), show: () => false };
  }
  const timeKey = timeColumn(operators);
  // What runs on a device is what the host waits for.
  const [sortKey = timeKey] = deviceColumns(operators);
  const levels = levelsOf(report);
  const measured = timeKey && choices.measured(operators, timeKey);
  const times = [...choices.onDevices(operators), ...(measured ? [measured] : [])];
  const all = [...times, ...levels.choices, choices.flops(operators)];
  const chosen = summarySelectors(all, changed);
  const words = element("p", { class: "left-out", role: "status" });
  const everyRow = Array.from({ length: operators.rows }, (_, row) => row);
  let together = true;
  const folded = foldedOperators(operators, report.table("patterns"), () => together);
  const columns = layerColumns(folded, timeKey, chosen);
  let found;

  const chart = layerChart({
    operators,
    chosen,
    isFound: (row) => found?.has(row) ?? true,
    fixed: levels.fixed,
    open: go,
  });
  const table = dataTable({
    table: folded.table,
    rows: everyRow,
    fold: folded.fold,
    columns: columns.columns,
    caption: operators.title,
    rowKey: "name",
    search: SEARCHED,
    filters: true,
    sort: sortKey ? { key: sortKey, descending: true } : undefined,
    open: go,
    cell: columns.cell,
    changed: follow,
  });

  function go(row) {
    const name = addressOf(report, row);
    // To go where one is changes nothing, and so would open nothing.
    if (address.current().name === name) show(name);
    else context.go("layer-results", name);
  }

  function fold(isWanted) {
    together = isWanted;
    table.refresh();
  }

  function changed() {
    columns.refresh();
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
    const pattern = name === undefined ? undefined : folded.rowOf(name);
    if (pattern !== undefined) {
      table.reveal(pattern);
      return true;
    }
    const row = rowOf(report, name);
    // A path that ends in a slash is a module.
    if (row === undefined) return name.endsWith("/") && table.search(name) > 0;
    chart.show(row);
    table.reveal(row);
    openOperator(report, row);
    return true;
  }

  sayWhatIsLeftOut();
  const reasons = [
    !timeKey && "Times are unknown: nothing was measured.",
    levels.why,
    columns.unknown.length > 0 &&
      `Columns in which nothing is known are left out: ${columns.unknown.join(", ")}.`,
  ].filter(Boolean);
  const node = element(
    "div",
    { class: "view layer-results" },
    chosen.node,
    reasons.length > 0 && element("p", { class: "nothing" }, reasons.join(" ")),
    typeLegend(report),
    chart.node,
    words,
    folded.fold && foldChoice(fold),
    table.node,
  );
  return { node, show };
}
