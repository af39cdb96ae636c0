// Whether this page computes what the analyzer computed: at the start, before any edit, every
// cell that follows from the settings must equal the one that the analyzer put into the page, in
// all digits.

/**
 * @param {import("../../report.js").Report} report
 * @param {Record<string, Record<string, Array>>} cells of projected_tables.js, at the settings of
 *   the start
 * @returns {{compared: number, different: {table: string, heading: string, row: number}[]}} of each
 *   column that differs,
 *   the first row that does
 */
export function compareWithAnalyzer(report, cells) {
  const different = [];
  let compared = 0;
  for (const [key, columns] of Object.entries(cells)) {
    const table = report.table(key);
    for (const [name, computed] of Object.entries(columns)) {
      const column = table?.column(name);
      if (!table || !column) continue;
      compared += column.cells.length;
      const row = firstDifference(column.cells, computed);
      if (row >= 0) different.push({ table: table.title, heading: column.heading, row });
    }
  }
  return { compared, different };
}

function firstDifference(cells, computed) {
  const length = Math.max(cells.length, computed.length);
  for (let row = 0; row < length; row += 1) if (cells[row] !== computed[row]) return row;
  return -1;
}
