// The word on a candidate: both sides next to the baseline, with their intervals, and how they were
// measured.

import { textOf, toneOf } from "../../cells.js";
import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { effectChart } from "../effect_chart.js";

/** Key of the command that measures it anew. */
const COMMAND = "repeat";

export default function judgement(report) {
  const table = report.table("judge_sides");
  const figures = report.figures("judge");
  const verdict = figures.figures.find(({ key }) => key === "verdict")?.value;
  const node = element(
    "div",
    { class: "view judge" },
    chart(table, verdict),
    table && dataTable({ table, columns: "shown", caption: table.title, rowKey: "side" }).node,
    element(
      "section",
      { class: "stack" },
      element("h3", null, "How it was measured"),
      figuresList(figures, { without: [COMMAND] }),
      command(figures.figure(COMMAND), figures.key),
    ),
  );
  return { node };
}

/** The command is to be copied: it stands whole. */
const command = ({ heading, value }, key) =>
  element(
    "dl",
    { class: "lines", dataset: { figures: key } },
    element(
      "div",
      { dataset: { key: COMMAND } },
      element("dt", null, heading),
      element("dd", { class: "command" }, element("code", null, value)),
    ),
  );

/** Only the candidate has a verdict. */
function chart(table, verdict) {
  const tone = { good: "good", bad: "bad" }[toneOf(verdict)] ?? "muted";
  return effectChart({
    table,
    // What B costs beside has the name of the cost.
    nameOf: (row) => {
      const [side, figure] = [table.text("side", row), table.text("figure", row)];
      return figure === table.text("figure", 0) ? side : figure;
    },
    title: "Next to A",
    shows:
      "Figures of B and of A's own copy / A's, with intervals that hold at every look, on a " +
      "logarithmic axis: left of 1 is less.",
    keys: ["ratio", "ratio_low", "ratio_high"],
    tone: (row) => (row === 0 ? tone : "muted"),
    remark: (row) => (row === 0 ? (textOf(verdict) ?? "") : ""),
  });
}
