// The text readout of a chart: pointer and arrow keys move one place, whose text stands
// below the chart and is spoken.

import { element, replace } from "./dom.js";

/** How far Page Up and Page Down go. */
const PAGE = 10;

/**
 * @param {import("./chart.js").Readout} source
 * @param {string} hint what stands there at first
 * @param {(i: number) => void} moved called when the place has changed
 */
export function createReadout(source, hint, moved) {
  let place;
  const node = element(
    "p",
    { class: "chart-readout", dataset: { readout: "" }, aria: { live: "polite" } },
    hint,
  );
  const length = () => (typeof source.length === "function" ? source.length() : source.length);

  function move(to) {
    if (to === undefined || length() === 0) return;
    const next = Math.max(0, Math.min(length() - 1, to));
    if (next === place) return;
    place = next;
    replace(node, source.text(place));
    moved(place);
  }

  /** Moves by a key; whether the key means something here. */
  function press(key) {
    const from = place ?? -1;
    const targets = {
      ArrowRight: from + 1,
      ArrowDown: from + 1,
      ArrowLeft: from - 1,
      ArrowUp: from - 1,
      PageDown: from + PAGE,
      PageUp: from - PAGE,
      Home: 0,
      End: length() - 1,
    };
    if (!Object.hasOwn(targets, key)) return false;
    move((place === undefined ? undefined : source.step?.(place, key)) ?? targets[key]);
    return true;
  }

  return {
    node,
    press,
    move,
    get place() {
      return place;
    },
    /** Reads the place again: what stands there has changed, or is there no more. */
    refresh() {
      if (place === undefined) return;
      if (place >= length()) place = undefined;
      replace(node, place === undefined ? hint : source.text(place));
    },
  };
}
