// The effects of changes as ECharts draws them: a dot for each, on the line of its interval.

import { chartLabel, numberOf } from "../../cells.js";

/** Intervals that are wider say nothing, and would hide the others. */
const WIDEST = 4;
/** Half the height of the ends of a line, in pixels. */
const END = 4;

/**
 * The changes whose effects are known, in the order of their table.
 * @returns {{row: number, name: string, verdict: string, ratio: number, low: number, high: number}[]}
 */
export function effects(table) {
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map((key) => table.column(key));
  const found = [];
  for (let row = 0; row < table.rows; row += 1) {
    const numbers = [ratio, low, high].map((column) => numberOf(column.cells[row]) ?? 0);
    const [own, from, to] = numbers;
    if (numbers.every((number) => number > 0))
      found.push({
        row,
        name: table.text("change", row),
        verdict: table.text("verdict", row),
        ratio: own,
        low: from,
        high: to,
      });
  }
  return found;
}

/** An ECharts option. */
export function effectChart(known, theme) {
  const drawn = known.map((effect) => ({
    ...effect,
    low: Math.max(effect.low, effect.ratio / WIDEST),
    high: Math.min(effect.high, effect.ratio * WIDEST),
  }));
  const colour = ({ verdict }) =>
    verdict === "faster" ? theme.good : verdict === "slower" ? theme.bad : theme.muted;
  return {
    grid: { left: 8, right: 24, top: 8, bottom: 26, containLabel: true },
    xAxis: {
      type: "log",
      scale: true,
      min: Math.min(0.9, ...drawn.map(({ low }) => low)) * 0.98,
      max: Math.max(1.1, ...drawn.map(({ high }) => high)) * 1.02,
      axisLabel: { formatter: (value) => String(Number(value.toPrecision(3))), hideOverlap: true },
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: drawn.map(({ name }) => name),
      axisLabel: { formatter: (name) => chartLabel(name, 44), interval: 0 },
      axisTick: { show: false },
    },
    series: [
      {
        type: "custom",
        silent: true,
        data: drawn.map(({ low, high }, place) => [low, place, high]),
        encode: { x: [0, 2], y: 1 },
        renderItem: (_, api) => interval(api, colour(drawn[api.value(1)])),
        markLine: {
          silent: true,
          symbol: "none",
          label: { show: false },
          lineStyle: { color: theme.muted, type: "dashed" },
          data: [{ xAxis: 1 }],
        },
      },
      {
        type: "scatter",
        symbolSize: 9,
        data: drawn.map((effect, place) => ({
          value: [effect.ratio, place],
          itemStyle: { color: colour(effect) },
        })),
      },
    ],
  };
}

function interval(api, stroke) {
  const [left, y] = api.coord([api.value(0), api.value(1)]);
  const [right] = api.coord([api.value(2), api.value(1)]);
  const line = (x1, y1, x2, y2) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke, lineWidth: 2 },
  });
  return {
    type: "group",
    children: [
      line(left, y, right, y),
      line(left, y - END, left, y + END),
      line(right, y - END, right, y + END),
    ],
  };
}
