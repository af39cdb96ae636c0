// Filters of a table's rows, joined by `and`. What is unknown has a filter of its own: it is
// neither equal to a number nor different from one.

import { isUnknown, numberOf, shown, textOf } from "./cells.js";
import { element, replace } from "./dom.js";

/** Conditions on texts: name, and what makes a test of a typed text. */
const ON_TEXTS = new Map([
  ["contains", (typed) => (cell) => isKnown(cell) && lower(textOf(cell)).includes(lower(typed))],
  ["is", (typed) => (cell) => isKnown(cell) && textOf(cell) === typed],
  ["is not", (typed) => (cell) => isKnown(cell) && textOf(cell) !== typed],
]);

/** The same of numbers. People type what they see: equal is what is shown alike. */
const ON_NUMBERS = new Map([
  [
    "=",
    (typed, unit) => (number) => number === typed || shown(number, unit) === shown(typed, unit),
  ],
  [
    "≠",
    (typed, unit) => (number) => number !== typed && shown(number, unit) !== shown(typed, unit),
  ],
  ["<", (typed) => (number) => number < typed],
  ["≤", (typed) => (number) => number <= typed],
  [">", (typed) => (number) => number > typed],
  ["≥", (typed) => (number) => number >= typed],
]);

/** Conditions that need no value. */
const ON_KNOWLEDGE = new Map([
  ["unknown", (cell) => isUnknown(cell)],
  ["known", (cell) => isKnown(cell)],
]);

const SIZES = new Map([
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
  ["T", 1e12],
]);

/** @typedef {{key: string, condition: string, value?: string}} Given a filter from elsewhere */

/**
 * The filters of a table; `adding` is the button that adds one.
 * @param {import("./columns.js").ShownColumn[]} columns
 * @param {() => void} changed
 * @returns {{node: HTMLElement, adding: HTMLElement, add: (filter?: Given) => void,
 *   clear: () => void, count: () => number, accepts: (row: number) => boolean}}
 */
export function createFilters(columns, changed) {
  const filters = [];
  const node = element("div", { class: "filters", role: "group", aria: { label: "Filters" } });

  function draw() {
    replace(
      node,
      filters.map((filter, place) => [
        element("span", { class: "filter-join" }, place === 0 ? "where" : "and"),
        filter.node,
      ]),
    );
    node.hidden = filters.length === 0;
  }

  const adding = element(
    "button",
    { type: "button", dataset: { filter: "add" }, on: { click: () => add() } },
    "Add filter",
  );

  function add(given) {
    const filter = createFilter(columns, given, changed, remove);
    filters.push(filter);
    draw();
    if (given) changed();
    else filter.node.querySelector("select")?.focus();
  }

  function remove(filter) {
    filters.splice(filters.indexOf(filter), 1);
    draw();
    changed();
    adding.focus();
  }

  draw();
  return {
    node,
    adding,
    add,
    clear() {
      filters.length = 0;
      draw();
      changed();
    },
    count: () => filters.length,
    accepts: (row) => filters.every((filter) => filter.accepts(row)),
  };
}

/** The number that somebody typed, in the unit of a column; undefined if it is none. */
export function typedNumber(text, unit) {
  const [, digits, size, percent] = text.trim().match(/^(.*?)\s*([kMGT]?)\s*(%?)$/) ?? [];
  if (!digits || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(digits)) return undefined;
  const number = Number(digits) * (SIZES.get(size) ?? 1);
  // Shares are shown, and so typed, in percent.
  return percent || unit === "share" ? number / 100 : number;
}

function createFilter(columns, given, changed, remove) {
  const keys = element(
    "select",
    {
      aria: { label: "Column" },
      dataset: { filter: "column" },
      on: { change: () => chooseColumn() },
    },
    columns.map(({ key, heading }) => element("option", { value: key }, heading)),
  );
  const conditions = element("select", {
    aria: { label: "Condition" },
    dataset: { filter: "operator" },
    on: { change: () => update() },
  });
  const value = element("input", {
    type: "text",
    size: 14,
    aria: { label: "Value" },
    dataset: { filter: "value" },
    on: { input: () => update() },
  });

  // By place: a key from data need not be what an option's value makes of it.
  const column = () => columns[keys.selectedIndex];

  function chooseColumn() {
    const isText = column().unit === "text";
    const names = [...(isText ? ON_TEXTS : ON_NUMBERS).keys(), ...ON_KNOWLEDGE.keys()];
    replace(
      conditions,
      names.map((name) => element("option", { value: name }, name)),
    );
    value.placeholder = column().unit === "share" ? "percent" : "";
    update();
  }

  function update() {
    const chosen = column();
    const test = testOf(chosen, conditions.value, value.value);
    const needsValue = !ON_KNOWLEDGE.has(conditions.value);
    value.hidden = !needsValue;
    value.setAttribute("aria-invalid", String(needsValue && value.value.trim() !== "" && !test));
    filter.accepts = test ? (row) => test(chosen.cells[row]) : () => true;
    changed();
  }

  const removing = element(
    "button",
    {
      type: "button",
      class: "quiet",
      aria: { label: "Remove this filter" },
      dataset: { filter: "remove" },
      on: { click: () => remove(filter) },
    },
    "×",
  );
  const filter = {
    node: element("span", { class: "filter" }, keys, conditions, value, removing),
    /** @type {(row: number) => boolean} */
    accepts: () => true,
  };
  if (given) keys.value = given.key;
  chooseColumn();
  if (given) {
    conditions.value = given.condition;
    value.value = given.value ?? "";
    update();
  }
  return filter;
}

/** A test of cells; undefined while what is typed is not one. */
function testOf({ unit }, condition, typed) {
  if (ON_KNOWLEDGE.has(condition)) return ON_KNOWLEDGE.get(condition);
  if (typed === "") return undefined;
  const onText = ON_TEXTS.get(condition);
  if (onText) return onText(typed);
  const number = typedNumber(typed, unit);
  if (number === undefined) return undefined;
  const test = ON_NUMBERS.get(condition)?.(number, unit);
  return test && ((cell) => numberOf(cell) !== undefined && test(cell));
}

const isKnown = (cell) => !isUnknown(cell) && cell !== false;
const lower = (text) => text.toLowerCase();
