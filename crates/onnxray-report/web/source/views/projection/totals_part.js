// The third part of the seed's profile: the whole model before and after, with low and high
// ends.

import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { beforeAndAfter, endBars, rowsHeight, sidesOf } from "./charts.js";
import { drawWhenVisible } from "./draw_when_visible.js";

/** Rows of the chart: what they are called, and which totals they compare. */
const ROWS = [
  { name: "total latency", before: "total", after: "projectedTotal" },
  { name: "operators", before: "operators", after: "projectedOperators" },
  { name: "with sparse support", before: "support", after: "projectedSupport" },
  { name: "concurrent", before: "concurrent", after: "projectedConcurrent" },
  { name: "framework overhead", before: "overhead", after: "overhead" },
];

const SHOWS =
  "One inference before and after. Lines across the ends of bars run from the low to the high end. Total latency = operators − concurrent + framework overhead.";

/** @param {import("./session.js").Session} session */
export function totalsPart(session) {
  const source = session.tables.get("projection");
  const grid = dataTable({ table: source, columns: "shown", caption: "" });
  // Nothing runs side by side in most models.
  const rows = ROWS.filter(({ name }) => name !== "concurrent" || session.inputs.concurrent > 0);
  const estimates = (side) => rows.map((row) => session.projection.totals[row[side]]);
  const chart = drawWhenVisible(
    drawChart({
      title: "Before and after (ms)",
      shows: SHOWS,
      marks: rows.length * 6,
      height: rowsHeight(rows.length, 2),
      option: (theme) => {
        const [before, after] = sidesOf(theme);
        const sides = [
          { ...before, estimates: estimates("before") },
          { ...after, estimates: estimates("after") },
        ];
        return endBars({ names: rows.map(({ name }) => name), sides }, theme, 20);
      },
      readout: {
        length: rows.length,
        text: (row) =>
          `${rows[row].name}: ${beforeAndAfter(estimates("before")[row], estimates("after")[row])}`,
        at: ({ dataIndex }) => dataIndex,
      },
    }),
  );
  return {
    node: element(
      "section",
      { class: "part" },
      element("h3", null, source.title),
      missing(session),
      element("div", { class: "beside" }, grid.node, session.projection.totals.total && chart.node),
    ),
    refresh() {
      grid.refresh({ sort: false });
      chart.refresh();
    },
  };
}

/** What is not known, and why. */
function missing({ inputs, projection: { totals } }) {
  const say = (text) => element("p", { class: "missing" }, text);
  if (totals.total === null) return say("No operator's latency is known, so there are no totals.");
  return [
    totals.projectedTotal === null &&
      say(
        "It is not known of any operator whether it has a weight: no projected latency and no speedup is claimed.",
      ),
    inputs.overhead === null && say("The framework overhead is unknown: totals are of operators only."),
    !inputs.latencyEnds &&
      say(
        "How far the latencies may be off is unknown: low and high ends come from ranges of perf ratios alone.",
      ),
  ];
}
