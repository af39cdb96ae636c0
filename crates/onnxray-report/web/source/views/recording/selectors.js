// The two selectors of the charts of layers: what is shown, and how its values are displayed.

import { element } from "../../dom.js";
import { DISPLAYS } from "./choices.js";

/**
 * A labelled list to choose from.
 *
 * @param {string} label
 * @param {string[][]} options key and words
 * @param {(key: string) => void} chosen
 */
export function selector(label, options, chosen) {
  const list = element(
    "select",
    { on: { change: (event) => chosen(event.target.value) }, dataset: { choice: label } },
    options.map(([key, words]) => element("option", { value: key }, words)),
  );
  return element("label", { class: "selector" }, element("span", null, label), list);
}

/**
 * The selectors "Show" and "Scale".
 *
 * @param {import("./choices.js").Choice[]} choices
 * @param {() => void} changed
 * @returns {{node: HTMLElement, choice: import("./choices.js").Choice, display: string}}
 *   with what is chosen now
 */
export function summarySelectors(choices, changed) {
  const types = choices.map(({ key, title }) => [key, title]);
  const node = element(
    "div",
    { class: "selectors" },
    selector("Show", types, (key) => {
      chosen.choice = choices.find((other) => other.key === key) ?? chosen.choice;
      changed();
    }),
    selector("Scale", DISPLAYS, (display) => {
      chosen.display = display;
      changed();
    }),
  );
  const chosen = { node, choice: choices[0], display: DISPLAYS[0][0] };
  return chosen;
}
