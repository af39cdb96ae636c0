// The summary of a recording: what ran, how fast it was, how fast the plan would make it, and
// the FLOPS profile beside it, under what is doubtful about all that.

import { isUnknown, valueElement } from "../../cells.js";
import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { knownColumns } from "./operators.js";
import { sharesChart } from "./shares_chart.js";

/** What was run, and how. */
const FACTS = [
  ..."model batch_size dimensions generation threads instances isa vector_registers".split(" "),
  ..."engine engine_options profile cpu".split(" "),
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
/** Further figures of the measurement. */
const BESIDE = [
  ..."latency_p90_ms operators_mean_ms overhead_mean_ms overhead_share_percent".split(" "),
  ..."recording_overhead_interval launches iterations".split(" "),
];
/** Tables that stand in full below. */
const TABLES = ["profiles", "phases", "launches", "resources"];

export default function summary(report) {
  const model = report.figures("model");
  if (!model) {
    return { node: element("p", { class: "nothing" }, "This page has no figures of the model.") };
  }
  const details = element(
    "details",
    { class: "all-figures" },
    element("summary", null, "All figures"),
    figuresList(model),
  );
  const tables = TABLES.map((key) => report.table(key)).filter((table) => table?.rows > 0);
  const node = element(
    "div",
    { class: "view summary" },
    doubts(report),
    element(
      "div",
      { class: "cards" },
      card("What ran", figuresList(model, { only: FACTS.filter((key) => model.figure(key)) })),
      card("Measured", measured(model)),
      card("Estimated, with the plan", estimated(report)),
      card("FLOPS profile", flopsProfile(report, model)),
    ),
    sharesChart(report),
    tables.map(
      (table) => dataTable({ table, columns: knownColumns(table), caption: table.title }).node,
    ),
    details,
  );
  return {
    node,
    prepare() {
      details.open = true;
    },
  };
}

/** Warnings and notes, since every figure below is to be read with them. */
function doubts(report) {
  if (report.notes.length === 0) return null;
  const warnings = report.notes.filter((note) => note.kind === "warning");
  const notes = report.notes.filter((note) => note.kind !== "warning");
  const item = (note) =>
    element(
      "li",
      { class: note.kind, dataset: { value: note.text } },
      element("bdi", null, note.text),
    );
  return element(
    "section",
    { class: "doubts", aria: { label: "Doubts" } },
    element("h3", null, "To be read with care"),
    element("ul", null, [...warnings, ...notes].map(item)),
  );
}

const card = (title, ...content) =>
  element("section", { class: "card" }, element("h3", null, title), content);

/** A large figure, with what stands beside it. */
function headline(value, unit, ...beside) {
  return element(
    "p",
    { class: "large" },
    element("span", { class: "large-value" }, value),
    element("span", { class: "large-unit" }, unit),
    beside.filter(Boolean).map((text) => element("span", { class: "beside" }, text)),
  );
}

function figureValue(model, key) {
  const figure = model.figure(key);
  const value = valueElement(figure.value, figure.unit);
  value.dataset.key = key;
  value.title = [value.title, figure.meaning].filter(Boolean).join(": ");
  return value;
}

/** Ms per batch and items per second, each with what it was measured over. */
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
    parts.push(headline(figureValue(model, latency), batch, between));
  }
  if (throughput) {
    parts.push(headline(figureValue(model, throughput), items ? "items/s" : "iterations/s"));
  }
  const source = isProfiled
    ? "Median of the profiled latency: of iterations with a profiler at work."
    : "Median latency, of iterations without a profiler.";
  if (model.number(latency) !== undefined) parts.push(element("p", { class: "remark" }, source));
  const headlines = parts.flatMap((part) =>
    [...part.querySelectorAll("[data-key]")].map((value) => value.dataset.key),
  );
  const rest = BESIDE.filter((key) => !isUnknown(model.value(key)) && !headlines.includes(key));
  parts.push(figuresList(model, { only: rest }));
  return element("div", { dataset: { figures: model.key } }, parts);
}

