// Rows of a table that stand for others, which they show on demand: one level of a tree.

/** @param {import("./table.js").Fold} fold */
export function createFolding({ parentOf, sizeOf, isOn }) {
  /** Rows that the reader has unfolded. @type {Set<number>} */
  const unfolded = new Set();
  /** What a search and filters leave of the rows that each stands for. @type {Map<number, number[]>} */
  let left = new Map();

  const isPart = (row) => (left.get(row)?.length ?? 0) < (sizeOf(row) ?? 0);
  // What is looked for among the others would not be seen.
  const isOpen = (row) => unfolded.has(row) || isPart(row);

  return {
    /**
     * The rows to be shown, of those that are left.
     * @param {number[]} rows @param {(rows: number[]) => number[]} sorted
     */
    arrange(rows, sorted) {
      if (!isOn()) return sorted(rows);
      /** @type {Set<number>} */
      const outer = new Set();
      left = new Map();
      for (const row of rows) {
        const parent = parentOf(row);
        outer.add(parent ?? row);
        if (parent === undefined) continue;
        const members = left.get(parent);
        if (members) members.push(row);
        else left.set(parent, [row]);
      }
      return sorted([...outer]).flatMap((row) => [
        row,
        ...(isOpen(row) ? sorted(left.get(row) ?? []) : []),
      ]);
    },
    /** Tells of a row what it is. */
    mark(node, row) {
      node.setAttribute("aria-level", !isOn() || parentOf(row) === undefined ? "1" : "2");
      if (sizeOf(row) === undefined) node.removeAttribute("aria-expanded");
      else node.setAttribute("aria-expanded", String(isOpen(row)));
    },
    /**
     * Folds or unfolds, as in any tree.
     * @param {string} key @param {number} row
     * @returns {number|undefined} the row that is active then; none if the key means something else
     */
    press(key, row) {
      if (!isOn()) return undefined;
      const isOuter = sizeOf(row) !== undefined;
      if (key === "ArrowLeft" && !isOuter) return parentOf(row);
      const wanted = { Enter: !unfolded.has(row), ArrowRight: true, ArrowLeft: false }[key];
      if (!isOuter || wanted === undefined) return undefined;
      if (wanted) unfolded.add(row);
      else unfolded.delete(row);
      return row;
    },
    /** Unfolds what a row is in, and returns whether it had to. */
    reveal(row) {
      const outer = sizeOf(row) === undefined ? parentOf(row) : row;
      if (!isOn() || outer === undefined || unfolded.has(outer)) return false;
      unfolded.add(outer);
      return true;
    },
  };
}
