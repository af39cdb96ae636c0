// The places of an axis that stand for layers, by their names: slanted, and only as many as fit.

import { chartLabel } from "../cells.js";
import { shortNames } from "../names.js";

const LETTERS = 20;
const SLANT = 40;

/** Part of a category axis of ECharts. @param {string[]} names */
export function namedPlaces(names) {
  const short = shortNames(names, LETTERS);
  return {
    data: names.map((_, place) => place),
    axisLabel: {
      formatter: (place) => chartLabel(short.get(names[place]) ?? "", LETTERS),
      rotate: SLANT,
      fontSize: 11,
      hideOverlap: true,
    },
  };
}
