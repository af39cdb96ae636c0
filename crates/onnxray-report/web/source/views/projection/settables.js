// What can be set, cell by cell: what each cell shows, and what an entry makes of the settings.
// Cells that the model leaves nothing to set in have a reason instead.

import { shorten, shown } from "../../cells.js";
import { RECORDED, SAME_LEVEL, multipliesZeros, perfRatio } from "../../perf_ratios.js";
import { allLevels } from "../../projection.js";
import * as edits from "../../settings.js";
import {
  levelText,
  rangeText,
  readPerfRatio,
  readRange,
  readSparseRatio,
  sparseRatioText,
} from "./entries.js";

const digits = (value) => JSON.stringify(value);
const isAt = (level) => (known) => Math.abs(known - level) < SAME_LEVEL;
/** What was set for a name, by the position of the first that has it; of two the last holds. */
const setFor = (list, at) => list.findLast((known) => known.at === at)?.level ?? null;

/** Why a layer has its level, where it was for the budget to say. */
const BUDGETED = new Set(["planned", "left dense by the plan"]);

/** Why the perf ratios of a row stay as they are. */
const MULTIPLIES = "these layers multiply by their zeros, as was measured: no perf ratio changes them";

/** What a row of perf ratios is for, in words. */
export const rowName = ({ weightShape, operatorType, dataType }) =>
  shorten([operatorType, weightShape, dataType].filter((part) => part !== null).join(" "));

/** The perf ratio of a row at a level; blank where the row has none at it. */
export function ratioCell(session, row, level) {
  const rowNow = () => session.settings.ratios[row];
  const pointNow = () => rowNow().points.find((point) => isAt(level)(point.level));
  return {
    key: `ratio/${row}/${level}`,
    kind: "ratio",
    label: `${rowName(rowNow())} at ${levelText(level)}`,
    look() {
      const point = pointNow();
      if (point) {
        const isDefault = point.origin === "default";
        return {
          text: rangeText(point),
          mark: point.origin,
          placeholder: isDefault,
          value: digits(point.value),
        };
      }
      const { value, origin } = perfRatio(rowNow(), level);
      return {
        text: "",
        inherited: shown(value, "number"),
        mark: origin === RECORDED ? "no ratio" : origin,
      };
    },
    take(text) {
      const read = readRange(text);
      if (read.problem !== undefined) return read;
      const { settings } = session;
      const [was, is] = [pointNow(), read.value];
      if (!is && !was) return { settings };
      if (was && ["value", "low", "high"].every((end) => was[end] === is?.[end])) return { settings };
      if (multipliesZeros(rowNow())) return { problem: MULTIPLIES };
      if (!is) return { settings: edits.removeRatio(settings, row, level), words: "none" };
      return { settings: edits.setRatio(settings, row, level, is), words: rangeText(is) };
    },
  };
}

/** The perf ratio of a row below all of its levels; 1 if it is left blank. */
export function othersCell(session, row) {
  const rowNow = () => session.settings.ratios[row];
  return {
    key: `others/${row}`,
    kind: "others",
    label: `${rowName(rowNow())} below all levels`,
    look() {
      const { others } = rowNow();
      if (others === 1) return { text: "", inherited: "1", mark: "default", value: "1" };
      return { text: `${others}`, mark: "given", value: digits(others) };
    },
    take(text) {
      const read = readPerfRatio(text);
      if (read.problem !== undefined) return read;
      const others = read.blank ? 1 : read.value;
      if (others === rowNow().others) return { settings: session.settings };
      if (multipliesZeros(rowNow())) return { problem: MULTIPLIES };
      return { settings: edits.setOthers(session.settings, row, others), words: `${others}` };
    },
  };
}

/** A level that gets a column. */
export function levelCell(session) {
  return {
    key: "level",
    kind: "level",
    label: "Another level",
    look: () => ({ text: "", inherited: "95 %" }),
    take(text) {
      const read = readSparseRatio(text);
      if (read.problem !== undefined) return read;
      const { settings } = session;
      if (read.blank) return { settings };
      const known = allLevels(settings);
      if (known.some(isAt(read.value)))
        return { problem: `${sparseRatioText(read.value)} has a column already` };
      if (known.length >= edits.MOST_LEVELS)
        return { problem: `there is room for ${edits.MOST_LEVELS} levels` };
      return { settings: edits.addLevel(settings, read.value), words: sparseRatioText(read.value) };
    },
  };
}

