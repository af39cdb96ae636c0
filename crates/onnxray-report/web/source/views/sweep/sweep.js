// Throughput and CPU time against latency of every configuration, the sweet spot within a latency
// threshold that is typed in, and the two points that are compared.

import { numberOf } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element, replace } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { radioChoice } from "../controls.js";
import { listed } from "../words.js";
import { families } from "./families.js";
import { alongWords, familyLegend, marksLegend } from "./legend.js";
import { cpuTime, throughput } from "./measures.js";
import { createPair } from "./pair.js";
import {
  POINTS,
  candidatesOf,
  cpuTimeText,
  latencyText,
  pointsOf,
  throughputText,
} from "./points.js";
import { spotsList, spotsOf } from "./spots.js";
import { isDrawn, sweepChart } from "./sweep_chart.js";
import { bestLatency, sweetSpot } from "./sweet_spot.js";
import { thresholdInput } from "./threshold.js";

/** Columns of the view's own: buttons, and what follows the threshold. */
const [CHOOSE, SPOT] = ["choose", "sweet_spot_now"];
const COLUMNS = [
  CHOOSE,
  "name",
  "latency_ms",
  "throughput_per_second",
  "cpu_time_ms",
  "memory_peak_bytes",
  "start_ms",
  SPOT,
  "on_front",
  "on_cpu_front",
  "on_front_of_all",
  "model",
  "engine",
  "batch_size",
  "dimensions",
  "threads",
  "instances",
  "latency_low_ms",
  "latency_high_ms",
  "throughput_low_per_second",
  "throughput_high_per_second",
  "cpu_time_low_ms",
  "cpu_time_high_ms",
];
/** Of these, a page without any CPU time has none. */
const OF_COSTS = [
  "cpu_time_ms",
  "memory_peak_bytes",
  "start_ms",
  "on_cpu_front",
  "cpu_time_low_ms",
  "cpu_time_high_ms",
];

export default function sweep(report) {
  const points = pointsOf(report);
  const figures = report.figures("sweep");
  if (points.length === 0) return { node: nothing(report, figures) };
  const table = report.table(POINTS);
  const candidates = candidatesOf(report, points);
  const written = numberOf(figures?.value("latency_threshold_ms"));
  const percentile = figures?.figure("percentile") ? figures.text("percentile") : "";
  const state = { thresholdMs: written, isLog: false };
  const overall = candidates[0].points;
  const first = { a: overall[bestLatency(overall) ?? -1], b: overall[sweetSpot(overall) ?? -1] };
  if (first.a === first.b) first.a = first.b = undefined;

  let spots;
  const spotLines = element("div", { role: "status" });
  const pair = createPair({ report, points, first, changed: () => follow() });
  const threshold = thresholdInput({
    value: state.thresholdMs,
    changed(thresholdMs) {
      state.thresholdMs = thresholdMs;
      follow();
    },
  });
  const axes = radioChoice({
    label: "Axes",
    options: [
      ["zero", "from 0"],
      ["log", "logarithmic"],
    ],
    value: "zero",
    change(value) {
      state.isLog = value === "log";
      follow();
    },
  });

  function find() {
    spots = spotsOf(candidates, state.thresholdMs);
    const isOther = state.thresholdMs !== written;
    // Of the threshold that the page was written with, the headline says it, and who may be as good.
    replace(spotLines, isOther && spotsList(spots, state.thresholdMs), isOther && writtenWith(written));
  }

  find();
  const isSpot = (point) => spots.some((spot) => spot.point === point);
  const what = { table, state, percentile, pair, isSpot, spots: () => spots };
  const charts = kindsOf(points).flatMap((kind) => [
    chartOf({ ...what, kind, measure: throughput(kind.counted) }),
    ...(kind.points.some((point) => point.cpuTimeMs !== undefined)
      ? [chartOf({ ...what, kind, measure: cpuTime(kind.counted) })]
      : []),
  ]);
  const list = pointsTable({ table, points, pair, isSpot });
  function follow() {
    find();
    for (const chart of charts) chart.refresh();
    list.refresh();
  }
  const node = element(
    "div",
    { class: "view sweep" },
    figures && figuresList(figures, { without: ["latency_threshold_ms"] }),
    element("div", { class: "controls" }, threshold, axes),
    spotLines,
    charts.map((chart) => chart.node),
    pair.node,
    pair.layers,
    list.node,
  );
  return { node };
}

/** What does not follow the threshold. */
function writtenWith(thresholdMs) {
  const threshold = thresholdMs === undefined ? "none" : `${thresholdMs} ms`;
  return element(
    "p",
    { class: "muted" },
    `The headline, the notes and the other views are of the threshold that the page was written with: ${threshold}.`,
  );
}

/** Points with items per second and points with iterations per second have no common axis. */
function kindsOf(points) {
  const kinds = new Map();
  for (const point of points) {
    if (!kinds.has(point.counted)) kinds.set(point.counted, []);
    kinds.get(point.counted).push(point);
  }
  return [...kinds].map(([counted, of]) => ({ counted, points: of }));
}

