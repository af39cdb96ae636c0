// The two points that are compared, A and B: chosen in the chart, in the table or from lists,
// and the command that compares them.

import { element, replace } from "../../dom.js";
import { sideMark } from "../side_mark.js";
import { radioChoice } from "../controls.js";
import { latencyText, throughputText } from "./points.js";

/** What a list says where no point is chosen. */
const NONE = "";

/**
 * @typedef {import("./points.js").Point} Point
 * @param {{points: Point[], first: {a?: Point, b?: Point}, changed: () => void}} what `first` are
 *   chosen at first
 * @returns {{node: HTMLElement, pick: (point: Point, letter?: "A"|"B") => void,
 *   letterOf: (point: Point) => string}}
 *   `pick` without a letter takes the one that is next, and then the other one is
 */
export function createPair({ points, first, changed }) {
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
    replace(place, command(chosen.get("A"), chosen.get("B")));
  }

  show();
  const rows = sides.map(({ letter, select, facts }) =>
    element("p", { class: "pair-side" }, sideMark(letter), select, facts),
  );
  return {
    node: element("div", { class: "pair" }, turns, rows, place),
    pick,
    /** `A`, `B`, `A B` or nothing. */
    letterOf: (point) => ["A", "B"].filter((letter) => chosen.get(letter) === point).join(" "),
  };
}

/** The command that compares them, or why there is none. */
function command(a, b) {
  if (a === undefined || b === undefined)
    return element("p", null, "Choose A and B for the command that compares them layer by layer.");
  if (a === b)
    return element("p", null, "A and B are the same point: there is nothing to compare.");
  if (a.compareAs === undefined || b.compareAs === undefined) {
    return element(
      "p",
      null,
      "The page does not know where the recordings of both are, so there is no command that compares them.",
    );
  }
  const text = `onnxray compare ${a.compareAs} ${b.compareAs}`;
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
