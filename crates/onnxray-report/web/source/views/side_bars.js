// Bars of A and B beside each other, in the colours of the sides; those of B are hatched, so
// that colour alone tells nothing.

import { chartLabel, isNone, isUnknown, numberOf, shown } from "../cells.js";
import { pattern } from "../colours.js";
import { shortNames } from "../names.js";

/** Charts below this many pixels have short names. */
const NARROW = 600;

/** What a chart's readout says of a side: its value, or why there is none. */
export function sideValue(cell, unit) {
  if (isNone(cell)) return "has none";
  if (isUnknown(cell)) return "unknown";
  return unit === "milliseconds" ? `${shown(cell, unit)} ms` : shown(cell, unit);
}

/** How bars of a side look. */
export function sideStyle(letter, theme) {
  return letter === "A" ? { color: theme.a } : { color: theme.b, decal: pattern(1, theme) };
}

/**
 * An ECharts option of horizontal bars, the first label on top.
 * @param {{labels: string[], a: Array, b: Array, unit: string, width: number,
 *   theme: import("../colours.js").Theme}} what `a` and `b` are cells; what is not known is not
 *   drawn, and says so in its place
 */
export function sideBars({ labels, a, b, unit, theme, width }) {
  const scale = unit === "share" ? 100 : 1;
  const letters = width < NARROW ? 18 : 32;
  const short = shortNames(labels, letters);
  const series = (name, cells) => ({
    type: "bar",
    name,
    barMaxWidth: 12,
    barGap: "10%",
    itemStyle: sideStyle(name, theme),
    // A category without a number keeps its place.
    data: cells.map((cell) => (numberOf(cell) === undefined ? "-" : cell * scale)),
    label: {
      show: true,
      position: "right",
      color: theme.text,
      fontSize: 11,
      formatter: ({ dataIndex }) =>
        numberOf(cells[dataIndex]) === undefined ? "" : shown(cells[dataIndex], unit),
    },
  });
  return {
    legend: { top: 0, left: 0, data: ["A", "B"], selectedMode: false },
    grid: { left: 8, right: 56, top: 30, bottom: 28, containLabel: true },
    xAxis: {
      type: "value",
      min: 0,
      axisLabel: { hideOverlap: true },
      name: unit === "share" ? "%" : "ms",
      nameLocation: "middle",
      nameGap: 26,
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: labels.map((_, position) => position),
      axisTick: { show: false },
      axisLabel: {
        interval: 0,
        formatter: (position) => chartLabel(short.get(labels[position]), letters),
      },
    },
    series: [series("A", a), series("B", b)],
  };
}