/** What there is where no iteration has a wall time: the operators' own time. */
function withoutLatency(model) {
  const [key, words] = WITHOUT_LATENCY.find(([figure]) => model.number(figure) !== undefined) ?? [];
  const why = element(
    "p",
    { class: "nothing" },
    "The latency is unknown: the trace does not tell of iterations.",
  );
  return key ? [headline(figureValue(model, key), words), why] : [why];
}

/** What the plan of the budget is estimated to bring, and what that rests on. */
function estimated(report) {
  const plan = report.table("plan");
  const row = (key) =>
    plan?.column("figure")?.cells.findIndex((cell) => Array.isArray(cell) && cell[0] === key) ?? -1;
  const latency = row("total_latency_ms");
  if (latency < 0) return element("p", { class: "nothing" }, "This page has no plan.");
  const cell = (at, key, unit) => {
    const value = valueElement(plan.cell(key, at), unit ?? plan.column(key)?.unit);
    value.dataset.column = key;
    return value;
  };
  if (plan.number("planned", latency) === undefined) {
    return element(
      "p",
      { class: "nothing" },
      "Unknown: the trace has no weights or no times, so nothing can be said of pruning them.",
    );
  }
  const items = row("items_per_second");
  const others = [row("flops"), row("parameters")].filter(
    (at) => at >= 0 && plan.number("gain", at) !== undefined,
  );
  return [
    element(
      "div",
      { dataset: { table: plan.key, row: latency } },
      headline(cell(latency, "planned", "milliseconds"), "ms per batch", [
        cell(latency, "low", "milliseconds"),
        " to ",
        cell(latency, "high", "milliseconds"),
        " ms",
      ]),
      headline(cell(latency, "gain"), "times as fast", [
        "as the mean of ",
        cell(latency, "before", "milliseconds"),
        " ms that was recorded",
      ]),
      element(
        "p",
        { class: "remark" },
        "Its perf ratios are: ",
        origin(cell(latency, "origin")),
        ".",
      ),
    ),
    items >= 0 &&
      element(
        "p",
        { dataset: { table: plan.key, row: items } },
        cell(items, "planned"),
        " items/s instead of ",
        cell(items, "before"),
        ".",
      ),
    others.map((at) =>
      element(
        "p",
        { dataset: { table: plan.key, row: at } },
        cell(at, "figure"),
        ": ",
        cell(at, "planned", "quantity"),
        " instead of ",
        cell(at, "before", "quantity"),
        ".",
      ),
    ),
  ];
}

/** A speedup that rests on ratios that nobody measured is to be taken with care. */
function origin(value) {
  if (value.dataset.value.includes("default")) value.classList.add("tone-doubtful");
  return value;
}

/** What the model costs in theory, and how far that foretells times. */
function flopsProfile(report, model) {
  if (!model.figure("flops") || (report.table("operators")?.rows ?? 0) === 0) {
    return element("p", { class: "nothing" }, "Unknown: the trace tells nothing of its operators.");
  }
  const value = figureValue(model, "flops");
  const correlation = model.number("flops_time_rank_correlation");
  const words =
    correlation === undefined
      ? null
      : element(
          "p",
          { class: "remark" },
          foretells(correlation),
          " (rank correlation ",
          figureValue(model, "flops_time_rank_correlation"),
          ").",
        );
  return element(
    "div",
    { dataset: { figures: model.key } },
    headline(value, "FLOPs per iteration"),
    figuresList(model, { only: COST.filter((key) => key !== "flops") }),
    words,
  );
}

function foretells(correlation) {
  if (correlation >= 0.8) return "Operators with more FLOPs mostly take more time";
  if (correlation >= 0.5) return "Operators with more FLOPs often take more time";
  return "FLOPs say little about which operator takes more time";
}
