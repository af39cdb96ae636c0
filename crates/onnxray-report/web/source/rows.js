// The rows of a table that are in the page: all of a short one, those in sight of a long
// one, with room for the others above, between and below. The library's row windows are
// used here and nowhere else.

import { element } from "./dom.js";
import {
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from "./library.js";

/** Rows from which on only those in sight are in the page. */
const WINDOWED_FROM = 100;
/** Rows beyond those in sight. */
const OVERSCAN = 12;
/** Pixels; `--row-height` in table.css is the same. */
const ROW_HEIGHT = 26;

/**
 * @param {object} parts
 * @param {HTMLElement} parts.scroller @param {HTMLElement} parts.head @param {HTMLElement} parts.body
 * @param {(row: number) => HTMLElement} parts.makeRow
 * @param {(node: HTMLElement, row: number, position: number) => void} parts.updateRow
 * @param {() => void} parts.placed called when other rows are in the page
 * @param {string} [parts.height]
 */
export function createRows({ scroller, head, body, makeRow, updateRow, placed, height }) {
  /** Elements in the page, by row. */
  const made = new Map();
  let order = [];
  let onPaper = false;
  /** The row to be brought into sight. */
  let wanted;

  const virtual = new Virtualizer(options());
  virtual._didMount();

  function options() {
    return {
      count: order.length,
      getScrollElement: () => scroller,
      estimateSize: () => ROW_HEIGHT,
      overscan: OVERSCAN,
      rangeExtractor: withFocus,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => place(),
    };
  }

  /** The row whose input has the focus stays, or what is typed in it would be lost. */
  function withFocus(range) {
    const positions = defaultRangeExtractor(range);
    const active = document.activeElement;
    const focused = active && body.contains(active) && active.closest("tr");
    const position = focused ? order.indexOf(Number(focused.dataset.row)) : -1;
    if (position < 0 || positions.includes(position)) return positions;
    return [...positions, position].sort((one, other) => one - other);
  }

  const isWindowed = () => order.length > WINDOWED_FROM && !onPaper;

  function positions() {
    if (!isWindowed()) return order.map((_, position) => position);
    return virtual.getVirtualItems().map(({ index }) => index);
  }

  /** Has exactly the rows that are wanted in the page, moving as few as can be. */
  function place() {
    const nodes = [];
    const kept = new Set();
    let next = 0;
    for (const position of positions()) {
      if (position > next) nodes.push(spacer(position - next));
      const row = order[position];
      if (row === undefined) continue;
      let node = made.get(row);
      if (!node || node.dataset.position !== String(position)) {
        node ??= makeRow(row);
        node.dataset.position = position;
        updateRow(node, row, position);
        made.set(row, node);
      }
      kept.add(row);
      nodes.push(node);
      next = position + 1;
    }
    if (next < order.length) nodes.push(spacer(order.length - next));
    for (const row of [...made.keys()]) if (!kept.has(row)) made.delete(row);
    arrange(nodes);
    placed();
    scrollIfWanted();
  }

  function arrange(nodes) {
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && body.contains(active) ? active : undefined;
    const staying = new Set(nodes);
    for (const node of [...body.children]) if (!staying.has(node)) node.remove();
    let at = body.firstChild;
    for (const node of nodes) {
      if (node === at) at = node.nextSibling;
      else body.insertBefore(node, at);
    }
    if (focused?.isConnected && document.activeElement !== focused)
      focused.focus({ preventScroll: true });
  }

  function scrollIfWanted() {
    if (wanted === undefined || scroller.clientHeight === 0) return;
    const row = wanted;
    const position = order.indexOf(row);
    if (position < 0) return;
    wanted = undefined;
    if (isWindowed()) scrollWindow(position);
    const node = made.get(row);
    // The page scrolls as well, if part of the table is out of sight.
    if (node) node.scrollIntoView({ block: "nearest", inline: "nearest" });
    // The window is not measured yet: its rows come when it is.
    else wanted = row;
  }

  function scrollWindow(position) {
    const room = scroller.clientHeight - head.offsetHeight;
    const top = position * ROW_HEIGHT;
    const bottom = top + ROW_HEIGHT;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + room) scroller.scrollTop = bottom - room;
    // The scroll event comes a frame later; who reads the table now wants the row now.
    virtual.scrollOffset = scroller.scrollTop;
    place();
  }

  function draw(rows) {
    order = rows;
    onPaper = false;
    scroller.classList.toggle("windowed", isWindowed());
    scroller.style.setProperty("max-height", height ?? (isWindowed() ? "70vh" : ""));
    virtual.setOptions(options());
    virtual._willUpdate();
    place();
  }

  return {
    draw,
    /** All of these, for paper. */
    drawAll(rows) {
      order = rows;
      onPaper = true;
      scroller.classList.remove("windowed");
      scroller.style.setProperty("max-height", "none");
      place();
    },
    /** The cells of rows in the page have changed. */
    stale() {
      for (const node of made.values()) delete node.dataset.position;
    },
    /** The columns have changed. */
    forget() {
      made.clear();
    },
    /** Brings a row into sight, once it can be. */
    scrollTo(row) {
      wanted = row;
      scrollIfWanted();
    },
  };
}

function spacer(rows) {
  return element("tr", {
    class: "spacer",
    aria: { hidden: true },
    style: { height: `${rows * ROW_HEIGHT}px` },
  });
}
