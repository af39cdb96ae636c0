// The points of a sweep as plain objects, and which of them are compared with each other.

import { isNone, isUnknown, shown } from "../../cells.js";
import { counted } from "../words.js";

/** Key of the table. */
export const POINTS = "points";

/**
 * The points, in the order of the table; what is unknown is undefined.
 * @param {import("../../report.js").Report} report
 * @typedef {ReturnType<typeof pointsOf>[number]} Point
 */
export function pointsOf(report) {
  const table = report.table(POINTS);
  if (table === undefined) return [];
  const number = (key, row) => table.number(key, row);
  const known = (key, row) => {
    const cell = table.cell(key, row);
    return isUnknown(cell) || isNone(cell) ? undefined : table.text(key, row);
  };
  return Array.from({ length: table.rows }, (_, row) => ({
    row,
    name: table.text("name", row),
    label: known("label", row) ?? table.text("name", row),
    model: known("model", row),
    counted: known("counted", row) ?? "items",
    batchSize: number("batch_size", row),
    latencyMs: number("latency_ms", row),
    latency: { low: number("latency_low_ms", row), high: number("latency_high_ms", row) },
    perSecond: number("throughput_per_second", row),
    throughput: {
      low: number("throughput_low_per_second", row),
      high: number("throughput_high_per_second", row),
    },
    cpuTimeMs: number("cpu_time_of_one_ms", row),
    cpuTime: cpuTimeEnds(table, row),
    isOnFront: wordOf(table.cell("on_front", row)) === "yes",
    isOnCpuFront: wordOf(table.cell("on_cpu_front", row)) === "yes",
    isOnFrontOfAll: wordOf(table.cell("on_front_of_all", row)) === "yes",
    compareAs: known("compare_as", row),
    configuration: configurationOf(table, row),
  }));
}

/** The interval of the CPU time of one item: that of an iteration, in parts. */
function cpuTimeEnds(table, row) {
  const [ofOne, all, low, high] = [
    "cpu_time_of_one_ms",
    "cpu_time_ms",
    "cpu_time_low_ms",
    "cpu_time_high_ms",
  ].map((key) => table.number(key, row));
  const part = (end) =>
    end === undefined || ofOne === undefined || !(all > 0) ? undefined : (end * ofOne) / all;
  return { low: part(low), high: part(high) };
}

/** The key of a word of the program's own. */
const wordOf = (cell) => (Array.isArray(cell) ? cell[0] : cell);

/** `tract, batch 4, sequence=64, 2 threads, 1 instance` */
function configurationOf(table, row) {
  const number = (key, text) => {
    const value = table.number(key, row);
    return value === undefined ? undefined : text(value);
  };
  const text = (key) =>
    typeof table.cell(key, row) === "string" ? table.text(key, row) : undefined;
  const parts = [
    text("engine"),
    number("batch_size", (size) => `batch ${size}`),
    text("dimensions"),
    number("threads", (threads) => counted(threads, "thread")),
    number("instances", (instances) => counted(instances, "instance")),
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}

/**
 * Points that are compared with each other: all, if models are, then those of each model.
 * `[{ name, isAll, points }]`
 */
export function candidatesOf(report, points) {
  const table = report.table(POINTS);
  const isCompared = (table?.column("on_front_of_all")?.cells ?? []).some((cell) => !isNone(cell));
  const models = new Map();
  for (const point of points) {
    if (!models.has(point.model)) models.set(point.model, []);
    models.get(point.model).push(point);
  }
  const each = [...models].map(([name, of]) => ({ name, isAll: false, points: of }));
  return isCompared ? [{ name: undefined, isAll: true, points }, ...each] : each;
}

/** `7.472 ms (95 % interval 7.401 to 7.543)` */
export function latencyText({ latencyMs, latency }) {
  return figure(latencyMs, latency, "milliseconds", "ms");
}

/** `495.6 items/s (95 % interval 490.2 to 501.0)` */
export function throughputText({ perSecond, throughput, counted: what }) {
  return figure(perSecond, throughput, "number", `${what}/s`);
}

/** `4.101 ms CPU time per item (95 % interval 3.900 to 4.302)` */
export function cpuTimeText({ cpuTimeMs, cpuTime, counted: what }) {
  return figure(cpuTimeMs, cpuTime, "milliseconds", `ms CPU time per ${oneOf(what)}`);
}

/** `item` of `items` */
export const oneOf = (what) => what.replace(/s$/, "");

function figure(value, { low, high }, unit, suffix) {
  if (value === undefined) return `unknown ${suffix}`;
  const hasInterval = low !== undefined && high !== undefined;
  const interval = hasInterval
    ? ` (95 % interval ${shown(low, unit)} to ${shown(high, unit)})`
    : ", without an interval";
  return `${shown(value, unit)} ${suffix}${interval}`;
}
