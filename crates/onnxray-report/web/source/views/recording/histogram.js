// The distribution of an operator's latency over iterations, as bars.

import { shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { Table } from "../../report.js";
import { dataTable } from "../../table.js";

/** Figures of the operator that are marked in the chart, and how. */
const MARKS = [
  ["time_p10_ms", "dotted"],
  ["time_median_ms", "dashed"],
  ["time_p90_ms", "dotted"],
];

/** Milliseconds below which times are read in microseconds. */
const SMALL = 0.1;

/** The chart of an operator's histogram, or words that say why there is none. */
export function histogramChart(report, row) {
  const block = report.block("histograms", "latency_histograms");
  if (!block) return words("There is no distribution: the trace does not tell iterations apart.");
  const [low, high] = [block.low_ms[row], block.high_ms[row]];
  if (!Number.isFinite(low) || !Number.isFinite(high)) {
    return words("There is no distribution: its time in single iterations is unknown.");
  }
  // Behind the longest time there are bins where none may be finer than the clock.
  const every = block.counts.slice(row * block.bins, (row + 1) * block.bins);
  const bins = every.findLastIndex((count) => count > 0) + 1;
  const counts = every.slice(0, bins);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const isSmall = high < SMALL;
  const unit = isSmall ? "µs" : "ms";
  const inUnit = (value) =>
    isSmall ? shown(value * 1000, "number") : shown(value, "milliseconds");
  const ms = (value) => `${inUnit(value)} ${unit}`;
  if (low === high) return words(`It took ${ms(low)} in each of ${all} iterations.`);
  const width = (high - low) / block.bins;
  const edge = (bin) => low + bin * width;
  const operators = report.table("operators");
  const marks = MARKS.map(([key, type]) => ({ type, value: operators.number(key, row) }));
  const bars = counts.map((count, bin) => [edge(bin) + width / 2, count]);
  return drawChart({
    title: `Distribution of its latency (${unit})`,
    shows: `How many of ${all} iterations took how long, in ${bins} bins of ${ms(width)}. Dashed is the median, dotted are p10 and p90.`,
    marks: bins,
    height: 220,
    option: (theme) => ({
      grid: { left: 8, right: 16, top: 28, bottom: 8, containLabel: true },
      xAxis: {
        type: "value",
        min: low,
        max: edge(bins),
        axisLabel: { formatter: inUnit, hideOverlap: true },
        splitLine: { show: false },
      },
      yAxis: {
        type: "value",
        minInterval: 1,
        name: "iterations",
        nameTextStyle: { align: "left" },
      },
      series: [
        {
          type: "custom",
          data: bars,
          renderItem: (params, api) => barOf(api, width, theme),
          markLine: markLine(marks, theme),
        },
      ],
    }),
    readout: {
      length: bins,
      text: (bin) => {
        const share = all > 0 ? `, ${shown(counts[bin] / all, "share")}` : "";
        return `${ms(edge(bin))} to ${ms(edge(bin + 1))}: ${counts[bin]} of ${all} iterations${share}`;
      },
      near: (time) => Math.floor((time - low) / width),
      locate: (bin) => ({ seriesIndex: 0, dataIndex: bin }),
    },
    table: () => binTable(counts, edge),
  }).node;
}

function barOf(api, width, theme) {
  const [center, count] = [api.value(0), api.value(1)];
  const [left, top] = api.coord([center - width / 2, count]);
  const [right, bottom] = api.coord([center + width / 2, 0]);
  return {
    type: "rect",
    shape: { x: left + 0.5, y: top, width: Math.max(right - left - 1, 0.5), height: bottom - top },
    style: { fill: theme.accent },
    emphasis: { style: { fill: theme.text } },
  };
}

function markLine(marks, theme) {
  return {
    symbol: "none",
    silent: true,
    animation: false,
    label: { show: false },
    data: marks
      .filter(({ value }) => value !== undefined)
      .map(({ type, value }) => ({
        xAxis: value,
        lineStyle: { color: theme.text, type, width: 1.5 },
      })),
  };
}

/** The counts as a table. */
function binTable(counts, edge) {
  const column = (key, heading, unit, meaning, cell) => ({
    key,
    heading,
    unit,
    meaning,
    importance: "shown",
    cells: counts.map(cell),
  });
  const table = new Table({
    key: "bins",
    rows: counts.length,
    columns: [
      column("from_ms", "From ms", "milliseconds", "low end of the bin", (_, bin) => edge(bin)),
      column("to_ms", "To ms", "milliseconds", "high end of the bin", (_, bin) => edge(bin + 1)),
      column("iterations", "Iterations", "count", "iterations that took so long", (count) => count),
    ],
  });
  const { node } = dataTable({ table, columns: "shown", caption: "Bins" });
  node.dataset.computed = "bins";
  return node;
}

const words = (text) => element("p", { class: "nothing" }, text);
