// Layers that repeat: the columns of their rows, and the panel with their members.

import { isNone, valueElement } from "../../cells.js";
import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { inlineName } from "../inline_text.js";
import { layerCell, layerColumns } from "../layer_columns.js";
import { verdict } from "./layer_details.js";

const [LAYERS, PATTERNS] = ["layers", "patterns"];

/** Whether a row of table `patterns` stands for several layers. */
export function isPattern(version, row) {
  return (version.table(PATTERNS).number("count", row) ?? 1) > 1;
}

/** Rows of table `layers` that a row of table `patterns` stands for. */
export function membersOf(version, row) {
  const layers = version.table(LAYERS);
  const number = version.table(PATTERNS).number("number", row);
  return version.rows(LAYERS).filter((layer) => layers.number("pattern", layer) === number);
}

/** Those of layers, and how many of them a row is. */
export function patternColumns(table, rows, end) {
  const [layer, ...others] = layerColumns(table, rows, end);
  return [layer, { ...table.column("count"), width: 7 }, ...others];
}

/**
 * The panel's body for a pattern: its verdict, the layer that differs from it, and all members.
 * @param {import("./versions.js").Version} version
 * @param {(row: number) => void} open a row of table `layers`
 */
export function patternDetails(version, row, end, open) {
  const patterns = version.table(PATTERNS);
  const layers = version.table(LAYERS);
  const rows = membersOf(version, row);
  const unlike = patterns.cell("unlike", row);
  const members = dataTable({
    table: layers,
    rows: () => rows,
    rowKey: "layer",
    columns: layerColumns(layers, rows, end).filter(
      (column) => !["matched_by", "type", "precision"].includes(column?.key),
    ),
    caption: `${rows.length} layers`,
    tools: false,
    open,
    cell: (key, layer) => layerCell(layers, key, layer, end),
  });
  const times = ["a_ms", "b_ms"].map((key) =>
    element(
      "span",
      null,
      `${patterns.column(key).heading.replace(/ ms$/, "")} `,
      valueElement(patterns.cell(key, row), patterns.column(key).unit),
      " ms",
    ),
  );
  return [
    verdict(patterns, row, end),
    element("p", null, times[0], ", ", times[1], ", typical times of all its layers together."),
    isNone(unlike) || unlike === null
      ? null
      : element("p", null, "Unlike the others: ", inlineName(patterns.text("unlike", row)), "."),
    members.node,
  ];
}
