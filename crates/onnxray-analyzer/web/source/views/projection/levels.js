// The summary type: the whole model, and its operator types, with every weight at one level, whatever the targets are.

import { chartLabel, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { typeColour, typePattern } from "../../colours.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { endBars, estimateText, rowsHeight, sidesOf } from "./charts.js";
import { desk } from "./desk.js";
import { levelText } from "./entries.js";
import { withoutData, withUndo } from "./frame.js";
import { sessionOf } from "./session.js";

/** Types that have a colour of their own; the others share one. */
const MOST_TYPES = 8;

export default function levels(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = desk(session, { figures: () => best(session), origin: () => "every weight at one level" });
  const parts = [top, wholePart(session), typesPart(session)];
  const node = withUndo(session, element("div", { class: "view projection" }, parts.map((part) => part.node)));
  session.follow(node, () => parts.forEach((part) => part.refresh()));
  return { node, prepare: () => session.catchUpAll() };
}

/** The baseline and the levels, from dense to sparse. */
function rowsOf({ projection }) {
  const dense = { name: "baseline", total: projection.totals.total, speedup: undefined, types: projection.types.latency };
  const sparser = [...projection.atLevels].sort((one, other) => one.level - other.level);
  return [
    dense,
    ...sparser.map(({ level, totals, types }) => ({
      name: levelText(level),
      total: totals.projectedTotal,
      speedup: totals.speedup,
      types: types.projected,
    })),
  ];
}

/** The level with the least latency. */
function best(session) {
  const [dense, ...others] = rowsOf(session);
  const known = others.filter(({ total }) => total !== null);
  const least = known.reduce((one, other) => (other.total.value < one.total.value ? other : one), known[0]);
  if (!least) return [{ heading: "Total latency", before: dense.total, after: null, unit: "milliseconds" }];
  return [
    { heading: `Least latency, at ${least.name}`, before: dense.total, after: least.total, unit: "milliseconds", suffix: " ms" },
    { heading: "Speedup", after: least.speedup, unit: "number", suffix: "×" },
  ];
}

function wholePart(session) {
  const table = session.tables.get("levels");
  const declared = session.report.chart("levels");
  const grid = dataTable({ table, columns: "shown", caption: table.title });
  let rows = rowsOf(session);
  const chart = drawChart({
    title: declared?.title ?? "Latency of the whole model (ms)",
    shows: `It shows ${declared?.shows ?? "what pruning all weights to one sparse ratio would bring"}. Lines across the ends run from the low to the high end.`,
    marks: () => rows.length * 4,
    height: () => rowsHeight(rows.length, 1.4),
    option: (theme) => {
      const [before, after] = sidesOf(theme);
      const estimates = rows.map(({ total }) => total);
      const side = { ...after, fillOf: (row) => (row === 0 ? before.fill : after.fill), estimates };
      return endBars({ names: rows.map(({ name }) => name), sides: [side], unit: "number" }, theme, 20);
    },
    readout: {
      length: () => rows.length,
      text: (row) => `${rows[row].name}: ${estimateText(rows[row].total, "milliseconds", " ms")}${rows[row].speedup ? `, ${estimateText(rows[row].speedup, "number", "×")} as fast` : ""}`,
      at: ({ dataIndex }) => dataIndex,
    },
  });
  return {
    node: element("section", { class: "part" }, missing(session), element("div", { class: "beside" }, grid.node, chart.node)),
    refresh() {
      rows = rowsOf(session);
      grid.refresh();
      chart.refresh();
    },
  };
}

function missing({ projection, inputs }) {
  if (inputs.operators.fixed.length === 0) return element("p", { class: "missing" }, "The recording has no operators, so there is nothing to prune.");
  if (projection.totals.projectedTotal !== null) return null;
  return element("p", { class: "missing" }, "It is not known of any operator whether it has a weight: what levels would bring is unknown, and no speedup is claimed.");
}

function typesPart(session) {
  const table = session.tables.get("level_types");
  const grid = dataTable({ table, columns: "shown", caption: table.title, search: ["type"], filters: true });
  const chart = typesChart(session);
  return {
    node: element("section", { class: "part" }, chart?.node, grid.node),
    refresh() {
      grid.refresh();
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
  let rows = rowsOf(session);

  /** Latency of a type, or of all that have no colour; NaN if one of them is unknown. */
  const latency = (row, type) => {
    const of = (at) => rows[row].types[at]?.value ?? NaN;
    if (type < own.length) return of(type);
    return names.reduce((sum, _, at) => (at < own.length ? sum : sum + of(at)), 0);
  };
  const series = [...own, ...(rest > 0 ? [`${rest} other types`] : [])];
  const text = (row) => {
    const parts = series.map((name, type) => `${name} ${Number.isNaN(latency(row, type)) ? "unknown" : `${shown(latency(row, type), "milliseconds")} ms`}`);
    return `${rows[row].name}: ${parts.join(", ")}`;
  };
  const chart = drawChart({
    title: "Latency by operator type at each level (ms)",
    shows: "It shows which operator types get faster at which level, and what stays. Times of operators, without concurrent time and overhead.",
    marks: () => rows.length * series.length,
    height: () => rowsHeight(rows.length, 1.4) + 40,
    option: (theme) => ({
      grid: { left: 8, right: 24, top: 50, bottom: 8, containLabel: true },
      legend: { top: 0, left: 0, selectedMode: false, formatter: (name) => chartLabel(name, 24) },
      xAxis: { type: "value", min: 0 },
      yAxis: { type: "category", inverse: true, data: rows.map(({ name }) => name), axisTick: { show: false } },
      series: series.map((name, type) => ({
        type: "bar",
        name,
        stack: "types",
        barWidth: "66%",
        itemStyle: styleOf(name, type < own.length, theme),
        data: rows.map((_, row) => (Number.isNaN(latency(row, type)) ? "-" : latency(row, type))),
      })),
    }),
    readout: { length: () => rows.length, text, at: ({ dataIndex }) => dataIndex },
  });
  return {
    node: chart.node,
    refresh() {
      rows = rowsOf(session);
      chart.refresh();
    },
  };
}

function styleOf(type, isOwn, theme) {
  const line = { borderColor: theme.background, borderWidth: 1 };
  if (!isOwn) return { ...line, color: theme.unknown };
  return { ...line, color: typeColour(type, theme), decal: typePattern(type, theme) };
}
