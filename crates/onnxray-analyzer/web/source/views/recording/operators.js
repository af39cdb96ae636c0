// Operators as addresses name them, and what is known of them by row: what several views of a
// recording ask for.

import { isNone, isUnknown } from "../../cells.js";

/** The name of an operator in an address: its own, or its number where several share it. */
export function addressOf(report, row) {
  const operators = report.table("operators");
  const name = operators.text("name", row);
  return operators.find("name", name) === row ? name : `#${operators.text("number", row)}`;
}

/** The row of an operator that an address names, if there is one. */
export function rowOf(report, address) {
  const operators = report.table("operators");
  if (!operators || address === undefined) return undefined;
  const row = operators.find("name", address);
  if (row !== undefined || !address.startsWith("#")) return row;
  return operators.find("number", address.slice(1));
}

/**
 * The column that holds what operators or types take: per iteration, or of the whole trace
 * where it has no iterations. `undefined` where no time is known.
 */
export function timeColumn(table) {
  return ["time_ms", "total_ms"].find((key) => table?.hasNumbers(key));
}

/** A column that takes no more room than so many characters, if the table has it. */
export function narrowed(table, key, width) {
  const column = table.column(key);
  return column && { ...column, width };
}

/** Keys of a table's columns that are not hidden and say anything of any row. */
export function knownColumns(table) {
  const isKnown = (cell) => !isUnknown(cell) && !isNone(cell);
  return table.columns
    .filter(({ importance, cells }) => importance !== "hidden" && cells.some(isKnown))
    .map(({ key }) => key);
}
