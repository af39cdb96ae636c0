// The latency of every iteration by its start, launches one after the other, with warm-up,
// unprofiled iterations and outliers marked.

import { shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { iterationMarks, KINDS, MEASURED, OUTLIER, WARM_UP } from "./iteration_marks.js";
import { launchAt, launchesInLine } from "./launches_in_line.js";
import { knownColumns } from "./operators.js";
import { selector } from "./selectors.js";
import { nearestTo } from "./stretch.js";

const HEIGHT = 380;
/** What is free at both ends, as a part of the axis. */
const MARGIN = 0.01;
/** Pixels that the name of a launch takes above the chart. */
const NAME_WIDTH = 64;
const AXES = [
  ["all", "all latencies"],
  ["zero", "from 0"],
  ["near", "without outliers"],
];

export default function iterations(report) {
  const table = report.table("iterations");
  if (!table || table.rows === 0)
    return { node: element("p", { class: "nothing" }, whyNone(report)) };
  const line = launchesInLine(table);
  if (line.rows.length === 0) {
    return {
      node: element(
        "p",
        { class: "nothing" },
        "The starts or latencies of all iterations are unknown.",
      ),
    };
  }
  const kinds = kindsOf(table, line);
  const settled = settledPlaces(report, line);
  let axis = "all";

  const chart = drawChart({
    title: "Latency by start (ms)",
    shows: sentence(table, line, settled),
    marks: line.rows.length,
    height: HEIGHT,
    zoom: "x",
    option: (theme, { width }) => optionOf(table, line, kinds, settled, axis, width, theme),
    readout: {
      length: line.rows.length,
      text: (i) => spoken(table, line, kinds, line.rows[i]),
      near: (x) => nearestTo(line.rows, x, (i) => line.places[line.rows[i]]),
      point: (i) => [line.places[line.rows[i]], line.latencies[line.rows[i]]],
    },
  });
  const axes = selector("Latency axis", AXES, (key) => {
    axis = key;
    chart.refresh();
  });
  const launches = report.table("launches");
  const node = element(
    "div",
    { class: "view iterations" },
    element("div", { class: "selectors" }, axes, legend(line, kinds, settled)),
    chart.node,
    line.unplaced > 0 &&
      element(
        "p",
        { class: "left-out" },
        `${line.unplaced} iterations are not drawn: their start or latency is unknown.`,
      ),
    launches &&
      dataTable({ table: launches, columns: knownColumns(launches), caption: launches.title }).node,
    dataTable({
      table,
      columns: knownColumns(table),
      caption: table.title,
      filters: true,
      open: (row) => chart.show(line.rows.indexOf(row)),
    }).node,
  );
  return { node };
}

/** Why a recording has no iterations. */
function whyNone(report) {
  const operators = report.table("operators");
  const has = (key) => operators?.hasNumbers(key);
  if (has("time_ms"))
    return "There are no iterations: the trace has averages over iterations only, so nothing is known of single ones.";
  if (has("total_ms"))
    return "There are no iterations: the trace does not mark where one ends, so it has sums over the whole run only.";
  return "There are no iterations: nothing was measured.";
}

/** What each row is: its kind in the table, or an outlier of the measured ones of its launch. */
function kindsOf(table, { launches, rows, latencies, places }) {
  const kinds = new Uint8Array(table.rows);
  const byName = new Map(KINDS.map(({ kind }, place) => [kind, place]));
  for (const row of rows) {
    const kind = byName.get(table.text("kind", row)) ?? MEASURED;
    const { fences } = launchAt(launches, places[row]);
    const isFar = fences && (latencies[row] < fences[0] || latencies[row] > fences[1]);
    kinds[row] = kind === MEASURED && isFar ? OUTLIER : kind;
  }
  return kinds;
}

/** Where each launch's latency settles, as found in the data. */
function settledPlaces(report, { launches, places }) {
  const table = report.table("launches");
  return launches.flatMap(({ launch, recorded }) => {
    const row = table?.column("launch")?.cells.indexOf(launch) ?? -1;
    const found = row < 0 ? undefined : table.number("warmup_found", row);
    if (!(found > 0) || recorded[found] === undefined) return [];
    return [{ launch, place: places[recorded[found]], found }];
  });
}

function sentence(table, { launches, rows }, settled) {
  const parts = [
    `${rows.length === 1 ? "One iteration" : `${rows.length} iterations`} of ${launches.length === 1 ? "one launch" : `${launches.length} launches, one after the other`}, by start.`,
  ];
  if (launches.some(({ recorded }) => table.text("kind", recorded[0]) === "warm-up"))
    parts.push("Grey is the warm-up that the recorder flagged.");
  if (settled.length === 0)
    parts.push("No other warm-up was found, or too few iterations ran to find one.");
  if (launches.some(({ fences }) => fences))
    parts.push(
      "Outliers lie more than three quartile distances beyond the quartiles of their launch.",
    );
  if (launches.length === 1) parts.push("One launch says little about others.");
  return parts.join(" ");
}

/** The symbols, with how many iterations each stands for. */
function legend({ rows }, kinds, settled) {
  const numbers = KINDS.map(() => 0);
  for (const row of rows) numbers[kinds[row]] += 1;
  const items = KINDS.map(({ name, symbol }, kind) => {
    if (numbers[kind] === 0) return null;
    const sign = element("span", { aria: { hidden: true } }, symbol);
    return element("li", null, sign, `${name}: ${numbers[kind]}`);
  });
  const line =
    settled.length > 0 &&
    element(
      "li",
      null,
      element("span", { aria: { hidden: true } }, "┊"),
      "where the latency settles, as found in the data",
    );
  return element("ul", { class: "type-legend", aria: { label: "Symbols" } }, items, line);
}

function spoken(table, line, kinds, row) {
  const { launch } = launchAt(line.launches, line.places[row]);
  const ms = (key) => `${shown(table.cell(key, row), "milliseconds")} ms`;
  const { kind } = KINDS[kinds[row]];
  const parts = [
    `launch ${launch}, iteration ${table.text("iteration", row)} (${kind}): ${ms("latency_ms")}, starts at ${ms("start_ms")}`,
  ];
  if (table.column("phase"))
    parts.push(`${table.text("phase", row)}, ${table.text("cached", row)} tokens in the cache`);
  if (table.number("overhead_ms", row) !== undefined) {
    const isKnown = table.number("profiling_ms", row) !== undefined;
    const profiling = isKnown ? `profiling ${ms("profiling_ms")}, ` : "";
    parts.push(`operators ${ms("operators_ms")}, ${profiling}overhead ${ms("overhead_ms")}`);
  }
  return parts.join("; ");
}

function optionOf(table, line, kinds, settled, axis, width, theme) {
  const { launches, rows, latencies } = line;
  const near =
    axis === "near" ? rows.filter((row) => kinds[row] !== OUTLIER && kinds[row] !== WARM_UP) : rows;
  const drawn = (near.length > 0 ? near : rows).map((row) => latencies[row]);
  const [low, high] = drawn.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
  const space = (high - low || high || 1) * 0.05;
  const end = launches.at(-1).to || 1;
  return {
    grid: { left: 8, right: 16, top: 30, bottom: 60, containLabel: true },
    xAxis: {
      type: "value",
      // Marks at the ends are whole.
      min: -end * MARGIN,
      max: end * (1 + MARGIN),
      name:
        launches.length > 1
          ? "time since the first iteration of each launch"
          : "time since the first iteration",
      nameLocation: "middle",
      nameGap: 26,
      splitLine: { show: false },
      axisLabel: {
        hideOverlap: true,
        showMaxLabel: false,
        formatter: (place, tick) => (tick === 0 && place !== 0 ? "" : clock(launches, place)),
      },
    },
    yAxis: {
      type: "value",
      min: axis === "zero" ? 0 : Math.max(low - space, 0),
      max: high + space,
      axisLabel: {
        showMinLabel: axis === "zero",
        showMaxLabel: false,
        formatter: (value) => String(Number(value.toPrecision(4))),
      },
    },
    series: [
      {
        type: "custom",
        clip: true,
        // One mark draws all iterations that are in sight.
        data: [
          [0, low],
          [end, high],
        ],
        renderItem: (params, api) =>
          params.dataIndex === 0
            ? iterationMarks(params, api, {
                line,
                kinds,
                whole: [0, end],
                theme,
                top: high + space,
              })
            : null,
        markLine: markLine(settled, launches, width, theme),
        markArea: markArea(table, line, theme),
      },
    ],
  };
}

/** A place on the axis as the time of its launch. */
function clock(launches, place) {
  const { from, to } = launchAt(launches, place);
  // Between two launches there is no time.
  if (place > to + (to - from) * 1e-9) return "";
  const [time, unit] = to - from >= 10_000 ? [(place - from) / 1000, "s"] : [place - from, "ms"];
  return `${Number(time.toPrecision(6))} ${unit}`;
}

/** Where launches begin, and where their latency settles. */
function markLine(settled, launches, width, theme) {
  const line = (xAxis, name, type, color) => ({
    xAxis,
    name,
    lineStyle: { type, color, width: 1 },
  });
  const starts = launches.map(({ launch, from }) =>
    line(from, `launch ${launch}`, "solid", theme.axis),
  );
  const ends = settled.map(({ place }) => line(place, "", "dashed", theme.text));
  const isCrowded = launches.length * NAME_WIDTH > width;
  return {
    symbol: "none",
    silent: true,
    animation: false,
    label: {
      formatter: ({ name }) => (isCrowded ? "" : name),
      color: theme.muted,
      fontSize: 12,
      position: "end",
      align: "left",
      distance: 6,
    },
    data: [...(launches.length > 1 ? starts : []), ...ends],
  };
}

/** The warm-up that the recorder flagged. */
function markArea(table, { launches, places, latencies }, theme) {
  const areas = launches.flatMap(({ from, recorded }) => {
    const warm = recorded.filter((row) => table.text("kind", row) === "warm-up");
    if (warm.length === 0) return [];
    const last = warm.at(-1);
    return [[{ xAxis: from }, { xAxis: places[last] + latencies[last] }]];
  });
  return {
    silent: true,
    animation: false,
    itemStyle: { color: theme.line, opacity: 0.45 },
    data: areas,
  };
}
