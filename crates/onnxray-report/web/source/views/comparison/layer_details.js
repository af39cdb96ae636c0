// What there is to know of a group of layers: the verdict, both sides beside each other with
// what differs marked, the parameters that differ, and the operators of the group.

import { isNone, toneOf, valueElement } from "../../cells.js";
import { differenceFromA } from "../../difference.js";
import { element } from "../../dom.js";
import { inlineWord } from "../inline_text.js";
import { sideMark } from "../side_mark.js";
import { ratioInterval } from "../ratio_interval.js";

/** Pixels of the interval in the panel. */
const PANEL_WIDTH = 320;
/** Columns of table `layers` that a side has one of each, without `a_` and `b_`. */
const OF_SIDES = ["type", "precision", "ms", "mean_ms", "share", "outliers"];
/** Columns that are said elsewhere in the panel. */
const ELSEWHERE = [
  "version",
  "layer",
  "a_operators",
  "b_operators",
  ...OF_SIDES.flatMap((key) => [`a_${key}`, `b_${key}`]),
];

/**
 * The panel's body for a row of table `layers`.
 * @param {import("./versions.js").Version} version
 */
export function layerDetails(version, row, end) {
  const table = version.table("layers");
  return [
    verdict(table, row, end),
    element("h3", null, "Both sides"),
    bothSides(version, table, row),
    element("h3", null, "Operators of the group"),
    operators(table, row),
    element("h3", null, "All figures"),
    figures(table, row),
  ];
}

/** The ratio as a sentence, with its interval drawn. */
export function verdict(table, row, end) {
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map((key) =>
    table.number(key, row),
  );
  const cell = table.cell("verdict", row);
  const word = inlineWord(cell);
  if (ratio === undefined) return element("p", null, "Verdict: ", word, reason(table, row), ".");
  return element(
    "div",
    { class: "verdict" },
    element(
      "p",
      null,
      `B is ${differenceFromA({ ratio, low, high })}: `,
      word,
      reason(table, row),
      ".",
    ),
    ratioInterval(
      { ratio, low, high, tone: toneOf(cell), end },
      { width: PANEL_WIDTH, hasLabels: true },
    ) ?? null,
  );
}

function reason(table, row) {
  const cell = table.cell("reason", row);
  return isNone(cell) || cell === null ? null : ["; ", inlineWord(cell)];
}

/** Figures of both sides, then the parameters in which they differ. */
function bothSides(version, table, row) {
  const details = version.table("details");
  const number = table.number("number", row);
  const differing = version
    .rows("details")
    .filter((detail) => details.number("number", detail) === number);
  const isParameter = (key) =>
    differing.some((detail) => details.text("parameter", detail) === key);
  const isSaid = (key) =>
    [`a_${key}`, `b_${key}`].some((of) => !isNone(table.column(of)?.cells[row] ?? false));
  const figures = OF_SIDES.filter((key) => isSaid(key) && !isParameter(key)).map((key) => {
    const keys = [`a_${key}`, `b_${key}`];
    const cells = keys.map((of) => table.cell(of, row));
    const { heading, meaning, unit } = table.column(keys[0]);
    const differs = cells.every((cell) => typeof cell === "string") && cells[0] !== cells[1];
    const name = heading.replace(/^A /, "");
    return sideRow({ row, heading: name, meaning, cells, unit, keys, differs });
  });
  const parameters = differing.map((detail) => {
    const cells = [details.cell("a", detail), details.cell("b", detail)];
    const heading = details.text("parameter", detail);
    return sideRow({ row: detail, heading, cells, unit: "text", keys: ["a", "b"], differs: true });
  });
  const head = element(
    "tr",
    null,
    element("td"),
    ["A", "B"].map((letter) => element("th", { scope: "col" }, sideMark(letter))),
    element("td"),
  );
  const title = (text) =>
    element(
      "tr",
      null,
      element("th", { colspan: 4, scope: "rowgroup", class: "rows-title" }, text),
    );
  const isOnBoth = ["a_operators", "b_operators"].every(
    (key) => typeof table.cell(key, row) === "string",
  );
  const said =
    parameters.length > 0
      ? "Parameters that differ"
      : isOnBoth
        ? "No parameter is known to differ"
        : "Only one side has it, so no parameters are compared";
  return element(
    "table",
    { class: "both-sides" },
    element("thead", null, head),
    element("tbody", { dataset: { table: "layers" } }, figures),
    element("tbody", { dataset: { table: "details" } }, title(said), parameters),
  );
}

/**
 * A line of both sides; what differs is marked, in words too.
 * @param {{row: number, heading: string, meaning?: string, cells: import("../../cells.js").Cell[],
 *   unit: string, keys: string[], differs: boolean}} line
 */
function sideRow({ row, heading, meaning, cells, unit, keys, differs }) {
  const value = (cell, place) =>
    element(
      "td",
      { dataset: { column: keys[place] } },
      isNone(cell)
        ? element("span", { class: "muted", dataset: { value: "" } }, "none")
        : valueElement(cell, unit),
    );
  return element(
    "tr",
    { class: differs ? "differs" : undefined, dataset: { row } },
    element("th", { scope: "row", title: meaning }, heading),
    cells.map(value),
    element("td", { class: "differs-mark" }, differs ? "differs" : null),
  );
}

function operators(table, row) {
  const list = (letter) => {
    const key = `${letter.toLowerCase()}_operators`;
    const cell = table.cell(key, row);
    const none = typeof cell !== "string" || cell === "";
    // A line each; what parts them stays, since it may be part of a name.
    const lines = none ? "not executed" : cell.replaceAll("; ", ";\n");
    return element(
      "div",
      { class: "operators-of-side", dataset: { table: "layers", row, column: key } },
      sideMark(letter),
      element(
        "p",
        { class: none ? "muted" : "names", dataset: { value: none ? "" : cell } },
        none ? lines : element("bdi", null, lines),
      ),
    );
  };
  const hasConversions = ["a_operators", "b_operators"].some((key) =>
    table.text(key, row).includes("("),
  );
  return element(
    "div",
    null,
    list("A"),
    list("B"),
    hasConversions &&
      element(
        "p",
        { class: "muted" },
        "In parentheses: conversions, such as quantization, that go with the group.",
      ),
  );
}

/** What no other part of the panel says. */
function figures(table, row) {
  const columns = table.columns.filter(
    (column) => !ELSEWHERE.includes(column.key) && !isNone(column.cells[row]),
  );
  return element(
    "dl",
    { class: "figures", dataset: { table: "layers", row } },
    columns.map((column) =>
      element(
        "div",
        { title: column.meaning, dataset: { column: column.key } },
        element("dt", null, column.heading),
        valueElement(column.cells[row], column.unit, "dd"),
      ),
    ),
  );
}
