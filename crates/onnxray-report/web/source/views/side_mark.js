// The letters of A and B, which look the same wherever two things are compared.

import { element } from "../dom.js";

/** The letter of a side in its colour: filled for A, outlined for B. */
export function sideMark(letter) {
  return element("span", { class: `side-mark side-mark-${letter.toLowerCase()}` }, letter);
}
