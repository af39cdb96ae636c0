// Every operator in the order of execution, with a target of its own where it may have one, and
// what it would take with it: the second part of the seed's profile.

import { nameElement, valueElement } from "../../cells.js";
import { openDetails } from "../../details.js";
import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import { byRoom, fixedCell, goToField, moveIn, settableCells, setWidths } from "./editing.js";
import { operatorsChart } from "./operators_chart.js";
import { operatorTargetCell, reasonsOf, whyFixed } from "./settables.js";

const KEY = ["number", "name", "type", "weight_shape"];
/** Columns that there is room for; what they lack stands in the details. */
const COLUMNS = {
  narrow: "name target latency_ms projected_ms perf_ratio origin type weight_shape".split(" "),
  medium: [...KEY, "latency_ms", "target", "projected_ms", "perf_ratio", "origin"],
  wide: [...KEY, "latency_ms", "target", "projected_ms", "perf_ratio", "projection", "origin"],
};
/** Characters; of a target, with the word of where it comes from. */
const WIDTHS = {
  target: 16,
  latency_ms: 10,
  projected_ms: 12,
  perf_ratio: 9,
  weight_shape: 13,
  projection: 18,
  origin: 20,
};

/** @param {import("./session.js").Session} session */
export function operatorsPart(session) {
  const table = session.tables.get("projected_operators");
  setWidths(table, {
    ...WIDTHS,
    ...byRoom({
      narrow: { name: 18 },
      medium: { name: 22, type: 16 },
      wide: { name: 32, type: 18 },
    }),
  });
  const targetCell = settableCells(fieldOf, (row) => fixedCell([whyFixed(session, row)]));
  const grid = dataTable({
    table,
    columns: byRoom(COLUMNS),
    caption: table.title,
    rowKey: "name",
    search: ["name", "type", "weight_shape", "projection"],
    filters: true,
    open: (row) => details.open(row),
    cell: (key, row) => (key === "target" ? targetCell(row) : undefined),
  });
  const move = moveIn(grid, (row) => fieldOf(row));

  function fieldOf(row) {
    if (whyFixed(session, row)) return undefined;
    return session.field(operatorTargetCell(session, row, table.cell("name", row)), (direction) =>
      move(direction, row),
    );
  }

  const details = operatorDetails(session, table);
  session.reach("target-operator", "projection", (row) => goToField(grid, row, fieldOf));
  const chart = operatorsChart(session, table, (row) => grid.reveal(row));
  return {
    node: element("section", { class: "part" }, chart?.node, grid.node, reasons(session)),
    refresh() {
      grid.refresh({ sort: false });
      chart?.refresh();
      details.refresh();
    },
    /** Brings an operator into sight; false if there is none of this name. */
    show(name) {
      const row = table.find("name", name);
      return row !== undefined && grid.reveal(row);
    },
  };
}

/** The panel with all figures of an operator, which follow edits as well. */
function operatorDetails({ inputs }, table) {
  const body = element("div");
  let row;

  function refresh() {
    if (row === undefined || !body.isConnected) return;
    const outcome = inputs.outcomes.find(({ text }) => text === table.cell("projection", row));
    const isFixed = inputs.operators.fixed[row] !== null;
    replace(
      body,
      outcome &&
        element(
          "p",
          null,
          `${isFixed ? "No target can change it" : outcome.text}: ${outcome.meaning}.`,
        ),
      element(
        "dl",
        { class: "figures" },
        table.columns.filter(({ key }) => key !== "name").map(figureOf),
      ),
    );
  }

  function figureOf({ key, heading, meaning, unit }) {
    const value = valueElement(table.cell(key, row), unit, "dd");
    return element("div", { title: meaning }, element("dt", null, heading), value);
  }

  return {
    open(of) {
      row = of;
      openDetails({ title: nameElement(table.cell("name", row)), body: [body] });
      refresh();
    },
    refresh,
  };
}

/** Why operators cannot be set, each reason once with how many there are. */
function reasons(session) {
  const found = reasonsOf(session);
  if (found.length === 0) return null;
  const count = (text) =>
    session.inputs.operators.fixed.filter((outcome) => outcome === text).length;
  return element(
    "dl",
    { class: "reasons" },
    found.map(({ text, meaning }) => [
      element("dt", null, `${text} (${count(text)})`),
      element("dd", null, meaning),
    ]),
  );
}
