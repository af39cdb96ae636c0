// The tables that the views show: at first as the analyzer made them, and after an edit with the
// cells that follow from it.

import { Table } from "../../report.js";

/** Keys of the tables that an edit can change. */
const KEYS = [
  "projection",
  "projected_types",
  "projected_operators",
  "perf_ratios",
  "levels",
  "level_types",
  "plan",
  "planned_layers",
];

/**
 * Tables of the page's own, so that those of the data stay as they are; empty ones where the data
 * has none.
 * @param {import("../../report.js").Report} report
 * @typedef {Omit<Map<string, Table>, "get"> & {get: (key: string) => Table}} Tables each of `KEYS`
 */
export function ownTables(report) {
  const own = (column) => ({ ...column });
  const found = (key) => report.table(key) ?? { key, title: "", rows: 0, columns: [] };
  const tables = new Map(
    KEYS.map((key) => [key, new Table({ ...found(key), columns: found(key).columns.map(own) })]),
  );
  return /** @type {Tables} */ (tables);
}

/**
 * Puts cells into tables; there may be more or fewer rows than before.
 * @param {Tables} tables
 * @param {Record<string, Record<string, Array>>} cells of projected_tables.js
 */
export function fillTables(tables, cells) {
  for (const [key, table] of tables) {
    for (const [name, of] of Object.entries(cells[key])) {
      const column = table.column(name);
      if (!column) continue;
      column.cells = of;
      table.rows = of.length;
    }
  }
}
