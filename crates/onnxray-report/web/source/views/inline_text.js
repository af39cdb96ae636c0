// Words and names from the data within sentences. They are not cells of a table, so that they say
// nothing of which value they are.

import { shorten, textOf, toneOf } from "../cells.js";
import { element } from "../dom.js";

/** A word of the program's own, such as a verdict, in its tone. */
export function inlineWord(cell) {
  const tone = toneOf(cell);
  return element("span", { class: tone === "plain" ? undefined : `tone-${tone}` }, textOf(cell));
}

/** A name: isolated, shortened, with the whole in the title. */
export function inlineName(name) {
  const short = shorten(name);
  return element("bdi", { title: short === name ? undefined : name.slice(0, 12_000) }, short);
}
