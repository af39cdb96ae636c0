// A projection as cells of the report's tables, under the keys that
// `onnxray project --format json` has for them: what an edit changes, and no other columns.
//
// A cell is a number or text, null if it is unknown, false if there is nothing to know.

import { RECORDED, originOf } from "./perf_ratios.js";

/**
 * @typedef {number|string|null|false} Cell
 * @typedef {import("./projection_inputs.js").Inputs} Inputs
 * @typedef {import("./projection_inputs.js").Settings} Settings
 * @typedef {import("./projection.js").Projection} Projection
 */

/**
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {Projection} projection  Made from these two.
 * @returns {Record<string, Record<string, Cell[]>>}  Columns by the keys of table and column;
 *     those of one table have as many rows as the table.
 */
export function projectedTables(inputs, settings, projection) {
  return {
    projection: totals(projection),
    projected_types: types(projection),
    projected_operators: operators(projection),
    perf_ratios: ratios(settings),
    levels: levels(projection),
    level_types: levelTypes(inputs, projection),
    plan: plan(projection.plan),
    planned_layers: layers(projection.plan),
  };
}

/** A finite number; anything else is unknown. */
const cell = (value) => (Number.isFinite(value) ? value : null);
const cells = (values) => Array.from(values, cell);
const ends = (key, estimates, [low, high]) => ({
  [key]: estimates.map((estimate) => cell(estimate?.value)),
  [low]: estimates.map((estimate) => cell(estimate?.low)),
  [high]: estimates.map((estimate) => cell(estimate?.high)),
});
const quotient = (part, whole) => (part && whole && whole.value > 0 ? cell(part.value / whole.value) : null);

/** The keys of the figures are the table's; these are its rows. */
function totals({ totals: found, origin }) {
  const isConcurrent = found.concurrent !== null && found.concurrent.value > 0;
  const concurrent = [[found.concurrent, RECORDED], [found.projectedConcurrent, origin]];
  const rows = [
    [found.total, RECORDED], [found.projectedTotal, origin],
    [found.support, RECORDED], [found.projectedSupport, origin],
    [found.supportShare, RECORDED], [found.projectedSupportShare, origin],
    [found.speedup, origin],
    [found.itemsPerSecond, RECORDED], [found.projectedItemsPerSecond, origin],
    [found.operators, RECORDED], [found.projectedOperators, origin],
    ...(isConcurrent ? concurrent : []),
    [found.overhead, RECORDED],
  ];
  return {
    ...ends("value", rows.map(([estimate]) => estimate), ["low", "high"]),
    origin: rows.map(([estimate, rests]) => (estimate === null ? null : rests)),
  };
}

function types({ types: found, totals: { total } }) {
  const { target, inheriting, latency, projected, origin } = found;
  return {
    target: Array.from(target, (level, n) => (inheriting[n] > 0 ? cell(level) : false)),
    share: latency.map((dense) => quotient(dense, total)),
    ...ends("projected_ms", projected, ["projected_low_ms", "projected_high_ms"]),
    speedup: latency.map((dense, n) => quotient(dense, projected[n])),
    origin: origin.map((rests, n) => (projected[n] === null ? null : rests)),
  };
}

function operators({ operators: { target, targetFrom, ratio, projected, outcome, origin } }) {
  return {
    target: Array.from(target, (level, n) => (targetFrom[n] === null ? false : cell(level))),
    perf_ratio: cells(ratio.value),
    projected_ms: cells(projected.value),
    projected_low_ms: cells(projected.low),
    projected_high_ms: cells(projected.high),
    projection: outcome,
    origin,
  };
}

/** A row's ratio below all levels, and then its points. */
function ratios(settings) {
  const rows = settings.ratios.flatMap((row) => {
    const { others: value, points } = row;
    const key = value === 1 ? "default" : "given";
    const below = { row, level: false, value, low: value, high: value, origin: `below all levels (${key})` };
    return [below, ...points.map((point) => ({ ...point, row, origin: originOf(point.origin) }))];
  });
  const column = (value) => rows.map(value);
  return {
    weight_shape: column(({ row }) => row.weightShape),
    type: column(({ row }) => row.operatorType ?? false),
    data_type: column(({ row }) => row.dataType ?? false),
    block: column(({ row }) => row.block),
    sparse_ratio: column(({ level }) => level),
    perf_ratio: column(({ value }) => value),
    low: column(({ low }) => low),
    high: column(({ high }) => high),
    operators: column(({ row }) => row.operators),
    origin: column(({ origin }) => origin),
  };
}

/** @type {[string, string]} */
const latencyEnds = ["latency_low_ms", "latency_high_ms"];

function levels({ totals: found, atLevels }) {
  const { total, itemsPerSecond } = found;
  const baseline = { level: false, total, speedup: total && { value: 1 }, itemsPerSecond, origin: RECORDED };
  const rows = [baseline, ...atLevels.map(({ level, totals: at, origin }) => ({
    level, total: at.projectedTotal, speedup: at.speedup, itemsPerSecond: at.projectedItemsPerSecond, origin,
  }))];
  return {
    sparse_ratio: rows.map(({ level }) => level),
    ...ends("latency_ms", rows.map((row) => row.total), latencyEnds),
    speedup: rows.map(({ speedup }) => cell(speedup?.value)),
    items_per_second: rows.map((row) => cell(row.itemsPerSecond?.value)),
    origin: rows.map((row) => (row.total === null ? null : row.origin)),
  };
}

function levelTypes(inputs, { types: baseline, totals: { total }, atLevels }) {
  const { name, flops } = inputs.types;
  const origin = name.map(() => RECORDED);
  const parts = [
    { level: false, total, latency: baseline.latency, origin },
    ...atLevels.map(({ level, totals: at, types: found }) =>
      ({ level, total: at.projectedTotal, latency: found.projected, origin: found.origin })),
  ];
  const column = (value) => parts.flatMap((part) => name.map((_, n) => value(part, n)));
  return {
    sparse_ratio: column(({ level }) => level),
    type: column((_, n) => name[n]),
    ...ends("latency_ms", column(({ latency }, n) => latency[n]), latencyEnds),
    share: column((part, n) => quotient(part.latency[n], part.total)),
    flops: column((_, n) => cell(flops[n])),
    origin: column((part, n) => (part.latency[n] === null ? null : part.origin[n])),
  };
}

function plan({ figures, origin }) {
  const { latency, itemsPerSecond, flops, parameters, prunableParameters } = figures;
  const rows = [latency, itemsPerSecond, flops, parameters, prunableParameters];
  const rests = ({ planned }, n) => (n > 1 ? false : planned === null ? null : origin);
  return {
    before: rows.map(({ before }) => cell(before?.value)),
    ...ends("planned", rows.map(({ planned }) => planned), ["low", "high"]),
    gain: rows.map(({ gain }) => cell(gain)),
    // Only the first two rest on perf ratios.
    origin: rows.map(rests),
  };
}

function layers({ layers: { level, why, ratio, projected, flops, origin } }) {
  return {
    level: cells(level),
    planned_level: cells(level),
    why,
    perf_ratio: cells(ratio.value),
    planned_ms: cells(projected.value),
    planned_low_ms: cells(projected.low),
    planned_high_ms: cells(projected.high),
    planned_flops: cells(flops),
    origin,
  };
}
