// Everything that is known of an operator, in the panel at the side: its neighbours in the model,
// the distribution of its latency, its figures by what they are about, and what pruning would gain
// where that was asked for.

import { hrefOf } from "../../address.js";
import { exact, isNone, isUnknown, shorten, shown, textOf, valueElement } from "../../cells.js";
import { openDetails } from "../../details.js";
import { element } from "../../dom.js";
import { histogramChart } from "./histogram.js";
import { levelsOf } from "./levels.js";
import { modules, neighbours } from "./neighbours.js";
import { addressOf } from "./operators.js";

/** Columns by what they are about; all others stand under the last heading. */
const GROUPS = [
  [
    "Time",
    [
      ..."share time_ms time_low_ms time_high_ms time_median_ms time_p10_ms time_p90_ms".split(" "),
      ..."time_p99_ms time_min_ms time_max_ms iterations executions calls total_ms".split(" "),
    ],
  ],
  ["Cost", ["flops", "gflops_per_second", "bytes", "parameters"]],
  [
    "Weight",
    [
      ..."weight weight_shape sparse_support sparse_ratio_1x1 sparse_ratio_4x1".split(" "),
      ..."sparse_ratio_1x4 sparse_ratio_1x16 sparse_ratio_4x16".split(" "),
    ],
  ],
  ["Tensors", "inputs input_types input_shapes outputs output_types output_shapes".split(" ")],
];
const OTHERS = "Operator";

/** Letters of a title; the whole name stands among the facts. */
const MOST_LETTERS = 300;

/** Views that can show one operator. */
const VIEWS = ["layer-results", "graph", "timeline", "roofline"];

/** Opens the panel with an operator. */
export function openOperator(report, row) {
  const operators = report.table("operators");
  const name = operators.text("name", row);
  return openDetails({
    title: title(name),
    body: [
      places(report, row),
      neighbours(report, row),
      modules(report, row),
      histogramChart(report, row),
      ...groupsOf(operators, row),
      pruned(report, row),
      resources(report, row),
    ].filter(Boolean),
  });
}

/** A long name that breaks behind its slashes first. */
function title(name) {
  return element(
    "bdi",
    null,
    shorten(name, MOST_LETTERS)
      .split(/(?<=\/)/)
      .flatMap((part) => [part, element("wbr")]),
  );
}

/** Links to the operator in other views. */
function places(report, row) {
  const views = report.views.filter((view) => VIEWS.includes(view.key));
  const name = addressOf(report, row);
  const links = views.map((view) => element("a", { href: hrefOf(view.key, name) }, view.title));
  return element("p", { class: "places" }, "In other views: ", links);
}

function groupsOf(operators, row) {
  const grouped = new Set(GROUPS.flatMap(([, keys]) => keys));
  const others = operators.columns.map((column) => column.key).filter((key) => !grouped.has(key));
  return [...GROUPS, [OTHERS, others]]
    .map(([title, keys]) => {
      const columns = keys.map((key) => operators.column(key)).filter(Boolean);
      const facts = columns.filter((column) => !isNone(column.cells[row]));
      if (facts.length === 0) return null;
      return [
        element("h3", null, title),
        element(
          "dl",
          { class: "figures facts", dataset: { table: operators.key, row } },
          facts.map((column) => fact(column, column.cells[row])),
        ),
      ];
    })
    .flat();
}

/** What one column says; texts are whole here, since there is nowhere else to read them. */
function fact({ key, heading, unit, meaning }, cell) {
  const isText = typeof cell === "string";
  const value = isText
    ? element(
        "dd",
        { class: "whole", dataset: { value: exact(cell) } },
        element("bdi", null, textOf(cell)),
      )
    : valueElement(cell, unit, "dd");
  value.dataset.column = key;
  return element("div", { title: meaning || undefined }, element("dt", null, heading), value);
}

/** What the operator would take at each level, or why nothing is said of it. */
function pruned(report, row) {
  const levels = levelsOf(report);
  if (levels.choices.length === 0 && !levels.why) return null;
  if (levels.why)
    return [element("h3", null, "Pruned"), element("p", { class: "quiet" }, levels.why)];
  const fixed = levels.fixed(row);
  if (fixed) {
    return [
      element("h3", null, "Pruned"),
      element("p", null, `No target can change it: ${fixed}.`),
    ];
  }
  const cell = (value) =>
    element("td", { class: "number", title: value }, shown(value ?? null, "milliseconds"));
  const rows = levels.choices.map((choice) => {
    const [low, high] = choice.ends?.(row) ?? [];
    return element(
      "tr",
      null,
      element("th", { scope: "row" }, shown(choice.level, "share")),
      [choice.value(row), low, high].map(cell),
      element("td", null, choice.origin?.(row) ?? "unknown"),
    );
  });
  const headings = ["Pruned to", "Latency ms", "Low ms", "High ms", "Perf ratio is"].map((text) =>
    element("th", { scope: "col" }, text),
  );
  const head = element("thead", null, element("tr", null, headings));
  return [
    element("h3", null, "Pruned"),
    element("table", { class: "plain" }, head, element("tbody", null, rows)),
  ];
}

/** What the trace states of it beyond times. */
function resources(report, row) {
  const table = report.table("resources");
  const number = report.table("operators").text("number", row);
  const own = table?.find("number", number);
  if (own === undefined) return null;
  const columns = table.columns.filter(
    ({ key, cells }) => !["number", "name"].includes(key) && !isUnknown(cells[own]),
  );
  return [
    element("h3", null, table.title),
    element(
      "dl",
      { class: "figures facts", dataset: { table: table.key, row: own } },
      columns.map((column) => fact(column, column.cells[own])),
    ),
  ];
}
