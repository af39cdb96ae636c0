// What the model would cost if its weights were sparse: the arithmetic of
// docs/statistics.md#projection, and no more. It imports perf ratios alone.
//
// The analyzer has the same arithmetic, and a test compares the two bit for bit. So
// operations stand here in the analyzer's order, and sums run over operators in the
// order of execution. Unknown numbers are NaN in columns and null elsewhere, and nothing is
// computed from them.

import {
  BELOW_BY_DEFAULT, EXACTLY_1, SAME_LEVEL, UNKNOWN, originText, perfRatio,
} from "./perf_ratios.js";

/**
 * @typedef {import("./projection_inputs.js").Estimate} Estimate
 * @typedef {import("./projection_inputs.js").Estimates} Estimates
 * @typedef {import("./projection_inputs.js").Inputs} Inputs
 * @typedef {import("./projection_inputs.js").Settings} Settings
 *
 * @typedef {Record<"operators"|"projectedOperators"|"concurrent"|"projectedConcurrent"|"overhead"
 *     |"total"|"projectedTotal"|"support"|"projectedSupport"|"supportShare"|"projectedSupportShare"
 *     |"speedup"|"itemsPerSecond"|"projectedItemsPerSecond", Estimate|null>} Totals
 *     As in docs/statistics.md#totals: ms, a ratio, or null where it is unknown.
 *
 * @typedef {object} Projection
 * @property {number[]} levels  Those of the settings, and then those of ratios that they lack.
 * @property {{target: Float64Array, targetFrom: (string|null)[], ratio: Estimates,
 *     projected: Estimates, outcome: string[], origin: (string|null)[]}} operators
 *     `targetFrom` is operator, type, model, default; null where a target changes nothing.
 * @property {TypesAt & {target: Float64Array, inheriting: Int32Array, latency: (Estimate|null)[]}} types
 *     `inheriting` operators have no target of their own; their target is `target`.
 * @property {Totals} totals
 * @property {string} origin  Which perf ratios the projected totals rest on.
 * @property {{level: number, totals: Totals, types: TypesAt, origin: string}[]} atLevels
 *     Every weight at one level, one for each of `levels`, whatever the targets are.
 * @property {Plan} plan
 * @typedef {{projected: (Estimate|null)[], origin: string[]}} TypesAt
 *
 * @typedef {object} Plan  Layers at the levels that the analyzer spread, or that are fixed.
 * @property {{level: Float64Array, fixed: Float64Array, why: string[], ratio: Estimates,
 *     projected: Estimates, flops: Float64Array, origin: string[]}} layers
 *     `fixed` is NaN where the level is not fixed; `flops` are the planned ones.
 * @property {Totals} totals
 * @property {string} origin
 * @property {{latency: Change, itemsPerSecond: Change, flops: Change, parameters: Change,
 *     prunableParameters: Change}} figures
 * @property {number} pruned  Parameters.
 * @typedef {{before: Estimate|null, planned: Estimate|null, gain: number|null}} Change
 */

/**
 * All figures at these settings.
 * @param {Inputs} inputs  From projection_inputs.js.
 * @param {Settings} settings
 * @returns {Projection}
 */
export function project(inputs, settings) {
  const lookups = new Lookups(settings.ratios);
  const targets = targetsOf(inputs, settings.targets);
  const measured = asMeasured(inputs);
  const operators = operatorsAt(inputs, measured, targets, lookups);
  const levels = allLevels(settings);
  return {
    levels,
    operators,
    types: typesOf(inputs, operators, targets),
    totals: totalsOf(inputs, operators),
    origin: allOrigins(operators),
    atLevels: levels.map((level) => atLevel(inputs, measured, level, lookups)),
    plan: planOf(inputs, measured, settings, lookups),
  };
}

/** The levels of the settings, and then those of the ratios that they lack. */
export function allLevels(settings) {
  const levels = [...settings.levels];
  for (const row of settings.ratios) {
    for (const { level } of row.points) {
      if (!levels.some((known) => Math.abs(known - level) < SAME_LEVEL)) levels.push(level);
    }
  }
  return levels;
}

const allBits = ({ origins }) => origins.reduce((all, more) => all | more, 0);
const allOrigins = (found) => originText(allBits(found));

/** Perf ratios of rows, each looked up once. */
class Lookups {
  constructor(rows) {
    this.rows = rows.map((row) => ({ row, known: new Map() }));
  }

  at(number, level) {
    const { row, known } = this.rows[number];
    if (!known.has(level)) known.set(level, perfRatio(row, level));
    return known.get(level);
  }

