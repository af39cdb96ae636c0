// The waterfall as ECharts draws it: A, a bar from sum to sum for each part, B, and lines that
// lead from each bar to the next.

import { chartLabel, shown } from "../../cells.js";
import { pattern } from "../../colours.js";
import { signed } from "../words.js";
import { sideStyle } from "../side_bars.js";

/** Part of a row that its bar takes. */
const THICKNESS = 0.62;
/** Pixels of a bar that is there, however short; of a letter, and of a number behind a bar. */
const THINNEST = 1.5;
const LETTER_WIDTH = 6;
const LABEL_WIDTH = 64;
/** Charts below this many pixels have short names. */
const NARROW = 600;

/**
 * An ECharts option.
 * @param {{a: number, b: number, bars: {name: string, difference?: number}[],
 *   steps: ({from: number, to: number}|undefined)[], isDifference: boolean,
 *   theme: import("../../colours.js").Theme, width: number}} what `isDifference`: the axis is the
 *   difference to A, so that small parts of large times can be seen
 */
export function waterfallChart({ a, b, bars, steps, isDifference, theme, width }) {
  const shift = isDifference ? a : 0;
  const items = [
    {
      name: "A",
      from: 0,
      to: a - shift,
      style: sideStyle("A", theme),
      next: a - shift,
      label: isDifference ? "0" : shown(a, "milliseconds"),
    },
    ...bars.map((bar, place) => partOf(bar, steps[place], shift, theme)),
    {
      name: "B",
      from: 0,
      to: b - shift,
      style: sideStyle("B", theme),
      label: isDifference ? signed(b - a) : shown(b, "milliseconds"),
    },
  ];
  const values = items.flatMap((item) => (item.from === undefined ? [] : [item.from, item.to]));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const letters = width < NARROW ? 16 : 30;
  const plot = Math.max(100, width - letters * LETTER_WIDTH - 40);
  // As much of the axis as a label behind the longest bar takes.
  const room = ((high - low || 1) * LABEL_WIDTH) / Math.max(LABEL_WIDTH, plot - LABEL_WIDTH);
  return {
    grid: { left: 8, right: 16, top: 8, bottom: 8, containLabel: true },
    xAxis: {
      type: "value",
      min: low < 0 ? low - 0.04 * (high - low) : 0,
      max: high + room,
      axisLabel: {
        hideOverlap: true,
        showMinLabel: low === 0,
        showMaxLabel: false,
        formatter: (value) => String(Number(value.toPrecision(3))),
      },
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: items.map((_, place) => place),
      axisTick: { show: false },
      axisLabel: { interval: 0, formatter: (place) => chartLabel(items[place].name, letters) },
    },
    series: [
      {
        type: "custom",
        data: items.map((item, place) => [place, item.from ?? 0, item.to ?? 0]),
        encode: { x: [1, 2], y: 0 },
        renderItem: ({ dataIndex }, api) => bar(items, dataIndex, api, theme),
      },
    ],
  };
}

/** @param {{name: string, difference?: number}} bar */
function partOf({ name, difference }, step, shift, theme) {
  if (step === undefined || difference === undefined) return { name, label: "unknown" };
  const style =
    difference > 0 ? { color: theme.bad, decal: pattern(3, theme) } : { color: theme.good };
  return {
    name,
    from: step.from - shift,
    to: step.to - shift,
    next: step.to - shift,
    style,
    label: signed(difference),
  };
}

function bar(items, place, api, theme) {
  const item = items[place];
  const [start, y] = api.coord([item.from ?? 0, place]);
  const [end] = api.coord([item.to ?? 0, place]);
  const height = api.size([0, 1])[1] * THICKNESS;
  const width = Math.max(THINNEST, Math.abs(end - start));
  const label = {
    type: "text",
    style: {
      x: Math.max(start, end) + 6,
      y,
      text: item.label,
      fill: theme.text,
      font: `12px ${FONT}`,
      textVerticalAlign: "middle",
    },
  };
  if (item.from === undefined) return { type: "group", children: [label] };
  const { decal, color } = item.style;
  const shape = { x: Math.min(start, end), y: y - height / 2, width, height };
  /** @type {object[]} */
  const children = [{ type: "rect", shape, style: { fill: color, decal } }, label];
  if (item.next !== undefined) {
    const [x] = api.coord([item.next, place]);
    const below = api.coord([item.next, place + 1])[1];
    children.unshift({
      type: "line",
      shape: { x1: x, y1: y, x2: x, y2: below },
      style: { stroke: theme.axis, lineWidth: 1 },
    });
  }
  return { type: "group", children };
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
