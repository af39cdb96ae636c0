// Calls at a pace: how long answers take and what a call costs, by rate.

import { shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { knownColumns } from "./operators.js";

/** Marks of the lines, in their order. */
const SYMBOLS = ["circle", "triangle", "rect", "diamond"];

/** Nothing where no call was made at a pace. */
export function pace(report) {
  const table = report.table("pace");
  if (!table || table.rows === 0) return null;
  const node = () => dataTable({ table, columns: knownColumns(table), caption: table.title }).node;
  // A single rate has no line.
  if (table.rows === 1) return element("section", { class: "pace" }, node());
  const declared = report.chart("pace");
  const known = declared.series.map(({ name, column }, place) => {
    const symbol = SYMBOLS[place % SYMBOLS.length];
    return { name, symbol, values: of(table, column) };
  });
  const lines = known.filter(({ values }) => values.some((value) => value !== undefined));
  const rates = Array.from({ length: table.rows }, (_, row) => table.text("rate", row));
  const text = (row) => {
    const said = lines
      .filter(({ values }) => values[row] !== undefined)
      .map(({ name, values }) => `${name} ${shown(values[row], "milliseconds")} ms`);
    return `${named(rates[row])}: ${said.join(", ")}`;
  };
  const chart = drawChart({
    title: declared.title,
    shows:
      "What a call takes at each rate, in calls per second that do not wait for answers. Where " +
      "the latency leaves the service time, calls wait for each other; CPU time above both is " +
      "spent between calls.",
    marks: table.rows * lines.length,
    height: 320,
    option: (theme, { width }) => option(lines, rates, theme, width),
    readout: {
      length: table.rows,
      text,
      at: ({ dataIndex }) => dataIndex,
      near: (x) => Math.min(Math.max(Math.round(x), 0), table.rows - 1),
      locate: (row) => ({
        seriesIndex: isPaced(rates[row]) ? 0 : lines.length,
        dataIndex: row,
      }),
      point: (row) => [row, lines[0].values[row] ?? 0],
    },
    table: node,
  });
  return element("section", { class: "pace" }, chart.node);
}

const of = (table, key) =>
  Array.from({ length: table.rows }, (_, row) => table.number(key, row));

const isPaced = (rate) => rate !== "max";

const named = (rate) => (isPaced(rate) ? `${rate}/s` : "back to back");

function option(lines, rates, theme, width) {
  const colours = [theme.accent, theme.bad, theme.good, theme.b];
  return {
    legend: { top: 0, left: 0 },
    grid: {
      left: 8,
      right: 16,
      top: width < 600 ? 76 : 44,
      bottom: 30,
      containLabel: true,
    },
    xAxis: {
      type: "category",
      data: rates.map(named),
      name: "calls per second",
      nameLocation: "middle",
      nameGap: 28,
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: "value", min: 0, name: "ms", nameTextStyle: { color: theme.muted } },
    // What follows back to back is no further rate: no line leads there.
    series: [true, false].flatMap((paced) =>
      lines.map(({ name, symbol, values }, place) => ({
        type: "line",
        name,
        symbol,
        symbolSize: 8,
        connectNulls: false,
        itemStyle: { color: colours[place] },
        lineStyle: { color: colours[place], width: 1.5 },
        data: values.map((value, row) =>
          isPaced(rates[row]) === paced ? (value ?? null) : null,
        ),
      })),
    ),
  };
}