  /** What a target does to an operator that it can change, and the perf ratio that follows. */
  ofOperator({ row, sparseRatio }, operator, target) {
    if (target <= 0) return { outcome: "no target", by: EXACTLY_1 };
    if (target <= sparseRatio[operator]) return { outcome: "already at the target", by: EXACTLY_1 };
    const number = row[operator];
    // A row may hold nothing but a ratio for all levels.
    const isEmpty = this.rows[number].row.points.length === 0;
    return { outcome: isEmpty ? "no perf ratio" : "projected", by: this.at(number, target) };
  }
}

/** Of a layer that is left as it is. */
const LEFT = { outcome: "", by: EXACTLY_1 };

// Operators at their targets.

/** Levels by the position of the first of a name; NaN where none is set. */
function byPosition(named, length) {
  const levels = new Float64Array(length).fill(NaN);
  for (const { at, level } of named) if (at >= 0) levels[at] = level;
  return levels;
}

function targetsOf(inputs, { model, types, operators }) {
  const own = byPosition(operators, inputs.operators.type.length);
  const ofTypes = byPosition(types, inputs.types.name.length);
  const whole = model === null ? { level: inputs.defaultTarget, from: "default" } : { level: model, from: "model" };
  const ofType = (type) => {
    const level = ofTypes[inputs.types.sameName[type]];
    return Number.isNaN(level) ? whole : { level, from: "type" };
  };
  const byType = inputs.types.name.map((_, type) => ofType(type));
  const of = (operator) => {
    const level = own[inputs.operators.sameName[operator]];
    return Number.isNaN(level) ? byType[inputs.operators.type[operator]] : { level, from: "operator" };
  };
  return { of, byType };
}

const columnsOf = (length) =>
  ({ value: new Float64Array(length), low: new Float64Array(length), high: new Float64Array(length) });

/** Perf ratios and the latencies that follow; `origin` is in words, `origins` in bits. */
const ratiosOf = (length) => ({
  ratio: columnsOf(length), projected: columnsOf(length),
  origin: new Array(length).fill(null), origins: new Uint8Array(length),
});

/** Divides a latency by a perf ratio: low by high, and high by low. */
function setRatio({ ratio, projected, origin, origins }, n, latency, at, by) {
  ratio.value[n] = by.value;
  ratio.low[n] = by.low;
  ratio.high[n] = by.high;
  projected.value[n] = latency.value[at] / by.value;
  projected.low[n] = latency.low[at] / by.high;
  projected.high[n] = latency.high[at] / by.low;
  origin[n] = by.origin;
  origins[n] = by.origins;
}

/** Operators as they are: those of unknown weight have no ratio. */
function asMeasured({ operators: { latency, weightUnknown } }) {
  const found = ratiosOf(weightUnknown.length);
  weightUnknown.forEach((unknown, n) => setRatio(found, n, latency, n, unknown ? UNKNOWN : EXACTLY_1));
  return found;
}

const copyOf = ({ value, low, high }) => ({ value: value.slice(), low: low.slice(), high: high.slice() });
const copyOfAll = ({ ratio, projected, origin, origins }) => ({
  ratio: copyOf(ratio), projected: copyOf(projected), origin: origin.slice(), origins: origins.slice(),
});

function operatorsAt(inputs, measured, targets, lookups) {
  const { latency, fixed } = inputs.operators;
  const length = fixed.length;
  const found = {
    ...copyOfAll(measured),
    target: new Float64Array(length).fill(NaN),
    targetFrom: new Array(length).fill(null),
    outcome: [...fixed],
  };
  for (let n = 0; n < length; n += 1) {
    if (fixed[n] !== null) continue;
    const { level, from } = targets.of(n);
    const { outcome, by } = lookups.ofOperator(inputs.operators, n, level);
    found.target[n] = level;
    found.targetFrom[n] = from;
    found.outcome[n] = outcome;
    setRatio(found, n, latency, n, by);
  }
  const isPruned = (n) => found.outcome[n] === "projected";
  setNotPruned(inputs, found, lookups, (n) => (isPruned(n) ? found.target[n] : 0));
  return found;
}

// Operators that no target changes: behind products that skip zeros they find other caches.

