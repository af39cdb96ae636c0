// The headings of a table, which sort it and say what its columns mean.

import { element } from "./dom.js";

/**
 * Whether a column has cells, and not elements of a view's own.
 * @param {import("./columns.js").ShownColumn} column
 */
export const isSortable = ({ cells }) => cells !== undefined;

/**
 * Classes of the cells of a column: numbers stand at the right, names of rows stay in sight.
 * @param {import("./columns.js").ShownColumn} column @param {string} [rowKey]
 */
export function classesOf({ key, unit }, rowKey) {
  const isNumber = unit !== undefined && unit !== "text";
  return [...(isNumber ? ["number"] : []), ...(key === rowKey ? ["row-name"] : [])];
}

/**
 * @param {import("./columns.js").ShownColumn[]} columns
 * @param {{sort?: {key: string, descending?: boolean}, rowKey?: string, sortBy: (column) => void,
 *   onPaper: boolean}} how
 */
export function headRow(columns, how) {
  return element(
    "tr",
    { aria: { rowindex: 1 } },
    columns.map((column) => headingOf(column, how)),
  );
}

/** @param {import("./columns.js").ShownColumn} column @param {Parameters<typeof headRow>[1]} how */
function headingOf(column, { sort, rowKey, sortBy, onPaper }) {
  const { key, heading } = column;
  const meaning = column.meaning || undefined;
  const isSorted = sort?.key === key;
  const direction = isSorted ? (sort.descending ? "descending" : "ascending") : "none";
  const mark = { none: "", ascending: " ▲", descending: " ▼" }[direction];
  // Chromium repeats no buttons on the pages that follow.
  const isButton = isSortable(column) && !onPaper;
  const content = isButton
    ? element(
        "button",
        {
          type: "button",
          class: "sort",
          title: meaning,
          aria: { description: meaning },
          on: { click: () => sortBy(column) },
        },
        heading,
        element("span", { aria: { hidden: true } }, mark),
      )
    : element("span", { class: "sort", title: meaning }, heading, mark);
  return element(
    "th",
    {
      scope: "col",
      class: classesOf(column, rowKey).join(" ") || undefined,
      dataset: { column: key },
      aria: { sort: isSortable(column) ? direction : undefined },
    },
    content,
  );
}
