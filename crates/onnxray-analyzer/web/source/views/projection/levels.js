// The summary type: the whole model, and its operator types, with every weight at one level, whatever the targets are.

import { chartLabel, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { typeColour, typePattern } from "../../colours.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import {
  LEGEND_LETTERS,
  endBars,
  estimateText,
  legendHeight,
  rowsHeight,
  sidesOf,
} from "./charts.js";
import { desk } from "./desk.js";
import { levelText } from "./entries.js";
import { withoutData } from "./frame.js";
import { drawnWhenSeen } from "./seen.js";
import { sessionOf } from "./session.js";

/** Types that have a colour of their own; the others share one. */
const MOST_TYPES = 8;
const BASELINE = "baseline";

export default function levels(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = desk(session, {
    figures: () => best(session).figures,
    origin: () => best(session).origin,
  });
  const parts = [top, wholePart(session), typesPart(session)];
  const node = element(
    "div",
    { class: "view projection" },
    parts.map((part) => part.node),
  );
  session.follow(node, () => parts.forEach((part) => part.refresh()));
  return { node, prepare: () => session.catchUpAll() };
}

/** The baseline and the levels, from dense to sparse. */
function rowsOf({ projection }) {
  const dense = {
    name: BASELINE,
    total: projection.totals.total,
    types: projection.types.latency,
    origin: "measured",
  };
  const sparser = [...projection.atLevels].sort((one, other) => one.level - other.level);
  return [
    dense,
    ...sparser.map(({ level, totals, types, origin }) => ({
      name: levelText(level),
      level,
      total: totals.projectedTotal,
      speedup: totals.speedup,
      types: types.projected,
      origin,
    })),
  ];
}

/** The level with the least latency; of equal ones the lowest. */
function best(session) {
  const [dense, ...others] = rowsOf(session);
  const known = others.filter(({ total }) => total !== null);
  const least = known.reduce(
    (one, other) => (other.total.value < one.total.value ? other : one),
    known[0],
  );
  const latency = {
    before: dense.total,
    after: least?.total ?? null,
    unit: "milliseconds",
    suffix: " ms",
  };
  if (!least) return { figures: [{ ...latency, heading: "Total latency" }], origin: dense.origin };
  const speedup = { heading: "Speedup", after: least.speedup, unit: "number", suffix: "×" };
  return {
    figures: [{ ...latency, heading: `All weights at ${least.name}` }, speedup],
    origin: least.origin,
  };
}

function wholePart(session) {
  const table = session.tables.get("levels");
  const declared = session.report.chart("levels");
  const grid = dataTable({
    table,
    columns: "shown",
    caption: table.title,
    cell: baselineIn(table),
  });
  let rows = rowsOf(session);
  const chart = drawnWhenSeen(
    drawChart({
      title: declared?.title ?? "Latency of the whole model (ms)",
      shows: `It shows ${declared?.shows ?? "what pruning all weights to one sparse ratio would bring"}. Lines across the ends run from the low to the high end.`,
      marks: () => rows.length * 4,
      height: () => rowsHeight(rows.length, 1.4),
      option: (theme) => {
        const [before, after] = sidesOf(theme);
        const estimates = rows.map(({ total }) => total);
        const side = {
          ...after,
          fillOf: (row) => (row === 0 ? before.fill : after.fill),
          estimates,
        };
        return endBars({ names: rows.map(({ name }) => name), sides: [side] }, theme, 20);
      },
      readout: {
        length: () => rows.length,
        text: (row) =>
          `${rows[row].name}: ${estimateText(rows[row].total, "milliseconds", " ms")}${rows[row].speedup ? `, ${estimateText(rows[row].speedup, "number", "×")} as fast` : ""}`,
        at: ({ dataIndex }) => dataIndex,
      },
    }),
  );
  return {
    node: element(
      "section",
      { class: "part" },
      missing(session),
      element("div", { class: "beside" }, grid.node, chart.node),
    ),
    refresh() {
      rows = rowsOf(session);
      grid.refresh({ sort: false });
      chart.refresh();
    },
  };
}

function missing({ projection, inputs }) {
  if (inputs.operators.fixed.length === 0)
    return element(
      "p",
      { class: "missing" },
      "The recording has no operators, so there is nothing to prune.",
    );
  if (projection.totals.projectedTotal !== null) return null;
  return element(
    "p",
    { class: "missing" },
    "It is not known of any operator whether it has a weight: what levels would bring is unknown, and no speedup is claimed.",
  );
}

/** The word for rows of no level, which the analyzer leaves blank. */
function baselineIn(table) {
  const words = new Map();
  return (key, row) => {
    if (key !== "sparse_ratio" || table.cell(key, row) !== false) return undefined;
    if (!words.has(row)) words.set(row, element("span", { dataset: { value: "" } }, BASELINE));
    return words.get(row);
  };
}

function typesPart(session) {
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
    const levels = rowsOf(session)
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
      element("label", { class: "choice" }, "Summary type ", type),
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
  let rows = rowsOf(session);

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
    const parts = series.map(
      (name, type) =>
        `${name} ${Number.isNaN(latency(row, type)) ? "unknown" : `${shown(latency(row, type), "milliseconds")} ms`}`,
    );
    return `${rows[row].name}: ${parts.join(", ")}`;
  };
  const chart = drawnWhenSeen(
    drawChart({
      title: "Latency by operator type at each level (ms)",
      shows:
        "It shows which operator types get faster at which level, and what stays. Times of operators, without concurrent time and overhead.",
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
            data: rows.map(() => 0),
            label: {
              show: true,
              position: "right",
              color: theme.unknown,
              formatter: ({ dataIndex }) => unknownText(unknown(dataIndex)),
            },
          },
        ],
      }),
      readout: { length: () => rows.length, text, at: ({ dataIndex }) => dataIndex },
    }),
  );
  return {
    node: chart.node,
    refresh() {
      rows = rowsOf(session);
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
