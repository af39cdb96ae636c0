// What tables with cells to edit have in common: the way from one cell to the next, and cells
// that cannot be set.

import { element } from "../../dom.js";

/**
 * The columns that there is room for, and their widths in characters.
 * @template Choice
 * @param {{narrow: Choice, medium: Choice, wide: Choice}} choices
 */
export function byRoom({ narrow, medium, wide }) {
  if (window.matchMedia("(max-width: 700px)").matches) return narrow;
  return window.matchMedia("(max-width: 1500px)").matches ? medium : wide;
}

/** Has columns of a table be as wide as said, in characters. */
export function setWidths(table, widths) {
  for (const [key, width] of Object.entries(widths)) {
    const column = table.column(key);
    if (column) column.width = width;
  }
}

/**
 * Goes up and down a column of fields of a table, past rows that have none.
 * @param {{visible: () => number[], reveal: (row: number) => unknown}} grid
 * @param {(row: number) => {focus: () => void}|undefined} fieldOf
 */
export function moveIn(grid, fieldOf) {
  return (direction, from) => {
    const step = { up: -1, down: 1 }[direction];
    if (step === undefined) return;
    const rows = grid.visible();
    for (let at = rows.indexOf(from) + step; at >= 0 && at < rows.length; at += step) {
      const field = fieldOf(rows[at]);
      if (!field) continue;
      goToField(grid, rows[at], fieldOf);
      return;
    }
  };
}

/** Brings a row into sight and goes to its field. */
export function goToField(grid, row, fieldOf) {
  grid.reveal(row);
  fieldOf(row)?.focus();
}

/**
 * What stands in the cells of a column, by row: a field, or what `fixedOf` says in its place.
 * @param {(row: number) => ?{node: HTMLElement}} fieldOf  brings the field up to date
 * @param {(row: number) => HTMLElement} fixedOf
 */
export function settableCells(fieldOf, fixedOf) {
  const fixed = new Map();
  return (row) => {
    // A field that was out of sight has missed edits, so that it is asked for anew.
    const field = fieldOf(row);
    if (field) return field.node;
    if (!fixed.has(row)) fixed.set(row, fixedOf(row));
    return fixed.get(row);
  };
}

/**
 * What stands in a cell that cannot be a setting: why.
 * @param {{text: string, meaning: string}[]} reasons
 * @param {?string} value  of the cell; null where it stands in no table
 */
export function fixedCell(reasons, value = "") {
  const words = reasons.map(({ text }) => text).join(", ") || "no operators";
  const meaning = reasons.map(({ text, meaning: why }) => `${text}: ${why}`).join("; ");
  return element(
    "span",
    {
      class: "not-settable",
      title: meaning,
      aria: { description: meaning },
      dataset: value === null ? { editReason: words } : { editReason: words, value },
    },
    words,
  );
}
