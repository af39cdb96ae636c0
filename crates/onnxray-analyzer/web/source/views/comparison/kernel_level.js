// Every group of layers of both versions: times, difference, ratio with its interval drawn, and
// the verdict. A click or Enter opens what there is to know of a group.

import * as address from "../../address.js";
import { isNone, toneOf } from "../../cells.js";
import { openDetails } from "../../details.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { saidColumns } from "../said_columns.js";
import { counted, listed } from "../words.js";
import { ofVersion } from "./frame.js";
import { layerDetails } from "./layer_details.js";
import { endsOf, ratioInterval, ratioText, scaleEnd } from "./ratio_interval.js";

const COLUMNS = [
  "layer",
  "a_ms",
  "b_ms",
  "difference_ms",
  "ratio",
  "verdict",
  "reason",
  "a_type",
  "b_type",
  "a_precision",
  "b_precision",
  "matched_by",
];
const DRAWN = "ratio_drawn";
const TIMES = ["a_ms", "b_ms"];
/** Characters of "not executed in A". */
const WORDS_WIDTH = 16;
const SEARCHED = ["layer", "a_type", "b_type", "a_operators", "b_operators"];

export default function kernelLevel(report, context) {
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
    if (view === "kernel-level" && shown === name) show(name);
    else context.go("kernel-level", name);
  };
  const list = dataTable({
    table,
    rows: () => rows,
    rowKey: "layer",
    columns: columnsOf(table, rows, end),
    caption: table.title,
    search: SEARCHED,
    filters: true,
    open,
    cell: (key, row) => (key === DRAWN ? drawing(table, row, end) : executed(table, key, row)),
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

/** The columns in which a row says something, and the drawing beside the ratio. */
function columnsOf(table, rows, end) {
  const hasRatio = rows.some((row) => table.number("ratio", row) !== undefined);
  return saidColumns(table, rows, COLUMNS).flatMap((key) => {
    if (TIMES.includes(key)) return [timeColumn(table.column(key), rows)];
    return key === "ratio" && hasRatio ? [key, drawnColumn(table, end)] : [key];
  });
}

/** As wide as the words for what a side does not execute. */
function timeColumn(column, rows) {
  const hasWords = rows.some((row) => isNone(column.cells[row]));
  return hasWords ? { ...column, width: WORDS_WIDTH } : column;
}

/** It sorts by the ratio, and says in its heading which ratios its ends are. */
function drawnColumn(table, end) {
  const ends = endsOf(end);
  return {
    key: DRAWN,
    heading: `${ends[0]} … ${ends[1]}`,
    unit: "text",
    meaning:
      "the ratio and its 95 % interval on a logarithmic scale; left of the line B is faster, an arrow leads beyond the scale",
    cells: table.column("ratio").cells,
    width: 19,
  };
}

function drawing(table, row, end) {
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map((key) =>
    table.number(key, row),
  );
  const drawn = ratioInterval({ ratio, low, high, tone: toneOf(table.cell("verdict", row)), end });
  return element("span", { title: drawn && `B takes ${ratioText({ ratio, low, high })}` }, drawn);
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

/** What a side does not execute has no time, which is said in words. */
function executed(table, key, row) {
  if (!TIMES.includes(key) || !isNone(table.cell(key, row))) return undefined;
  return element(
    "span",
    { class: "muted", dataset: { value: "" } },
    key === "a_ms" ? "not executed in A" : "not executed in B",
  );
}
