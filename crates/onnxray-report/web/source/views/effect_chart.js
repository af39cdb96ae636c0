// The effects of changes with their intervals, as a chart: a dot for each, on its line.

import { chartLabel, numberOf } from "../cells.js";
import { drawChart } from "../chart.js";
import { shortNames } from "../names.js";

/** Intervals that are wider say nothing, and would hide the others. */
const WIDEST = 4;
/** Half the height of the ends of a line, in pixels. */
const END = 4;

/**
 * A dot and an interval for each change whose effect is known; undefined if none is.
 * @param {object} what
 * @param {import("../report.js").Table|undefined} what.table
 * @param {(row: number) => string} [what.nameOf] what is drawn of a row
 * @param {string} what.title
 * @param {string} what.shows
 * @param {string[]} what.keys of the columns of the ratio and of both ends of its interval
 * @param {(row: number) => "good"|"bad"|"muted"} what.tone
 * @param {(row: number) => string} what.remark what is said of it in a word or a few
 * @param {number} [what.most] changes that are drawn: the first of the table
 */
export function effectChart({
  table,
  nameOf = (row) => table?.text("change", row) ?? "",
  title,
  shows,
  keys,
  tone,
  remark,
  most = Infinity,
}) {
  const known = table === undefined ? [] : effects(table, nameOf, keys).slice(0, most);
  if (known.length === 0) return undefined;
  const isCut = known.some(({ ratio, low, high }) => Math.max(ratio / low, high / ratio) > WIDEST);
  return drawChart({
    title,
    shows: isCut ? `${shows} Intervals beyond ${WIDEST} times the ratio are cut.` : shows,
    marks: known.length,
    height: 60 + 24 * known.length,
    option: (theme) => option(known, (row) => theme[tone(row)], theme),
    readout: {
      length: known.length,
      text: (place) => {
        const { row, name, ratio, low, high } = known[place];
        const ends = `${low.toFixed(3)} to ${high.toFixed(3)}`;
        return `${chartLabel(name, 80)}: ${ratio.toFixed(3)} (95 % CI ${ends}), ${remark(row)}`;
      },
      at: ({ dataIndex }) => dataIndex,
      near: (_, y) => Math.max(0, Math.min(known.length - 1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 1, dataIndex: place }),
    },
  }).node;
}

/**
 * The changes whose effects are known, in the order of their table.
 * @returns {{row: number, name: string, ratio: number, low: number, high: number}[]}
 */
function effects(table, nameOf, keys) {
  const [ratio, low, high] = keys.map((key) => table.column(key));
  const found = [];
  for (let row = 0; row < table.rows; row += 1) {
    const numbers = [ratio, low, high].map((column) => numberOf(column.cells[row]) ?? 0);
    const [own, from, to] = numbers;
    if (numbers.every((number) => number > 0))
      found.push({ row, name: nameOf(row), ratio: own, low: from, high: to });
  }
  return found;
}

/** An ECharts option. */
function option(known, colourOf, theme) {
  const drawn = known.map((effect) => ({
    ...effect,
    low: Math.max(effect.low, effect.ratio / WIDEST),
    high: Math.min(effect.high, effect.ratio * WIDEST),
  }));
  const labels = shortNames(
    drawn.map(({ name }) => name),
    44,
  );
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
      axisLabel: { formatter: (name) => chartLabel(labels.get(name), 44), interval: 0 },
      axisTick: { show: false },
    },
    series: [
      {
        type: "custom",
        silent: true,
        data: drawn.map(({ low, high }, place) => [low, place, high]),
        encode: { x: [0, 2], y: 1 },
        renderItem: (_, api) => interval(api, colourOf(drawn[api.value(1)].row)),
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
          itemStyle: { color: colourOf(effect.row) },
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
