// Targets of the model and of its operator types, and what each type would take with them.

import { shorten } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { beforeAndAfter, endBars, rowsHeight, sidesOf } from "./charts.js";
import { drawWhenVisible } from "./draw_when_visible.js";
import { byRoom, fixedCell, goToField, moveIn, settableCells, setWidths } from "./editing.js";
import { modelTargetCell, reasonsOf, typeTargetCell, whyTypeFixed } from "./settables.js";

/** Types that the chart has room for. */
const MOST_TYPES = 16;
/** Columns that there is room for: beside the chart there is less. */
const COLUMNS = {
  narrow: "type target latency_ms projected_ms speedup share operators origin".split(" "),
  medium: "type operators latency_ms share target projected_ms speedup origin".split(" "),
  wide: "type latency_ms share target projected_ms speedup origin".split(" "),
};
/** Characters; of a target, with the word of where it comes from. */
const WIDTHS = { target: 16, latency_ms: 10, projected_ms: 12, speedup: 8, share: 7, origin: 20 };
const LEAD =
  "Target sparsity: an operator's overrides its type's, which overrides the model's. Blank " +
  "inherits; 0 keeps the layer dense.";

/** @param {import("./session.js").Session} session */
export function typesPart(session) {
  const table = session.tables.get("projected_types");
  setWidths(table, { ...WIDTHS, type: byRoom({ narrow: 13, medium: 18, wide: 18 }) });
  const isSettable = session.inputs.operators.fixed.includes(null);
  const model = isSettable
    ? session.field(modelTargetCell(session), () => {}).node
    : fixedCell(reasonsOf(session), null);
  const targetCell = settableCells(fieldOf, (row) => fixedCell(whyTypeFixed(session, row)));
  const grid = dataTable({
    table,
    columns: byRoom(COLUMNS),
    caption: table.title,
    rowKey: "type",
    cell: (key, row) => (key === "target" ? targetCell(row) : undefined),
  });
  const move = moveIn(grid, (row) => fieldOf(row));

  function fieldOf(row) {
    if (whyTypeFixed(session, row)) return undefined;
    return session.field(typeTargetCell(session, row), (direction) => move(direction, row));
  }

  session.reach("target", "projection", () => session.field(modelTargetCell(session)).focus());
  session.reach("target-type", "projection", (row) => goToField(grid, row, fieldOf));
  const chart = typesChart(session, table);
  return {
    node: element(
      "section",
      { class: "part" },
      element("h3", null, "Targets"),
      isSettable && element("p", { class: "lead" }, LEAD),
      element("label", { class: "model-target" }, "Target of the model ", model),
      element("div", { class: "beside is-wide" }, grid.node, chart?.node),
    ),
    refresh() {
      grid.refresh({ sort: false });
      chart?.refresh();
    },
  };
}

function typesChart(session, table) {
  const declared = session.report.chart("projected_types");
  if (table.rows === 0) return undefined;
  const rows = Array.from({ length: Math.min(MOST_TYPES, table.rows) }, (_, row) => row);
  const left = table.rows - rows.length;
  const others = left > 0 ? ` The ${left} types with least time are in the table only.` : "";
  const names = rows.map((row) => table.text("type", row));
  const estimates = () => [session.projection.types.latency, session.projection.types.projected];
  const sides = (theme) =>
    sidesOf(theme).map((side, place) => ({ ...side, estimates: estimates()[place] }));
  return drawWhenVisible(
    drawChart({
      title: declared?.title ?? "Latency by operator type (ms)",
      shows: `It shows ${declared?.shows ?? "which operator types take the time"}.${others}`,
      marks: rows.length * 6,
      height: rowsHeight(rows.length, 2),
      option: (theme) => endBars({ names, sides: sides(theme) }, theme, 24),
      readout: {
        length: rows.length,
        text: (row) =>
          `${shorten(names[row])}: ${beforeAndAfter(...estimates().map((side) => side[row]))}`,
        at: ({ dataIndex }) => dataIndex,
      },
    }),
  );
}
