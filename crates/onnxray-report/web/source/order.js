// The order of a table's rows by one of its columns.

import { numberOf, textOf } from "./cells.js";

/** One order everywhere, whatever the reader's language; `layer.10` follows `layer.9`. */
const texts = new Intl.Collator("en", { numeric: true });

/**
 * Rows sorted by a column; those without a value are last, in either direction, and equals
 * keep their order.
 * @param {number[]} rows
 * @param {{cells: Array}} column
 */
export function sortedRows(rows, column, descending) {
  const { cells } = column;
  const sign = descending ? -1 : 1;
  const numbers = [];
  const others = [];
  const last = [];
  for (const row of rows) {
    const cell = cells[row];
    if (numberOf(cell) !== undefined) numbers.push(row);
    else if (typeof cell === "string" || Array.isArray(cell)) others.push(row);
    else last.push(row);
  }
  numbers.sort((one, other) => sign * (cells[one] - cells[other]));
  others.sort((one, other) => sign * texts.compare(textOf(cells[one]), textOf(cells[other])));
  return [...numbers, ...others, ...last];
}
