// The two points that are compared, A and B: chosen in the chart, in the table or from lists;
// their layers, where the page has them, and the command that compares them.

import { element, replace } from "../../dom.js";
import { sideMark } from "../side_mark.js";
import { radioChoice } from "../controls.js";
import {
  comparedPairs,
  hasComparison,
  hasComparisons,
  layersOfPair,
} from "./layers_of_pair.js";
import { latencyText, throughputText } from "./points.js";

/** What a list says where no point is chosen. */
const NONE = "";

/**
 * @typedef {import("./points.js").Point} Point
 * @param {{report: import("../../report.js").Report, points: Point[], first: {a?: Point, b?: Point}, changed: () => void}} what `first` are
 *   chosen at first
 * @returns {{node: HTMLElement, pick: (point: Point, letter?: "A"|"B") => void,
 *   letterOf: (point: Point) => string, layers: HTMLElement}}
 *   `pick` without a letter takes the one that is next, and then the other one is
 */
export function createPair({ report, points, first, changed }) {
  const chosen = new Map([
    ["A", first.a],
    ["B", first.b],
  ]);
  let next = "A";
  const turns = radioChoice({
    label: "A click or Enter chooses",
    options: [
      ["A", "A"],
      ["B", "B"],
    ],
    value: next,
    change: (letter) => (next = letter),
  });
  const sides = ["A", "B"].map((letter) => ({
    letter,
    select: list(letter),
    facts: element("span", { class: "muted" }),
  }));
  const place = element("div", { class: "command" });
  const layers = element("div", {
    class: "stack",
    role: "region",
    aria: { label: "Layers of A and B" },
  });

  function list(letter) {
    const select = element(
      "select",
      {
        dataset: { pick: letter },
        aria: { label: `Point ${letter}` },
        on: {
          change: () =>
            set(
              letter,
              points.find((point) => String(point.row) === select.value),
            ),
        },
      },
      element("option", { value: NONE }, "none"),
      points.map((point) => element("option", { value: point.row }, point.name)),
    );
    return select;
  }

  function set(letter, point) {
    chosen.set(letter, point);
    show();
    changed();
  }

  function pick(point, letter = next) {
    chosen.set(letter, point);
    next = letter === "A" ? "B" : "A";
    for (const input of turns.querySelectorAll("input")) input.checked = input.value === next;
    show();
    changed();
  }

  function show() {
    for (const { letter, select, facts } of sides) {
      const point = chosen.get(letter);
      select.value = point === undefined ? NONE : String(point.row);
      replace(
        facts,
        point === undefined ? "not chosen" : `${throughputText(point)} at ${latencyText(point)}`,
      );
    }
    const [a, b] = [chosen.get("A"), chosen.get("B")];
    replace(place, command(a, b), swapped(a, b), notInPage(a, b));
    const isPair = a !== undefined && b !== undefined && a !== b;
    replace(layers, isPair && layersOfPair(report, a, b));
  }

  /** A button for who chose a pair that the page has the other way round. */
  function swapped(a, b) {
    if (a === undefined || b === undefined || hasComparison(report, a, b)) return null;
    if (!hasComparison(report, b, a)) return null;
    const turn = () => {
      chosen.set("A", b);
      chosen.set("B", a);
      show();
      changed();
    };
    return element(
      "p",
      null,
      "The page has this pair with A and B the other way round. ",
      element("button", { type: "button", on: { click: turn } }, "Swap A and B"),
    );
  }

  /** Why the layers of two points are not below. */
  function notInPage(a, b) {
    if (a === undefined || b === undefined || a === b) return null;
    if (hasComparison(report, a, b) || hasComparison(report, b, a)) return null;
    const has = hasComparisons(report)
      ? `The page has the layers of points on the Pareto front: ${comparedPairs(report)}.`
      : "The page has no layers of points.";
    return element("p", { class: "muted" }, `${has} The command above compares these two.`);
  }

  show();
  const rows = sides.map(({ letter, select, facts }) =>
    element("p", { class: "pair-side" }, sideMark(letter), select, facts),
  );
  return {
    node: element("div", { class: "pair" }, turns, rows, place),
    layers,
    pick,
    /** `A`, `B`, `A B` or nothing. */
    letterOf: (point) => ["A", "B"].filter((letter) => chosen.get(letter) === point).join(" "),
  };
}

/** The command that compares them, or why there is none. */
function command(a, b) {
  if (a === undefined || b === undefined)
    return element("p", null, "Choose A and B to compare them layer by layer.");
  if (a === b)
    return element("p", null, "A and B are the same point: there is nothing to compare.");
  if (a.compareAs === undefined || b.compareAs === undefined) {
    return element(
      "p",
      null,
      "The page does not know where the recordings of both are, so there is no command that compares them.",
    );
  }
  const text = `onnxray compare ${a.compareAs} ${b.compareAs} -o comparison.html`;
  const said = element("span", { role: "status", class: "muted" });
  const code = element("code", { dataset: { command: "compare" }, tabindex: "0" }, text);
  const copy = element(
    "button",
    { type: "button", on: { click: () => copyText(text, code, said) } },
    "Copy",
  );
  return element("p", null, "Compare them layer by layer with ", code, " ", copy, " ", said);
}

/** Where the browser lets no page copy, the text is marked for who copies it by hand. */
async function copyText(text, code, said) {
  try {
    await navigator.clipboard.writeText(text);
    replace(said, "copied");
  } catch {
    window.getSelection()?.selectAllChildren(code);
    replace(said, "marked: copy it with Ctrl+C");
  }
}