/** Gives them their latencies at the mean sparsity of the weights, by elements, with these levels. */
function setNotPruned(inputs, found, lookups, levelOf) {
  const { latency, notPruned, elements, row } = inputs.operators;
  let all = 0, zero = 0;
  elements.forEach((own, n) => {
    all += own;
    zero += own * levelOf(n);
  });
  const sparsity = all > 0 ? zero / all : 0;
  notPruned.forEach((isOwn, n) => {
    if (!isOwn || row[n] < 0) return;
    const by = sparsity > 0 ? lookups.at(row[n], sparsity) : EXACTLY_1;
    // Below the lowest level, nothing is taken to change, and no default says so.
    setRatio(found, n, latency, n, by.origin === BELOW_BY_DEFAULT ? EXACTLY_1 : by);
  });
}

// Sums.

const plus = (a, b) => ({ value: a.value + b.value, low: a.low + b.low, high: a.high + b.high });
const minus = (a, b) => ({ value: a.value - b.value, low: a.low - b.low, high: a.high - b.high });
const times = ({ value, low, high }, factor) => ({ value: value * factor, low: low * factor, high: high * factor });
const exact = (value) => ({ value, low: value, high: value });
const zero = () => exact(0);
/** What is not a number is passed over. */
const least = (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));
const most = (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));

/** Adds an operator of a column to a sum that changes. */
function add(sum, column, n) {
  sum.value += column.value[n];
  sum.low += column.low[n];
  sum.high += column.high[n];
}

/** Sums by operator type of what is known; null where nothing is. */
function sumsByType(inputs, column, isKnown) {
  const sums = new Array(inputs.types.name.length).fill(null);
  inputs.operators.type.forEach((type, n) => {
    if (!isKnown(n)) return;
    // Not from 0 on: that would make 0 of -0, which the analyzer does not.
    if (sums[type] === null) sums[type] = { value: column.value[n], low: column.low[n], high: column.high[n] };
    else add(sums[type], column, n);
  });
  return sums;
}

/** Types at a target or level. What some operators would take is not what all would. */
function typesAt(inputs, { projected, origins }) {
  const { known, weightUnknown, type } = inputs.operators;
  const sums = sumsByType(inputs, projected, (n) => known[n] && !weightUnknown[n]);
  const ofTypes = new Uint8Array(sums.length);
  type.forEach((at, n) => {
    ofTypes[at] |= origins[n];
    if (weightUnknown[n]) sums[at] = null;
  });
  return { projected: sums, origin: Array.from(ofTypes, originText) };
}

function typesOf(inputs, operators, targets) {
  const inheriting = new Int32Array(inputs.types.name.length);
  inputs.operators.type.forEach((type, n) => {
    const from = operators.targetFrom[n];
    if (from !== null && from !== "operator") inheriting[type] += 1;
  });
  const { latency, known } = inputs.operators;
  return {
    ...typesAt(inputs, operators),
    target: Float64Array.from(targets.byType, (target) => target.level),
    inheriting,
    latency: sumsByType(inputs, latency, (n) => known[n]),
  };
}

/** Sums of one end of latencies: all that are known, and those with sparse support. */
function sumsOf({ latency, known, supported, weightUnknown }, sparse, end) {
  const dense = latency[end], after = sparse[end];
  let all = 0, projected = 0, support = 0, projectedSupport = 0;
  for (let n = 0; n < known.length; n += 1) {
    if (!known[n]) continue;
    all += dense[n];
    // Nobody knows what a weight of it could gain.
    projected += weightUnknown[n] ? dense[n] : after[n];
    if (weightUnknown[n] || !supported[n]) continue;
    support += dense[n];
    projectedSupport += after[n];
  }
  return { all, projected, support, projectedSupport };
}

/**
 * Of operators with sparse support, or all others: low and high latencies at the lower ratios, and at
 * the higher ones.
 */
function cornersOf({ latency, known, supported, weightUnknown }, ratio, ofSupported) {
  const corners = [0, 0, 0, 0];
  for (let n = 0; n < known.length; n += 1) {
    const isSupported = Boolean(supported[n] && !weightUnknown[n]);
    if (!known[n] || isSupported !== ofSupported) continue;
    const [low, high] = weightUnknown[n] ? [1, 1] : [ratio.low[n], ratio.high[n]];
    corners[0] += latency.low[n] / low;
    corners[1] += latency.high[n] / low;
    corners[2] += latency.low[n] / high;
    corners[3] += latency.high[n] / high;
  }
  return corners;
}

