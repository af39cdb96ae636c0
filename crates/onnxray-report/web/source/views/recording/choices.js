// What the charts of layers can show: times as measured, at each pruned level, or FLOPs; as
// they are, on a logarithmic scale, or in percent of the whole.

import { isNone, shown } from "../../cells.js";
import { deviceColumns } from "./operators.js";

/**
 * @typedef {object} Choice something to show of each row of a table
 * @property {string} key
 * @property {string} title as the selector calls it
 * @property {number} [level] the sparsity, where weights are pruned
 * @property {string} unit of the values, as of a column
 * @property {(row: number) => number | undefined} value
 * @property {(row: number) => number | undefined} share of the whole
 * @property {string} whole what the shares are of, in words
 * @property {(row: number) => [number, number] | undefined} [ends] of an interval
 * @property {(row: number) => string | undefined} [origin] what the value rests on
 * @property {(row: number) => boolean} [applies] whether the row has such a value at all
 */

/** How values are displayed, as in the seed of these charts. */
export const DISPLAYS = [
  ["value", "linear"],
  ["log", "logarithmic"],
  ["percent", "share"],
];

/** Times as they were measured, of operators or of their types. */
export function measured(table, timeKey) {
  const hasDevice = deviceColumns(table).length > 0;
  const perIteration = timeKey === "time_ms";
  const ofOne = perIteration ? "of the iterations' wall time" : "of all operators' time";
  return {
    key: "baseline",
    title: hasDevice ? "CPU time" : "Time",
    unit: "milliseconds",
    value: (row) => table.number(timeKey, row),
    share: (row) => table.number("share", row),
    whole: hasDevice ? "of all operators' CPU time" : ofOne,
  };
}

/** The same on devices, where the recording tells of any. */
export function onDevices(table) {
  const [timeKey, shareKey] = deviceColumns(table);
  if (timeKey === undefined) return [];
  const choice = {
    key: "device",
    title: "Device time",
    unit: "milliseconds",
    value: (row) => table.number(timeKey, row),
    share: (row) => table.number(shareKey, row),
    whole: "of all operators' time on devices",
    applies: (row) => !isNone(table.cell(timeKey, row)),
  };
  return [choice];
}

/** FLOPs of operators or of their types. */
export function flops(table) {
  const known = table.column("flops").cells.filter((cell) => typeof cell === "number");
  const sum = known.reduce((all, value) => all + value, 0);
  return {
    key: "flops",
    title: "FLOPs",
    unit: "quantity",
    value: (row) => table.number("flops", row),
    share: (row) => (sum > 0 ? divided(table.number("flops", row), sum) : undefined),
    whole: known.length === table.rows ? "of all FLOPs" : "of the FLOPs that are known",
    applies: (row) => !isNone(table.cell("flops", row)),
  };
}

/** The row of the time outside of operators, which stays as it is whatever is pruned. */
const isOverhead = (types, row) =>
  types.text("type", row) === "framework overhead" && isNone(types.cell("operators", row));

/**
 * Types at each level; rows are those of the table of types.
 *
 * @param {import("../../report.js").Report} report
 */
export function prunedTypes(report) {
  const [types, levelTypes, levels] = ["operator_types", "level_types", "levels"].map((key) =>
    report.table(key),
  );
  if (!types || !levelTypes) return [];
  return rowsByLevel(levelTypes).map(([level, byType]) => {
    const total = levels?.number("latency_ms", levels.column("sparse_ratio").cells.indexOf(level));
    const found = (row) => byType.get(types.text("type", row));
    const at = (key) => (row) =>
      found(row) === undefined ? undefined : levelTypes.number(key, found(row));
    const [value, share, low, high] = [
      "latency_ms",
      "share",
      "latency_low_ms",
      "latency_high_ms",
    ].map(at);
    const overhead = (row) => types.number("time_ms", row);
    return {
      key: `pruned ${level}`,
      title: `Pruned ${level} ms`,
      unit: "milliseconds",
      value: (row) => (isOverhead(types, row) ? overhead(row) : value(row)),
      share: (row) => (isOverhead(types, row) ? divided(overhead(row), total) : share(row)),
      whole: "of the model's latency at that level",
      ends: (row) => (low(row) === undefined ? undefined : [low(row), high(row)]),
      origin: (row) =>
        found(row) === undefined ? undefined : levelTypes.text("origin", found(row)),
      applies: (row) => found(row) !== undefined || isOverhead(types, row),
    };
  });
}

/** Rows of the table of types by level, and there by type; the baseline has no level. */
function rowsByLevel(levelTypes) {
  const levels = new Map();
  for (let row = 0; row < levelTypes.rows; row += 1) {
    const level = levelTypes.number("sparse_ratio", row);
    if (level === undefined) continue;
    if (!levels.has(level)) levels.set(level, new Map());
    levels.get(level).set(levelTypes.text("type", row), row);
  }
  return [...levels];
}

/** A value of a choice in the way in which it is displayed. */
export function displayed(choice, display, row) {
  if (display === "percent") {
    const share = choice.share(row);
    return share === undefined ? undefined : share * 100;
  }
  const value = choice.value(row);
  return display === "log" && !(value > 0) ? undefined : value;
}

/** What the axis of a display says. */
export function axisTitle(choice, display) {
  if (display === "percent") return `% ${choice.whole}`;
  const unit = choice.unit === "milliseconds" ? "ms" : "FLOPs";
  return display === "log" ? `${unit}, logarithmic scale` : unit;
}

/** What a chart shows, at the beginning of a sentence. */
export function inWords(choice, display) {
  if (display === "percent") return `Percent ${choice.whole}`;
  const unit = choice.unit === "milliseconds" ? "Milliseconds" : "FLOPs";
  return display === "log" ? `${unit}, on a logarithmic scale,` : unit;
}

/** A number of an axis, short. */
export function axisNumber(value, choice, display) {
  if (display === "percent") return `${round(value)} %`;
  return choice.unit === "milliseconds" ? String(round(value)) : shown(round(value), choice.unit);
}

/** A value with its share, as a readout says it. */
export function spoken(choice, row) {
  const [value, share] = [choice.value(row), choice.share(row)];
  const unit = choice.unit === "milliseconds" ? " ms" : " FLOPs";
  const text = value === undefined ? "unknown" : `${shown(value, choice.unit)}${unit}`;
  const ends = choice.ends?.(row);
  const interval =
    ends && ends[0] !== ends[1]
      ? ` (${ends.map((end) => shown(end, choice.unit)).join(" to ")})`
      : "";
  return share === undefined
    ? text + interval
    : `${text}${interval}, ${shown(share, "share")} ${choice.whole}`;
}

/**
 * What of a display is not drawn, in words: values that are unknown, and those that have no
 * place on a logarithmic scale. `undefined` if everything is drawn.
 */
export function leftOut(choice, display, rows, [one, several]) {
  const values = rows.map((row) => (display === "percent" ? choice.share(row) : choice.value(row)));
  const unknown = values.filter((value) => value === undefined).length;
  const notPositive = display === "log" ? values.filter((value) => value <= 0).length : 0;
  const of = (number) => `${number} ${number === 1 ? one : several}`;
  const parts = [];
  if (unknown > 0) parts.push(`${of(unknown)} not drawn: unknown`);
  if (notPositive > 0) {
    parts.push(`${of(notPositive)} not drawn: 0 or less has no place on a logarithmic scale`);
  }
  return parts.length > 0 ? `${parts.join("; ")}.` : undefined;
}

const divided = (part, whole) => (part === undefined || !(whole > 0) ? undefined : part / whole);
const round = (value) => Number(value.toPrecision(6));
