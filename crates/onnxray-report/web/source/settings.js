// Edits of a projection's settings. Each makes other settings and leaves the earlier ones
// as they are, so that a list of them is all that undoing needs.

/**
 * @typedef {import("./projection_inputs.js").Inputs} Inputs
 * @typedef {import("./projection_inputs.js").Settings} Settings
 */

import { SAME_LEVEL, multipliesZeros } from "./perf_ratios.js";

/** This many sparsities the program takes from a file. */
export const MOST_LEVELS = 100;

const isAt = (level) => (known) => Math.abs(known - level) < SAME_LEVEL;

/** Changes a row of perf ratios; not whether its layers multiply by their zeros, as was measured. */
function withRow(settings, number, change) {
  const before = settings.ratios[number];
  const after = { ...before, ...change(before) };
  if (multipliesZeros(before) !== multipliesZeros(after)) return settings;
  const ratios = settings.ratios.map((row, at) => (at === number ? after : row));
  return { ...settings, ratios };
}

/**
 * Sets the perf ratio of a row at a level, in place of one that is there.
 * @param {Settings} settings
 * @param {number} row  Position in `settings.ratios`.
 * @param {number} level
 * @param {{value: number, low?: number, high?: number}} ratio  Ends that are left out equal the value.
 * @returns {Settings}
 */
export function setRatio(settings, row, level, { value, low = value, high = value }) {
  const point = { level, value, low, high, origin: "given" };
  const replace = ({ points }) => {
    const others = points.filter((known) => !isAt(level)(known.level));
    return { points: [...others, point].sort((one, other) => one.level - other.level) };
  };
  return addLevel(withRow(settings, row, replace), level);
}

/** Takes the perf ratio of a row at a level away: the level is then between two others. */
export function removeRatio(settings, row, level) {
  const without = ({ points }) => ({ points: points.filter((known) => !isAt(level)(known.level)) });
  return withRow(settings, row, without);
}

/** Sets the perf ratio of a row below all of its levels. */
export function setOthers(settings, row, others) {
  return withRow(settings, row, () => ({ others }));
}

/** Has a column for a level, once. */
export function addLevel(settings, level) {
  if (settings.levels.some(isAt(level))) return settings;
  return { ...settings, levels: [...settings.levels, level] };
}

/** Takes a column away, with all perf ratios in it: those would bring it back. */
export function removeLevel(settings, level) {
  const levels = settings.levels.filter((known) => !isAt(level)(known));
  const ratios = settings.ratios.map((row) => removeRatio({ ratios: [row] }, 0, level).ratios[0]);
  return { ...settings, levels, ratios };
}

/** In place of what is there for the same name; nothing if the level is null. */
function named(list, name, at, level) {
  const others = list.filter((known) => known.at !== at);
  return level === null ? others : [...others, { name, at, level }];
}

/** Sets the target of the model; the default if it is null. */
export function setModelTarget(settings, model) {
  return { ...settings, targets: { ...settings.targets, model } };
}

/**
 * Sets the target of an operator type; that of the model if it is null.
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {number} type  Position in `inputs.types`.
 * @param {number|null} level
 * @returns {Settings}
 */
export function setTypeTarget(inputs, settings, type, level) {
  const { name, sameName } = inputs.types;
  const types = named(settings.targets.types, name[type], sameName[type], level);
  return { ...settings, targets: { ...settings.targets, types } };
}

/**
 * Sets the target of an operator, and of all of its name; that of its type if it is null.
 * @param {number} operator  Position in `inputs.operators`.
 * @param {string} name  Of the operator, as the table `projected_operators` has it.
 * @returns {Settings}
 */
export function setOperatorTarget(inputs, settings, operator, name, level) {
  const at = inputs.operators.sameName[operator];
  const operators = named(settings.targets.operators, name, at, level);
  return { ...settings, targets: { ...settings.targets, operators } };
}

/**
 * Fixes the level of a layer in the plan, and of all of its name; frees it if the level is null.
 * @param {number} layer  Position in `inputs.layers`.
 * @param {string} name  Of its operator.
 * @returns {Settings}
 */
export function setOverride(inputs, settings, layer, name, level) {
  const at = inputs.operators.sameName[inputs.layers.operator[layer]];
  const overrides = named(settings.plan.overrides, name, at, level);
  return { ...settings, plan: { ...settings.plan, overrides } };
}
