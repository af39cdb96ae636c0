// What was tried of a runtime: the lines to paste, the effect of each change with its interval,
// and how it was measured.

import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { effectChart } from "../effect_chart.js";
import { nonEmptyColumns } from "../non_empty_columns.js";

export default function changes(report) {
  const code = report.figures("tune_code");
  const tables = ["tune_combinations", "tune_changes"].map((key) => report.table(key));
  const known = tables.filter((table) => table !== undefined && table.rows > 0);
  const node = element(
    "div",
    { class: "view tune" },
    code && section(code.title, lines(code)),
    chart(report.table("tune_changes"), report.chart("tune_changes")),
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

/** Lines are to be copied: each stands whole, and is selected by a click. */
const lines = (code) =>
  element(
    "dl",
    { class: "lines", dataset: { figures: code.key } },
    code.figures.map(({ key, heading, value }) =>
      element(
        "div",
        { dataset: { key } },
        element("dt", null, heading),
        element("dd", { class: "command" }, element("code", null, value)),
      ),
    ),
  );

/** Verdicts of what is less and of what is more. */
const GOOD = ["faster", "lower", "shorter"];
const BAD = ["slower", "higher", "longer"];

function chart(table, { title }) {
  const verdict = (row) => table.text("verdict", row);
  return effectChart({
    table,
    title,
    shows:
      `What each change by itself does (${title}), with 95 % confidence intervals, on a logarithmic ` +
      "axis: left of 1 it gains.",
    keys: ["ratio", "ratio_low", "ratio_high"],
    tone: (row) =>
      GOOD.includes(verdict(row)) ? "good" : BAD.includes(verdict(row)) ? "bad" : "muted",
    remark: verdict,
  });
}
