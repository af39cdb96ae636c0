// What there is to know of a layer of a loss profile: its own figures, and each level.

import { isNone, valueElement } from "../../cells.js";
import { element } from "../../dom.js";
import { isShown, levelText } from "./profile.js";

/** Columns of the levels, as far as a row of the layer says something in them. */
const COLUMNS = [
  "pruned",
  "sensitivity",
  "divergence",
  "accuracy_change",
  "l1",
  "l2",
  "output",
  "failed",
];

/** The panel's body. */
export function layerDetails(report, profile, layer) {
  const layers = report.table("loss_layers");
  const columns = layers.columns.filter(
    (column) => column.key !== "name" && !isNone(column.cells[layer.row]),
  );
  const own = element(
    "dl",
    { class: "figures", dataset: { table: "loss_layers", row: layer.row } },
    columns.map((column) =>
      element(
        "div",
        { title: column.meaning, dataset: { column: column.key } },
        element("dt", null, column.heading),
        valueElement(column.cells[layer.row], column.unit, "dd"),
      ),
    ),
  );
  return [
    element("h3", null, "Layer"),
    own,
    element("h3", null, "Levels"),
    levelsTable(profile, layer),
  ];
}

function levelsTable(profile, layer) {
  const { points } = profile;
  const rows = [...layer.pointRows].sort(([a], [b]) => a - b);
  if (rows.length === 0)
    return element(
      "p",
      null,
      `It was not pruned${layer.leftOut === undefined ? "" : `: ${layer.leftOut}`}.`,
    );
  const columns = COLUMNS.map((key) => points.column(key)).filter(
    (column) => column && isShown(column) && rows.some(([, row]) => !isNone(column.cells[row])),
  );
  return element(
    "div",
    { class: "wide", role: "group", tabindex: "0", aria: { label: "Sparsities of the layer" } },
    element(
      "table",
      { class: "plain-table", dataset: { table: "loss_points" } },
      element(
        "thead",
        null,
        element(
          "tr",
          null,
          element("th", { scope: "col" }, points.column("level").heading),
          columns.map((column) =>
            element("th", { scope: "col", title: column.meaning }, column.heading),
          ),
        ),
      ),
      element(
        "tbody",
        null,
        rows.map(([level, row]) =>
          element(
            "tr",
            { dataset: { row } },
            element("th", { scope: "row" }, levelText(level)),
            columns.map((column) =>
              element(
                "td",
                { dataset: { column: column.key } },
                valueElement(column.cells[row], column.unit),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
