// Cells of the data, as people read them and as programs do.

import { element } from "./dom.js";

/**
 * @typedef {"plain"|"good"|"bad"|"doubtful"} Tone
 * @typedef {number|string|null|false|[key: string, text: string, tone: Tone]} Cell `null` is
 *   unknown, `false` nothing to know, an array a word of the program's own.
 */

/** Characters of a text that are shown; the whole stands in the title. */
const MOST_CHARACTERS = 96;
/** Characters of a title: more cannot be read in one. */
const MOST_TITLE_CHARACTERS = 12_000;

/** Cells that are looked at for the decimals of a column. */
const MEASURED_CELLS = 500;
/** Traces count nanoseconds: there is nothing below. */
const MOST_DECIMALS = 6;

/** @type {[size: number, suffix: string][]} */
const LARGE = [
  [1e12, " T"],
  [1e9, " G"],
  [1e6, " M"],
  [1e3, " k"],
];

/** Whether there is a value that nobody knows. */
export const isUnknown = (cell) => cell === null || cell === undefined;

/** Whether there is nothing to know. */
export const isNone = (cell) => cell === false;

/**
 * The number of a cell; undefined if it has none. Unknown is never 0.
 * @param {Cell|undefined} cell
 */
export const numberOf = (cell) => (typeof cell === "number" ? cell : undefined);

/**
 * The whole text of a cell: of a word, the word; of what is unknown, `unknown`.
 * @param {Cell|undefined} cell @returns {string}
 */
export function textOf(cell) {
  if (isUnknown(cell)) return "unknown";
  if (isNone(cell)) return "";
  return Array.isArray(cell) ? cell[1] : String(cell);
}

/**
 * A cell as people read it: three to four digits that matter, long texts shortened.
 * @param {Cell|undefined} cell @param {string} unit
 * @param {{decimals?: number, short?: string}} how `decimals` of milliseconds, for numbers
 *   that stand below each other; `short` form of a text
 */
export function shown(cell, unit, { decimals, short } = {}) {
  if (typeof cell === "number") return shownNumber(cell, unit, decimals);
  return short ?? shorten(textOf(cell));
}

/** Decimals with which the times of a column have three to four digits; else undefined. */
export function decimalsOf({ unit, cells }) {
  if (unit !== "milliseconds" || !cells) return undefined;
  const sizes = [];
  const step = Math.ceil(cells.length / MEASURED_CELLS) || 1;
  for (let row = 0; row < cells.length; row += step) {
    if (typeof cells[row] === "number" && cells[row] !== 0) sizes.push(Math.abs(cells[row]));
  }
  if (sizes.length === 0) return undefined;
  const typical = sizes.sort((one, other) => one - other)[sizes.length >> 1];
  const magnitude = Math.floor(Math.log10(typical));
  return magnitude >= 0 ? Math.max(1, 3 - magnitude) : Math.min(MOST_DECIMALS, 2 - magnitude);
}

/**
 * A cell as programs read it, for `data-value`: all digits; the key of a word; `unknown`;
 * nothing where there is nothing to know.
 * @param {Cell|undefined} cell @returns {string}
 */
export function exact(cell) {
  if (isUnknown(cell)) return "unknown";
  if (isNone(cell)) return "";
  if (typeof cell === "number") return JSON.stringify(cell);
  return Array.isArray(cell) ? cell[0] : String(cell);
}

/** What a word says of the matter: `plain`, `good`, `bad` or `doubtful`. */
export const toneOf = (cell) => (Array.isArray(cell) ? cell[2] : "plain");

/**
 * An element that shows a cell: short text, `data-value`, all digits or the whole text in
 * the title, and texts from data isolated from the direction of the text around them.
 * @param {Cell|undefined} cell @param {string} unit @param {keyof HTMLElementTagNameMap} tag
 * @param {{decimals?: number, short?: string}} how as of `shown`
 */
export function valueElement(cell, unit, tag = "span", how = {}) {
  const text = shown(cell, unit, how);
  const whole = typeof cell === "number" ? exact(cell) : textOf(cell);
  const isName = typeof cell === "string";
  const tone = toneOf(cell);
  return element(
    tag,
    {
      class: isUnknown(cell) ? "unknown" : tone === "plain" ? undefined : `tone-${tone}`,
      dataset: { value: exact(cell) },
      title: whole === text ? undefined : whole.slice(0, MOST_TITLE_CHARACTERS),
    },
    isName ? element("bdi", null, text) : text,
  );
}

/** A name from data as an element: isolated, shortened, with the whole in the title. */
export const nameElement = (name) => valueElement(name, "text");

/** A long text without its middle: names of operators differ at their ends. */
export function shorten(text, most = MOST_CHARACTERS) {
  if (text.length <= most) return text;
  const letters = [...text];
  if (letters.length <= most) return text;
  const head = Math.floor((most - 1) / 3);
  return `${letters.slice(0, head).join("")}…${letters.slice(head + 1 - most).join("")}`;
}

/** Marks that change the direction of what stands around them. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A name for a chart's axis or label: one line, shortened, without marks of direction, which
 * would turn what stands around it (Firefox draws no text that begins with an isolate). Give
 * it to ECharts by a formatter *function* only: as a string, `{b}` in a name would be a pattern.
 */
export function chartLabel(name, most = 32) {
  const line = String(name).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  const label = shorten(line.replaceAll(DIRECTIONS, ""), most);
  // ECharts keeps widths of texts in plain objects, whose own members such a name would hit.
  return label in {} ? `${label}\u200b` : label;
}

function shownNumber(value, unit, decimals) {
  switch (unit) {
    case "quantity":
      return quantity(value);
    case "share":
      return `${fixed(value * 100, 1)} %`;
    case "milliseconds":
      return milliseconds(value, decimals);
    case "ratio":
      return fixed(value, 3);
    case "probability":
      return value < 0.0005 ? "<0.001" : fixed(value, 3);
    case "scientific":
      return value === 0 ? "0" : value.toExponential(2);
    default:
      return plain(value);
  }
}

/** To this many decimals; what rounds to 0 has no sign. */
function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
}

/**
 * To this many decimals; without, to the microsecond. What is too small for that has three
 * digits: nothing but 0 is shown as 0.
 */
function milliseconds(value, decimals) {
  const size = Math.abs(value);
  const isLarge = decimals === undefined ? size >= 0.1 : Number(value.toFixed(decimals)) !== 0;
  if (value === 0 || isLarge) return fixed(value, decimals ?? 3);
  const needed = 2 - Math.floor(Math.log10(size));
  return needed > MOST_DECIMALS ? value.toExponential(2) : value.toFixed(needed);
}

function plain(value) {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return String(value === 0 ? 0 : value);
  if (size >= 10_000) return fixed(value, 0);
  if (size >= 1000) return fixed(value, 1);
  return fixed(value, size >= 1 ? 2 : 4);
}

function quantity(value) {
  const found = LARGE.find(([size]) => Math.abs(value) >= size);
  return found ? `${(value / found[0]).toFixed(2)}${found[1]}` : plain(value);
}
