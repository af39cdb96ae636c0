// A ratio with its interval, drawn in a cell: a line from end to end and a dot at the ratio, on
// a logarithmic scale about 1, so that twice and half as long are equally far away.

import { differenceFromA } from "../difference.js";
import { svg } from "./svg.js";

/** Pixels, in a cell. */
const WIDTH = 104;
const HEIGHT = 16;
const LABEL_HEIGHT = 18;
/** Room for the arrow of what lies beyond the scale. */
const MARGIN = 8;
/** Scales end at one of these and at its inverse. */
const ENDS = [1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100];
/** How many of the intervals a scale holds at least; the others end in an arrow. */
const MOST = 0.95;

/**
 * The end of a scale, above 1, that holds most intervals of these rows.
 * @param {import("../report.js").Table} table @param {number[]} rows
 */
export function scaleEnd(table, rows) {
  const reach = rows
    .flatMap((row) => ["ratio", "ratio_low", "ratio_high"].map((key) => table.number(key, row)))
    .filter((ratio) => ratio !== undefined && ratio > 0)
    .map((ratio) => Math.exp(Math.abs(Math.log(/** @type {number} */ (ratio)))))
    .sort((a, b) => a - b);
  const needed = reach[Math.ceil(reach.length * MOST) - 1] ?? 1;
  return ENDS.find((end) => end >= needed) ?? ENDS[ENDS.length - 1];
}

/**
 * The drawing; undefined where there is no ratio to draw.
 * @param {{ratio?: number, low?: number, high?: number, tone: string, end: number}} what
 *   `tone` is that of the verdict, `end` that of the scale
 * @param {{width?: number, hasLabels?: boolean}} [looks] pixels; whether the scale is labelled
 */
export function ratioInterval(
  { ratio, low, high, tone, end },
  { width = WIDTH, hasLabels = false } = {},
) {
  if (ratio === undefined || !(ratio > 0)) return undefined;
  const place = (value) =>
    MARGIN + (width - 2 * MARGIN) * (0.5 + Math.log(value) / Math.log(end) / 2);
  const clamp = (x) => Math.min(width - MARGIN, Math.max(MARGIN, x));
  const middle = HEIGHT / 2;
  const height = hasLabels ? HEIGHT + LABEL_HEIGHT : HEIGHT;
  const one = place(1);
  const hasInterval = low !== undefined && high !== undefined && low > 0 && high > 0;
  const [left, right] = hasInterval ? [place(low), place(high)] : [place(ratio), place(ratio)];
  const arrow = (x, direction) =>
    svg("path", {
      class: "ratio-arrow",
      d: `M${x + 6 * direction} ${middle}l${-6 * direction} -4v8z`,
    });
  const x = place(ratio);
  return svg(
    "svg",
    {
      class: `ratio-interval tone-${tone}`,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `B is ${differenceFromA({ ratio, low, high })}`,
    },
    svg("line", { class: "ratio-one", x1: one, x2: one, y1: 0, y2: HEIGHT }),
    hasInterval &&
      svg("line", {
        class: "ratio-line",
        x1: clamp(left),
        x2: clamp(right),
        y1: middle,
        y2: middle,
      }),
    hasInterval && left >= MARGIN && cap(left, middle),
    hasInterval && right <= width - MARGIN && cap(right, middle),
    left < MARGIN && arrow(MARGIN, -1),
    right > width - MARGIN && arrow(width - MARGIN, 1),
    x >= MARGIN &&
      x <= width - MARGIN &&
      svg("circle", { class: "ratio-dot", cx: x, cy: middle, r: 3 }),
    ...(hasLabels ? scaleLabels(end, width, height) : []),
  );
}

const cap = (x, middle) =>
  svg("line", { class: "ratio-line", x1: x, x2: x, y1: middle - 5, y2: middle + 5 });

/** The scale's ends and its middle, and what its sides mean. */
function scaleLabels(end, width, height) {
  const label = (x, anchor, text) => {
    const node = svg("text", { class: "ratio-label", x, y: height - 4, "text-anchor": anchor });
    node.textContent = text;
    return node;
  };
  const [low, high] = endsOf(end);
  return [
    label(MARGIN, "start", `${low} ← B faster`),
    label(width / 2, "middle", "1"),
    label(width - MARGIN, "end", `B slower → ${high}`),
  ];
}

/** Both ends of a scale, as people read them. */
export function endsOf(end) {
  return [1 / end, end].map((value) => Number(value.toPrecision(2)));
}
