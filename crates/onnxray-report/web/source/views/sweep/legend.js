// What the lines and marks of a sweep's chart mean.

import { textOf } from "../../cells.js";
import { element } from "../../dom.js";
import { lineLegend } from "../line_styles.js";
import { svg } from "../svg.js";
import { counted } from "../words.js";

/** What a field is called in a sentence. */
const NAMES = new Map([
  ["batch_size", "batch size"],
  ["threads", "threads"],
  ["instances", "instances"],
  ["model", "model"],
  ["engine", "engine"],
  ["dimensions", "dimensions"],
]);

/** What points that share a line differ in. */
export function alongWords({ along }) {
  return along === undefined
    ? "Each point stands alone."
    : `A line joins points that differ in ${NAMES.get(along)} only.`;
}

/**
 * What the marks mean.
 * @param {import("./measures.js").Measure} measure what the chart draws upwards
 */
export function marksLegend({ hasSpots }) {
  const shape = (...marks) =>
    svg(
      "svg",
      { class: "mark-swatch", width: 22, height: 18, viewBox: "0 0 22 18", "aria-hidden": "true" },
      ...marks,
    );
  const circle = (r, style) => svg("circle", { cx: 11, cy: 9, r, class: style });
  const marks = [
    [
      shape(svg("rect", { x: 6.5, y: 4.5, width: 9, height: 9, class: "hollow" })),
      hasSpots ? "highest throughput of a line" : "least CPU time of a line",
    ],
    [shape(circle(4.5, "hollow")), "other points of it"],
    ...(hasSpots ? [[shape(circle(6, "filled")), "sweet spot"]] : []),
    [
      shape(circle(8, "ring"), circle(3.5, "hollow")),
      hasSpots ? "on the Pareto front of its model" : "on the front of CPU time of its model",
    ],
    ...(hasSpots
      ? [
          [
            shape(svg("path", { d: "M1 14h8V6h12", class: "ring" })),
            "highest throughput within a latency",
          ],
        ]
      : []),
    [shape(svg("path", { d: "M11 2v14M3 9h16", class: "ring" })), "95 % intervals"],
  ];
  return element(
    "ul",
    { class: "legend", aria: { label: "Marks" } },
    marks.map(([drawing, text]) => element("li", null, drawing, " ", text)),
  );
}

/** The names of the lines; null where there is one only. */
export function familyLegend({ along, differing, families }) {
  if (families.length < 2 || along === undefined) return null;
  return lineLegend(
    "Lines",
    families.map((family) => nameOf(family, differing)),
  );
}

/** `encoder.onnx, 2 threads, 1 instance`: what sets a line apart from others. */
function nameOf({ fields }, differing) {
  const part = (field) => {
    const cell = fields.get(field);
    if (typeof cell !== "number") return textOf(cell) === "" ? undefined : textOf(cell);
    if (field === "batch_size") return `batch ${cell}`;
    return counted(cell, field === "threads" ? "thread" : "instance");
  };
  return differing
    .map(part)
    .filter((text) => text !== undefined)
    .join(", ");
}
