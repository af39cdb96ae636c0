// Where the time goes by operator type: as measured, with all weights pruned to a sparsity, or
// by FLOPs.

import { chartLabel, shown, textOf } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { pattern } from "../../colours.js";
import { element, replace } from "../../dom.js";
import { whenUnfolded } from "../../print.js";
import { dataTable } from "../../table.js";
import { barEnds } from "./bar_ends.js";
import * as choices from "./choices.js";
import { knownColumns, nameInWords, timeColumn } from "./operators.js";
import { summarySelectors } from "./selectors.js";

const ROW_HEIGHT = 30;
/** Of types that no target can change. */
const PATTERN = 1;
const UNCHANGED = "no target can change it";

export default function layerSummaries(report) {
  const types = report.table("operator_types");
  if (!types || types.rows === 0) {
    return {
      node: element(
        "p",
        { class: "nothing" },
        "There are no operators: the trace tells nothing of what the model spends its time on.",
      ),
    };
  }
  const pruned = choices.prunedTypes(report);
  const timeKey = timeColumn(types);
  const measured = timeKey ? [choices.measured(types, timeKey)] : [];
  const all = [...choices.onDevices(types), ...measured, ...pruned, choices.flops(types)];
  const isUnchanged = unchanged(pruned);
  const chosen = summarySelectors(all, changed);
  const words = element("p", { class: "left-out", role: "status" });
  const state = { rows: /** @type {number[]} */ ([]) };
  choose();
  const chart = drawChart(chartOf(types, chosen, state, isUnchanged));

  function choose() {
    const { choice, display } = chosen;
    state.rows = Array.from({ length: types.rows }, (_, row) => row).filter(
      (row) => choice.applies?.(row) ?? true,
    );
    replace(words, choices.leftOut(choice, display, state.rows, ["type is", "types are"]));
  }

  function changed() {
    choose();
    chart.refresh();
  }

  const node = element(
    "div",
    { class: "view layer-summaries" },
    chosen.node,
    missing(timeKey, pruned, report),
    chart.node,
    words,
    typeTable(types, pruned, isUnchanged),
    pruned.length > 0 && levelTable(report.table("level_types")),
  );
  return { node };
}

/** The table of types, with words on what pruning can do to each. */
function typeTable(types, pruned, isUnchanged) {
  const words = (row) => {
    if (isUnchanged(row)) return UNCHANGED;
    const levels = pruned.filter((choice) => choice.applies(row));
    return levels.some((choice) => choice.value(row) !== undefined)
      ? "shortens with its weights"
      : null;
  };
  const cells = Array.from({ length: types.rows }, (_, row) =>
    types.text("type", row) === "concurrent" ? false : words(row),
  );
  const own = {
    key: "pruning",
    heading: "Pruning",
    unit: "text",
    meaning: "whether a target can change its time",
    cells,
  };
  const columns = knownColumns(types);
  return dataTable({
    table: types,
    columns: pruned.length > 0 ? [columns[0], own, ...columns.slice(1)] : columns,
    caption: types.title,
    rowKey: "type",
    cell: (key, row) => (key === own.key ? element("span", null, textOf(cells[row])) : undefined),
  }).node;
}

/** Every type at every level, in full. */
function levelTable(table) {
  const details = element("details", { class: "folded" }, element("summary", null, table.title));
  whenUnfolded(details, () =>
    details.append(
      dataTable({ table, columns: "shown", caption: table.title, filters: true }).node,
    ),
  );
  return details;
}

/** Why there is less to choose from than there could be. */
function missing(timeKey, pruned, report) {
  const reasons = [];
  if (!timeKey) reasons.push("Times are unknown: the model was not measured.");
  if (pruned.length > 0 && !report.table("level_types").hasNumbers("latency_ms")) {
    reasons.push("Latencies at sparsities are unknown: the trace has no weights.");
  }
  return reasons.length > 0 ? element("p", { class: "nothing" }, reasons.join(" ")) : null;
}

/** Types that rest on no perf ratio at any level: whatever the target, they stay as they are. */
function unchanged(pruned) {
  return (row) => {
    const levels = pruned.filter((choice) => choice.applies(row));
    if (levels.length === 0) return false;
    return levels.every(
      (choice) => choice.origin(row) === "measured" || choice.origin(row) === undefined,
    );
  };
}

function chartOf(types, chosen, state, isUnchanged) {
  return {
    title: () => `${chosen.choice.title} by operator type`,
    shows: () => {
      const marked = state.rows.some(isUnchanged)
        ? " Hatched grey bars are what no target can change."
        : "";
      const whiskers =
        chosen.choice.ends && chosen.display !== "percent"
          ? " Whiskers reach from the low to the high end."
          : "";
      return `${choices.inWords(chosen.choice, chosen.display)} of each operator type, in the order of the table.${marked}${whiskers}`;
    },
    marks: types.rows,
    height: () => state.rows.length * ROW_HEIGHT + 60,
    option: (theme) => optionOf(types, chosen, state.rows, isUnchanged, theme),
    readout: {
      length: () => state.rows.length,
      text: (i) => [
        nameInWords(types.text("type", state.rows[i])),
        `: ${choices.spoken(chosen.choice, state.rows[i])}`,
        originOf(chosen.choice, state.rows[i], isUnchanged),
      ],
      near: (x, y) => Math.round(y),
      locate: (i) => ({ seriesIndex: 0, dataIndex: i }),
    },
  };
}

function optionOf(types, { choice, display }, rows, isUnchanged, theme) {
  const values = rows.map((row) => choices.displayed(choice, display, row));
  const item = (row, at) => {
    const look = isUnchanged(row)
      ? { color: theme.axis, decal: pattern(PATTERN, theme) }
      : { color: theme.accent };
    return { value: values[at] ?? "-", itemStyle: look };
  };
  const label = (row) => {
    if (display === "percent") return shown(choice.share(row) ?? null, "share");
    return shown(choice.value(row) ?? null, choice.unit);
  };
  const least = Math.min(...values.filter((value) => value !== undefined));
  // Bars on a logarithmic scale begin at its low end, not at 1.
  const start =
    display === "log" && Number.isFinite(least)
      ? 10 ** Math.floor(Math.log10(least) - 0.1)
      : undefined;
  return {
    grid: { left: 8, right: 72, top: 8, bottom: 28, containLabel: true },
    xAxis: {
      type: display === "log" ? "log" : "value",
      min: start,
      startValue: start,
      name: choices.axisTitle(choice, display),
      nameLocation: "middle",
      nameGap: 26,
      axisLabel: {
        formatter: (value) => choices.axisNumber(value, choice, display),
        hideOverlap: true,
      },
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
        data: rows.map(item),
      },
      barEnds(
        rows.map((row, at) => ({
          value: values[at],
          ends: display === "percent" ? undefined : choice.ends?.(row),
          text: label(row),
        })),
        theme,
      ),
    ],
  };
}

function originOf(choice, row, isUnchanged) {
  if (isUnchanged(row)) return `; ${UNCHANGED}`;
  const origin = choice.origin?.(row);
  return origin ? `; perf ratios: ${origin}` : "";
}
