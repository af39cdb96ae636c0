// The executed graph as a ladder of blocks that unfold: a tree whose rungs have a stronger colour
// the more time they take, with arcs for what skips rungs, a readout, and the table behind.

import { element, replace, uniqueId } from "../dom.js";
import { shortNames } from "../names.js";
import { whenUnfolded } from "../print.js";
import { arcs, seenEdges } from "./arcs.js";
import { createTree } from "./tree.js";

const HINT =
  "Click a block, or press the arrow keys: right unfolds, left folds, Enter does both and opens an operator.";
/** Letters of a name; more do not fit beside its figures. */
const MOST_LETTERS = 56;

/**
 * @typedef {object} Rungs what there is to say of each rung
 * @property {(number|null)[]} parents
 * @property {string[]} names
 * @property {(rung: number) => number} weight how much of the whole it is
 * @property {(rung: number) => boolean} isWorth whether it may be unfolded at first
 * @property {(rung: number) => {colour: string, percent: number}|undefined} heat a colour of the
 *   style, and how much of it; undefined where nothing is known
 * @property {(rung: number) => number|undefined} bar how long its bar is, of 1
 * @property {(rung: number) => string} count such as `x40`
 * @property {(rung: number) => import("../dom.js").Child[]} figures what stands beside it, a cell each
 * @property {(rung: number) => import("../dom.js").Child} text what its readout says
 * @property {(rung: number) => number|null} row the row of its operator
 * @property {{from: number[], to: number[]}} [graph] edges between rows
 */

/**
 * @param {object} options
 * @param {string} options.title @param {string} options.shows
 * @param {Rungs} options.rungs
 * @param {Element} options.scale what the colours mean
 * @param {string[]} options.headings of the figures
 * @param {(rung: number) => void} options.open an operator
 * @param {() => Node} options.table
 */
