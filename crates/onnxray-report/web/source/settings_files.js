// The JSON and the CSV of `onnxray project --save-settings`, from settings that were edited.
//
// `onnxray project --ratios FILE` reads both back to the same settings; docs/format.md
// describes them. Names are data: the CSV has them in a form that no spreadsheet
// evaluates, and in the JSON they stand as text, not as members of an object of ours.

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
    ["plan", members([
      ...["budget", "minimum", "maximum", "balance"].map((bound) => [bound, number(plan[bound])]),
      ...["first", "grouped"].map((choice) => [choice, String(plan[choice])]),
      ["overrides", levels(plan.overrides)],
      ["sensitivities", elements(plan.sensitivities.map(({ layer, points }) =>
        members([["layer", text(layer)], ["points", elements(points.map((pair) => elements(pair.map(number))))]])))],
    ])],
  ];
  return `${members(document)}\n`;
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

const COLUMNS = ["setting", "name", "weight shape", "data type", "block", "sparse ratio",
  "value", "low", "high", "origin"];

/**
 * @param {Settings} settings
 * @returns {string}
 */
export function settingsCsv(settings) {
  const { targets, plan } = settings;
  const lines = [COLUMNS];
  const put = (setting, fields) => {
    const filled = new Map(Object.entries({ setting, ...fields }));
    lines.push(COLUMNS.map((column) => filled.get(column) ?? ""));
  };
  const named = (setting, list) => {
    for (const { name, level } of list) put(setting, { name: marked(name), "sparse ratio": level });
  };
  put("block", { block: settings.block });
  const levels = allLevels(settings);
  // A line without a number says that there are none.
  if (levels.length === 0) put("level", {});
  for (const level of levels) put("level", { "sparse ratio": level });
  if (targets.model !== null) put("target", { "sparse ratio": targets.model });
  named("target type", targets.types);
  named("target operator", targets.operators);
  put("default ratios", { value: truth(settings.defaultRatios) });
  for (const row of settings.ratios) {
    const key = {
      name: row.operatorType === null ? "" : marked(row.operatorType),
      "weight shape": row.weightShape,
      "data type": row.dataType ?? "",
      block: row.block,
    };
    put("others", { ...key, value: row.others });
    for (const { level, value, low, high, origin } of row.points) {
      const ends = { low: low === value ? "" : low, high: high === value ? "" : high };
      put("ratio", { ...key, "sparse ratio": level, value, ...ends, origin });
    }
  }
  for (const bound of ["budget", "minimum", "maximum", "balance"]) {
    put("plan", { name: bound, value: plan[bound] });
  }
  for (const choice of ["first", "grouped"]) put("plan", { name: choice, value: truth(plan[choice]) });
  named("plan override", plan.overrides);
  for (const { layer, points } of plan.sensitivities) {
    if (points.length === 0) put("sensitivity", { name: marked(layer) });
    for (const [level, loss] of points) {
      put("sensitivity", { name: marked(layer), "sparse ratio": level, value: loss });
    }
  }
  return lines.map((fields) => `${fields.map(quoted).join(",")}\n`).join("");
}

const truth = (value) => (value ? "TRUE" : "FALSE");

/** A field in quotes where it has what some program could take for its end. */
function quoted(field) {
  const words = String(field);
  return /[,";\t|\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

/** What a spreadsheet passes over in front of a formula, and what one begins with. */
const FORMULA = /^'*[\p{White_Space}\p{Cc}"\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠\u2212]/u;
/** Pieces of a name as any spreadsheet could cut it, each with its end. */
const PIECES = /[^;\t|\n\r]*[;\t|\n\r]|[^;\t|\n\r]+/g;

/** A name that no spreadsheet evaluates, and that is not empty: an apostrophe sees to both. */
function marked(name) {
  if (/^'*\p{White_Space}*$/u.test(name)) return `'${name}`;
  return name.replace(PIECES, (piece) => (FORMULA.test(piece) ? `'${piece}` : piece));
}
