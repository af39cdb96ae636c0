// Which columns of a table are shown, how wide they are, and the menu that changes it.

import { decimalsOf, isNone, isUnknown, shown } from "./cells.js";
import { element } from "./dom.js";

/** Widths in characters. */
const NARROWEST = 4;
const WIDEST = 60;
/** No column takes more of a window than this: figures are what people came for. */
const WIDEST_ON_SCREEN = "max(22ch, 26vw)";
/** How much wider than it must be a grid gets. */
const LOOSEST = 1.75;
/** Room behind a heading for the mark of its order. */
const SORT_MARK = 3;
/** Rows that are looked at for the width of a column. */
const MEASURED_ROWS = 2000;

/**
 * A column as tables show it: one of the data, or a view's own.
 * @typedef {{key: string, heading: string, unit?: string, meaning?: string, importance?: string,
 *   wraps?: boolean, cells?: import("./cells.js").Cell[], element?: (row: number) => Element,
 *   width?: number}} ShownColumn `width` in characters; with `element` nobody can sort by it
 */

/**
 * The columns that a table starts with; `wanted` as in `dataTable`.
 * @param {import("./report.js").Table} table
 * @param {(string|ShownColumn|undefined)[]|"shown"} wanted
 * @returns {ShownColumn[]}
 */
export function chosenColumns(table, wanted) {
  if (wanted === "shown") {
    return table.columns.filter((column) => column.importance !== "hidden" && isKnown(column));
  }
  const found = wanted.map((column) =>
    typeof column === "string" ? table.column(column) : column,
  );
  return found.filter((column) => column !== undefined);
}

/**
 * Whether a column says anything of any of the rows, or of these.
 * @param {{cells: import("./cells.js").Cell[]}} column @param {number[]} [rows]
 */
export function isKnown({ cells }, rows) {
  const says = (cell) => !isUnknown(cell) && !isNone(cell);
  return rows ? rows.some((row) => says(cells[row])) : cells.some(says);
}

/** The menu of a table's columns; `node` is null where there is nothing to choose. */
export function columnMenu(table, first, changed) {
  const isFirst = (column) => first.some(({ key }) => key === column.key);
  const all = [...first, ...table.columns.filter((column) => !isFirst(column))];
  let chosen = first;
  const keys = new Set(first.map(({ key }) => key));

  function toggle(column, is) {
    if (is) keys.add(column.key);
    else keys.delete(column.key);
    chosen = all.filter(({ key }) => keys.has(key));
    changed();
  }

  const boxes = all.map((column) => {
    const box = element("input", {
      type: "checkbox",
      checked: keys.has(column.key),
      on: { change: () => toggle(column, box.checked) },
    });
    return element("label", { title: column.meaning || undefined }, box, column.heading);
  });
  const node =
    all.length < 2
      ? null
      : element(
          "details",
          { class: "menu" },
          element("summary", null, "Columns"),
          element("div", { class: "menu-list" }, boxes),
        );
  node?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    node.querySelector("summary")?.focus();
  });
  // A click elsewhere closes it, as it does with menus of the browser's own.
  const closeOutside = ({ target }) => {
    if (node && !node.contains(target)) node.open = false;
  };
  node?.addEventListener("toggle", () => {
    if (node.open) document.addEventListener("pointerdown", closeOutside);
    else document.removeEventListener("pointerdown", closeOutside);
  });
  return { node, all, chosen: () => chosen };
}

/**
 * Gives a grid fixed widths, so that they stay while rows come and go; a grid of few columns
 * does not part them by the width of a wide window.
 */
export function columnWidths(grid, group, columns) {
  const widths = columns.map(
    (column) => `min(${widthOf(column)}ch, ${WIDEST_ON_SCREEN}) + var(--cell-space)`,
  );
  group.replaceChildren(
    ...widths.map((width) => element("col", { style: { width: `calc(${width})` } })),
  );
  const whole = widths.join(" + ") || "0px";
  grid.style.setProperty("width", `calc(${whole})`);
  grid.parentElement?.style.setProperty("max-width", `calc(${LOOSEST} * (${whole}))`);
}

function widthOf(column) {
  const { heading, unit, cells, width } = column;
  if (width !== undefined) return width;
  if (!cells) return heading.length + SORT_MARK;
  const decimals = decimalsOf(column);
  let longest = Math.max(NARROWEST, heading.length + SORT_MARK);
  const step = Math.max(1, Math.floor(cells.length / MEASURED_ROWS));
  for (let row = 0; row < cells.length && longest < WIDEST; row += step) {
    longest = Math.max(longest, shown(cells[row], unit, { decimals }).length);
  }
  return Math.min(WIDEST, longest);
}

/** How many letters fit into each heading's column; undefined while it is out of sight. */
export function lettersThatFit(grid, headings) {
  if (grid.clientWidth === 0) return undefined;
  const style = getComputedStyle(grid);
  const pixels = letterWidth(`${style.fontSize} ${style.fontFamily}`);
  const space = parseFloat(style.getPropertyValue("--cell-space"));
  return headings.map((heading) => Math.floor((heading.clientWidth - space) / pixels));
}

/** How much wider a name's letters may be than those of the sample. */
const SPARE = 1.07;

/** How wide a letter of a name is, of those that names of operators are made of. */
function letterWidth(font) {
  const sample = "/model/layers.12/self_attn/q_proj/MatMul_quant";
  const canvas = document.createElement("canvas");
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.font = font;
  return (SPARE * pen.measureText(sample).width) / sample.length;
}
