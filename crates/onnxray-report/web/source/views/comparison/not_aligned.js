// What the time of each side is made of, and the layers that only one side has.

import { shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { pattern } from "../../colours.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { nonEmptyColumns } from "../non_empty_columns.js";
import { sideMark } from "../side_mark.js";
import { counted } from "../words.js";
import { ofVersion } from "./frame.js";

/** Parts that add up to the whole, less the concurrent time. */
const PARTS = ["aligned_ms", "only_ms", "overhead_ms"];
const CONSERVATION = "conservation";

export default function notAligned(report, context) {
  return ofVersion(report, (version) => ({
    node: element(
      "div",
      { class: "stack" },
      conservation(version),
      onlyIn(version, "A", context),
      onlyIn(version, "B", context),
    ),
  }));
}

function conservation(version) {
  const table = version.table(CONSERVATION);
  const rows = version.rows(CONSERVATION);
  if (rows.length === 0)
    return element("p", null, "What the time of each side is made of is unknown.");
  const list = dataTable({
    table,
    rows: () => rows,
    columns: nonEmptyColumns(table, rows).filter((key) => key !== "version"),
    caption: table.title,
  });
  return element(
    "div",
    { class: "stack" },
    partsChart(table, rows).node,
    list.node,
    rows.map((row) => equation(table, row)),
  );
}

/** Bars of the parts of both sides. */
function partsChart(table, rows) {
  const names = PARTS.map((key) => table.column(key).heading.replace(/ ms$/, ""));
  return drawChart({
    title: "Parts of the time, ms per iteration",
    shows:
      "What the mean time of each side is made of: operators that both sides have, operators that only this side has, and time that no operator covers.",
    marks: rows.length * PARTS.length,
    height: 150,
    option: (theme) => ({
      legend: { top: 0, left: 0, data: names, selectedMode: false },
      grid: { left: 8, right: 24, top: 34, bottom: 8, containLabel: true },
      xAxis: { type: "value", min: 0, axisLabel: { hideOverlap: true } },
      yAxis: {
        type: "category",
        inverse: true,
        data: rows.map((row) => table.text("side", row)),
        axisTick: { show: false },
        axisLabel: { fontWeight: "bold" },
      },
      series: PARTS.map((key, place) => ({
        type: "bar",
        stack: "parts",
        barWidth: 26,
        name: names[place],
        itemStyle: {
          color: [theme.series[5], theme.series[3], theme.unknown][place],
          decal: pattern([0, 3, 4][place], theme),
        },
        data: rows.map((row) => table.number(key, row) ?? "-"),
      })),
    }),
    readout: {
      length: rows.length * PARTS.length,
      text(place) {
        const row = rows[Math.floor(place / PARTS.length)];
        const part = place % PARTS.length;
        return `${table.text("side", row)}, ${names[part].toLowerCase()}: ${milliseconds(table.number(PARTS[part], row))}, ${table.column(PARTS[part]).meaning}`;
      },
      at: ({ seriesIndex, dataIndex }) => dataIndex * PARTS.length + seriesIndex,
      locate: (place) => ({
        seriesIndex: place % PARTS.length,
        dataIndex: Math.floor(place / PARTS.length),
      }),
    },
  });
}

/** The sum as it is checked; what is unknown is named, and nothing is drawn of it. */
function equation(table, row) {
  const value = (key) => milliseconds(table.number(key, row));
  const name = (key) => table.column(key).heading.replace(/ ms$/, "").toLowerCase();
  const known = PARTS.filter((key) => table.number(key, row) !== undefined);
  if (known.length === 0)
    return element(
      "p",
      null,
      sideMark(table.text("side", row)),
      " What its time is made of is unknown.",
    );
  const parts = known.map((key) => `${value(key)} ${name(key)}`);
  const unknown = PARTS.filter((key) => !known.includes(key)).map(
    (key) => `; ${name(key)} is unknown`,
  );
  const concurrent = table.number("concurrent_ms", row);
  const longer = table.number("longer_profiled_ms", row);
  const apart = table.number("timed_apart_ms", row);
  const less = [
    (concurrent > 0 ? ` − ${value("concurrent_ms")} side by side` : "") +
      (longer > 0 ? ` − ${value("longer_profiled_ms")} longer while profiled` : ""),
    apart === undefined
      ? ""
      : `; layers were timed one by one, in another run: what they have beyond the end-to-end time is ${milliseconds(apart)}`,
  ];
  return element(
    "p",
    null,
    sideMark(table.text("side", row)),
    ` ${parts.join(" + ")}${less[0]} = ${value("whole_ms")} whole${unknown.join("")}${less[1]}.`,
  );
}

const milliseconds = (value) =>
  value === undefined ? "unknown" : `${shown(value, "milliseconds")} ms`;

/** Layers that the other side does not execute. */
function onlyIn(version, letter, context) {
  const other = letter === "A" ? "B" : "A";
  const table = version.table("layers");
  const rows = version
    .rows("layers")
    .filter((row) => table.text("verdict", row) === `not executed in ${other}`);
  const heading = element("h3", null, `Layers that only ${letter} has `, sideMark(letter));
  if (version.rows("layers").length === 0) {
    return element(
      "div",
      null,
      heading,
      element("p", null, "Unknown: there are no layers to compare."),
    );
  }
  if (rows.length === 0) {
    return element(
      "div",
      null,
      heading,
      element(
        "p",
        null,
        `None: every layer that ${letter} executes has a counterpart in ${other}.`,
      ),
    );
  }
  const side = letter.toLowerCase();
  const list = dataTable({
    table,
    rows: () => rows,
    rowKey: "layer",
    columns: [
      "layer",
      `${side}_type`,
      `${side}_precision`,
      `${side}_ms`,
      `${side}_mean_ms`,
      `${side}_share`,
      `${side}_operators`,
    ],
    caption: `Only in ${letter}`,
    search: ["layer", `${side}_type`, `${side}_operators`],
    filters: true,
    sort: { key: `${side}_ms`, descending: true },
    open: (row) => context.go("layers", table.text("layer", row)),
  });
  const sum = version
    .table(CONSERVATION)
    ?.number("only_ms", version.row(CONSERVATION, "side", letter));
  const time = sum === undefined ? "" : ` They take ${milliseconds(sum)} per iteration, mean.`;
  return element(
    "div",
    { class: "stack" },
    element(
      "p",
      null,
      `${counted(rows.length, "group")} of layers with nothing in ${other} that does the same work.${time}`,
    ),
    list.node,
  );
}
