// Operators as addresses name them, and what is known of them by row: what several views of a
// recording ask for.

import { chartLabel } from "../../cells.js";
import { isKnown } from "../../columns.js";
import { element } from "../../dom.js";

const MOST_LETTERS = 80;

/** The name of an operator in an address: its own, or its number where that names another. */
export function addressOf(report, row) {
  const operators = report.table("operators");
  const name = operators.text("name", row);
  if (name !== "" && operators.find("name", name) === row) return name;
  let address = `#${operators.text("number", row)}`;
  while (operators.find("name", address) !== undefined) address = `#${address}`;
  return address;
}

/** The row of an operator that an address names, if there is one. */
export function rowOf(report, address) {
  const operators = report.table("operators");
  if (!operators || address === undefined) return undefined;
  const [, number] = address.match(/^#+(\d+)$/) ?? [];
  return operators.find("name", address) ?? (number && operators.find("number", number));
}

/** A name or type of the data in a sentence: isolated, and shortened if it is very long. */
export const nameInWords = (name) => element("bdi", null, chartLabel(name, MOST_LETTERS));

/** Number, name and type of an operator, as readouts begin. */
export function operatorInWords(operators, row) {
  const [number, name, type] = ["number", "name", "type"].map((key) => operators.text(key, row));
  return [`#${number} `, nameInWords(name), " (", nameInWords(type), ")"];
}

/**
 * The column that holds what operators or types take: per iteration, or of the whole trace
 * where it has no iterations. `undefined` where no time is known.
 */
export function timeColumn(table) {
  return ["time_ms", "total_ms"].find((key) => table?.hasNumbers(key));
}

/**
 * The columns of what operators or types take on devices: per iteration, or of the whole trace,
 * and the share. None of recordings that have one clock.
 */
export function deviceColumns(table) {
  const time = ["device_ms", "device_total_ms"].find((key) => table?.hasNumbers(key));
  return time === undefined ? [] : [time, "device_share"];
}

/** A column that takes no more room than this many characters, if that is said and the table has it. */
export function narrowed(table, key, width) {
  const column = table.column(key);
  return column && (width === undefined ? column : { ...column, width });
}

/** Keys of a table's columns that are not hidden and say anything of any row. */
export function knownColumns(table) {
  const columns = table.columns.filter((column) => column.importance !== "hidden");
  return columns.filter((column) => isKnown(column)).map(({ key }) => key);
}
