// A mix of two models: both next to it, what all mixes take and lose, what each change does, and
// how it was measured.

import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { effectChart } from "../effect_chart.js";
import { nonEmptyColumns } from "../non_empty_columns.js";
import { mixesChart } from "./mixes_chart.js";

/** Changes of which the effects are drawn; the table has all. */
const MOST_DRAWN = 40;

export default function mix(report) {
  const changes = report.table("mix_changes");
  const figures = report.figures("mix");
  const node = element(
    "div",
    { class: "view mix" },
    shown(report.table("mix_models"), "mix"),
    mixesChart(report.table("mixes"), figures, () => shown(report.table("mixes"), "mix")),
    shown(report.table("mix_front"), "mix"),
    chart(changes),
    shown(changes, "change", { search: ["change", "operator_type", "nodes_a", "nodes_b"] }),
    element(
      "section",
      { class: "stack" },
      element("h3", null, "How it was measured"),
      figuresList(figures),
    ),
  );
  return { node };
}

function shown(table, rowKey, how = {}) {
  if (table === undefined || table.rows === 0) return undefined;
  const columns = nonEmptyColumns(table);
  return dataTable({ table, columns, caption: table.title, rowKey, ...how }).node;
}

function chart(table) {
  const isTaken = (row) => table.text("taken", row) === "yes";
  return effectChart({
    table,
    title: "Latency of A with a change / latency of A",
    shows:
      "What each change from B by itself does to A, with 95 % confidence intervals, on a " +
      "logarithmic axis: left of 1 it is faster. Those that the mix takes are in colour" +
      (table?.rows > MOST_DRAWN ? `; the first ${MOST_DRAWN} whose effect is known.` : "."),
    keys: ["alone_ratio", "alone_low", "alone_high"],
    tone: (row) => (isTaken(row) ? "good" : "muted"),
    remark: (row) => `${isTaken(row) ? "taken" : "not taken"}: ${table.text("why", row)}`,
    most: MOST_DRAWN,
  });
}
