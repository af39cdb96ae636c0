// What a loss profile says of its layers at each level, as the tables have it.

import { isNone, numberOf, shown } from "../../cells.js";

/** Figures of a layer at a level that can be drawn: those of these columns that have numbers. */
const FIGURES = [
  "sensitivity",
  "perf_ratio",
  "divergence",
  "l2",
  "l1",
  "accuracy_change",
  "pruned",
];

/**
 * @param {import("../../report.js").Report} report
 * @typedef {{number: number, name: string, row: number, leftOut?: string,
 *   pointRows: Map<number, number>}} Layer `pointRows`: rows of the table of points, by level
 * @typedef {{layers: Layer[], levels: number[], figures: import("../../report.js").Column[],
 *   points: import("../../report.js").Table}} Profile
 * @returns {Profile|undefined} undefined if no layer was pruned at any level
 */
export function profileOf(report) {
  const [layers, points] = [report.table("loss_layers"), report.table("loss_points")];
  if (layers === undefined || points === undefined || points.rows === 0) return undefined;
  const byNumber = new Map();
  for (let row = 0; row < layers.rows; row += 1) {
    const number = layers.number("number", row);
    byNumber.set(number, {
      number,
      row,
      name: layers.text("name", row),
      leftOut: leftOut(layers, row),
      pointRows: new Map(),
    });
  }
  const levels = new Set();
  for (let row = 0; row < points.rows; row += 1) {
    const level = points.number("level", row);
    levels.add(level);
    byNumber.get(points.number("number", row))?.pointRows.set(level, row);
  }
  return {
    layers: [...byNumber.values()],
    levels: [...levels].sort((a, b) => a - b),
    figures: FIGURES.filter((key) => points.hasNumbers(key))
      .map((key) => points.column(key))
      .filter(isShown),
    points,
  };
}

/** Without labels, the divergence is the sensitivity once more, and hidden. */
export const isShown = (column) => column.key !== "divergence" || column.importance !== "hidden";

function leftOut(layers, row) {
  const why = layers.cell("why", row);
  return isNone(why) || why === null || why === "" ? undefined : layers.text("why", row);
}

/** The cell of a layer at a level; false where it was not pruned to it. */
export function cellAt(column, layer, level) {
  const row = layer.pointRows.get(level);
  return row === undefined ? false : column.cells[row];
}

/** `90 %` */
export const levelText = (level) => `${Number((level * 100).toPrecision(6))} %`;

/** What a readout says of it: a number, or why there is none. */
export function valueText(profile, column, layer, level) {
  const cell = cellAt(column, layer, level);
  if (isNone(cell)) return "not measured";
  if (numberOf(cell) !== undefined) return shown(cell, column.unit);
  const row = layer.pointRows.get(level);
  const failed = profile.points.cell("failed", row);
  return typeof failed === "string" && failed !== "" ? `unknown (${failed})` : "unknown";
}
