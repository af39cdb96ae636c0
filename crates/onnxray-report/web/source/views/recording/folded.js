// Operators with rows for the patterns that they are of, which stand for them.

import { Table } from "../../report.js";
import { radioChoice } from "../controls.js";

/**
 * @typedef {object} Folded
 * @property {number} operators number of operators
 * @property {Table} table operators, and behind them a row for each pattern
 * @property {import("../../table.js").Fold} [fold] none where nothing repeats
 * @property {(values: (number|null)[]) => (number|null)[]} withSums values of operators, and those
 *   of patterns behind them: unknown where one of a member is
 * @property {(address: string) => number|undefined} rowOf the row of the pattern that an address names
 */

/**
 * @param {Table} operators @param {Table|undefined} patterns
 * @param {() => boolean} isOn whether patterns stand for operators now
 * @returns {Folded}
 */
export function foldedOperators(operators, patterns, isOn) {
  if (!patterns || patterns.rows === 0) {
    return {
      operators: operators.rows,
      table: operators,
      withSums: (values) => values,
      rowOf: () => undefined,
    };
  }
  const first = operators.rows;
  const placeOf = new Map(
    Array.from({ length: patterns.rows }, (_, at) => [patterns.number("pattern", at), first + at]),
  );
  const parents = Array.from({ length: first }, (_, row) =>
    placeOf.get(operators.number("pattern", row)),
  );
  /** @type {number[][]} */
  const members = Array.from({ length: patterns.rows }, () => []);
  parents.forEach((parent, row) => {
    if (parent !== undefined) members[parent - first].push(row);
  });
  const nothing = Array(patterns.rows).fill(false);
  const cellsOf = (key) => {
    const cells = patterns.column(key)?.cells ?? nothing;
    if (key !== "name") return cells;
    return cells.map((name, at) => `${name} x${members[at].length}`);
  };
  const columns = operators.columns.map((column) => ({
    ...column,
    cells: [...column.cells, ...cellsOf(column.key)],
  }));
  const { key, title, caveat } = operators;
  return {
    operators: first,
    table: new Table({ key, title, caveat, rows: first + patterns.rows, columns }),
    fold: {
      parentOf: (row) => parents[row],
      sizeOf: (row) => members[row - first]?.length,
      isOn,
    },
    withSums(values) {
      const sum = (rows) =>
        rows.reduce((sum, row) => (sum === null ? null : addKnown(sum, values[row])), 0);
      return [...values, ...members.map(sum)];
    },
    rowOf(address) {
      const [, number] = address.match(/^\*(\d+)$/) ?? [];
      return number === undefined ? undefined : placeOf.get(Number(number));
    },
  };
}

/** @param {number} sum @param {number|null|undefined} term */
const addKnown = (sum, term) => (typeof term === "number" ? sum + term : null);

/** The address of a pattern; no operator's name begins like that and has nothing else. */
export const addressOfPattern = (number) => `*${number}`;

/** Whether operators that repeat are together. @param {(together: boolean) => void} changed */
export function foldChoice(changed) {
  return radioChoice({
    label: "Operators that repeat",
    options: [
      ["patterns", "together"],
      ["operators", "one by one"],
    ],
    value: "patterns",
    change: (value) => changed(value === "patterns"),
  });
}
