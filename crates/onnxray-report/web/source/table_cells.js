// The cells of a table's rows. Those whose content did not change are left alone: laying them
// out again would take longer than all the rest, and an input would lose what is typed in it.

import { decimalsOf, valueElement } from "./cells.js";
import { element } from "./dom.js";
import { shortNames } from "./names.js";
import { classesOf } from "./table_head.js";

/** @param {{rowKey?: string, own?: (key: string, row: number) => Element|undefined}} how */
export function createCells({ rowKey, own }) {
  /** What each cell in the page shows. */
  const shown = new WeakMap();
  let columns = [];
  let decimals = [];
  let letters = [];
  let short = [];

  function contentOf(column, place, row) {
    const made = column.element?.(row) ?? own?.(column.key, row);
    if (made) return { column, made };
    const cell = column.cells[row];
    const isLong = typeof cell === "string" && cell.length > letters[place];
    const short = isLong ? shortOf(column, place).get(cell) : undefined;
    return { column, cell, decimals: decimals[place], short };
  }

  /** What is shown of a column's texts, made when the first of them does not fit. */
  function shortOf({ cells }, place) {
    const texts = () => cells.filter((cell) => typeof cell === "string");
    return (short[place] ??= shortNames(texts(), letters[place]));
  }

  function elementOf(content) {
    const { column, made, cell } = content;
    const node = made ? element("td", null, made) : valueElement(cell, column.unit, "td", content);
    node.dataset.column = column.key;
    node.classList.add(...classesOf(column, rowKey));
    if (column.key === rowKey) node.setAttribute("role", "rowheader");
    shown.set(node, content);
    return node;
  }

  return {
    /** Shows these columns, with the decimals that their times need now. */
    choose(chosen) {
      columns = chosen;
      decimals = columns.map(decimalsOf);
      short = [];
    },
    /**
     * Names are shortened to what there is room for.
     * @param {number[]|undefined} fitting letters of each column; undefined if nobody knows
     * @returns whether that changes anything
     */
    fit(fitting) {
      if (!fitting || String(fitting) === String(letters)) return false;
      letters = fitting;
      short = [];
      return true;
    },
    /** Has a row show what its cells hold now. */
    update(node, row) {
      columns.forEach((column, place) => {
        const content = contentOf(column, place, row);
        const old = node.children[place];
        if (old && isSame(shown.get(old), content)) return;
        const fresh = elementOf(content);
        if (old) old.replaceWith(fresh);
        else node.append(fresh);
      });
    },
  };
}

function isSame(one, other) {
  const keys = ["column", "made", "decimals", "short"];
  return (
    one !== undefined &&
    keys.every((key) => one[key] === other[key]) &&
    isSameCell(one.cell, other.cell)
  );
}

/** Whether cells say the same: of one word there may be several arrays. */
function isSameCell(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.every((part, place) => part === other[place]);
}
