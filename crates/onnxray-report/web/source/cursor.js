// The mark over a chart that shows which place is read: a line, or a box around a span. It
// lies over the drawing, so that a chart of 100,000 marks need not be drawn again.

import { element } from "./dom.js";

/** Pixels that a box has at least. */
const NARROWEST = 3;

/** @param {import("./chart.js").Readout} source */
export function createCursor(source) {
  const node = element("div", { class: "chart-cursor", hidden: true });

  /** Puts it where a place is; hides it where the place is out of sight, or undefined. */
  function put(chart, place) {
    const box = chart && place !== undefined ? boxOf(chart, place) : undefined;
    node.hidden = !box;
    if (!box) return;
    const { left, top, right, bottom, isSpan } = box;
    node.classList.toggle("chart-cursor-span", isSpan);
    node.style.setProperty("transform", `translate(${left}px, ${top}px)`);
    node.style.setProperty("width", isSpan ? `${right - left}px` : "1px");
    node.style.setProperty("height", `${bottom - top}px`);
  }

  function boxOf(chart, place) {
    const grid = chart.getModel().getComponent("grid", 0)?.coordinateSystem.getRect();
    if (!grid) return undefined;
    const reach = source.reach?.(place);
    const ends = reach?.x ?? source.point?.(place)?.slice(0, 1);
    if (!ends) return undefined;
    const across = ends.map((x) => pixelOf(chart, "xAxis", x));
    const along = reach?.y?.map((y) => pixelOf(chart, "yAxis", y));
    const left = Math.min(...across);
    const right = Math.max(...across);
    if (!(right >= grid.x && left <= grid.x + grid.width)) return undefined;
    const edges = clipped(left, Math.max(right, left + NARROWEST), grid.x, grid.x + grid.width);
    const [top, bottom] = along
      ? clipped(Math.min(...along), Math.max(...along), grid.y, grid.y + grid.height)
      : [grid.y, grid.y + grid.height];
    if (bottom < top) return undefined;
    return { left: reach ? edges[0] : left, right: edges[1], top, bottom, isSpan: Boolean(reach) };
  }

  return { node, put };
}

/** Where a value of an axis lies; of categories, also between two. */
function pixelOf(chart, axis, value) {
  const at = (exact) => chart.convertToPixel({ [`${axis}Index`]: 0 }, exact);
  const isBetween = typeof value === "number" && !Number.isInteger(value);
  const isCategory = chart.getModel().getComponent(axis, 0).axis.type === "category";
  if (!isBetween || !isCategory) return at(value);
  const before = Math.floor(value);
  return at(before) + (at(before + 1) - at(before)) * (value - before);
}

function clipped(from, to, low, high) {
  return [Math.max(from, low), Math.min(to, high)];
}
