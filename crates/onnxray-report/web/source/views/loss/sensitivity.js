// What pruning each layer costs, level by level: dots over the layers, or bars at one level.

import * as address from "../../address.js";
import { chartLabel, numberOf } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { openDetails } from "../../details.js";
import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { listChoice, radioChoice } from "../controls.js";
import { inlineName } from "../inline_text.js";
import { dotLegend } from "../dot_styles.js";
import { nonEmptyColumns } from "../non_empty_columns.js";
import { sentenceCase } from "../words.js";
import { layerChart } from "./layer_chart.js";
import { layerDetails } from "./layer_details.js";
import { cellAt, levelText, profileOf, valueText } from "./profile.js";

/** Levels that one chart can tell apart. */
const MOST_LEVELS = 10;
const ALL = "all";
/** A largest figure is this many times the smallest: from then on, the scale is logarithmic. */
const DECADES = 100;
/** Figures that come before the chart; the rest is with the layers. */
const FIRST_FIGURES = [
  "data",
  "items",
  "parameters",
  "average_sensitivity",
  "dense_loss",
  "dense_accuracy",
];

export default function sensitivity(report, context) {
  const profile = profileOf(report);
  const figures = report.figures("loss");
  const top = figures && figuresList(figures, { only: FIRST_FIGURES });
  if (profile === undefined) {
    return {
      node: element(
        "div",
        { class: "view" },
        top,
        element("p", null, "No layer was pruned, so no sensitivity is known. The layers say why."),
      ),
    };
  }
  if (profile.figures.length === 0) {
    return {
      node: element(
        "div",
        { class: "view" },
        top,
        element(
          "p",
          null,
          "No figure is known of any layer: all runs failed. The table of sparsities shows why.",
        ),
        pointsTable(report),
      ),
    };
  }
  const state = {
    column: profile.figures[0],
    level: profile.levels.length <= MOST_LEVELS ? ALL : profile.levels.at(-1),
    isLog: spansDecades(profile),
  };
  const levels = () => (state.level === ALL ? profile.levels : [state.level]);
  const legend = dotLegend("Levels", profile.levels.map(levelText));

  const chart = drawChart({
    title: () =>
      `${state.column.heading} by layer${state.level === ALL ? "" : ` at ${levelText(state.level)}`}`,
    shows: () =>
      `${sentenceCase(state.column.meaning)}, of each layer pruned by itself, in the order of the model.${gaps(profile, state, levels())}`,
    marks: () => profile.layers.length * levels().length,
    height: 420,
    option: (theme) =>
      layerChart({ profile, column: state.column, levels: levels(), isLog: state.isLog, theme }),
    readout: {
      length: profile.layers.length,
      text: (place) => layerText(profile, state.column, levels(), profile.layers[place]),
      at: ({ dataIndex }) => dataIndex,
      near: (x) => Math.max(0, Math.min(profile.layers.length - 1, Math.round(x))),
      point: (place) => [place, 0],
    },
    open: (place) => open(place),
  });
  function follow() {
    legend.hidden = state.level !== ALL;
    chart.refresh();
  }
  follow();

  // Names need not be unique: an address leads to the layer that was opened last.
  let opened;
  const open = (place) => {
    opened = place;
    const { view, name } = address.current();
    if (view === "sensitivity" && name === profile.layers[place].name) show(name);
    else context.go("sensitivity", profile.layers[place].name);
  };
  const show = (name) => {
    const place =
      profile.layers[opened]?.name === name
        ? opened
        : profile.layers.findIndex((layer) => layer.name === name);
    if (place < 0) return false;
    chart.show(place);
    openDetails({
      title: inlineName(name),
      body: layerDetails(report, profile, profile.layers[place]),
    });
    return true;
  };

  const controls = element(
    "div",
    { class: "controls" },
    listChoice({
      label: "Figure",
      options: profile.figures.map((column) => [column.key, column.heading]),
      value: state.column.key,
      change(key) {
        state.column = profile.points.column(key);
        follow();
      },
    }).node,
    listChoice({
      label: "Level",
      options: [
        ...(profile.levels.length <= MOST_LEVELS ? [[ALL, "all levels"]] : []),
        ...profile.levels.map((level) => [String(level), levelText(level)]),
      ],
      value: String(state.level),
      change(value) {
        state.level = value === ALL ? ALL : Number(value);
        follow();
      },
    }).node,
    radioChoice({
      label: "Scale",
      options: [
        ["linear", "linear"],
        ["log", "logarithmic"],
      ],
      value: state.isLog ? "log" : "linear",
      change(value) {
        state.isLog = value === "log";
        follow();
      },
    }),
  );
  const plan = report.figures("loss_plan");
  return {
    node: element(
      "div",
      { class: "view loss" },
      top,
      controls,
      element("div", { class: "stack" }, chart.node, legend),
      plan &&
        element(
          "section",
          { class: "stack" },
          element("h3", null, `${plan.title}: all layers pruned at once`),
          figuresList(plan),
        ),
      pointsTable(report),
    ),
    show,
  };
}

/** Whether figures of layers differ by more than a linear scale shows. */
function spansDecades(profile) {
  const cells = profile.layers.flatMap((layer) =>
    profile.levels.map((level) => cellAt(profile.figures[0], layer, level)),
  );
  const known = cells.map(numberOf).filter((value) => value !== undefined);
  const positive = known.filter((value) => value > 0);
  return (
    positive.length > known.length / 2 && Math.max(...positive) > DECADES * Math.min(...positive)
  );
}

function layerText(profile, column, levels, layer) {
  const start = `${layer.number}: ${chartLabel(layer.name, 80)}`;
  if (layer.leftOut !== undefined && layer.pointRows.size === 0)
    return `${start}, not pruned: ${layer.leftOut}`;
  return `${start}: ${levels.map((level) => `${valueText(profile, column, layer, level)} at ${levelText(level)}`).join(", ")}`;
}

/** What is not drawn, and why. */
function gaps(profile, { column, isLog }, levels) {
  const pruned = profile.layers.filter((layer) => layer.pointRows.size > 0);
  const cells = pruned.flatMap((layer) =>
    levels.map((level) => cellAt(column, layer, level)),
  );
  const unknown = cells.filter((cell) => numberOf(cell) === undefined).length;
  const low = isLog ? cells.filter((cell) => (numberOf(cell) ?? 1) <= 0).length : 0;
  const notPruned = profile.layers.length - pruned.length;
  const parts = [
    notPruned > 0 && `${notPruned} of ${profile.layers.length} layers cannot be pruned`,
    unknown > 0 && `${unknown} of ${cells.length} figures are unknown`,
    low > 0 && `${low} are 0 or below, which a logarithmic scale does not have`,
  ].filter(Boolean);
  return parts.length === 0 ? "" : ` Not drawn: ${parts.join("; ")}.`;
}

function pointsTable(report) {
  const table = report.table("loss_points");
  return dataTable({
    table,
    columns: nonEmptyColumns(table),
    caption: "Each layer at each level",
    rowKey: "name",
    search: ["name", "weight"],
    filters: true,
  }).node;
}
