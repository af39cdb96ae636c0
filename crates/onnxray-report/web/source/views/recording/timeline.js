// One iteration as it ran: a row for each thread and depth, with the time outside of operators
// as gaps; or a row for each pattern. Three iterations are there to choose from.

import { chartLabel, shown, valueElement } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element, replace } from "../../dom.js";
import { radioChoice } from "../controls.js";
import { endOf, gapsOf, lanesOf, nearestIn } from "./lanes.js";
import { openOperator } from "./operator_details.js";
import { nameInWords, rowOf } from "./operators.js";
import { hasPatterns, patternLanes } from "./pattern_lanes.js";
import { selector } from "./selectors.js";
import { spanRow } from "./span_marks.js";
import { spanSearch } from "./span_search.js";
import { spanTable } from "./span_table.js";
import { typeLegend } from "./type_legend.js";

/** Pixels for a row: few rows are higher, so that they can be hit. */
const ROW_HEIGHTS = [26, 52];
const ALL_ROWS = 220;
/** Axis and slider below the rows. */
const BELOW = 74;
/** Part of the iteration that is shown around a span that is looked for. */
const AROUND = 12;

const CONVERT =
  "All iterations: `onnxray convert RECORDING -o trace.json` writes a trace that ui.perfetto.dev opens.";

export default function timeline(report) {
  const block = report.block("timeline");
  const iterations = (block?.iterations ?? []).filter(({ spans }) => spans.start_ms.length > 0);
  if (iterations.length === 0) {
    return { node: element("p", { class: "nothing" }, whyNone(report)), show: () => false };
  }
  const holder = element("div");
  const words = element("p", { class: "iteration-words" });
  let shownNow;
  let chosen = 0;
  let byPattern = false;

  function choose(index) {
    chosen = index;
    shownNow = drawIteration(report, block, iterations[index], state, byPattern);
    replace(words, wordsOn(report, iterations[index]));
    replace(holder, shownNow.chart.node);
    search.look();
  }

  /** @type {{isFound?: (span: number) => boolean}} */
  const state = {};
  const search = spanSearch({
    matches: (text) => shownNow.matches(text),
    show: (span) => shownNow.show(span),
    changed: (isFound) => {
      state.isFound = isFound;
      shownNow.chart.refresh();
    },
  });
  const which = selector(
    "Iteration",
    iterations.map((iteration, index) => [String(index), titleOf(iteration)]),
    (index) => choose(Number(index)),
  );
  const rows =
    hasPatterns(report) &&
    radioChoice({
      label: "Rows",
      options: [
        ["threads", "threads"],
        ["patterns", "operators, together where they repeat"],
      ],
      value: "threads",
      change(value) {
        byPattern = value === "patterns";
        choose(chosen);
      },
    });
  const node = element(
    "div",
    { class: "view timeline" },
    element("div", { class: "selectors" }, which, rows, search.node),
    element("p", { class: "caveat" }, CONVERT),
    words,
    typeLegend(report),
    holder,
  );
  choose(0);
  return {
    node,
    show(name) {
      const row = rowOf(report, name);
      const span = row === undefined ? -1 : shownNow.spanOf(row);
      if (row === undefined) return false;
      if (span >= 0) shownNow.show(span);
      openOperator(report, row);
      return true;
    },
  };
}

const titleOf = ({ launch, iteration, why, latency_ms: latency }) =>
  `${why}: launch ${launch}, iteration ${iteration}, ${shown(latency, "milliseconds")} ms`;

/** Why there is no timeline. */
function whyNone(report) {
  if ((report.table("iterations")?.rows ?? 0) === 0) {
    return "There is no timeline: the trace has no single iterations, only averages or sums.";
  }
  return "There is no timeline: the trace tells when iterations ran, but not their operators.";
}

/** How much of the iteration no operator covers, by the table where it is there. */
function wordsOn(report, { launch, iteration, latency_ms: latency }) {
  const table = report.table("iterations");
  const numbers = ["launch", "iteration"].map((key) => table?.column(key)?.cells);
  const row =
    numbers[0]?.findIndex(
      (cell, at) =>
        cell === launch && numbers[1][at] === iteration && table.text("kind", at) === "measured",
    ) ?? -1;
  if (row < 0 || table.number("overhead_ms", row) === undefined) return null;
  const value = (key) => {
    const shownValue = valueElement(table.cell(key, row), "milliseconds");
    shownValue.dataset.column = key;
    return shownValue;
  };
  const share = table.number("overhead_ms", row) / latency;
  return element(
    "span",
    { dataset: { table: table.key, row } },
    value("latency_ms"),
    " ms; operators ",
    value("operators_ms"),
    " ms, overhead ",
    value("overhead_ms"),
    ` ms (${shown(share, "share")}): the gaps in the first row.`,
  );
}

