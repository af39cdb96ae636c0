// Tables: sorted, searched, filtered, walked by keyboard, and of any length: only the rows
// in sight are in the page (rows.js).

import { textOf } from "./cells.js";
import { columnMenu, columnWidths, chosenColumns, lettersThatFit } from "./columns.js";
import { element, replace, uniqueId } from "./dom.js";
import { createFilters } from "./filters.js";
import { createFolding } from "./folding.js";
import { createRows } from "./rows.js";
import { sortedRows } from "./order.js";
import { whenPrinting } from "./print.js";
import { createCells } from "./table_cells.js";
import { headRow, isSortable } from "./table_head.js";

/** Rows of a table on paper; of a longer one, the first. */
const MOST_PRINTED_ROWS = 2000;

/** @typedef {{key: string, descending?: boolean}} Sort */

/**
 * @typedef {{parentOf: (row: number) => number|undefined, sizeOf: (row: number) => number|undefined,
 *   isOn: () => boolean}} Fold
 *   the row that stands for a row, how many rows it stands for, and whether it does now
 */

/**
 * @param {object} options
 * @param {import("./report.js").Table} options.table
 * @param {(string|import("./columns.js").ShownColumn|undefined)[]|"shown"} options.columns keys, in
 *   order, or columns of your own; "shown": all that are not hidden. The reader can add the others.
 * @param {string|null} options.caption what the table is called
 * @param {boolean} [options.captioned] whether that stands above it
 * @param {string} [options.rowKey] key of the column that names the rows; it stays in sight
 * @param {string[]} [options.search] keys of the columns that the search looks into
 * @param {boolean} [options.filters] whether rows can be filtered
 * @param {Sort} [options.sort] at first
 * @param {(row: number) => void} [options.open] a click or Enter
 * @param {number} [options.selectedRow]
 * @param {(key: string, row: number) => Element|undefined} [options.cell] content of your own
 *   (inputs, links); return the same element for the same cell to keep what is typed in it
 * @param {(row: number) => string|undefined} [options.rowClass]
 * @param {boolean} [options.tools] whether columns can be chosen, and rows are counted
 * @param {string} [options.height] of the part that scrolls, as CSS; of long tables 70vh
 * @param {number[]|(() => number[])} [options.rows] which rows there are at all; a function
 *   is asked on refresh
 * @param {Fold} [options.fold] further rows that stand for some of `rows`, and unfold into them;
 *   unasked where a search or a filter leaves a part of them
 * @param {(rows: number[]) => void} [options.changed] other rows, or another order
 * @returns {{node: HTMLElement, refresh: (how?: {sort?: boolean}) => void,
 *   visible: () => number[], reveal: (row: number) => HTMLElement|undefined,
 *   search: (text: string) => number}} `refresh`:
 *   cells or rows have changed (`{sort: false}`: rows that are there stay where they are, though
 *   they would now be sorted or filtered otherwise); `visible`: rows in their order; `reveal`:
 *   brings a row into sight and marks it, clears search and filters if they hide it, and
 *   returns the row's element if it is in the page; `search`: looks for a text, and returns how
 *   many rows have it
 */
