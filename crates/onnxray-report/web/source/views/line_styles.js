// How lines of one chart are told apart, by colour and by dashes, and the list of their names.

import { colours } from "../colours.js";
import { element, replace } from "../dom.js";
import { whenPrinting } from "../print.js";
import * as theme from "../theme.js";
import { inlineName } from "./inline_text.js";
import { svg } from "./svg.js";

/** The first two colours of series are those of A and B. */
const FIRST_COLOUR = 2;
/** As ECharts takes them, and as SVG does. */
const DASHES = [
  ["solid", undefined],
  ["dashed", "6 4"],
  ["dotted", "2 3"],
  [[8, 3, 2, 3], "8 3 2 3"],
];
/** Lines that are named; more could not be told apart. */
const MOST_NAMED = 24;

/** The look of the line at a place: `{ color, dash }`, as ECharts takes them. */
export function lineStyle(place, theme) {
  const found = theme.series.slice(FIRST_COLOUR);
  return { color: found[place % found.length], dash: dashOf(place)[0] };
}

/** After each round of both, colours meet other dashes. */
const dashOf = (place) => DASHES[(place + Math.floor(place / 12)) % DASHES.length];

/**
 * A list of lines, each with a swatch.
 * @param {string} label what the list is of
 * @param {string[]} names in the order of their places
 */
export function lineLegend(label, names) {
  return swatchLegend(label, names, swatch);
}

/**
 * The same of marks of another look.
 * @param {string} label
 * @param {string[]} names
 * @param {(place: number, colours: object) => Element} swatch the mark of a place
 */
export function swatchLegend(label, names, swatch) {
  const named = names.slice(0, MOST_NAMED);
  const swatches = named.map(() => element("span"));
  const draw = (name) =>
    swatches.forEach((node, place) => replace(node, swatch(place, colours(name))));
  draw(theme.current());
  theme.onChange(draw);
  const more = names.length - named.length;
  const list = element(
    "ul",
    { class: "legend", aria: { label } },
    named.map((name, place) => element("li", null, swatches[place], " ", inlineName(name))),
    more > 0 && element("li", { class: "muted" }, `and ${more} more`),
  );
  // As the charts beside it.
  whenPrinting(list, { before: () => draw("light"), after: () => draw(theme.current()) });
  return list;
}

function swatch(place, colours) {
  const { color } = lineStyle(place, colours);
  const line = svg("line", {
    x1: 0,
    x2: 30,
    y1: 5,
    y2: 5,
    stroke: color,
    "stroke-width": 2.5,
    "stroke-dasharray": dashOf(place)[1],
  });
  return svg("svg", { width: 30, height: 10, viewBox: "0 0 30 10", "aria-hidden": "true" }, line);
}
