// The summary type: the whole model, and its operator types, with every weight at one level,
// whatever the targets are.

import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { endBars, estimateText, rowsHeight, sidesOf } from "./charts.js";
import { drawWhenVisible } from "./draw_when_visible.js";
import { withoutData } from "./frame.js";
import { baselineIn, bestLevel, levelRows } from "./level_rows.js";
import { levelTypesPart } from "./level_types_part.js";
import { sessionOf } from "./session.js";
import { toolbar } from "./toolbar.js";

const ENDS = "Lines across the ends of bars run from the low to the high end.";

export default function levels(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = toolbar(session, {
    figures: () => bestLevel(session).figures,
    origin: () => bestLevel(session).origin,
  });
  const parts = [top, wholePart(session), levelTypesPart(session)];
  const node = element(
    "div",
    { class: "view projection" },
    parts.map((part) => part.node),
  );
  session.follow(node, () => parts.forEach((part) => part.refresh()));
  return { node, prepare: () => session.catchUpAll() };
}

function wholePart(session) {
  const table = session.tables.get("levels");
  const declared = session.report.chart("levels");
  const grid = dataTable({
    table,
    columns: "shown",
    caption: table.title,
    cell: baselineIn(table),
  });
  let rows = levelRows(session);
  const chart = drawWhenVisible(
    drawChart({
      title: declared?.title ?? "Latency of the whole model (ms)",
      shows: `It shows ${declared?.shows ?? "what every sparsity would bring"}. ${ENDS}`,
      marks: () => rows.length * 4,
      height: () => rowsHeight(rows.length, 1.4),
      option: (theme) => {
        const [before, after] = sidesOf(theme);
        const estimates = rows.map(({ total }) => total);
        const side = {
          ...after,
          fillOf: (row) => (row === 0 ? before.fill : after.fill),
          estimates,
        };
        return endBars({ names: rows.map(({ name }) => name), sides: [side] }, theme, 20);
      },
      readout: {
        length: () => rows.length,
        text: (row) => textOf(rows[row]),
        at: ({ dataIndex }) => dataIndex,
      },
    }),
  );
  return {
    node: element(
      "section",
      { class: "part" },
      missing(session),
      element("div", { class: "beside" }, grid.node, chart.node),
    ),
    refresh() {
      rows = levelRows(session);
      grid.refresh({ sort: false });
      chart.refresh();
    },
  };
}

function textOf({ name, total, speedup }) {
  const faster = speedup ? `, ${estimateText(speedup, "number", "×")} as fast` : "";
  return `${name}: ${estimateText(total, "milliseconds", " ms")}${faster}`;
}

function missing({ projection, inputs }) {
  const say = (text) => element("p", { class: "missing" }, text);
  if (inputs.operators.fixed.length === 0)
    return say("The recording has no operators, so there is nothing to prune.");
  if (projection.totals.projectedTotal !== null) return null;
  return say(
    "It is not known of any operator whether it has a weight: what sparsities would bring is unknown, and no speedup is claimed.",
  );
}
