// What operators aim at: the target of the model, of its operator types, and of single operators, each in place of the
// one before; and what every type and operator would take then. The seed calls it operator profiling.

import { chartLabel, nameElement, shorten, valueElement } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { openDetails } from "../../details.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { beforeAndAfter, endBars, estimateAt, rowsHeight, sidesOf } from "./charts.js";
import { byRoom, fixedCell, goToField, moveIn, setWidths } from "./editing.js";
import { drawnWhenSeen } from "./seen.js";
import {
  modelTargetCell,
  operatorTargetCell,
  typeTargetCell,
  whyFixed,
  whyTypeFixed,
} from "./settables.js";

/** Types that the chart has room for. */
const MOST_TYPES = 16;
/** Widths of columns in characters; that of targets has room for the word of where they come from. */
const WIDTHS = {
  target: 16,
  latency_ms: 10,
  projected_ms: 12,
  perf_ratio: 9,
  speedup: 8,
  share: 7,
  weight_shape: 13,
  projection: 18,
  origin: 20,
};

/** Columns of types that there is room for: beside the chart there is less. */
const OF_TYPES = {
  narrow: [
    "type",
    "target",
    "latency_ms",
    "projected_ms",
    "speedup",
    "share",
    "operators",
    "origin",
  ],
  medium: [
    "type",
    "operators",
    "latency_ms",
    "share",
    "target",
    "projected_ms",
    "speedup",
    "origin",
  ],
  wide: ["type", "latency_ms", "share", "target", "projected_ms", "speedup", "origin"],
};
/** Columns of operators that there is room for; what they lack stands in the details. */
const OF_OPERATORS = {
  narrow: [
    "name",
    "target",
    "latency_ms",
    "projected_ms",
    "perf_ratio",
    "origin",
    "type",
    "weight_shape",
  ],
  medium: [
    "number",
    "name",
    "type",
    "weight_shape",
    "latency_ms",
    "target",
    "projected_ms",
    "perf_ratio",
    "origin",
  ],
  wide: [
    "number",
    "name",
    "type",
    "weight_shape",
    "latency_ms",
    "target",
    "projected_ms",
    "perf_ratio",
    "projection",
    "origin",
  ],
};
const LATENCY = ["latency_ms", "latency_low_ms", "latency_high_ms"];
const PROJECTED = ["projected_ms", "projected_low_ms", "projected_high_ms"];

/** @param {object} session of session.js */
export function typesPart(session) {
  const table = session.tables.get("projected_types");
  setWidths(table, { ...WIDTHS, type: byRoom({ narrow: 13, medium: 18, wide: 18 }) });
  const isSettable = session.inputs.operators.fixed.includes(null);
  const model = isSettable
    ? session.field(modelTargetCell(session), () => {}).node
    : fixedCell(allReasons(session));
  const cells = new Map();
  const grid = dataTable({
    table,
    columns: byRoom(OF_TYPES),
    caption: table.title,
    rowKey: "type",
    cell: (key, row) => (key === "target" ? targetCell(row) : undefined),
  });
  const move = moveIn(grid, (row) => fieldOf(row));

  function fieldOf(row) {
    return whyTypeFixed(session, row)
      ? undefined
      : session.field(typeTargetCell(session, row), (direction) => move(direction, row));
  }

  function targetCell(row) {
    if (!cells.has(row))
      cells.set(row, fieldOf(row)?.node ?? fixedCell(whyTypeFixed(session, row)));
    return cells.get(row);
  }

  session.reach("target", "projection", () => session.field(modelTargetCell(session)).focus());
  session.reach("target-type", "projection", (row) => goToField(grid, row, fieldOf));
  const chart = typesChart(session, table);
  return {
    node: element(
      "section",
      { class: "part" },
      element("h3", null, "Targets"),
      isSettable &&
        element(
          "p",
          { class: "lead" },
          "The sparse ratio that operators aim at. That of an operator stands before that of its type, and that before the model's; a blank cell inherits. 0 leaves dense.",
        ),
      element("label", { class: "model-target" }, "Target of the model ", model),
      element("div", { class: "beside is-wide" }, grid.node, chart?.node),
    ),
    refresh() {
      grid.refresh({ sort: false });
      chart?.refresh();
    },
  };
}

