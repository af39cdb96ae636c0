// Every group of layers of both versions: times, difference, ratio with its interval drawn, and
// the verdict; those that repeat as one row, or each. A click or Enter opens what there is to know
// of a group, or the members of a pattern.

import * as address from "../../address.js";
import { openDetails } from "../../details.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import { radioChoice } from "../controls.js";
import { counted, listed } from "../words.js";
import { ofVersion } from "./frame.js";
import { layerCell, layerColumns } from "../layer_columns.js";
import { layerDetails } from "./layer_details.js";
import { isPattern, membersOf, patternColumns, patternDetails } from "./patterns.js";
import { scaleEnd } from "../ratio_interval.js";

const SEARCHED = ["layer", "a_type", "b_type", "a_operators", "b_operators"];
const [LAYERS, PATTERNS] = ["layers", "patterns"];

export default function layers(report, context) {
  return ofVersion(report, (version) => groups(version, context), hasLayer);
}

const rowOf = (version, key, name) =>
  version.rows(key).find((row) => version.table(key).text("layer", row) === name);
const hasLayer = (version, name) =>
  [LAYERS, PATTERNS].some((key) => rowOf(version, key, name) !== undefined);

function groups(version, context) {
  if (version.rows(LAYERS).length === 0) {
    return {
      node: element("p", null, "There are no layers to compare: a side has none that were timed."),
    };
  }
  const end = scaleEnd(version.table(LAYERS), version.rows(LAYERS));
  // Names need not be unique: an address leads to the group that was opened last.
  let opened;
  const open = (key, row) => {
    opened = { key, row };
    const name = version.table(key).text("layer", row);
    const { view, name: shown } = address.current();
    if (view === LAYERS && shown === name) show(name);
    else context.go(LAYERS, name);
  };
  const openLayer = (row) => open(LAYERS, row);
  // What is in no pattern is a layer.
  const openRow = (row) =>
    isPattern(version, row) ? open(PATTERNS, row) : openLayer(membersOf(version, row)[0]);
  const lists = new Map();
  const listOf = (key) => {
    if (!lists.has(key)) {
      lists.set(key, key === PATTERNS ? folded(version, end, openRow) : each(version, end, openLayer));
    }
    return lists.get(key);
  };
  const repeats = version.rows(PATTERNS).length > 0;
  let shownKey = repeats ? PATTERNS : LAYERS;
  const place = element("div", { class: "stack" });
  const draw = () => replace(place, [listOf(shownKey).said, listOf(shownKey).node]);
  draw();
  const choice =
    repeats &&
    radioChoice({
      label: "Rows",
      options: [
        [PATTERNS, "what repeats as one"],
        [LAYERS, "each layer"],
      ],
      value: shownKey,
      change(key) {
        shownKey = key;
        draw();
      },
    });
  function show(name) {
    const isOpened = opened && version.table(opened.key).text("layer", opened.row) === name;
    const key = [LAYERS, PATTERNS].find((own) => rowOf(version, own, name) !== undefined);
    if (!isOpened && key === undefined) return false;
    const found = isOpened ? opened : { key, row: rowOf(version, key, name) };
    reveal(found);
    const body =
      found.key === PATTERNS
        ? patternDetails(version, found.row, end, openLayer)
        : layerDetails(version, found.row, end);
    openDetails({ title: element("bdi", null, name), body });
    return true;
  }
  /** Of a layer, the row of its pattern where that is what the table has. */
  function reveal({ key, row }) {
    if (key === shownKey) return listOf(key).reveal(row);
    const folds = version.rows(PATTERNS);
    const pattern =
      shownKey === PATTERNS && folds.find((fold) => membersOf(version, fold).includes(row));
    return pattern === false || pattern === undefined
      ? undefined
      : listOf(PATTERNS).reveal(pattern);
  }
  return {
    node: element("div", { class: "stack" }, choice, place),
    show,
  };
}

/** Every layer has a row. */
function each(version, end, open) {
  const table = version.table(LAYERS);
  const rows = version.rows(LAYERS);
  return rowsOf(table, rows, layerColumns(table, rows, end), end, open);
}

/** Layers that repeat are one row. */
function folded(version, end, open) {
  const table = version.table(PATTERNS);
  const rows = version.rows(PATTERNS);
  return rowsOf(table, rows, patternColumns(table, rows, end), end, open);
}

function rowsOf(table, rows, columns, end, open) {
  const list = dataTable({
    table,
    rows: () => rows,
    rowKey: "layer",
    columns,
    caption: table.title,
    search: SEARCHED,
    filters: true,
    open,
    cell: (key, row) => layerCell(table, key, row, end),
  });
  return { ...list, said: element("p", null, summary(table, rows)) };
}

/** How many groups there are of each verdict. */
function summary(table, rows) {
  const counts = new Map();
  for (const row of rows) {
    const verdict = table.text("verdict", row);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([verdict, count]) => `${count} ${verdict}`);
  const what =
    table.key === PATTERNS
      ? `${counted(rows.length, "row")} of layers that repeat, and of layers that do not`
      : `${counted(rows.length, "group")} of layers`;
  return `${what}: ${listed(parts)}. Click a row, or press Enter, for its details.`;
}
