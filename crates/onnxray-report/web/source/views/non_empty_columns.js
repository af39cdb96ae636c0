// Columns of a table that are not empty: the others would be blank.

import { isNone } from "../cells.js";

/**
 * Keys of these columns, or of all that people are shown, in their order.
 * @param {import("../report.js").Table} table
 * @param {number[]} [rows] those that are shown; all by default
 * @param {string[]} [keys]
 */
export function nonEmptyColumns(table, rows, keys) {
  const wanted =
    keys ??
    table.columns.filter((column) => column.importance !== "hidden").map((column) => column.key);
  const isFilled = (cells) =>
    rows ? rows.some((row) => !isNone(cells[row])) : cells.some((cell) => !isNone(cell));
  return wanted.filter((key) => isFilled(table.column(key)?.cells ?? []));
}
