// The versions that a page compares to its baseline, and which of them the views show. All
// views of a page show the same one.

import { textOf } from "../../cells.js";

/** The column that says which version a row is of. */
const VERSION = "version";

const known = new WeakMap();

/**
 * The versions of a report, made once for all of its views.
 * @param {import("../../report.js").Report} report
 */
export function versionsOf(report) {
  if (!known.has(report)) known.set(report, new Versions(report));
  return known.get(report);
}

class Versions {
  #listeners = new Set();
  #chosen = 0;

  constructor(report) {
    const names = new Set();
    for (const table of report.tables) {
      for (const cell of table.column(VERSION)?.cells ?? []) names.add(textOf(cell));
    }
    this.all = [...names].map((name) => new Version(report, name));
  }

  /** The one that is shown; undefined if the page compares nothing. */
  get chosen() {
    return this.all[this.#chosen];
  }

  /** Shows another one, in all views. */
  choose(position) {
    if (position === this.#chosen) return;
    this.#chosen = position;
    for (const listener of this.#listeners) listener(this.chosen);
  }

  /** Calls `listener(version)` when another one is shown. */
  onChange(listener) {
    this.#listeners.add(listener);
  }
}

/** A version B beside the baseline A. */
export class Version {
  #report;

  constructor(report, name) {
    this.#report = report;
    this.name = name;
    /** What the baseline is called; undefined if the page does not say. */
    this.baseline = this.#nameOfBaseline();
  }

  #nameOfBaseline() {
    const cell = this.table("inference")?.cell("baseline", this.rows("inference")[0]) ?? null;
    return cell === null ? undefined : textOf(cell);
  }

  /** A table of the report; undefined if it is not there. */
  table(key) {
    return this.#report.table(key);
  }

  /** Rows of a table that are of this version; none if the table is not there. */
  rows(key) {
    const cells = this.table(key)?.column(VERSION)?.cells ?? [];
    return [...cells.keys()].filter((row) => textOf(cells[row]) === this.name);
  }

  /** The first of these rows whose cell in a column has this key; undefined for none. */
  row(key, column, word) {
    const table = this.table(key);
    return this.rows(key).find((row) => {
      const cell = table.cell(column, row);
      return (Array.isArray(cell) ? cell[0] : cell) === word;
    });
  }
}
