// How dots of one chart are told apart, by colour and by shape, and the list of their names.

import { lineStyle, swatchLegend } from "./line_styles.js";
import { svg } from "./svg.js";

/** As ECharts names them, and as SVG draws them in a square of 10. */
const SHAPES = [
  ["circle", "M1,5 a4,4 0 1,0 8,0 a4,4 0 1,0 -8,0"],
  ["rect", "M1,1 h8 v8 h-8 z"],
  ["triangle", "M5,1 L9,9 H1 z"],
  ["diamond", "M5,0 L10,5 L5,10 L0,5 z"],
];

/** The look of the dots at a place: `{ color, symbol }`, as ECharts takes them. */
export function dotStyle(place, theme) {
  return { color: lineStyle(place, theme).color, symbol: shapeOf(place)[0] };
}

const shapeOf = (place) => SHAPES[place % SHAPES.length];

/**
 * A list of dots, each with a swatch.
 * @param {string} label what the list is of
 * @param {string[]} names in the order of their places
 */
export function dotLegend(label, names) {
  return swatchLegend(label, names, (place, colours) =>
    svg(
      "svg",
      { width: 10, height: 10, viewBox: "0 0 10 10", "aria-hidden": "true" },
      svg("path", { d: shapeOf(place)[1], fill: dotStyle(place, colours).color }),
    ),
  );
}
