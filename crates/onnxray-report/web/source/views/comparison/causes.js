// From the time of A to that of B, cause by cause: parts of the whole that they are of, and which
// they add up to.

import { chartLabel, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { radioChoice } from "../controls.js";
import { nonEmptyColumns } from "../non_empty_columns.js";
import { counted, signed } from "../words.js";
import { ofVersion } from "./frame.js";
import { addsUp, waterfall } from "./waterfall.js";
import { waterfallChart } from "./waterfall_chart.js";

const COLUMNS = [
  "cause",
  "groups",
  "a_ms",
  "b_ms",
  "difference_ms",
  "share_of_difference",
  "explained_by",
];
/** Causes that have a bar of their own; the others have one together. */
const MOST_BARS = 14;
/** A largest part below this share of A is too thin a bar to be seen on an axis from 0. */
const THIN = 0.02;
/** Rows of table `inference` that the causes of a comparison may be parts of. */
const WHOLES = ["typical", "mean"].flatMap((kind) =>
  ["latency", "profiled_latency", "operators"].map((what) => `${what}_${kind}_ms`),
);

export default function causes(report) {
  return ofVersion(report, (version) => {
    const table = version.table("causes");
    const rows = version.rows("causes");
    if (rows.length === 0) {
      return { node: element("p", null, `There are no causes to show: ${whyNone(version)}`) };
    }
    const list = dataTable({
      table,
      rows: () => rows,
      rowKey: "cause",
      columns: nonEmptyColumns(table, rows, COLUMNS),
      caption: table.title,
      search: ["cause"],
      filters: true,
    });
    return { node: element("div", { class: "stack" }, drawing(version, table, rows), list.node) };
  });
}

function whyNone(version) {
  const layers = version.rows("layers");
  if (layers.length === 0) return "there are no layers to compare.";
  const isUnlike = layers.every(
    (row) => version.table("layers").number("difference_ms", row) === undefined,
  );
  if (isUnlike)
    return "the times of A and B are not of one kind, so no difference can be taken of them.";
  const whole = version.table("inference");
  const isZero = (key) => {
    const row = version.row("inference", "figure", key);
    return row !== undefined && whole.number("difference", row) === 0;
  };
  if (WHOLES.some(isZero)) return "A and B are the same recording, and every difference is 0.";
  return version.row("inference", "figure", "latency_typical_ms") === undefined
    ? "nothing of the difference is known part by part."
    : "profiling adds so much more to one side that they cannot explain the difference.";
}

function drawing(version, table, rows) {
  const whole = version.table("inference");
  const row = wholeOf(version, whole, table, rows);
  const [a, b] = ["a", "b"].map((side) =>
    row === undefined ? undefined : whole.number(side, row),
  );
  const bars = barsOf(table, rows);
  const { steps, end, unknown } = waterfall(
    a ?? 0,
    bars.map((bar) => bar.difference),
  );
  if (a === undefined || b === undefined) {
    const missing = [a === undefined && "A", b === undefined && "B"].filter(Boolean).join(" and ");
    return element(
      "p",
      null,
      `No waterfall is drawn: the time of ${missing} is unknown. The parts that are known are in the table.`,
    );
  }
  const thin =
    Math.max(...bars.map((bar) => Math.abs(bar.difference ?? 0))) < THIN * Math.max(a, b);
  const state = { from: thin ? "difference" : "zero" };
  const places = [
    {
      name: "A",
      text: `A: ${milliseconds(a)}, ${whole.text("figure", row)}`,
    },
    ...bars.map((bar, place) => ({ name: bar.name, text: stepText(bar, steps[place]) })),
    { name: "B", text: `B: ${milliseconds(b)}; ${signedMilliseconds(b - a)} beside A` },
  ];
  const chart = drawChart({
    title: "From A to B, ms per iteration",
    shows:
      "Where the difference of the times comes from: bars to the right make B slower, bars to the left make it faster. The first bar is A, the last one B.",
    marks: places.length,
    height: 26 * places.length + 48,
    option: (theme, { width }) =>
      waterfallChart({
        a,
        b,
        bars,
        steps,
        isDifference: state.from === "difference",
        theme,
        width,
      }),
    readout: {
      length: places.length,
      text: (place) => places[place].text,
      near: (x, y) => Math.max(0, Math.min(places.length - 1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 0, dataIndex: place }),
    },
  });
  const axis = radioChoice({
    label: "Axis",
    options: [
      ["zero", "times from 0"],
      ["difference", "difference to A"],
    ],
    value: state.from,
    change(value) {
      state.from = value;
      chart.refresh();
    },
  });
  return element(
    "div",
    { class: "stack" },
    element("div", { class: "controls" }, axis),
    chart.node,
    sumLine({ a, b, end, unknown, count: rows.length }),
  );
}

/** The row of the figure that the causes come to, on both sides. */
function wholeOf(version, whole, table, causes) {
  const known = WHOLES.map((key) => version.row("inference", "figure", key)).filter(
    (row) => row !== undefined,
  );
  const sums = ["a_ms", "b_ms"].map((side) =>
    causes.reduce((sum, cause) => sum + (table.number(side, cause) ?? 0), 0),
  );
  const isOfCauses = (row) =>
    ["a", "b"].every((side, place) => {
      const own = whole.number(side, row);
      return own !== undefined && Math.abs(own - sums[place]) <= 1e-6 * sums[place];
    });
  return known.find(isOfCauses) ?? known[0];
}

/** A bar for each of the largest causes, and one for the others. */
function barsOf(table, rows) {
  const bars = rows.map((row) => ({
    name: table.text("cause", row),
    difference: table.number("difference_ms", row),
    share: table.number("share_of_difference", row),
    explanation:
      typeof table.cell("explained_by", row) === "string"
        ? table.text("explained_by", row)
        : undefined,
  }));
  if (bars.length <= MOST_BARS + 1) return bars;
  const bySize = [...bars].sort(
    (x, y) => Math.abs(y.difference ?? 0) - Math.abs(x.difference ?? 0),
  );
  const own = new Set(bySize.slice(0, MOST_BARS));
  const others = bars.filter((bar) => !own.has(bar));
  const known = others.filter((bar) => bar.difference !== undefined);
  const difference = known.reduce((sum, bar) => sum + bar.difference, 0);
  // Unknown for all where no cause explains the difference.
  const share = others.every((bar) => bar.share !== undefined)
    ? others.reduce((sum, bar) => sum + bar.share, 0)
    : undefined;
  return [
    ...bars.filter((bar) => own.has(bar)),
    { name: counted(others.length, "other"), difference, share },
  ];
}

function stepText(bar, step) {
  if (step === undefined) return `${chartLabel(bar.name, 80)}: unknown, and so not drawn`;
  const share =
    bar.share === undefined ? "" : `, ${shown(bar.share, "share")} of the difference`;
  const explanation = bar.explanation ? `; ${bar.explanation}` : "";
  return `${chartLabel(bar.name, 80)}: ${signedMilliseconds(bar.difference)}${share}; up to here ${milliseconds(step.to)}${explanation}`;
}

/** Whether the parts add up, in words. */
function sumLine({ a, b, end, unknown, count }) {
  const parts = counted(count, "part");
  if (unknown > 0)
    return element(
      "p",
      null,
      `${counted(unknown, "part")} of ${count} ${unknown === 1 ? "is" : "are"} unknown: the others come to ${milliseconds(end)}, B is ${milliseconds(b)}.`,
    );
  if (addsUp(end, b, count))
    return element(
      "p",
      { class: "muted" },
      `A and ${parts} add up to B: ${milliseconds(a)} ${signedMilliseconds(b - a)} = ${milliseconds(b)}.`,
    );
  return element(
    "p",
    null,
    `A and ${parts} come to ${milliseconds(end)}, B is ${milliseconds(b)}: ${signedMilliseconds(b - end)} is in none of them.`,
  );
}

const milliseconds = (value) => `${shown(value, "milliseconds")} ms`;
const signedMilliseconds = (value) => `${signed(value)} ms`;