/** @returns {Totals} */
function totalsOf(inputs, { ratio, projected: sparse }) {
  const [value, low, high] = ["value", "low", "high"].map((end) => sumsOf(inputs.operators, sparse, end));
  const sum = (key) => ({ value: value[key], low: low[key], high: high[key] });
  const all = sum("all"), projected = sum("projected");
  const support = sum("support"), projectedSupport = sum("projectedSupport");
  const timed = inputs.operators.known.includes(1);
  // As much of the operators' time is side by side everywhere.
  const degree = all.value > 0 ? inputs.concurrent / all.value : 0;
  const concurrent = { ...times(all, degree), value: inputs.concurrent };
  const projectedConcurrent = times(projected, degree);
  const covered = 1 - degree;
  const overhead = inputs.overhead ?? zero();
  const total = plus(minus(all, concurrent), overhead);
  const projectedTotal = plus(minus(projected, projectedConcurrent), overhead);
  // What stays beside the operators is off by the same end in both.
  const beside = [overhead.low, overhead.high, overhead.low, overhead.high];
  const before = (figure) => (timed ? figure : null);
  const after = (figure) => (timed && weightsAreKnown(inputs) ? figure : null);
  return {
    operators: before(all),
    projectedOperators: after(projected),
    concurrent: before(concurrent),
    projectedConcurrent: after(projectedConcurrent),
    overhead: inputs.overhead,
    total: before(total),
    projectedTotal: after(projectedTotal),
    support: after(support),
    projectedSupport: after(projectedSupport),
    supportShare: after(share(support, covered, total)),
    projectedSupportShare: after(share(projectedSupport, covered, projectedTotal)),
    speedup: after(speedup(
      total, minus(total, times(support, covered)), projectedTotal, times(support, covered),
      cornersOf(inputs.operators, ratio, true).map((corner) => corner * covered),
      cornersOf(inputs.operators, ratio, false).map((corner, n) => corner * covered + beside[n]),
    )),
    itemsPerSecond: before(rate(inputs, total)),
    projectedItemsPerSecond: after(rate(inputs, projectedTotal)),
  };
}

/** Whether something can be said of sparse weights: of some operator's, or that there are none. */
function weightsAreKnown({ operators: { fixed, weightUnknown } }) {
  const hasWeight = (outcome, n) => !weightUnknown[n] && outcome !== "no constant weight";
  return !weightUnknown.includes(1) || fixed.some(hasWeight);
}

function rate({ batchSize }, total) {
  if (batchSize === null || !(total.value > 0)) return null;
  const items = batchSize * 1000;
  return { value: items / total.value, low: items / total.high, high: items / total.low };
}

/** Time of operators by the whole; the rest of the whole is off independently. */
function share(operators, covered, whole) {
  if (!(whole.value > 0)) return null;
  const rest = minus(whole, times(operators, covered));
  const value = operators.value / whole.value;
  const end = (part, others) => {
    const found = part / (part * covered + others);
    // Where both are 0, the share does not vary.
    return Number.isNaN(found) ? value : found;
  };
  return { value, low: end(operators.low, rest.high), high: end(operators.high, rest.low) };
}

/** Total by projected total: the least and most of the cases that docs/statistics.md names. */
function speedup(total, before, projectedTotal, support, corners, others) {
  if (!(projectedTotal.value > 0)) return null;
  const cases = (at) => [
    (support.low + before.low) / (corners[at] + others[at]),
    (support.low + before.high) / (corners[at] + others[at + 1]),
    (support.high + before.low) / (corners[at + 1] + others[at]),
    (support.high + before.high) / (corners[at + 1] + others[at + 1]),
  ];
  const value = total.value / projectedTotal.value;
  // Nothing by nothing is between the other cases.
  const low = cases(0).reduce(least, value);
  const high = cases(2).reduce(most, value);
  return { value, low, high };
}

/**
 * Operators with every weight that a target could change at one level.
 * @returns {{ratio: Estimates, projected: Estimates, origin: (string|null)[]}}
 */
export function operatorsAtLevel(inputs, settings, level) {
  return everyWeightAt(inputs, asMeasured(inputs), level, new Lookups(settings.ratios));
}

function everyWeightAt(inputs, measured, level, lookups) {
  const { latency, sparseRatio, row, fixed } = inputs.operators;
  const found = copyOfAll(measured);
  const ratios = lookups.rows.map((_, number) => lookups.at(number, level));
  const isChanged = (n) => fixed[n] === null && level > 0 && !(level <= sparseRatio[n]);
  row.forEach((number, n) => {
    if (number >= 0 && isChanged(n)) setRatio(found, n, latency, n, ratios[number]);
  });
  const isPruned = (n) => isChanged(n) && lookups.rows[row[n]].row.points.length > 0;
  setNotPruned(inputs, found, lookups, (n) => (isPruned(n) ? level : 0));
  return found;
}

