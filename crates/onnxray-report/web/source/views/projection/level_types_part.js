// The operator types with every weight at one level, and the choice of the level: Sparsify's
// summary type.

import { chartLabel, shorten, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { typeColour, typePattern } from "../../colours.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import { LEGEND_LETTERS, legendHeight, rowsHeight } from "./charts.js";
import { drawWhenVisible } from "./draw_when_visible.js";
import { BASELINE, baselineIn, levelRows } from "./level_rows.js";

/** Types that have a colour of their own; the others share one. */
const MOST_TYPES = 8;
const SHOWS =
  "It shows which operator types get faster at which sparsity, and what stays. Times of operators, " +
  "without concurrent time and overhead.";

/** @param {import("./session.js").Session} session */
export function levelTypesPart(session) {
  const table = session.tables.get("level_types");
  const type = element("select", {
    dataset: { action: "summary-type" },
    on: { change: () => grid.refresh() },
  });
  const rowsAt = (level) => {
    const cells = table.column("sparse_ratio")?.cells ?? [];
    return cells.flatMap((cell, row) => (level === "" || String(cell) === level ? [row] : []));
  };
  const grid = dataTable({
    table,
    columns: "shown",
    caption: table.title,
    search: ["type"],
    filters: true,
    rows: () => rowsAt(type.value),
    cell: baselineIn(table),
    height: "60vh",
  });
  const chart = typesChart(session);

  /** Offers the levels that there are, and keeps to the one that was chosen. */
  function offer() {
    const chosen = type.value;
    const option = (value, text) => element("option", { value }, text);
    const levels = levelRows(session)
      .slice(1)
      .map(({ level, name }) => option(level, `all weights at ${name}`));
    replace(type, option("", "every level"), option("false", BASELINE), levels);
    type.value = chosen;
    if (type.selectedIndex < 0) type.value = "";
  }

  offer();
  return {
    node: element(
      "section",
      { class: "part" },
      chart?.node,
      element("label", { class: "choice" }, "Type ", type),
      grid.node,
    ),
    refresh() {
      offer();
      grid.refresh({ sort: false });
      chart?.refresh();
    },
  };
}

/** Bars of types on top of each other, one bar for each level. */
function typesChart(session) {
  const { name: names } = session.inputs.types;
  if (names.length === 0) return undefined;
  const own = names.slice(0, MOST_TYPES);
  const rest = names.length - own.length;
  let rows = levelRows(session);

  /** Latency of a type, or of all that have no colour; NaN if one of them is unknown. */
  const latency = (row, type) => {
    const of = (at) => rows[row].types[at]?.value ?? NaN;
    if (type < own.length) return of(type);
    return names.reduce((sum, _, at) => (at < own.length ? sum : sum + of(at)), 0);
  };
  const series = [...own, ...(rest > 0 ? [`${rest} other types`] : [])];
  /** Types of which it is not known what they would take at a level. */
  const unknown = (row) => series.filter((_, type) => Number.isNaN(latency(row, type)));
  const text = (row) => {
    const time = (ms) => (Number.isNaN(ms) ? "unknown" : `${shown(ms, "milliseconds")} ms`);
    const parts = series.map((name, type) => `${shorten(name)} ${time(latency(row, type))}`);
    return `${rows[row].name}: ${parts.join(", ")}`;
  };
  const chart = drawWhenVisible(
    drawChart({
      title: "Latency by operator type at each sparsity (ms)",
      shows: SHOWS,
      marks: () => rows.length * series.length,
      height: () => rowsHeight(rows.length, 1.4) + 60,
      option: (theme, { width }) => ({
        grid: {
          left: 8,
          right: 24,
          top: legendHeight(series, width),
          bottom: 8,
          containLabel: true,
        },
        legend: {
          top: 0,
          left: 0,
          selectedMode: false,
          data: series.map((_, type) => `${type}`),
          formatter: (type) => chartLabel(series[type], LEGEND_LETTERS),
        },
        xAxis: { type: "value", min: 0 },
        yAxis: {
          type: "category",
          inverse: true,
          data: rows.map(({ name }) => name),
          axisTick: { show: false },
        },
        series: [
          ...series.map((name, type) => ({
            type: "bar",
            // Not by its name: two may have the same one.
            name: `${type}`,
            stack: "types",
            barWidth: "66%",
            itemStyle: styleOf(name, type < own.length, theme),
            data: rows.map((_, row) =>
              Number.isNaN(latency(row, type)) ? "-" : latency(row, type),
            ),
          })),
          // What is missing is said where the bar ends too early.
          {
            type: "bar",
            stack: "types",
            silent: true,
            label: { show: true, position: "right", color: theme.unknown },
            data: rows.map((_, row) => {
              const words = unknownText(unknown(row));
              return { value: 0, label: { formatter: () => words } };
            }),
          },
        ],
      }),
      readout: { length: () => rows.length, text, at: ({ dataIndex }) => dataIndex },
    }),
  );
  return {
    node: chart.node,
    refresh() {
      rows = levelRows(session);
      chart.refresh();
    },
  };
}

function unknownText(types) {
  if (types.length === 0) return "";
  return types.length > 2
    ? `+ ${types.length} types that are unknown`
    : `+ ${types.map((type) => chartLabel(type, 24)).join(", ")}: unknown`;
}

function styleOf(type, isOwn, theme) {
  const line = { borderColor: theme.background, borderWidth: 1 };
  if (!isOwn) return { ...line, color: theme.unknown };
  return { ...line, color: typeColour(type, theme), decal: typePattern(type, theme) };
}
