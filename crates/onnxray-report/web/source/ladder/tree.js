// A tree whose rungs unfold: which are seen, and where the arrow keys lead.

/** Rungs that are unfolded at first, at the most, and the share of the whole that is worth it. */
const MOST_AT_FIRST = 36;
const LEAST_SHARE = 0.05;

/**
 * @param {(number|null)[]} parents of each rung, which come before it
 * @param {(rung: number) => number} weight what decides which are unfolded at first
 * @param {(rung: number) => boolean} isWorth whether a rung may be unfolded at first
 */
export function createTree(parents, weight, isWorth) {
  /** @type {number[][]} */
  const children = parents.map(() => []);
  /** @type {number[]} */
  const roots = [];
  parents.forEach((parent, rung) => (parent === null ? roots : children[parent]).push(rung));
  const ofParent = (rung) => (parents[rung] === null ? roots : children[parents[rung] ?? 0]);
  /** @type {Set<number>} */
  const open = new Set();
  /** @type {number[]} */
  let seen = [];
  const levels = [];
  parents.forEach((parent, rung) => (levels[rung] = parent === null ? 1 : levels[parent] + 1));

  function arrange() {
    seen = [];
    const left = [...roots].reverse();
    while (left.length > 0) {
      const rung = left.pop() ?? 0;
      seen.push(rung);
      if (open.has(rung)) for (const child of [...children[rung]].reverse()) left.push(child);
    }
  }

  /** Unfolds what takes most, as long as few rungs are seen. */
  function unfoldFirst() {
    const whole = roots.reduce((sum, rung) => sum + weight(rung), 0);
    let count = roots.length;
    const left = [...roots];
    for (;;) {
      const fits = (rung) =>
        children[rung].length > 0 &&
        isWorth(rung) &&
        count + children[rung].length <= MOST_AT_FIRST &&
        (roots.length === 1 || weight(rung) >= LEAST_SHARE * whole);
      const able = left.filter(fits);
      if (able.length === 0) break;
      const next = able.reduce((best, rung) => (weight(rung) > weight(best) ? rung : best));
      open.add(next);
      count += children[next].length;
      left.splice(left.indexOf(next), 1, ...children[next]);
    }
    arrange();
  }

  function set(rung, isOpen) {
    if (isOpen) open.add(rung);
    else open.delete(rung);
    arrange();
  }

  unfoldFirst();
  return {
    roots,
    children,
    levels,
    /** Rungs that are seen, from the top. */
    get seen() {
      return seen;
    },
    isOpen: (rung) => open.has(rung),
    set,
    /** The place among its parent's children, from 1 on, and how many these are. */
    place: (rung) => [ofParent(rung).indexOf(rung) + 1, ofParent(rung).length],
    /** Unfolds what a rung is in. */
    reveal(rung) {
      for (let at = parents[rung]; at !== null && at !== undefined; at = parents[at]) open.add(at);
      arrange();
    },
    /** The rung that is seen and has, or is, this one. */
    holder(rung) {
      let found = rung;
      for (let at = parents[rung]; at !== null && at !== undefined; at = parents[at]) {
        if (!open.has(at)) found = at;
      }
      return found;
    },
    /** Where a key leads from a rung; undefined if it means nothing. */
    step(rung, key) {
      const at = seen.indexOf(rung);
      switch (key) {
        case "ArrowDown":
          return seen[Math.min(at + 1, seen.length - 1)];
        case "ArrowUp":
          return seen[Math.max(at - 1, 0)];
        case "Home":
          return seen[0];
        case "End":
          return seen.at(-1);
        case "ArrowRight":
          return children[rung][0] ?? rung;
        case "ArrowLeft":
          return parents[rung] ?? rung;
        default:
          return undefined;
      }
    },
  };
}
