// The latency of each operator before and after, in the order of execution.

import { chartLabel, shorten } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { beforeAndAfter, estimateAt, sidesOf } from "./charts.js";
import { drawWhenVisible } from "./draw_when_visible.js";

const LATENCY = ["latency_ms", "latency_low_ms", "latency_high_ms"];
const PROJECTED = ["projected_ms", "projected_low_ms", "projected_high_ms"];

/**
 * @param {import("./session.js").Session} session
 * @param {import("../../report.js").Table} table `projected_operators`
 * @param {(row: number) => void} open
 */
export function operatorsChart({ report }, table, open) {
  const declared = report.chart("projected_operators");
  if (table.rows === 0) return undefined;
  /** Both ends of a step for each operator, x and y by turns. What is unknown leaves a gap. */
  const steps = (key) => {
    const { cells } = table.column(key);
    const data = new Float64Array(4 * cells.length);
    cells.forEach((cell, row) =>
      data.set([row - 0.5, cell ?? NaN, row + 0.5, cell ?? NaN], 4 * row),
    );
    return data;
  };
  const line = (key, fill, area) => ({
    type: "line",
    symbol: "none",
    sampling: "max",
    connectNulls: false,
    dimensions: ["operator", "ms"],
    data: steps(key),
    lineStyle: { width: 1, color: fill },
    itemStyle: { color: fill },
    areaStyle: { color: fill, opacity: area, origin: "start" },
  });
  const text = (row) => {
    const times = [LATENCY, PROJECTED].map((keys) => estimateAt(table, keys, row));
    const name = shorten(table.text("name", row));
    return `${name}: ${beforeAndAfter(...times)}; ${table.text("projection", row)}`;
  };
  return drawWhenVisible(
    drawChart({
      title: declared?.title ?? "Latency of each operator (ms), in order of execution",
      shows: `It shows ${declared?.shows ?? "where in the model the time goes"}.`,
      marks: () => table.rows * 2,
      height: 240,
      zoom: "x",
      open,
      option: (theme) => {
        const [before, after] = sidesOf(theme);
        return {
          grid: { left: 8, right: 16, top: 30, bottom: 32, containLabel: true },
          legend: { top: 0, left: 0, selectedMode: false, icon: "roundRect" },
          xAxis: {
            type: "value",
            min: -0.5,
            max: table.rows - 0.5,
            minInterval: 1,
            axisLabel: {
              formatter: (row) =>
                Number.isInteger(row) ? chartLabel(table.text("number", row)) : "",
            },
          },
          yAxis: { type: "value", min: 0, axisLine: { onZero: false } },
          series: [
            { ...line("latency_ms", before.fill, 0.5), name: before.name },
            { ...line("projected_ms", after.fill, 0.7), name: after.name },
          ],
        };
      },
      readout: {
        length: () => table.rows,
        text,
        near: (x) => (x >= -0.5 && x < table.rows - 0.5 ? Math.round(x) : undefined),
        point: (row) => [row, table.number("projected_ms", row) ?? 0],
      },
    }),
  );
}
