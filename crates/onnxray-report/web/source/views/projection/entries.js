// What people type into a cell, understood or refused as the analyzer does with files and
// arguments (src/quantity.rs, src/settings/point.rs): `0.9`, `90` and `90%` are one sparse
// ratio, a comma may stand for the decimal point, and a perf ratio may be a range. Also the
// other way round: the text of a setting, which reads back as the very same number.

import { percent } from "../../perf_ratios.js";

const NUMBER = /^[0-9.,+\-eE]*$/;
const MOST_QUOTED = 60;

/**
 * What was read: a value, the reason in words why there is none, or that nothing is written.
 * @template Value
 * @typedef {{value: Value, problem?: undefined, blank?: undefined}
 *   | {value?: undefined, problem: string, blank?: undefined}
 *   | {value?: undefined, problem?: undefined, blank: true}} Read
 */

/** @returns {Read<number>} a sparsity from 0 to 1 */
export function readSparseRatio(text) {
  return read(text, {
    of: (number) => (number > 1 && number <= 100 ? number / 100 : number),
    ofPercent: (number) => (number >= 0 && number <= 100 ? number / 100 : NaN),
    holds: (value) => value >= 0 && value <= 1,
    expected: "a sparsity from 0 to 1, or from 0% to 100%",
  });
}

/** @returns {Read<number>} dense latency / sparse latency */
export function readPerfRatio(text) {
  return read(text, {
    of: (number) => number,
    ofPercent: (number) => number / 100,
    holds: (value) => Number.isFinite(value) && value > 0,
    expected: "a perf ratio above 0, as a finite number",
  });
}

/**
 * A perf ratio or a range of it: `4`, `3..4` (which is 3.5, between 3 and 4), or `3.5 (3..5)`.
 * @returns {Read<import("../../projection_inputs.js").Estimate>}
 */
export function readRange(text) {
  const stated = /^([^(]*)\(([^()]*\.\.[^()]*)\)\s*$/.exec(text);
  const range = stated ? stated[2] : text;
  const at = range.indexOf("..");
  if (at < 0) {
    const read = readPerfRatio(range);
    return read.value !== undefined
      ? { value: { value: read.value, low: read.value, high: read.value } }
      : read;
  }
  const ends = [range.slice(0, at), range.slice(at + 2)].map(readPerfRatio);
  const [low, high] = ends.map((end) => end.value);
  if (low === undefined || high === undefined) {
    const wrong = ends.find((end) => end.value === undefined);
    const problem = wrong?.problem ?? "expected both ends of a range, such as 3..4";
    return { problem };
  }
  if (low > high) return { problem: `the low end ${low} is above the high end ${high}` };
  if (!stated) return { value: { value: (low + high) / 2, low, high } };
  const middle = readPerfRatio(stated[1]);
  if (middle.value === undefined)
    return { problem: middle.problem ?? "expected a perf ratio before its range" };
  const { value } = middle;
  if (low > value)
    return { problem: `expected at most the perf ratio itself, ${value}, found ${low}` };
  if (high < value)
    return { problem: `expected at least the perf ratio itself, ${value}, found ${high}` };
  return { value: { value, low, high } };
}

/** The text of a sparsity: in percent, where that reads back as the same number. */
export function sparseRatioText(level) {
  return percent(level) / 100 === level ? levelText(level) : `${level}`;
}

/** A level for people, without the dust of binary fractions. */
export const levelText = (level) => `${percent(level)} %`;

/** The text of a perf ratio with its range. */
export function rangeText({ value, low, high }) {
  if (low === value && high === value) return `${value}`;
  return (low + high) / 2 === value ? `${low}..${high}` : `${value} (${low}..${high})`;
}

/** @returns {Read<number>} */
function read(text, quantity) {
  const bare = text
    .trim()
    .replace(/\(settable\)$/, "")
    .trimEnd();
  if (bare === "") return { blank: true };
  const isPercent = bare.endsWith("%");
  const { number, problem } = readNumber(isPercent ? bare.slice(0, -1).trimEnd() : bare, text);
  if (problem) return { problem };
  const value = isPercent ? quantity.ofPercent(number) : quantity.of(number);
  if (quantity.holds(value)) return { value };
  return { problem: `expected ${quantity.expected}, found ${isPercent ? quoted(text) : number}` };
}

/**
 * A number whose decimal sign may be a comma, but not where that may separate thousands as
 * well.
 */
function readNumber(digits, text) {
  const none = { problem: `expected a number, found ${quoted(text)}` };
  if (!NUMBER.test(digits) || !/[0-9]/.test(digits)) return none;
  const parts = digits.split(",");
  if (parts.length === 1) {
    const number = Number(digits);
    return Number.isNaN(number) ? none : { number };
  }
  const [whole, fraction] = parts;
  if (parts.length > 2 || fraction === "" || `${whole}${fraction}`.includes(".")) return none;
  const wholeDigits = whole.replace(/^[+-]+/, "");
  if (/^[^0].{0,2}$/.test(wholeDigits) && fraction.length === 3) {
    const both =
      "which is one number with a decimal comma and another with a separator of thousands";
    return { problem: `${none.problem}, ${both}` };
  }
  const number = Number(`${whole}.${fraction}`);
  return Number.isNaN(number) ? none : { number };
}

function quoted(text) {
  const characters = [...text];
  return `"${characters.slice(0, MOST_QUOTED).join("")}${characters.length > MOST_QUOTED ? "…" : ""}"`;
}
