// Where the time goes beside where the FLOPs are, by operator type: the measured profile and
// the FLOPS profile in one chart.

import { chartLabel, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { pattern } from "../../colours.js";
import { dataTable } from "../../table.js";
import { measured } from "./choices.js";
import { deviceColumns, knownColumns, nameInWords, timeColumn } from "./operators.js";

/** Shares below which bars would be too short to be seen. */
const SMALLEST = 0.004;
/** Types that one screen has room for. */
const MOST = 10;
const ROW_HEIGHT = 34;

/** The chart, or nothing where neither shares of time nor of FLOPs are known. */
export function sharesChart(report) {
  const types = report.table("operator_types");
  if ((report.table("operators")?.rows ?? 0) === 0) return null;
  const hasTime = types?.hasNumbers("share");
  const hasFlops = types?.hasNumbers("flops_share");
  if (!hasTime && !hasFlops) return null;
  const hasDevice = deviceColumns(types).length > 0;
  const series = [
    [hasDevice ? "CPU time" : "time", "share"],
    ["device time", "device_share"],
    ["FLOPs", "flops_share"],
  ].filter(([, key]) => types.hasNumbers(key));
  const keys = series.map(([, key]) => key);
  const isSeen = (row) => keys.some((key) => types.number(key, row) >= SMALLEST);
  const seen = Array.from({ length: types.rows }, (_, row) => row).filter(isSeen);
  const shareOf = (row) => Math.max(...keys.map((key) => types.number(key, row) ?? 0));
  const largest = new Set([...seen].sort((a, b) => shareOf(b) - shareOf(a)).slice(0, MOST));
  const rows = seen.filter((row) => largest.has(row));
  if (rows.length === 0) return null;
  const said = (row, /** @type {string[]} */ [name, key]) => {
    const cell = types.cell(key, row);
    return cell === false ? null : `${shown(cell, "share")} of the ${name}`;
  };
  const isUnknown = (row) => keys.every((key) => types.number(key, row) === undefined);
  const unknown = types.column("type").cells.filter((_, row) => isUnknown(row)).length;
  const left = types.rows - rows.length - unknown;
  const small =
    left > 0
      ? ` ${left === 1 ? "One smaller type is" : `${left} smaller types are`} left out.`
      : "";
  const without = hasFlops
    ? ""
    : " Shares of FLOPs are left out: some operators' FLOPs are unknown.";
  const ofTime = () =>
    measured(types, timeColumn(types)).whole +
    (hasDevice ? " and of their time on devices" : "") +
    (hasFlops ? " beside its share of the model's FLOPs" : "");
  const chart = drawChart({
    title: ["Where the time goes", "Where the time goes, and where the FLOPs are", "Where the FLOPs are"][
      hasTime ? Number(hasFlops) : 2
    ],
    shows: `Each type's share ${hasTime ? ofTime() : "of the model's FLOPs"}.${small}${unknown > 0 ? ` The shares of ${unknown === 1 ? "one type" : `${unknown} types`} are unknown.` : ""}${without}`,
    marks: rows.length * series.length,
    height: rows.length * ROW_HEIGHT + 60,
    option: (theme) => ({
      legend: { top: 0, left: 0, textStyle: { color: theme.text }, itemHeight: 10 },
      grid: { left: 8, right: 24, top: 30, bottom: 4, containLabel: true },
      yAxis: {
        type: "category",
        inverse: true,
        data: rows.map((row) => types.text("type", row)),
        axisLabel: { formatter: (name) => chartLabel(name, 20) },
        axisTick: { show: false },
      },
      xAxis: { type: "value", axisLabel: { formatter: (value) => `${value} %` } },
      series: series.map(([name, key], at) => ({
        type: "bar",
        name,
        barGap: "10%",
        barCategoryGap: "25%",
        itemStyle: { color: theme.series[at], decal: pattern(at, theme) },
        data: rows.map((row) => {
          const share = types.number(key, row);
          return share === undefined ? "-" : share * 100;
        }),
      })),
    }),
    readout: {
      length: rows.length,
      text: (i) => {
        const parts = series.map((of) => said(rows[i], of)).filter(Boolean);
        return [nameInWords(types.text("type", rows[i])), `: ${parts.join(", ")}`];
      },
      near: (x, y) => Math.round(y),
      locate: (i) => ({ seriesIndex: 0, dataIndex: i }),
    },
    table: () =>
      dataTable({ table: types, columns: knownColumns(types), caption: types.title }).node,
  });
  return chart.node;
}
