// The plan: levels of layers as the analyzer spread a budget over them, each of which can be
// fixed at another; what the model would take then. The budget is not spread again here.

import { exact, shorten, textOf, valueElement } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { pattern } from "../../colours.js";
import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { namedPlaces } from "../named_places.js";
import { beforeAndAfter, estimateAt, estimateText, sidesOf } from "./charts.js";
import { drawWhenVisible } from "./draw_when_visible.js";
import { byRoom, fixedCell, goToField, moveIn, settableCells, setWidths } from "./editing.js";
import { sparseRatioText } from "./entries.js";
import { withoutData } from "./frame.js";
import { sessionOf } from "./session.js";
import { planLevelCell, whyFixed } from "./settables.js";
import { toolbar } from "./toolbar.js";

/** Figures of the whole that are counts, and the columns with their amounts. */
const COUNTS = ["flops", "parameters", "prunable_parameters"];
const AMOUNTS = ["before", "planned", "low", "high"];
const KEY = ["number", "name", "weight_shape"];
/** Columns of layers that there is room for. */
const OF_LAYERS = {
  narrow: "name level planned_ms latency_ms why perf_ratio weight_shape origin".split(" "),
  medium: [...KEY, "level", "why", "latency_ms", "planned_ms", "origin"],
  wide: [...KEY, "parameters", "level", "why", "latency_ms", "planned_ms", "perf_ratio", "origin"],
};
const WIDTHS = {
  level: 16,
  weight_shape: 13,
  latency_ms: 10,
  planned_ms: 11,
  perf_ratio: 9,
  why: 24,
  origin: 20,
};

const LATENCY = ["latency_ms", "latency_ms", "latency_ms"];
const PLANNED = ["planned_ms", "planned_low_ms", "planned_high_ms"];

export default function plan(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = toolbar(session, {
    isPlan: true,
    figures() {
      const { figures, totals } = session.projection.plan;
      return [
        {
          heading: "Total latency",
          before: figures.latency.before,
          after: figures.latency.planned,
          unit: "milliseconds",
          suffix: " ms",
        },
        { heading: "Speedup", after: totals.speedup, unit: "number", suffix: "×" },
      ];
    },
    origin: () => session.projection.plan.origin,
  });
  const layers = layersPart(session);
  const parts = [top, wholePart(session), layers];
  const node = element(
    "div",
    { class: "view projection" },
    parts.map((part) => part.node),
  );
  session.follow(node, () => parts.forEach((part) => part.refresh()));
  return { node, show: layers.show, prepare: () => session.catchUpAll() };
}

/** The model with the plan, and what the plan was made with. */
function wholePart(session) {
  const table = session.tables.get("plan");
  // Counts are whole, and as large as elsewhere; times stand in the same columns.
  const isCount = (row) => COUNTS.includes(exact(table.cell("figure", row)));
  const grid = dataTable({
    table,
    columns: "shown",
    caption: table.title,
    rowKey: "figure",
    cell: (key, row) =>
      isCount(row) && AMOUNTS.includes(key)
        ? valueElement(table.cell(key, row), "quantity")
        : undefined,
  });
  const { plan: bounds } = session.inputs.settings;
  const allowed = (is) => (is ? "may be pruned" : "left dense");
  const of = (heading, text) =>
    element("div", null, element("dt", null, heading), element("dd", null, text));
  const boundsList = element(
    "dl",
    { class: "figures" },
    bounds.max_loss === null
      ? of("Budget", `${sparseRatioText(bounds.budget)} of the prunable parameters`)
      : of("Largest sum of losses", `${bounds.max_loss}`),
    of("Least sparsity of a pruned layer", sparseRatioText(bounds.minimum)),
    of("Highest level", sparseRatioText(bounds.maximum)),
    of("Balance of loss against latency", `${bounds.balance}`),
    of("First layer", allowed(bounds.first)),
    of("Convolutions with groups", allowed(bounds.grouped)),
  );
  const loss = session.report.figures("planned_loss");
  const stale = element(
    "p",
    { class: "caveat", hidden: true },
    "These are of the sparsities as the analyzer spread them: what the fixed ones lose is not known here.",
  );
  const limited = element("p", { class: "lead" });
  function sayLimited() {
    const { speedup } = session.projection.plan.totals;
    // What is fixed in the page may lose more than the limit.
    const isKept = session.inputs.layers.reached && stale.hidden;
    limited.hidden = bounds.max_loss === null || !isKept || !speedup;
    if (limited.hidden) return;
    limited.textContent = `Estimated speedup with limited effect on the loss: ${estimateText(speedup, "number")}; the layers' losses add up to at most ${bounds.max_loss}.`;
  }
  sayLimited();
  return {
    node: element(
      "section",
      { class: "part" },
      limited,
      element(
        "div",
        { class: "beside" },
        grid.node,
        element("div", null, element("h3", null, "Spread with"), boundsList),
      ),
      loss && [element("h3", null, loss.title), figuresList(loss), stale],
    ),
    refresh() {
      grid.refresh({ sort: false });
      stale.hidden = session.settings.plan.overrides === bounds.overrides;
      sayLimited();
    },
  };
}