/** The target of all operators that have none of their own or of their type. */
export function modelTargetCell(session) {
  const own = () => session.settings.targets.model;
  const standing = session.inputs.defaultTarget;
  return targetCell(session, {
    key: "target",
    kind: "target",
    label: "Target of the model",
    own,
    inherited: () => [standing, "default"],
    set: (level) => edits.setModelTarget(session.settings, level),
  });
}

export function typeTargetCell(session, type) {
  const { inputs } = session;
  return targetCell(session, {
    key: `target-type/${type}`,
    kind: "target-type",
    label: `Target of ${shorten(inputs.types.name[type])}`,
    own: () => typeTarget(session, type),
    inherited: () => modelTarget(session),
    set: (level) => edits.setTypeTarget(inputs, session.settings, type, level),
    // Where all operators have a target of their own, that of the type is for none.
    holds: (level) => (session.projection.types.inheriting[type] > 0 ? level : null),
  });
}

export function operatorTargetCell(session, operator, name) {
  const { inputs } = session;
  return targetCell(session, {
    key: `target-operator/${operator}`,
    kind: "target-operator",
    label: `Target of ${shorten(name)}`,
    own: () => setFor(session.settings.targets.operators, inputs.operators.sameName[operator]),
    inherited() {
      const ofType = typeTarget(session, inputs.operators.type[operator]);
      return ofType === null ? modelTarget(session) : [ofType, "type"];
    },
    set: (level) => edits.setOperatorTarget(inputs, session.settings, operator, name, level),
  });
}

/** The level of a layer in the plan, in place of the one that the budget put it to. */
export function planLevelCell(session, layer, name) {
  const { inputs } = session;
  const at = inputs.operators.sameName[inputs.layers.operator[layer]];
  return targetCell(session, {
    key: `plan-level/${layer}`,
    kind: "plan-level",
    label: `Level of ${shorten(name)} in the plan`,
    own: () => setFor(session.settings.plan.overrides, at),
    inherited() {
      const { level, why } = session.projection.plan.layers;
      if (why[layer] === "fixed") return [level[layer], "shared"];
      return [level[layer], BUDGETED.has(why[layer]) ? "plan" : "dense"];
    },
    set: (level) => edits.setOverride(inputs, session.settings, layer, name, level),
    // Of layers of one weight the first that is fixed decides.
    holds: () => session.projection.plan.layers.level[layer],
  });
}

const typeTarget = ({ settings, inputs }, type) =>
  setFor(settings.targets.types, inputs.types.sameName[type]);

const modelTarget = ({ settings, inputs }) =>
  settings.targets.model === null
    ? [inputs.defaultTarget, "default"]
    : [settings.targets.model, "model"];

/**
 * A cell for a sparsity that may be left blank for another to hold; `holds` says what counts in
 * the end, null if nothing does.
 */
function targetCell(session, { key, kind, label, own, inherited, set, holds = (level) => level }) {
  return {
    key,
    kind,
    label,
    look() {
      const level = own();
      const [other, from] = level === null ? inherited() : [level, "own"];
      const counts = holds(other);
      const value = counts === null ? "" : digits(counts);
      if (level !== null) return { text: sparseRatioText(level), mark: from, value };
      return { text: "", inherited: sparseRatioText(other), mark: from, value };
    },
    take(text) {
      const read = readSparseRatio(text);
      if (read.problem !== undefined) return read;
      if (read.blank && own() === null) return { settings: session.settings };
      if (!read.blank && read.value === own()) return { settings: session.settings };
      return {
        settings: set(read.blank ? null : read.value),
        words: read.blank ? "none of its own" : sparseRatioText(read.value),
      };
    },
  };
}

/**
 * Why an operator's latency cannot be changed by a target, in a few words and in a sentence;
 * undefined if it can.
 */
export function whyFixed({ inputs }, operator) {
  const outcome = inputs.operators.fixed[operator];
  return outcome === null ? undefined : inputs.outcomes.find(({ text }) => text === outcome);
}

/** The same of all operators of a type. */
export function whyTypeFixed({ inputs }, type) {
  if (inputs.types.settable[type] > 0) return undefined;
  const found = new Set(inputs.operators.fixed.filter((_, n) => inputs.operators.type[n] === type));
  return inputs.outcomes.filter(({ text }) => found.has(text));
}

/** Why operators cannot be set: each reason that holds for one of them. */
export const reasonsOf = ({ inputs }) =>
  inputs.outcomes.filter(({ text }) => inputs.operators.fixed.includes(text));