function atLevel(inputs, measured, level, lookups) {
  const found = everyWeightAt(inputs, measured, level, lookups);
  return { level, totals: totalsOf(inputs, found), types: typesAt(inputs, found), origin: allOrigins(found) };
}

// The plan.

/** Of each layer, the level that is fixed, and why it is left dense: layers of one weight agree. */
function agreed(inputs, overrides) {
  const { fixed: unsettable, sameName } = inputs.operators;
  const { operator, sameWeight, exclusion } = inputs.layers;
  const named = byPosition(overrides, sameName.length);
  const own = Float64Array.from(operator, (at) => (unsettable[at] === null ? named[sameName[at]] : NaN));
  const weights = new Map();
  sameWeight.forEach((first, layer) => {
    if (!weights.has(first)) weights.set(first, { fixed: NaN, outcome: null, other: null });
    const weight = weights.get(first);
    if (unsettable[operator[layer]] !== null) weight.outcome ??= exclusion[layer];
    else if (Number.isNaN(own[layer])) weight.other ??= exclusion[layer];
    if (Number.isNaN(weight.fixed)) weight.fixed = own[layer];
  });
  return Array.from(sameWeight, (first) => {
    const { fixed, outcome, other } = weights.get(first);
    if (outcome !== null) return { fixed: NaN, exclusion: outcome };
    return { fixed, exclusion: Number.isNaN(fixed) ? other : null };
  });
}

/** @returns {Plan} */
function planOf(inputs, measured, settings, lookups) {
  const { latency, flops } = inputs.operators;
  const { operator, parameters, planned } = inputs.layers;
  const length = operator.length;
  const whole = copyOfAll(measured), plannedFlops = flops.slice();
  const agreement = agreed(inputs, settings.plan.overrides);
  const layers = {
    ...ratiosOf(length), level: new Float64Array(length), flops: new Float64Array(length),
    why: /** @type {string[]} */ ([]),
    fixed: Float64Array.from(agreement, (layer) => layer.fixed),
  };
  const zero = new Float64Array(flops.length);
  let weights = 0, prunable = 0, pruned = 0;
  agreement.forEach(({ fixed, exclusion }, n) => {
    const at = operator[n];
    const isFixed = !Number.isNaN(fixed);
    const level = exclusion !== null ? 0 : isFixed ? fixed : planned[n];
    const isFree = exclusion === null;
    const { outcome, by } = isFree ? lookups.ofOperator(inputs.operators, at, level) : LEFT;
    if (outcome === "projected") zero[at] = level;
    setRatio(layers, n, latency, at, by);
    setRatio(whole, at, latency, at, by);
    if (isFree) plannedFlops[at] = flops[at] * (1 - level);
    layers.level[n] = level;
    layers.why[n] = exclusion ?? (isFixed ? "fixed" : level > 0 ? "planned" : "left dense by the plan");
    layers.flops[n] = plannedFlops[at];
    weights += parameters[n];
    if (isFree) prunable += parameters[n];
    pruned += parameters[n] * level;
  });
  setNotPruned(inputs, whole, lookups, (n) => zero[n]);
  const others = inputs.operators.notPruned.findIndex((isOwn, n) => Boolean(isOwn) && inputs.operators.row[n] >= 0);
  const origin = originText(allBits(layers) | (others < 0 ? 0 : whole.origins[others]));
  const totals = totalsOf(inputs, whole);
  const known = weightsAreKnown(inputs);
  const after = (value) => (known && value !== null ? exact(value) : null);
  const all = inputs.parameters ?? (known ? weights : null);
  return {
    layers, totals, pruned, origin,
    figures: {
      latency: change(totals.total, totals.projectedTotal),
      itemsPerSecond: change(totals.itemsPerSecond, totals.projectedItemsPerSecond, true),
      flops: change(exact(sumOfKnown(flops)), after(sumOfKnown(plannedFlops))),
      parameters: change(all === null ? null : exact(all), after(all === null ? null : all - pruned)),
      prunableParameters: change(after(prunable), after(prunable - pruned)),
    },
  };
}

const sumOfKnown = (column) => column.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0);

/** A figure of the plan; its gain says how many times better it gets. */
function change(before, planned, rises = false) {
  const isKnown = before !== null && planned !== null && before.value > 0 && planned.value > 0;
  const gain = () => (rises ? planned.value / before.value : before.value / planned.value);
  return { before, planned, gain: isKnown ? gain() : null };
}