function layersPart(session) {
  const table = session.tables.get("planned_layers");
  const { operator } = session.inputs.layers;
  setWidths(table, { ...WIDTHS, name: byRoom({ narrow: 18, medium: 24, wide: 30 }) });
  const levelCell = settableCells(
    fieldOf,
    (row) => fixedCell([whyFixed(session, operator[row])], "0"),
  );
  const grid = dataTable({
    table,
    columns: byRoom(OF_LAYERS),
    caption: table.title,
    rowKey: "name",
    search: ["name", "weight_shape", "why"],
    filters: true,
    cell: (key, row) => (key === "level" ? levelCell(row) : undefined),
  });
  const move = moveIn(grid, (row) => fieldOf(row));

  function fieldOf(row) {
    if (whyFixed(session, operator[row])) return undefined;
    return session.field(planLevelCell(session, row, table.cell("name", row)), (direction) =>
      move(direction, row),
    );
  }

  session.reach("plan-level", "plan", (row) => goToField(grid, row, fieldOf));
  const chart =
    table.rows > 0 ? levelsChart(session, table, (row) => grid.reveal(row)) : undefined;
  return {
    node: element(
      "section",
      { class: "part" },
      chart
        ? [
            chart.node,
            element(
              "p",
              { class: "lead" },
              "A sparsity that you type fixes its layer, and every layer of the same weight; it counts at once. A blank cell stays where the plan put it. 0 leaves dense.",
            ),
            grid.node,
          ]
        : element("p", { class: "missing" }, noLayers(session)),
    ),
    refresh() {
      grid.refresh({ sort: false });
      if (chart) chart.refresh();
    },
    /** Brings a layer into sight; false if there is none of this name. */
    show(name) {
      const row = table.find("name", name);
      return row !== undefined && grid.reveal(row);
    },
  };
}

function noLayers({ inputs: { operators } }) {
  if (operators.fixed.length === 0)
    return "The recording has no operators, so there are no layers to plan for.";
  const isUnknown = operators.weightUnknown.includes(1);
  return isUnknown
    ? "The trace has no weights, so there are no layers to plan for; add them with --model MODEL.onnx."
    : "No operator of this model has a constant weight, so there is nothing to prune.";
}

/** A bar for each layer, as high as its level. */
function levelsChart(session, table, open) {
  const levels = () => session.projection.plan.layers;
  const text = (row) => {
    const times = [LATENCY, PLANNED].map((keys) => estimateAt(table, keys, row));
    const level = sparseRatioText(table.number("level", row));
    const name = shorten(table.text("name", row));
    return `${name}: ${level}, ${table.text("why", row)}; ${beforeAndAfter(...times, "planned")}`;
  };
  return drawWhenVisible(
    drawChart({
      title: "Sparsity of each layer, in order of execution",
      shows:
        "It shows how far the plan prunes each layer. Layers without a bar are left dense; striped ones are fixed.",
      marks: () => table.rows,
      height: 300,
      zoom: "x",
      open,
      option: (theme) => {
        const [, after] = sidesOf(theme);
        const { level, fixed } = levels();
        return {
          grid: { left: 8, right: 16, top: 12, bottom: 32, containLabel: true },
          xAxis: {
            type: "category",
            ...namedPlaces(table.column("name").cells.map(textOf)),
            axisTick: { alignWithLabel: true },
          },
          yAxis: {
            type: "value",
            min: 0,
            max: 1,
            axisLabel: { formatter: (value) => `${Math.round(value * 100)} %` },
          },
          aria: { enabled: true, decal: { show: false } },
          series: [
            {
              type: "bar",
              data: Array.from(level, (value, layer) => ({
                value,
                itemStyle: {
                  color: after.fill,
                  decal: Number.isNaN(fixed[layer]) ? undefined : pattern(1, theme),
                },
              })),
            },
          ],
        };
      },
      readout: {
        length: () => table.rows,
        text,
        at: ({ dataIndex }) => dataIndex,
        locate: (row) => ({ seriesIndex: 0, dataIndex: row }),
      },
    }),
  );
}