/** Draws an iteration; what is shown of it is found by span. */
function drawIteration(report, block, iteration, state, byPattern) {
  const { spans, latency_ms: latency } = iteration;
  const lanes = byPattern ? patternLanes(report, block.names, iteration) : lanesOf(iteration);
  const gaps = gapsOf(iteration);
  // Places of the readout are spans, lane by lane.
  const places = lanes.flatMap((lane) => lane.spans);
  const placeOf = new Map(places.map((span, place) => [span, place]));
  const firstPlace = [];
  lanes.reduce((place, lane) => (firstPlace.push(place), place + lane.spans.length), 0);
  const laneOf = new Map(lanes.flatMap((lane, at) => lane.spans.map((span) => [span, at])));
  const rowHeight = Math.min(
    Math.max(ALL_ROWS / (lanes.length + 1), ROW_HEIGHTS[0]),
    ROW_HEIGHTS[1],
  );
  const threads = new Set(spans.thread).size;
  const middle = (span) => spans.start_ms[span] + spans.duration_ms[span] / 2;
  const nameOf = (span) => block.names[spans.name[span]];
  const typeOf = (span) => block.types[spans.type[span]];

  const inLane = (at, time) => firstPlace[at] + nearestIn(lanes[at], spans, time);

  /** Up and down lead to the span of the next row that is nearest in time. */
  function step(place, key) {
    const direction = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (direction === undefined) return undefined;
    const at = laneOf.get(places[place]) + direction;
    return lanes[at] ? inLane(at, middle(places[place])) : place;
  }

  const chart = drawChart({
    title: "Timeline (ms from the iteration's start)",
    shows: `${places.length} executions of operators on ${threads === 1 ? "one thread" : `${threads} threads`}: a row for each ${byPattern ? "operator, or operators that repeat, longest first" : "thread and depth"}, coloured by type; the first row marks the time that no operator covers. Left and right go along a row, up and down between rows.`,
    marks: places.length,
    height: (lanes.length + 1) * rowHeight + BELOW,
    zoom: "x",
    option: (theme) => ({
      grid: { left: 8, right: 16, top: 4, bottom: BELOW - 24, containLabel: true },
      xAxis: {
        type: "value",
        min: 0,
        max: latency,
        splitLine: { show: false },
        axisLabel: {
          hideOverlap: true,
          showMaxLabel: false,
          formatter: (time, place) =>
            place === 0 && time !== 0 ? "" : String(Number(time.toPrecision(7))),
        },
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: ["overhead", ...lanes.map((_, at) => String(at))],
        axisTick: { show: false },
        axisLabel: {
          interval: 0,
          formatter: (text, at) => (at === 0 ? text : laneTitle(lanes, at - 1)),
        },
      },
      series: [
        {
          type: "custom",
          clip: true,
          // One mark draws a row.
          data: [-1, ...lanes.keys()].map((at) => [0, at + 1]),
          renderItem: spanRow({
            lanes,
            gaps,
            spans,
            latency,
            nameOf,
            typeOf,
            isFound: state,
            theme,
          }),
        },
      ],
    }),
    readout: {
      length: places.length,
      text: (place) => spoken(places[place]),
      near: (time, row) => (lanes[row - 1] ? inLane(row - 1, time) : undefined),
      step,
      point: (place) => [middle(places[place]), laneOf.get(places[place]) + 1],
      reach: (place) => reachOf(places[place]),
    },
    open: (place) => openSpan(places[place]),
    table: () => spanTable(block, iteration, show),
  });

  function openSpan(span) {
    const row = spans.operator[span];
    if (row >= 0) openOperator(report, row);
  }

  function show(span) {
    const width = Math.max(spans.duration_ms[span] * AROUND, latency / 200);
    const from = Math.max(0, Math.min(middle(span) - width / 2, latency - width));
    chart.setZoom(from, Math.min(from + width, latency));
    chart.show(placeOf.get(span) ?? 0);
  }

  function reachOf(span) {
    const row = laneOf.get(span) + 1;
    return { x: [spans.start_ms[span], endOf(spans, span)], y: [row - 0.5, row + 0.5] };
  }

  function spoken(span) {
    const ms = (value) => `${shown(value, "milliseconds")} ms`;
    const lane = lanes[laneOf.get(span)];
    const [duration, exclusive] = [spans.duration_ms[span], spans.exclusive_ms[span]];
    const own = exclusive === duration ? "" : `, ${ms(exclusive)} of it its own`;
    return [
      nameInWords(nameOf(span)),
      " (",
      nameInWords(typeOf(span)),
      `): ${ms(duration)}${own}, from ${ms(spans.start_ms[span])} to ${ms(endOf(spans, span))}; `,
      nameInWords(lane.name),
      lane.depth > 0 ? `, depth ${lane.depth}` : "",
    ];
  }

  return {
    chart,
    spanOf: (row) => spans.operator.indexOf(row),
    matches(text) {
      const wanted = text.toLowerCase();
      const found = block.names.map((name) => String(name).toLowerCase().includes(wanted));
      const types = block.types.map((type) => String(type).toLowerCase().includes(wanted));
      return [...spans.start_ms.keys()]
        .filter((span) => found[spans.name[span]] || types[spans.type[span]])
        .sort((a, b) => spans.start_ms[a] - spans.start_ms[b]);
    },
    show,
  };
}

/** What stands before a row: the thread at its first, the depth at the others. */
function laneTitle(lanes, at) {
  const { name, title, depth } = lanes[at];
  if (title !== undefined) return chartLabel(title, title.length);
  const line = depth === 0 || lanes[at - 1]?.name !== name ? name : `depth ${depth}`;
  const short = line.length > 18 ? `${line.slice(0, 8)}…${line.slice(-9)}` : line;
  return short.replaceAll(/[\u0000-\u001f\u2028\u2029]/g, " ");
}