function typesChart(session, table) {
  const declared = session.report.chart("projected_types");
  if (table.rows === 0) return undefined;
  const rows = Array.from({ length: Math.min(MOST_TYPES, table.rows) }, (_, row) => row);
  const left = table.rows - rows.length;
  const names = rows.map((row) => table.text("type", row));
  const estimates = () => [session.projection.types.latency, session.projection.types.projected];
  const sides = (theme) =>
    sidesOf(theme).map((side, place) => ({ ...side, estimates: estimates()[place] }));
  return drawnWhenSeen(
    drawChart({
      title: declared?.title ?? "Latency by operator type (ms)",
      shows: `It shows ${declared?.shows ?? "which operator types take the time"}.${left > 0 ? ` The ${left} types with least time are in the table only.` : ""}`,
      marks: rows.length * 6,
      height: rowsHeight(rows.length, 2),
      option: (theme) => endBars({ names, sides: sides(theme) }, theme, 24),
      readout: {
        length: rows.length,
        text: (row) =>
          `${shorten(names[row])}: ${beforeAndAfter(...estimates().map((side) => side[row]))}`,
        at: ({ dataIndex }) => dataIndex,
      },
    }),
  );
}

/** @param {object} session of session.js */
export function operatorsPart(session) {
  const table = session.tables.get("projected_operators");
  setWidths(table, {
    ...WIDTHS,
    ...byRoom({
      narrow: { name: 18 },
      medium: { name: 22, type: 16 },
      wide: { name: 32, type: 18 },
    }),
  });
  const cells = new Map();
  const grid = dataTable({
    table,
    columns: byRoom(OF_OPERATORS),
    caption: table.title,
    rowKey: "name",
    search: ["name", "type", "weight_shape", "projection"],
    filters: true,
    open: showOperator,
    cell: (key, row) => (key === "target" ? targetCell(row) : undefined),
  });
  const move = moveIn(grid, (row) => fieldOf(row));

  function fieldOf(row) {
    if (whyFixed(session, row)) return undefined;
    return session.field(operatorTargetCell(session, row, table.cell("name", row)), (direction) =>
      move(direction, row),
    );
  }

  function targetCell(row) {
    if (!cells.has(row)) {
      const why = whyFixed(session, row);
      cells.set(row, why ? fixedCell([why]) : fieldOf(row).node);
    }
    return cells.get(row);
  }

  function showOperator(row) {
    const why = whyFixed(session, row);
    const outcome = session.inputs.outcomes.find(
      ({ text }) => text === table.cell("projection", row),
    );
    const figures = table.columns.filter(({ key }) => key !== "name");
    openDetails({
      title: nameElement(table.cell("name", row)),
      body: [
        element(
          "p",
          null,
          why
            ? `No target can change it: ${why.meaning}.`
            : `${outcome?.text ?? ""}: ${outcome?.meaning ?? ""}.`,
        ),
        element(
          "dl",
          { class: "figures" },
          figures.map(({ key, heading, meaning, unit }) =>
            element(
              "div",
              { title: meaning },
              element("dt", null, heading),
              valueElement(table.cell(key, row), unit, "dd"),
            ),
          ),
        ),
      ],
    });
  }

  session.reach("target-operator", "projection", (row) => goToField(grid, row, fieldOf));
  const chart = operatorsChart(session, table, (row) => grid.reveal(row));
  return {
    node: element("section", { class: "part" }, chart?.node, grid.node, reasons(session)),
    refresh() {
      grid.refresh({ sort: false });
      chart?.refresh();
    },
    /** Brings an operator into sight; false if there is none of this name. */
    show(name) {
      const row = table.find("name", name);
      return row !== undefined && grid.reveal(row);
    },
  };
}

function operatorsChart({ report }, table, open) {
  const declared = report.chart("projected_operators");
  if (table.rows === 0) return undefined;
  const name = (row) => table.text("name", row);
  /** Both ends of a step for each operator, as x and y by turns; what is unknown is no number, and leaves a gap. */
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
  return drawnWhenSeen(
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
        text: (row) =>
          `${shorten(name(row))}: ${beforeAndAfter(estimateAt(table, LATENCY, row), estimateAt(table, PROJECTED, row))}; ${table.text("projection", row)}`,
        near: (x) => (x >= -0.5 && x < table.rows - 0.5 ? Math.round(x) : undefined),
        point: (row) => [row, table.number("projected_ms", row) ?? 0],
      },
    }),
  );
}

/** Why operators cannot be set, each reason once with how many there are. */
function reasons(session) {
  const found = allReasons(session);
  if (found.length === 0) return null;
  const count = (text) =>
    session.inputs.operators.fixed.filter((outcome) => outcome === text).length;
  return element(
    "dl",
    { class: "reasons" },
    found.map(({ text, meaning }) => [
      element("dt", null, `${text} (${count(text)})`),
      element("dd", null, meaning),
    ]),
  );
}

const allReasons = ({ inputs }) =>
  inputs.outcomes.filter(({ text }) => inputs.operators.fixed.includes(text));
