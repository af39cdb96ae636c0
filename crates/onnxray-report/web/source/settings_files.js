// The JSON of `onnxray project --save-settings`, from settings that were edited.
//
// `onnxray project --ratios FILE` reads it back to the same settings; docs/format.md describes
// it. Names are data: they are written as text, not as members of an object of ours.

/**
 * @typedef {import("./projection_inputs.js").Settings} Settings
 */

import { allLevels } from "./projection.js";

/**
 * @param {Settings} settings
 * @returns {string}
 */
export function settingsJson(settings) {
  const { targets, plan } = settings;
  const levels = (list) => members(list.map(({ name, level }) => [name, number(level)]));
  const document = [
    ["format", text("onnxray sparse settings")],
    ["version", "1"],
    ["block", text(settings.block)],
    ["levels", elements(allLevels(settings).map(number))],
    ["targets", members([
      ...(targets.model === null ? [] : [["model", number(targets.model)]]),
      ["types", levels(targets.types)],
      ["operators", levels(targets.operators)],
    ])],
    ["default_ratios", String(settings.defaultRatios)],
    ["ratios", elements(settings.ratios.map(rowJson))],
    ...(isMeasured(settings) ? [["measured_on", settings.measuredOn]] : []),
    ["plan", members([
      ...["budget", "minimum", "maximum", "balance"].map((bound) => [bound, number(plan[bound])]),
      ...(plan.max_loss === null ? [] : [["max_loss", number(plan.max_loss)]]),
      ...["first", "grouped"].map((choice) => [choice, String(plan[choice])]),
      ["overrides", levels(plan.overrides)],
      ["sensitivities", elements(plan.sensitivities.map(({ layer, points }) =>
        members([["layer", text(layer)], ["points", elements(points.map((pair) => elements(pair.map(number))))]])))],
    ])],
  ];
  return `${members(document)}\n`;
}

/** Whether a ratio is still the one that was measured. */
function isMeasured({ ratios, measuredOn }) {
  const points = ratios.flatMap((row) => row.points);
  return measuredOn !== "" && points.some(({ origin }) => origin === "measured");
}

function rowJson({ weightShape, operatorType, dataType, block, others, points }) {
  return members([
    ["weight_shape", text(weightShape)],
    ...(operatorType === null ? [] : [["operator_type", text(operatorType)]]),
    ...(dataType === null ? [] : [["data_type", text(dataType)]]),
    ["block", text(block)],
    ["others", number(others)],
    ["points", elements(points.map(({ level, value, low, high, origin }) => members([
      ["sparse_ratio", number(level)],
      ["perf_ratio", number(value)],
      ...(low === value ? [] : [["low", number(low)]]),
      ...(high === value ? [] : [["high", number(high)]]),
      ["origin", text(origin)],
    ])))],
  ]);
}

const text = (words) => JSON.stringify(words);
/** Its shortest digits, which are read back to the same number; -0 is 0. */
const number = (value) => String(value);
const indented = (lines) => lines.join(",\n").replaceAll("\n", "\n  ");
/** An object of names, in their order: of an object of ours `1` would come first. */
const members = (pairs) => (pairs.length === 0 ? "{}"
  : `{\n  ${indented(pairs.map(([name, value]) => `${text(name)}: ${value}`))}\n}`);
const elements = (values) => (values.length === 0 ? "[]" : `[\n  ${indented(values)}\n]`);