export function createLadder({ title, shows, rungs, scale, headings, open, table }) {
  const { parents, names, graph } = rungs;
  const tree = createTree(parents, rungs.weight, rungs.isWorth);
  const id = uniqueId("ladder");
  const rungOfRow = new Map(names.map((_, rung) => [rungs.row(rung), rung]));
  let active;
  /** @type {[number, number][]} */
  let edges = [];

  const sentence = element("p", { class: "chart-shows", id: `${id}-shows` }, shows);
  const readout = element(
    "p",
    { class: "chart-readout", dataset: { readout: "" }, aria: { live: "polite" } },
    HINT,
  );
  const list = element("div", {
    class: "ladder-rungs",
    role: "tree",
    tabindex: "0",
    aria: { label: title, describedby: sentence.id },
    on: { keydown: press, click, focus: () => active === undefined && activate(tree.seen[0]) },
  });
  const beside = element("div", { class: "ladder-beside" });
  const behind = element("details", { class: "chart-table" }, element("summary", null, "Table"));
  whenUnfolded(behind, () => behind.append(table()));
  const node = element(
    "figure",
    { class: "chart ladder", dataset: { ladder: title } },
    element("figcaption", null, element("h3", null, title), sentence),
    element(
      "div",
      { class: "ladder-head", aria: { hidden: true } },
      scale,
      headings.map((heading) => element("span", { class: "ladder-figure" }, heading)),
    ),
    element("div", { class: "ladder-body" }, beside, list),
    readout,
    behind,
  );

  function draw() {
    const short = shortNames(
      tree.seen.map((rung) => names[rung]),
      MOST_LETTERS,
    );
    replace(
      list,
      tree.seen.map((rung) => made(rung, short.get(names[rung]) ?? names[rung])),
    );
    edges = seenEdges(graph, (row) => {
      const rung = rungOfRow.get(row);
      return rung === undefined ? undefined : tree.holder(rung);
    });
    replace(beside, graph && arcs(edges, tree.seen));
    mark();
  }

  function made(rung, name) {
    const isLeaf = tree.children[rung].length === 0;
    const [place, size] = tree.place(rung);
    const heat = rungs.heat(rung);
    const bar = rungs.bar(rung);
    const style = heat && {
      "--heat-colour": `var(--${heat.colour})`,
      "--heat": `${Math.round(heat.percent)}%`,
    };
    return element(
      "div",
      {
        class: isLeaf ? "rung leaf" : "rung",
        role: "treeitem",
        id: `${id}-${rung}`,
        dataset: { rung },
        style: { ...style, "--level": tree.levels[rung] - 1 },
        aria: {
          level: tree.levels[rung],
          posinset: place,
          setsize: size,
          expanded: isLeaf ? undefined : tree.isOpen(rung),
          selected: false,
        },
      },
      element(
        "span",
        { class: heat ? "rung-block" : "rung-block rung-unknown", title: names[rung] },
        element("span", { class: "rung-name" }, element("bdi", null, name)),
        element("span", { class: "rung-count" }, rungs.count(rung)),
      ),
      element(
        "span",
        { class: "rung-bar" },
        bar !== undefined && element("span", { style: { width: `${(bar * 100).toFixed(2)}%` } }),
      ),
      rungs.figures(rung).map((figure) => element("span", { class: "ladder-figure" }, figure)),
    );
  }

  function mark() {
    for (const one of list.querySelectorAll("[aria-selected=true]"))
      one.setAttribute("aria-selected", "false");
    for (const path of beside.querySelectorAll("path")) {
      const ends = [path.dataset.from, path.dataset.to];
      path.classList.toggle("near", ends.includes(String(active)));
    }
    if (active === undefined) return list.removeAttribute("aria-activedescendant");
    const own = document.getElementById(`${id}-${active}`) ?? list.querySelector(`[data-rung="${active}"]`);
    own?.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", `${id}-${active}`);
  }

  function activate(rung, scrolls = false) {
    if (rung === undefined) return;
    active = rung;
    mark();
    replace(readout, rungs.text(rung), neighbours(rung));
    if (scrolls) document.getElementById(`${id}-${rung}`)?.scrollIntoView({ block: "nearest" });
  }

  /** What feeds a rung and who reads it, of those that are seen. */
  function neighbours(rung) {
    const inside = (at) => {
      for (let one = at; one !== null; one = parents[one] ?? null) if (one === rung) return true;
      return false;
    };
    const ends = (own, other) => [
      ...new Set(
        edges.filter((edge) => inside(edge[own]) && !inside(edge[other])).map((edge) => edge[other]),
      ),
    ];
    return [
      ["reads from", ends(1, 0)],
      ["read by", ends(0, 1)],
    ]
      .filter(([, of]) => of.length > 0)
      .map(([words, of]) => [`; ${words} `, named(of)]);
  }

  function named(some) {
    const few = some.slice(0, 4).map((rung, at) => [
      at > 0 && ", ",
      element("bdi", null, names[rung].slice(0, MOST_LETTERS)),
      rungs.count(rung) && ` ${rungs.count(rung)}`,
    ]);
    return [few, some.length > 4 && ` and ${some.length - 4} more`];
  }

  function toggle(rung, isOpen) {
    tree.set(rung, isOpen);
    draw();
    activate(rung);
  }

  function press(event) {
    if (event.target !== list || event.altKey || event.ctrlKey || event.metaKey) return;
    const rung = active ?? tree.seen[0];
    if (rung === undefined) return;
    const { key } = event;
    const isLeaf = tree.children[rung].length === 0;
    if (key === "Enter" || key === " ") {
      if (isLeaf) open(rung);
      else toggle(rung, !tree.isOpen(rung));
    } else if (key === "ArrowRight" && !isLeaf && !tree.isOpen(rung)) toggle(rung, true);
    else if (key === "ArrowLeft" && !isLeaf && tree.isOpen(rung)) toggle(rung, false);
    else {
      const next = tree.step(rung, key);
      if (next === undefined) return;
      activate(next, true);
    }
    event.preventDefault();
  }

  function click(event) {
    const own = event.target.closest("[data-rung]");
    if (!own) return;
    const rung = Number(own.dataset.rung);
    if (tree.children[rung].length === 0) {
      activate(rung);
      open(rung);
    } else toggle(rung, !tree.isOpen(rung));
  }

  draw();
  return {
    node,
    /** Unfolds what a rung is in, and marks it. */
    show(rung) {
      tree.reveal(rung);
      draw();
      activate(rung, true);
    },
  };
}
