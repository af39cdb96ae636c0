// Where the time goes by operator type: as measured, with all weights pruned to a level, or
// by FLOPs.

import { chartLabel, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { colours, pattern } from "../../colours.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import * as choices from "./choices.js";
import { timeColumn } from "./operators.js";
import { summarySelectors } from "./selectors.js";
import { intervalItem } from "./interval_item.js";

const ROW_HEIGHT = 30;
/** Of types that no target can change. */
const PATTERN = 1;
const UNCHANGED = "no target can change it";

export default function layerSummaries(report) {
  const types = report.table("operator_types");
  if (!types || types.rows === 0) {
    return { node: element("p", { class: "nothing" }, "There are no operators: the trace tells nothing of what the model spends its time on.") };
  }
  const pruned = choices.prunedTypes(report);
  const timeKey = timeColumn(types);
  const all = [timeKey && choices.measured(types, timeKey), ...pruned, choices.flops(types)].filter(Boolean);
  const isUnchanged = unchanged(types, pruned);
  const chosen = summarySelectors(all, draw);
  const [chart, words] = [element("div"), element("p", { class: "left-out", role: "status" })];

  function draw() {
    const { choice, display } = chosen;
    const rows = Array.from({ length: types.rows }, (_, row) => row).filter((row) => choice.applies?.(row) ?? true);
    const out = choices.leftOut(choice, display, rows, ["type is", "types are"]);
    replace(words, out);
    const drawn = drawChart(chartOf(types, rows, choice, display, isUnchanged));
    replace(chart, drawn.node);
  }

  draw();
  const node = element(
    "div",
    { class: "view layer-summaries" },
    chosen.node,
    missing(timeKey, pruned, report),
    chart,
    words,
    dataTable({ table: types, columns: "shown", caption: types.title, rowClass: (row) => (isUnchanged(row) ? "unchanged" : undefined) }).node,
    pruned.length > 0 && dataTable({ table: report.table("level_types"), columns: "shown", caption: report.table("level_types").title, filters: true }).node,
  );
  return { node };
}

/** Why there is less to choose from than there could be. */
function missing(timeKey, pruned, report) {
  const reasons = [];
  if (!timeKey) reasons.push("Times are unknown: the model was not measured.");
  if (pruned.length === 0) reasons.push("Pruned levels are left out: this page has no projection.");
  else if (!report.table("level_types").hasNumbers("latency_ms")) {
    reasons.push("Latencies at pruned levels are unknown: the trace has no weights.");
  }
  return reasons.length > 0 ? element("p", { class: "nothing" }, reasons.join(" ")) : null;
}

/** Types that rest on no perf ratio at any level: whatever the target, they stay as they are. */
function unchanged(types, pruned) {
  return (row) => {
    const levels = pruned.filter((choice) => choice.applies(row));
    if (levels.length === 0) return false;
    return levels.every((choice) => choice.origin(row) === "measured" || choice.origin(row) === undefined);
  };
}

function chartOf(types, rows, choice, display, isUnchanged) {
  const values = rows.map((row) => choices.displayed(choice, display, row));
  const hasUnchanged = rows.some(isUnchanged);
  const isScaled = display !== "percent";
  const item = (row, at) => ({
    value: values[at] ?? "-",
    itemStyle: { decal: isUnchanged(row) ? pattern(PATTERN, colours("light")) : undefined },
  });
  return {
    title: `${choice.title} by operator type`,
    shows: `${choices.axisTitle(choice, display)} of each operator type, in the order of the table.${
      hasUnchanged ? " Hatched bars are of types that no target can change." : ""
    }`,
    marks: rows.length,
    height: rows.length * ROW_HEIGHT + 60,
    option: (theme) => ({
      grid: { left: 8, right: 72, top: 8, bottom: 28, containLabel: true },
      xAxis: {
        type: display === "log" ? "log" : "value",
        name: choices.axisTitle(choice, display),
        nameLocation: "middle",
        nameGap: 26,
        axisLabel: { formatter: (value) => choices.axisNumber(value, choice, display), hideOverlap: true },
      },
      yAxis: {
        type: "category",
        inverse: true,
        axisTick: { show: false },
        data: rows.map((row) => types.text("type", row)),
        axisLabel: { formatter: (name) => chartLabel(name, 22) },
      },
      series: [
        {
          type: "bar",
          barMaxWidth: 20,
          itemStyle: { color: theme.accent },
          data: rows.map((row, at) => {
            const decal = isUnchanged(row) ? pattern(PATTERN, theme) : undefined;
            return { ...item(row, at), itemStyle: { color: isUnchanged(row) ? theme.axis : theme.accent, decal } };
          }),
          label: {
            show: true,
            position: "right",
            color: theme.text,
            formatter: ({ dataIndex }) => labelOf(choice, display, rows[dataIndex]),
          },
        },
        isScaled && intervalItem(rows.map((row, at) => [at, choice.ends?.(row)]), theme),
      ].filter(Boolean),
    }),
    readout: {
      length: rows.length,
      text: (i) => [
        element("bdi", null, types.text("type", rows[i])),
        `: ${choices.spoken(choice, rows[i])}`,
        originOf(choice, rows[i], isUnchanged),
      ],
      at: (params) => params.dataIndex,
      locate: (i) => ({ seriesIndex: 0, dataIndex: i }),
    },
  };
}

function labelOf(choice, display, row) {
  if (display === "percent") return shown(choice.share(row) ?? null, "share");
  return shown(choice.value(row) ?? null, choice.unit);
}

function originOf(choice, row, isUnchanged) {
  if (isUnchanged(row)) return `; ${UNCHANGED}`;
  const origin = choice.origin?.(row);
  return origin ? `; perf ratios: ${origin}` : "";
}
