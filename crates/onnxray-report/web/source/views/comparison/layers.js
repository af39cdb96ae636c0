// Every group of layers of both versions: times, difference, ratio with its interval drawn, and
// the verdict. A click or Enter opens what there is to know of a group.

import * as address from "../../address.js";
import { openDetails } from "../../details.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { counted, listed } from "../words.js";
import { ofVersion } from "./frame.js";
import { layerCell, layerColumns } from "./layer_columns.js";
import { layerDetails } from "./layer_details.js";
import { scaleEnd } from "./ratio_interval.js";

const SEARCHED = ["layer", "a_type", "b_type", "a_operators", "b_operators"];

export default function layers(report, context) {
  return ofVersion(report, (version) => groups(version, context), hasLayer);
}

const rowOf = (version, name) =>
  version.rows("layers").find((row) => version.table("layers").text("layer", row) === name);
const hasLayer = (version, name) => rowOf(version, name) !== undefined;

function groups(version, context) {
  const table = version.table("layers");
  const rows = version.rows("layers");
  if (rows.length === 0) {
    return {
      node: element("p", null, "There are no layers to compare: a side has none that were timed."),
    };
  }
  const end = scaleEnd(table, rows);
  // Names need not be unique: an address leads to the group that was opened last.
  let opened;
  const open = (row) => {
    opened = row;
    const name = table.text("layer", row);
    const { view, name: shown } = address.current();
    if (view === "layers" && shown === name) show(name);
    else context.go("layers", name);
  };
  const list = dataTable({
    table,
    rows: () => rows,
    rowKey: "layer",
    columns: layerColumns(table, rows, end),
    caption: table.title,
    search: SEARCHED,
    filters: true,
    open,
    cell: (key, row) => layerCell(table, key, row, end),
  });
  function show(name) {
    const row =
      opened !== undefined && table.text("layer", opened) === name ? opened : rowOf(version, name);
    if (row === undefined) return false;
    list.reveal(row);
    openDetails({ title: element("bdi", null, name), body: layerDetails(version, row, end) });
    return true;
  }
  return {
    node: element("div", { class: "stack" }, element("p", null, summary(table, rows)), list.node),
    show,
  };
}

/** How many groups there are of each verdict. */
function summary(table, rows) {
  const counts = new Map();
  for (const row of rows) {
    const verdict = table.text("verdict", row);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([verdict, count]) => `${count} ${verdict}`);
  return `${counted(rows.length, "group")} of layers: ${listed(parts)}. Click a row, or press Enter, for its details.`;
}
