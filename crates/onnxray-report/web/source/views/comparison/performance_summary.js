// The verdict as a picture, then operator types of both sides: how long they take, their share,
// and how many layers compute in which precision. A box says which types the chart draws; shares
// stay those of the whole.

import { chartLabel } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { radioChoice } from "../controls.js";
import { signed } from "../words.js";
import { ofVersion } from "./frame.js";
import { sideBars, sideValue } from "../side_bars.js";
import { ALL, ratioOf, wholeChart } from "./whole.js";

const TABLE = "compared_types";
const COLUMNS = [
  "type",
  "a_ms",
  "b_ms",
  "difference_ms",
  "a_share",
  "b_share",
  "a_layers",
  "b_layers",
  "a_precisions",
  "b_precisions",
];
const [IN_CHART, BARS] = ["in_chart", "bars"];
/** Of more types than these, only the first are in the chart at first. */
const MOST_AT_FIRST = 16;

export default function performanceSummary(report) {
  return ofVersion(report, (version) => {
    const { node } = types(version);
    return { node: element("div", { class: "stack" }, verdict(version), node) };
  });
}

/** How long A and B take, and the ratio that is tested. */
function verdict(version) {
  if (version.rows(ALL).length === 0) return null;
  return [wholeChart(version, "latency"), ratioOf(version)];
}

function types(version) {
  const table = version.table(TABLE);
  const rows = version.rows(TABLE);
  if (rows.length === 0) {
    return {
      node: element(
        "p",
        null,
        "There are no operator types to compare: neither side has operators that were timed.",
      ),
    };
  }
  const included = new Set(rows.slice(0, MOST_AT_FIRST));
  const state = { value: "ms" };
  const drawn = () => list.visible().filter((row) => included.has(row));

  const boxes = new Map(rows.map((row) => [row, box(row)]));
  function box(row) {
    const input = element("input", {
      type: "checkbox",
      checked: included.has(row),
      aria: { label: `Include ${table.text("type", row)} in the chart` },
      on: { change: () => include([row], input.checked) },
    });
    return input;
  }

  function include(which, isIn) {
    for (const row of which) {
      if (isIn) included.add(row);
      else included.delete(row);
      boxes.get(row).checked = isIn;
    }
    list.refresh();
  }

  const cell = (key, row) => {
    if (key === IN_CHART) return boxes.get(row);
    return key === BARS ? shareBars(table, row, included) : undefined;
  };
  let chart;
  const list = dataTable({
    table,
    rows: () => rows,
    rowKey: "type",
    columns: columnsOf(table),
    caption: table.title,
    search: ["type"],
    filters: true,
    cell,
    changed: () => chart?.refresh(),
  });
  chart = chartOf(table, drawn, state);
  const all = element(
    "button",
    { type: "button", on: { click: () => include(rows, true) } },
    "All in the chart",
  );
  const none = element(
    "button",
    { type: "button", on: { click: () => include(rows, false) } },
    "None",
  );
  const value = radioChoice({
    label: "Chart shows",
    options: [
      ["ms", "ms"],
      ["share", "share of latency"],
    ],
    value: state.value,
    change(chosen) {
      state.value = chosen;
      chart.refresh();
    },
  });
  return {
    node: element(
      "div",
      { class: "stack" },
      element("div", { class: "controls" }, value, all, none),
      chart.node,
      list.node,
    ),
  };
}

/** The type, a box beside it, and bars of both shares beside these. */
function columnsOf(table) {
  const blank = table.column("type").cells.map(() => false);
  const box = {
    key: IN_CHART,
    heading: "In chart",
    unit: "text",
    meaning: "whether the chart above draws the type; shares stay those of the whole",
    cells: blank,
  };
  const bars = {
    key: BARS,
    heading: "Shares",
    unit: "text",
    meaning: "both shares as bars, A above B, relative to the largest of the types in the chart",
    cells: blank,
    width: 14,
  };
  return COLUMNS.flatMap((key) =>
    key === "type" ? [box, key] : key === "b_share" ? [key, bars] : [key],
  );
}

/** Bars of both shares, as long as their part of the largest that is in the chart. */
function shareBars(table, row, included) {
  if (!included.has(row)) return element("span", { class: "muted" }, "not in chart");
  const most = Math.max(
    ...[...included].flatMap((other) =>
      ["a_share", "b_share"].map((key) => table.number(key, other) ?? 0),
    ),
  );
  const bar = (letter) => {
    const share = table.number(`${letter}_share`, row);
    return element("span", {
      class: `share-bar share-bar-${letter}`,
      style: { width: share === undefined ? 0 : `${(100 * share) / most}%` },
    });
  };
  return element("span", { class: "share-bars", aria: { hidden: true } }, bar("a"), bar("b"));
}

function chartOf(table, drawn, state) {
  const column = (letter) => table.column(`${letter}_${state.value}`);
  const values = (letter) => drawn().map((row) => column(letter).cells[row]);
  const side = (letter, row) =>
    `${letter} ${sideValue(column(letter.toLowerCase()).cells[row], column("a").unit)}`;
  return drawChart({
    title: "Time by operator type",
    shows:
      "How long each operator type takes in A and in B, per iteration, in the order of the table below and without the types that are switched off there.",
    marks: () => 2 * drawn().length,
    height: () => Math.max(120, 34 * drawn().length + 64),
    option: (theme, { width }) =>
      sideBars({
        labels: drawn().map((row) => table.text("type", row)),
        a: values("a"),
        b: values("b"),
        unit: column("a").unit,
        theme,
        width,
      }),
    readout: {
      length: () => drawn().length,
      text(place) {
        const row = drawn()[place];
        const parts = [
          `${chartLabel(table.text("type", row), 60)}: ${side("A", row)}, ${side("B", row)}`,
        ];
        const difference = table.number("difference_ms", row);
        if (difference !== undefined) parts.push(`B − A ${signed(difference)} ms`);
        return parts.join("; ");
      },
      near: (x, y) => Math.max(0, Math.min(drawn().length - 1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 0, dataIndex: place }),
    },
  });
}
