// The operators that take most time, for the first screen of a recording.

import { hrefOf } from "../../address.js";
import { isKnown } from "../../columns.js";
import { element } from "../../dom.js";
import { sortedRows } from "../../order.js";
import { dataTable } from "../../table.js";
import { addressOf, deviceColumns, narrowed, timeColumn } from "./operators.js";

/** How many there are on the first screen. */
const MOST = 8;
/** Of the time on each clock. */
const SHARES = ["share", "device_share"];
/** Characters of columns, so that all of them stand beside the chart. */
const WIDTHS = new Map([
  ["name", 22],
  ["share", 9],
  ["device_ms", 14],
  ["device_total_ms", 14],
  ["device_share", 12],
  ["type", 11],
  ["output_shape", 12],
]);

/** The slowest operators, or nothing where no time is known. */
export function slowestOperators(report, context) {
  const operators = report.table("operators");
  const timeKey = timeColumn(operators);
  if (!timeKey) return null;
  const all = Array.from({ length: operators.rows }, (_, row) => row);
  const device = deviceColumns(operators);
  // On two clocks, what takes a large share on either.
  const larger = () =>
    all.map((row) => Math.max(...SHARES.map((key) => operators.number(key, row) ?? 0)));
  const order = device.length > 0 ? { cells: larger() } : operators.column(timeKey);
  const rows = sortedRows(all, order, true).slice(0, MOST);
  const others = device.length > 0 ? device : ["gflops_per_second", "type", "output_shape"];
  const keys = ["name", timeKey, "share", ...others].filter((key) => {
    const column = operators.column(key);
    return column !== undefined && isKnown(column, rows);
  });
  const table = dataTable({
    table: operators,
    columns: keys.map((key) => narrowed(operators, key, WIDTHS.get(key))),
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
