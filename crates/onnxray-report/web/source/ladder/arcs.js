// Arcs beside the rungs of a ladder: what is read further down than by the next rung.

import { svg } from "../views/svg.js";

/** Pixels of a rung; `--rung-height` in ladder.css is the same. */
export const RUNG_HEIGHT = 26;
/** Pixels beside the rungs. */
const WIDTH = 36;
/** More arcs than this would be a blot. */
const MOST = 400;

/**
 * Edges between rungs that are seen, each once.
 * @param {{from: number[], to: number[]}|undefined} graph edges between operators
 * @param {(row: number) => number|undefined} holder the seen rung of an operator
 * @returns {[from: number, to: number][]}
 */
export function seenEdges(graph, holder) {
  const found = new Map();
  graph?.from.forEach((from, edge) => {
    const ends = [holder(from), holder(graph.to[edge])];
    if (ends.includes(undefined) || ends[0] === ends[1]) return;
    found.set(`${ends[0]} ${ends[1]}`, ends);
  });
  return [...found.values()];
}

/** Draws the edges that skip a rung; those back to an earlier one are of the next repetition. */
export function arcs(edges, seen) {
  const places = new Map(seen.map((rung, place) => [rung, place]));
  const drawn = edges
    .map(([from, to]) => ({ from, to, at: places.get(from), end: places.get(to) }))
    .filter(({ at, end }) => at !== undefined && end !== undefined && end - at !== 1);
  const node = svg("svg", {
    class: "ladder-arcs",
    width: WIDTH,
    height: seen.length * RUNG_HEIGHT,
    "aria-hidden": "true",
  });
  if (drawn.length > MOST) return node;
  for (const { from, to, at, end } of drawn) {
    const [y1, y2] = [at, end].map((place) => (place + 0.5) * RUNG_HEIGHT);
    const reach = Math.min(WIDTH - 4, 8 + 5 * Math.log2(1 + Math.abs(end - at)));
    const x = WIDTH - reach * 1.33;
    const path = svg("path", {
      d: `M ${WIDTH} ${y1 + 5} C ${x} ${y1 + 5} ${x} ${y2 - 5} ${WIDTH} ${y2 - 5}`,
      class: end < at ? "back" : undefined,
    });
    path.dataset.from = String(from);
    path.dataset.to = String(to);
    node.append(path);
  }
  return node;
}
