// The summary of a recording: where the time goes and the slowest operators; then caveats of
// the figures, what ran, how fast it was, and what profiling costs. What the plan would gain,
// where a projection was asked for.

import { isUnknown, valueElement } from "../../cells.js";
import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { estimated } from "./estimated.js";
import { largeFigure } from "./large_figure.js";
import { knownColumns } from "./operators.js";
import { pace } from "./pace.js";
import { sharesChart } from "./shares_chart.js";
import { slowestOperators } from "./slowest.js";

/** What was run, and how. */
const FACTS = [
  ..."model batch_size dimensions generation threads instances engine engine_options".split(" "),
  ..."isa vector_registers profile cpu".split(" "),
];
const COST = "flops flops_unknown bytes bytes_unknown parameters gflops_per_second".split(" ");
const THROUGHPUT = [
  "instances_throughput_items_per_second",
  "throughput_items_per_second",
  "throughput_iterations_per_second",
];
/** Where there are no iterations: what operators take. */
const WITHOUT_LATENCY = [
  ["operators_mean_ms", "ms of operators per iteration, mean"],
  ["operators_total_ms", "ms of operators in the whole trace"],
];
/** Further figures of the latency. */
const OF_LATENCY = "latency_p90_ms latency_p99_ms launches iterations".split(" ");
/** What an inference costs beside its latency, where processes of their own measured it. */
const OF_INFERENCE = [
  ..."cpu_time_ms busy_cores memory_peak_bytes memory_beside_model_bytes".split(" "),
  ..."memory_retained_bytes memory_growth_bytes session_ms first_inference_ms".split(" "),
  ..."inferences_until_settled idle_session_cores starts cold_starts".split(" "),
];
/** What the profiler saw, and what it adds. */
const PROFILING = [
  ..."profiled_latency_median_ms recording_overhead_interval profiling_cost".split(" "),
  ..."operators_mean_ms overhead_mean_ms overhead_share_percent profiled_iterations".split(" "),
];
/** Tables that stand in full below. */
const TABLES = ["profiles", "phases", "launches", "resources", "tensors"];

export default function summary(report, context) {
  const model = report.figures("model");
  if (!model) {
    return { node: element("p", { class: "nothing" }, "This page has no figures of the model.") };
  }
  const figures = element(
    "details",
    { class: "all-figures" },
    element("summary", null, "All figures"),
    figuresList(model),
  );
  const caveats = caveatsOf(report);
  const tables = TABLES.map((key) => report.table(key)).filter((table) => table?.rows > 0);
  const node = element(
    "div",
    { class: "view summary" },
    element(
      "div",
      { class: "opening" },
      sharesChart(report),
      slowestOperators(report, context),
    ),
    caveats,
    element(
      "div",
      { class: "cards" },
      card("What ran", knownFigures(model, FACTS)),
      card("Latency", measured(model)),
      card("Cost of an inference", knownFigures(model, OF_INFERENCE)),
      card("Profiling", isXray(model) ? null : knownFigures(model, PROFILING)),
      card("FLOPS profile", flopsProfile(report, model)),
      card("Estimated, with the plan", estimated(report)),
    ),
    pace(report),
    tables.map(
      (table) => dataTable({ table, columns: knownColumns(table), caption: table.title }).node,
    ),
    figures,
  );
  return {
    node,
    prepare() {
      figures.open = true;
      if (caveats) caveats.open = true;
    },
  };
}

/** Warnings and notes, in a line that unfolds. */
function caveatsOf(report) {
  if (report.notes.length === 0) return null;
  const warnings = report.notes.filter((note) => note.kind === "warning");
  const notes = report.notes.filter((note) => note.kind !== "warning");
  const item = (note) =>
    element(
      "li",
      { class: note.kind, dataset: { value: note.text } },
      element("bdi", null, note.text),
    );
  const counts = [counted(warnings.length, "warning"), counted(notes.length, "note")];
  return element(
    "details",
    { class: "caveats" },
    element("summary", null, `Caveats: ${counts.filter(Boolean).join(", ")}`),
    element("ul", null, [...warnings, ...notes].map(item)),
  );
}

const counted = (number, what) => number > 0 && `${number} ${what}${number === 1 ? "" : "s"}`;

/** A card; none where there is nothing to say. */
function card(title, content) {
  if (!content) return null;
  return element("section", { class: "card" }, element("h3", null, title), content);
}

/** Whether blocks were timed without a profiler: what the framework costs is in them. */
function isXray(model) {
  return !model.figure("overhead_mean_ms");
}

/** Those of the figures that are known, if any is. */
function knownFigures(model, keys) {
  const only = keys.filter((key) => model.figure(key) && !isUnknown(model.value(key)));
  return only.length > 0 ? figuresList(model, { only }) : null;
}

function figureValue(model, key) {
  const figure = model.figure(key);
  const value = valueElement(figure.value, figure.unit);
  value.dataset.key = key;
  value.title = [value.title, figure.meaning].filter(Boolean).join(": ");
  return value;
}

/** Ms per batch and items per second, with what they were measured over. */
function measured(model) {
  const [latency, interval] = ["latency_median_ms", "latency_median_interval"];
  const throughput = THROUGHPUT.find((key) => model.number(key) !== undefined);
  const isProfiled = !model.figure("profiled_latency_median_ms");
  const items = throughput?.includes("items");
  const parts = [];
  if (model.number(latency) === undefined) parts.push(...withoutLatency(model));
  else {
    const batch = model.number("batch_size") === undefined ? "ms per iteration" : "ms per batch";
    const between = model.figure(interval) && figureValue(model, interval);
    parts.push(largeFigure(figureValue(model, latency), batch, between));
  }
  if (throughput) {
    parts.push(largeFigure(figureValue(model, throughput), items ? "items/s" : "iterations/s"));
  }
  const source = isProfiled
    ? "Median of iterations with a profiler at work."
    : "Median of iterations without a profiler.";
  if (model.number(latency) !== undefined) parts.push(element("p", { class: "remark" }, source));
  parts.push(knownFigures(model, OF_LATENCY));
  return element("div", { dataset: { figures: model.key } }, parts);
}

/** What there is where no iteration has a wall time: the operators' own time. */
function withoutLatency(model) {
  const [key, words] = WITHOUT_LATENCY.find(([figure]) => model.number(figure) !== undefined) ?? [];
  const why = element(
    "p",
    { class: "nothing" },
    "The latency is unknown: the trace marks no iterations.",
  );
  return key ? [largeFigure(figureValue(model, key), words), why] : [why];
}

/** What the model costs in theory, and how far times follow it. */
function flopsProfile(report, model) {
  if (isUnknown(model.value("flops")) || (report.table("operators")?.rows ?? 0) === 0) return null;
  const value = figureValue(model, "flops");
  const correlation = model.number("flops_time_rank_correlation");
  const words =
    correlation === undefined
      ? null
      : element(
          "p",
          { class: "remark" },
          correlationWords(correlation),
          " (rank correlation ",
          figureValue(model, "flops_time_rank_correlation"),
          ").",
        );
  return element(
    "div",
    { dataset: { figures: model.key } },
    largeFigure(value, "FLOPs per iteration"),
    knownFigures(
      model,
      COST.filter((key) => key !== "flops"),
    ),
    words,
  );
}

function correlationWords(correlation) {
  if (correlation >= 0.8) return "Operators with more FLOPs mostly take more time";
  if (correlation >= 0.5) return "Operators with more FLOPs often take more time";
  return "FLOPs say little about which operator takes more time";
}
