// What was tried of a runtime: the lines to paste, the effect of each change with its interval,
// and how it was measured.

import { chartLabel } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { nonEmptyColumns } from "../non_empty_columns.js";
import { effectChart, effects } from "./effect_chart.js";

export default function changes(report) {
  const code = report.figures("tune_code");
  const tables = ["tune_combinations", "tune_changes"].map((key) => report.table(key));
  const known = tables.filter((table) => table !== undefined && table.rows > 0);
  const node = element(
    "div",
    { class: "view tune" },
    code && section(code.title, figuresList(code)),
    chart(report.table("tune_changes")),
    known.map(
      (table) =>
        dataTable({ table, columns: nonEmptyColumns(table), caption: table.title, rowKey: "change" })
          .node,
    ),
    section("How it was measured", figuresList(report.figures("tune"))),
  );
  return { node };
}

const section = (title, content) =>
  element("section", { class: "stack" }, element("h3", null, title), content);

/** A dot and an interval for each change whose effect is known. */
function chart(table) {
  const known = table === undefined ? [] : effects(table);
  if (known.length === 0) return undefined;
  return drawChart({
    title: "Latency / latency of the base",
    shows:
      "What each change by itself does to the latency, with 95 % confidence intervals, on a " +
      "logarithmic axis: left of 1 it is faster.",
    marks: known.length,
    height: 60 + 24 * known.length,
    option: (theme) => effectChart(known, theme),
    readout: {
      length: known.length,
      text: (place) => {
        const { row, ratio, low, high } = known[place];
        const [name, verdict] = ["change", "verdict"].map((key) => table.text(key, row));
        const ends = `${low.toFixed(3)} to ${high.toFixed(3)}`;
        return `${chartLabel(name, 80)}: ${ratio.toFixed(3)} (95 % CI ${ends}), ${verdict}`;
      },
      at: ({ dataIndex }) => dataIndex,
      near: (_, y) => Math.max(0, Math.min(known.length - 1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 1, dataIndex: place }),
    },
  }).node;
}
