// The operators that take most time, for the first screen of a recording.

import { hrefOf } from "../../address.js";
import { isKnown } from "../../columns.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { addressOfPattern, foldChoice } from "./folded.js";
import { addressOf, deviceColumns, narrowed, timeColumn } from "./operators.js";

/** Characters of columns, so that all of them stand beside the chart. */
const WIDTHS = new Map([
  ["name", 22],
  ["members", 11],
  ["share", 9],
  ["roof_share", 10],
  ["device_ms", 14],
  ["device_total_ms", 14],
  ["device_share", 12],
  ["type", 11],
  ["output_shape", 12],
]);

/** The slowest operators, or nothing where no time is known; where they repeat, by pattern or apart. */
export function slowestOperators(report, context) {
  const apart = rowsOf(report, context, report.table("slowest_operators"));
  const folded = rowsOf(report, context, report.table("slowest_patterns"));
  if (!apart || !folded) return apart;
  const change = (together) => {
    folded.hidden = !together;
    apart.hidden = together;
  };
  change(true);
  return element("div", null, foldChoice(change), folded, apart);
}

function rowsOf(report, context, slowest) {
  const timeKey = timeColumn(slowest);
  if (!timeKey) return null;
  const device = deviceColumns(slowest);
  // As many as have room beside the chart.
  const others =
    slowest.column("roof_share") === undefined
      ? ["gflops_per_second", "type", "output_shape"]
      : ["roof_share", "type"];
  const shown = device.length > 0 ? device : others;
  const keys = ["name", "members", timeKey, "share", ...shown].filter((key) => {
    const column = slowest.column(key);
    return column !== undefined && isKnown(column);
  });
  const operators = report.table("operators");
  const addressIn = (row) => {
    const pattern = slowest.number("pattern", row);
    if (pattern !== undefined) return addressOfPattern(pattern);
    const number = slowest.text("number", row);
    const place = operators.find("number", number);
    // Of a long page that was not read to its end, nothing but the number is known.
    return place === undefined ? `#${number}` : addressOf(report, place);
  };
  const table = dataTable({
    table: slowest,
    columns: keys.map((key) => narrowed(slowest, key, WIDTHS.get(key))),
    caption: slowest.title,
    rowKey: "name",
    tools: false,
    open: (row) => context.go("layer-results", addressIn(row)),
  });
  return element(
    "div",
    { class: "slowest" },
    table.node,
    operators.rows > slowest.rows &&
      element(
        "p",
        null,
        element("a", { href: hrefOf("layer-results") }, `All ${operators.rows} operators`),
      ),
  );
}
