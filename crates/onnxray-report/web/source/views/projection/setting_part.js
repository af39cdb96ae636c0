// The first part of the seed's profile: perf ratios, a row for each weight shape and type, a
// column for each level. Each cell says whether its ratio was given or is a default that nobody
// measured.

import { nameElement, valueElement } from "../../cells.js";
import { element, replace } from "../../dom.js";
import { whenUnfolded } from "../../print.js";
import { SAME_LEVEL, multipliesZeros } from "../../perf_ratios.js";
import { allLevels } from "../../projection.js";
import { removeLevel } from "../../settings.js";
import { dataTable } from "../../table.js";
import { levelText } from "./entries.js";
import { levelCell, othersCell, ratioCell, rowName } from "./settables.js";

/** Columns of the analyzer's table that say what a row is for. */
const KEYS = ["weight_shape", "type", "data_type", "operators"];
/** Rows that are drawn at once; more, when asked for. */
const MOST_ROWS = 50;

/** @param {import("./session.js").Session} session */
export function settingPart(session) {
  const table = session.tables.get("perf_ratios");
  const grid = element("table", {
    class: "setting",
    dataset: { table: "perf_ratios" },
    aria: { label: table.title },
  });
  let drawn = [];
  let most = MOST_ROWS;

  /** Cells that can be edited, as they stand: rows of fields. */
  let fields = [];

  function draw() {
    const { ratios } = session.settings;
    // From the sparsest on, as in the profile that this part has its name from.
    drawn = allLevels(session.settings).sort((one, other) => other - one);
    const rows = ratios.slice(0, most);
    fields = rows.map((_, row) => [
      ...drawn.map((level) =>
        session.field(ratioCell(session, row, level), (direction) => move(direction, row, level)),
      ),
      session.field(othersCell(session, row), (direction) => move(direction, row, undefined)),
    ]);
    const more = ratios.length - rows.length;
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && grid.contains(active) ? active : undefined;
    replace(
      grid,
      element("thead", null, headings()),
      element("tbody", null, rows.map(rowOf)),
      more > 0 &&
        element(
          "tfoot",
          null,
          element("tr", null, element("td", { colspan: KEYS.length }, moreButton(more))),
        ),
    );
    number();
    // It was taken out and put back, which takes the focus away.
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }

  function headings() {
    const heading = (key) => {
      const { heading: text, meaning, unit } = table.column(key);
      const classes = [key === "weight_shape" ? "" : "is-spread", unit === "text" ? "" : "number"];
      return element("th", { scope: "col", title: meaning, class: classes.join(" ") }, text);
    };
    return element(
      "tr",
      null,
      KEYS.map(heading),
      drawn.map((level) =>
        element("th", { scope: "col", class: "level" }, levelText(level), removing(level)),
      ),
      element(
        "th",
        {
          scope: "col",
          class: "level",
          title: "perf ratio below the lowest sparsity",
        },
        "Below all",
      ),
      element(
        "th",
        { scope: "col", class: "level" },
        element(
          "label",
          { class: "adding" },
          "Add sparsity ",
          session.field(levelCell(session), () => {}).node,
        ),
      ),
    );
  }

  function removing(level) {
    const label = `Remove ${levelText(level)}`;
    const isGone = (key) => fields.some((cells, row) => key === ratioCell(session, row, level).key);
    const remove = () => session.store.set("", label, removeLevel(session.settings, level), isGone);
    return element(
      "button",
      {
        type: "button",
        class: "quiet",
        title: `${label} with its perf ratios`,
        aria: { label },
        on: { click: remove },
      },
      "×",
    );
  }

  function rowOf(row, at) {
    const { weightShape, operatorType, dataType, block, operators } = row;
    const unused = operators === 0 && element("small", null, "applies to no weight of this model");
    const stays = multipliesZeros(row) && element("small", null, "multiplies by its zeros");
    const blocks =
      block !== session.settings.block && element("small", null, ` in blocks of ${block}`);
    const all = () => element("span", { class: "unknown", dataset: { value: "" } }, "all");
    const key = (column, shown, more = "") =>
      element("td", { class: `is-spread ${more}`, dataset: { column } }, shown);
    return element(
      "tr",
      { class: operators === 0 ? "is-unused" : undefined },
      element(
        "th",
        { scope: "row", aria: { label: rowName(row) }, dataset: { column: "weight_shape" } },
        valueElement(weightShape, "text"),
        // Where there is no room for columns of their own.
        element(
          "small",
          { class: "is-folded" },
          `${operatorType ?? "all types"} ${dataType ?? ""}`,
        ),
        blocks,
        unused,
        stays,
      ),
      key("type", operatorType === null ? all() : nameElement(operatorType)),
      key("data_type", dataType === null ? all() : valueElement(dataType, "text")),
      key("operators", valueElement(operators, "count"), "number"),
      fields[at].map(({ node }) => element("td", { class: "level" }, node)),
      element("td"),
    );
  }

  function moreButton(more) {
    const show = () => {
      most = Infinity;
      draw();
    };
    return element("button", { type: "button", on: { click: show } }, `Show ${more} more rows`);
  }

  /**
   * Says of each cell in which row of the analyzer's table it stands: that has one for each point,
   * behind one for what holds below all levels.
   */
  function number() {
    let first = 0;
    for (const [row, cells] of fields.entries()) {
      const { points } = session.settings.ratios[row];
      const place = ({ node }, at) => {
        const { dataset } = node.parentElement;
        if (at === undefined) {
          delete dataset.column;
          delete dataset.row;
        } else Object.assign(dataset, { column: "perf_ratio", row: first + at });
      };
      drawn.forEach((level, column) => {
        const at = points.findIndex((point) => Math.abs(point.level - level) < SAME_LEVEL);
        place(cells[column], at < 0 ? undefined : at + 1);
      });
      place(cells.at(-1), 0);
      cells[0].node.closest("tr").dataset.row = first;
      first += points.length + 1;
    }
  }

  function move(direction, row, level) {
    const column = level === undefined ? drawn.length : drawn.indexOf(level);
    const [down, right] = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] }[direction];
    fields[row + down]?.[column + right]?.focus();
  }

  const list = element("details", { class: "behind" }, element("summary", null, "As a list"));
  let behind;
  whenUnfolded(list, () => {
    behind = dataTable({ table, columns: "shown", caption: "" });
    list.append(behind.node);
  });

  for (const kind of ["ratio", "others", "level"]) session.reach(kind, "projection");
  draw();
  return {
    node: element(
      "section",
      { class: "part" },
      element("h3", null, table.title),
      session.settings.ratios.length > 0 &&
        element(
          "p",
          { class: "lead" },
          "Perf ratio = dense latency / sparse latency. Type a number, or a range such as ",
          element("kbd", null, "3..4"),
          ". Blank cells are interpolated. Ratios in italics are placeholders, not measurements.",
        ),
      session.settings.ratios.length === 0
        ? nothing(session)
        : [element("div", { class: "table-scroll" }, grid), list],
    ),
    refresh() {
      const levels = allLevels(session.settings).sort((one, other) => other - one);
      if (levels.length !== drawn.length || levels.some((level, at) => level !== drawn[at])) draw();
      else number();
      behind?.refresh({ sort: false });
    },
  };
}

/** Why there is nothing to set. */
function nothing({ inputs: { operators } }) {
  if (operators.fixed.length === 0)
    return element(
      "p",
      { class: "missing" },
      "The recording has no operators, so there are no weights to make sparse.",
    );
  const isUnknown = operators.weightUnknown.includes(1);
  return element(
    "p",
    { class: "missing" },
    isUnknown
      ? [
          "The trace has no weights, so there is no weight shape to set a ratio for, and no speedup is claimed. Add them: ",
          element("code", null, "onnxray project RECORDING --model MODEL.onnx"),
        ]
      : "No operator of this model has a weight that a target could make sparser, so there is nothing to set.",
  );
}
