// A large figure of a card, with what stands beside it.

import { element } from "../../dom.js";

/** @param {Node} value @param {string} unit @param {...import("../../dom.js").Child} beside */
export function largeFigure(value, unit, ...beside) {
  return element(
    "p",
    { class: "large" },
    element("span", { class: "large-value" }, value),
    element("span", { class: "large-unit" }, unit),
    beside.filter(Boolean).map((text) => element("span", { class: "beside" }, text)),
  );
}