export function dataTable({
  table,
  columns,
  caption,
  captioned = true,
  rowKey,
  search,
  filters,
  sort,
  open,
  selectedRow,
  cell,
  rowClass,
  tools = true,
  height,
  rows,
  fold,
  changed,
}) {
  const menu = columnMenu(table, chosenColumns(table, columns), drawHead);
  /** @type {{sort?: Sort, all: number[], order: number[], active?: number}} */
  const state = { sort, all: [], order: [], active: selectedRow };
  const folding = fold && createFolding(fold);
  const id = uniqueId("table");
  const cells = createCells({ rowKey, own: cell });

  const searching = search ? searchField(`Search ${caption}`, () => arrange()) : undefined;
  const filtering = filters
    ? createFilters(menu.all.filter(isSortable), () => arrange())
    : undefined;
  const count = element("span", { class: "table-count", role: "status" });
  const head = element("thead");
  const widths = element("colgroup");
  const body = element("tbody");
  const grid = element(
    "table",
    {
      role: fold ? "treegrid" : "grid",
      class: open ? "opens" : undefined,
      tabindex: "0",
      dataset: { table: table.key },
      aria: { label: caption, readonly: cell ? undefined : true },
      on: { keydown: press, click },
    },
    widths,
    head,
    body,
  );
  const scroller = element("div", { class: "table-scroll" }, grid);
  const leftOut = element("p", { class: "caveat", hidden: true });
  const node = element(
    "section",
    { class: "table-block" },
    captioned && caption && element("h3", null, caption),
    tools &&
      element(
        "div",
        { class: "table-tools", dataset: { tableTools: table.key } },
        searching,
        filtering?.adding,
        menu.node,
        count,
        filtering?.node,
      ),
    scroller,
    leftOut,
    table.caveat && element("p", { class: "caveat" }, table.caveat),
  );
  const sight = createRows({
    scroller,
    head,
    body,
    makeRow,
    updateRow,
    placed: markActive,
    height,
  });

  const columnsNow = () => menu.chosen();

  function drawHead() {
    const columns = columnsNow();
    columnWidths(grid, widths, columns);
    cells.choose(columns);
    drawHeadings(columns, false);
    grid.setAttribute("aria-colcount", columns.length);
    sight.forget();
    fit();
    arrange();
  }

  function drawHeadings(columns, onPaper) {
    replace(head, headRow(columns, { sort: state.sort, rowKey, sortBy, onPaper }));
  }

  /** Columns have become wider or narrower, or are seen for the first time. */
  function fit() {
    if (!cells.fit(lettersThatFit(grid, [...head.querySelectorAll("th")]))) return;
    sight.stale();
    sight.draw(state.order);
  }

  /** Numbers from large to small first, texts from A on; the third time, as they were. */
  function sortBy({ key, unit }) {
    const first = unit !== "text";
    const { sort: was } = state;
    if (!was || was.key !== key) state.sort = { key, descending: first };
    else if ((was.descending ?? false) === first) state.sort = { key, descending: !first };
    else state.sort = undefined;
    drawHead();
    const button = head.querySelector(`[data-column="${CSS.escape(key)}"] button`);
    if (button instanceof HTMLElement) button.focus();
  }

  function allRows() {
    if (rows) return typeof rows === "function" ? rows() : rows;
    return Array.from({ length: table.rows }, (_, row) => row);
  }

  function arrange() {
    state.all = allRows();
    const { all } = state;
    const wanted = searching?.value.trim().toLowerCase() ?? "";
    const keys = wanted === "" ? [] : (search ?? []);
    const sought = keys.map((key) => table.column(key)).filter((column) => column !== undefined);
    const isFound = (row) =>
      wanted === "" ||
      sought.some(({ cells }) => textOf(cells[row]).toLowerCase().includes(wanted));
    const accepted = all.filter((row) => isFound(row) && (filtering?.accepts(row) ?? true));
    const { sort: now } = state;
    const by = now && (columnsNow().find(({ key }) => key === now.key) ?? table.column(now.key));
    const sorted = (some) => (by ? sortedRows(some, by, now.descending ?? false) : some);
    state.order = folding ? folding.arrange(accepted, sorted) : sorted(accepted);
    // A row in its place may be unfolded now.
    if (folding) sight.stale();
    const of = accepted.length === all.length ? "" : ` of ${all.length}`;
    replace(count, `${accepted.length}${of} ${all.length === 1 ? "row" : "rows"}`);
    grid.setAttribute("aria-rowcount", String(state.order.length + 1));
    sight.draw(state.order);
    changed?.(folding ? accepted : state.order);
    return accepted.length;
  }

  function makeRow(row) {
    return element("tr", { id: `${id}-${row}`, dataset: { row } });
  }

  function updateRow(node, row, position) {
    node.setAttribute("aria-rowindex", String(position + 2));
    node.className = rowClass?.(row) ?? "";
    folding?.mark(node, row);
    cells.update(node, row);
  }

  function markActive() {
    for (const node of body.querySelectorAll("[aria-selected]"))
      node.removeAttribute("aria-selected");
    const node =
      state.active === undefined ? null : document.getElementById(`${id}-${state.active}`);
    node?.setAttribute("aria-selected", "true");
    if (node) grid.setAttribute("aria-activedescendant", node.id);
    else grid.removeAttribute("aria-activedescendant");
  }

  function activate(row) {
    state.active = row;
    sight.scrollTo(row);
    markActive();
  }

  function press(event) {
    if (event.target !== grid || state.order.length === 0) return;
    const { active } = state;
    const at = active === undefined ? -1 : state.order.indexOf(active);
    const targets = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 20,
      PageUp: at - 20,
      Home: 0,
      End: state.order.length - 1,
    };
    const next = active !== undefined && at >= 0 ? folding?.press(event.key, active) : undefined;
    if (next !== undefined) unfolded(next);
    else if (event.key === "Enter" && active !== undefined && at >= 0 && open) open(active);
    else if (Object.hasOwn(targets, event.key) && !event.altKey && !event.metaKey) {
      activate(state.order[Math.max(0, Math.min(state.order.length - 1, targets[event.key]))]);
    } else return;
    event.preventDefault();
  }

  function click(event) {
    const node = event.target.closest("tr[data-row]");
    if (!node || event.target.closest("input, select, button, a, summary")) return;
    // Who marks text to copy it does not mean to open anything.
    if (!window.getSelection()?.isCollapsed) return;
    const row = Number(node.dataset.row);
    if (folding?.press("Enter", row) !== undefined) unfolded(row);
    else {
      activate(row);
      open?.(row);
    }
  }

  /** Other rows are unfolded now; this one is active. */
  function unfolded(row) {
    arrange();
    activate(row);
  }

  /** Looks for a text, and returns how many rows have it. */
  function find(text) {
    if (searching) searching.value = text;
    filtering?.clear();
    return arrange();
  }

  function reveal(row) {
    if (folding?.reveal(row)) arrange();
    if (!state.order.includes(row)) {
      if (searching) searching.value = "";
      filtering?.clear();
      arrange();
    }
    if (!state.order.includes(row)) return undefined;
    activate(row);
    return document.getElementById(`${id}-${row}`) ?? undefined;
  }

  whenPrinting(node, {
    before() {
      drawHeadings(columnsNow(), true);
      cells.fit([]);
      sight.stale();
      const missing = state.order.length - MOST_PRINTED_ROWS;
      leftOut.hidden = missing <= 0;
      replace(leftOut, `${missing} more rows are not printed.`);
      sight.drawAll(state.order.slice(0, MOST_PRINTED_ROWS));
    },
    after() {
      leftOut.hidden = true;
      drawHeadings(columnsNow(), false);
      sight.stale();
      sight.draw(state.order);
      fit();
    },
  });

  drawHead();
  new ResizeObserver(fit).observe(scroller);
  if (selectedRow !== undefined) reveal(selectedRow);
  return {
    node,
    refresh({ sort: again = true } = {}) {
      cells.choose(columnsNow());
      sight.stale();
      if (again || allRows().length !== state.all.length) arrange();
      else sight.draw(state.order);
    },
    visible: () => state.order,
    reveal,
    search: find,
  };
}

function searchField(label, changed) {
  return element("input", {
    type: "search",
    placeholder: "Search",
    aria: { label },
    on: { input: changed },
  });
}