function chartOf({ kind, measure, table, state, percentile, pair, isSpot, spots }) {
  const { points } = kind;
  const lines = families(
    points.length,
    (field, position) => table.column(field)?.cells[points[position].row] ?? undefined,
  );
  const byFamily = lines.families.map((family) =>
    family.points.map((position) => points[position]),
  );
  const drawn = () =>
    points.filter(isDrawn(state.isLog, measure)).sort((a, b) => a.latencyMs - b.latencyMs);
  const chart = drawChart({
    title: measure.title,
    shows: () =>
      `Every configuration that was measured: ${measure.better}. ${alongWords(lines)}${undrawn(points, drawn())}`,
    marks: () => 3 * points.length,
    height: 440,
    option: (theme, { width }) =>
      sweepChart({
        points,
        families: byFamily,
        spots: new Set(measure.hasSpots ? spots().map((spot) => spot.point) : []),
        thresholdMs: state.thresholdMs,
        letterOf: pair.letterOf,
        isLog: state.isLog,
        measure,
        percentile,
        theme,
        width,
      }),
    readout: {
      length: () => drawn().length,
      text: (place) => pointText(drawn()[place], pair, isSpot),
      near: (x, y) => nearest(drawn(), measure, x, y, state.isLog),
      point: (place) => [drawn()[place].latencyMs, measure.value(drawn()[place])],
    },
    open: (place) => pair.pick(drawn()[place]),
    keys: {
      a: (place) => pair.pick(drawn()[place], "A"),
      b: (place) => pair.pick(drawn()[place], "B"),
    },
  });
  const node = element("div", { class: "stack" }, chart.node, familyLegend(lines), marksLegend(measure));
  return { node, refresh: chart.refresh };
}

function undrawn(points, drawn) {
  const left = points.length - drawn.length;
  return left === 0
    ? ""
    : ` ${left} of ${points.length} have no place in it: a figure is unknown, or 0 on a logarithmic axis.`;
}

/** The place of the point nearest to the pointer, as parts of both axes. */
function nearest(points, measure, x, y, isLog) {
  const scale = isLog ? Math.log : (value) => value;
  const spread = (of) => {
    const values = points.map((point) => scale(of(point)));
    return Math.max(...values) - Math.min(...values) || 1;
  };
  const [across, up] = [spread((point) => point.latencyMs), spread(measure.value)];
  const distance = (point) =>
    Math.hypot(
      (scale(point.latencyMs) - scale(x)) / across,
      (scale(measure.value(point)) - scale(y)) / up,
    );
  let best;
  points.forEach((point, place) => {
    if (best === undefined || distance(point) < distance(points[best])) best = place;
  });
  return best;
}

function pointText(point, pair, isSpot) {
  const letter = pair.letterOf(point);
  const facts = [
    `${point.name}: ${throughputText(point)} at ${latencyText(point)}`,
    point.cpuTimeMs !== undefined && cpuTimeText(point),
    point.configuration,
    isSpot(point) && "sweet spot",
    point.isOnFront ? "on the Pareto front" : "not on the Pareto front",
    point.isOnCpuFront && "on the front of CPU time",
    letter !== "" && `chosen as ${listed(letter.split(" "))}`,
  ];
  return facts.filter(Boolean).join("; ");
}

/** The points with buttons that choose them, and which is a sweet spot now. */
function pointsTable({ table, points, pair, isSpot }) {
  const cells = points.map(() => false);
  const own = new Map([
    [
      CHOOSE,
      {
        key: CHOOSE,
        heading: "Choose",
        unit: "text",
        meaning: "which of the two that are compared it becomes",
        cells,
        width: 9,
      },
    ],
    [
      SPOT,
      {
        key: SPOT,
        heading: "Sweet spot",
        unit: "text",
        meaning:
          "whether it has the highest throughput within the threshold above, of its model or of all",
        cells,
        width: 11,
      },
    ],
  ]);
  const hasCosts = points.some((point) => point.cpuTimeMs !== undefined);
  const isNeeded = (key) =>
    OF_COSTS.includes(key)
      ? hasCosts
      : key !== "model" || new Set(table.column(key)?.cells).size > 1;
  return dataTable({
    table,
    columns: COLUMNS.filter(isNeeded).map((key) => own.get(key) ?? key),
    rowKey: "name",
    caption: "Points",
    search: ["name", "model", "engine"],
    filters: true,
    rowClass: (row) => (isSpot(points[row]) ? "is-spot" : undefined),
    cell(key, row) {
      const point = points[row];
      if (key === SPOT) return element("span", null, isSpot(point) ? "sweet spot" : "");
      return key === CHOOSE ? buttons(point, pair) : undefined;
    },
  });
}

function buttons(point, pair) {
  const is = pair.letterOf(point).split(" ");
  const button = (letter) =>
    element(
      "button",
      {
        type: "button",
        class: "pick",
        dataset: { pick: letter },
        aria: { pressed: is.includes(letter), label: `Compare ${point.name} as ${letter}` },
        on: { click: () => pair.pick(point, letter) },
      },
      letter,
    );
  return element("span", { class: "picks" }, button("A"), button("B"));
}

function nothing(report, figures) {
  const skipped = report.table("skipped");
  return element(
    "div",
    { class: "view sweep" },
    figures && figuresList(figures),
    element("p", null, "No configuration was measured, so there is nothing to draw."),
    skipped && dataTable({ table: skipped, columns: "shown", caption: skipped.title }).node,
  );
}
