// The operators that take most time, for the first screen of a recording.

import { hrefOf } from "../../address.js";
import { isKnown } from "../../columns.js";
import { element } from "../../dom.js";
import { sortedRows } from "../../order.js";
import { dataTable } from "../../table.js";
import { addressOf, narrowed, timeColumn } from "./operators.js";

/** How many there are on the first screen. */
const MOST = 8;
const COLUMNS = ["name", "share", "gflops_per_second", "type", "output_shapes"];
/** Characters for texts, so that all columns stand beside the chart. */
const WIDTHS = new Map([
  ["name", 23],
  ["type", 12],
  ["output_shapes", 12],
]);

/** The slowest operators, or nothing where no time is known. */
export function slowestOperators(report, context) {
  const operators = report.table("operators");
  const timeKey = timeColumn(operators);
  if (!timeKey) return null;
  const all = Array.from({ length: operators.rows }, (_, row) => row);
  const rows = sortedRows(all, operators.column(timeKey), true).slice(0, MOST);
  const [name, ...others] = COLUMNS.filter((key) => {
    const column = operators.column(key);
    return column !== undefined && isKnown(column, rows);
  });
  const table = dataTable({
    table: operators,
    columns: [name, timeKey, ...others].map((key) => narrowed(operators, key, WIDTHS.get(key))),
    caption: "Slowest operators",
    rowKey: "name",
    rows,
    tools: false,
    open: (row) => context.go("layer-results", addressOf(report, row)),
  });
  const more = operators.rows - rows.length;
  return element(
    "div",
    { class: "slowest" },
    table.node,
    more > 0 &&
      element(
        "p",
        null,
        element("a", { href: hrefOf("layer-results") }, `All ${operators.rows} operators`),
      ),
  );
}
