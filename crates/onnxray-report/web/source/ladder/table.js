// The table behind a ladder: a row for each rung.

import { Table } from "../report.js";
import { dataTable } from "../table.js";

/**
 * The paths of rungs. Neither an operator that repeats nor some of many children add to one.
 * @param {{name: string[], parent: (number|null)[], rung: string[]}} block
 */
export function pathsOf({ name: names, parent: parents, rung: kinds }) {
  /** @type {string[]} */
  const paths = [];
  names.forEach((name, rung) => {
    const parent = parents[rung];
    const above = parent === null ? "" : paths[parent];
    const isWhole = parent !== null && kinds[rung] === "operator" && kinds[parent] === "pattern";
    if (kinds[rung] === "part") paths[rung] = above;
    else paths[rung] = isWhole || above === "" ? name : `${above}/${name}`;
  });
  return paths;
}

/**
 * @param {any} block @param {string} name heading of the column of names
 * @param {string} leaves heading of the column that counts the operators, or layers, of a rung
 * @param {[key: string, heading: string, unit: string, cells: any[], meaning: string][]} columns
 */
export function ladderTable(block, name, leaves, columns) {
  /** @type {number[]} */
  const level = [];
  block.parent.forEach((parent, rung) => (level[rung] = parent === null ? 1 : level[parent] + 1));
  const many = leaves.toLowerCase();
  const paths = pathsOf(block);
  // Some of many are known by their numbers.
  const texts = paths.map((path, rung) =>
    block.rung[rung] === "part" ? [path, block.name[rung]].filter(Boolean).join(" ") : path,
  );
  /** @type {typeof columns} */
  const all = [
    ["module", name, "text", texts, `common beginning of its ${many}' names`],
    ["level", "Level", "count", level, "1 for what is in no other module"],
    ["copies", "Copies", "count", block.copies, `modules or ${many} of different names`],
    ["operators", leaves, "count", block.operators, `${many} in it`],
    ...columns,
  ];
  const table = new Table({
    key: "modules",
    columns: all.map(([key, heading, unit, cells, meaning]) => ({
      key,
      heading,
      unit,
      cells,
      meaning,
      importance: "shown",
    })),
  });
  return dataTable({
    table,
    columns: "shown",
    caption: `Modules and ${many}`,
    captioned: false,
    rowKey: "module",
    search: ["module"],
  }).node;
}
