// The executed graph: modules in the order of execution, as a ladder that unfolds down to the
// operators, with time as colour.

import { decimalsOf, shown } from "../../cells.js";
import { element, replace } from "../../dom.js";
import { createLadder } from "../../ladder/ladder.js";
import { ladderTable, pathsOf } from "../../ladder/table.js";
import { counted } from "../words.js";
import { foldChoice } from "./folded.js";
import { openOperator } from "./operator_details.js";
import { nameInWords, rowOf } from "./operators.js";

const NOTHING = "There are no operators: the trace tells nothing of what the model executes.";

export default function graph(report) {
  const blocks = report.blocks("ladder");
  if (blocks.length === 0) {
    return { node: element("p", { class: "nothing" }, NOTHING), show: () => false };
  }
  const made = new Map();
  const ladderOf = (folded) => {
    const block = blocks.find((one) => one.folded === folded) ?? blocks[0];
    if (!made.has(block)) made.set(block, ofBlock(report, block));
    return made.get(block);
  };
  const place = element("div", { class: "stack" });
  let drawn = ladderOf(true);
  const put = (folded) => {
    drawn = ladderOf(folded);
    replace(place, drawn.node);
  };
  put(true);
  const node = element(
    "div",
    { class: "view stack" },
    blocks.length > 1 && foldChoice(put),
    place,
  );
  return {
    node,
    /** An operator, or a module by its path. */
    show(name) {
      const row = rowOf(report, name);
      const rung = drawn.find(name, row);
      if (rung === undefined) return false;
      drawn.show(rung);
      if (row !== undefined) openOperator(report, row);
      return true;
    },
  };
}

function ofBlock(report, block) {
  const operators = report.table(block.table);
  const { name: names, parent: parents, rung: kinds, copies, row, operators: counts } = block;
  const { value, share } = block;
  const heading = operators.column(block.value_key)?.heading ?? "Time ms";
  const shareHeading = operators.column(block.share_key)?.heading ?? "Share";
  const roots = names.flatMap((_, rung) => (parents[rung] === null ? [rung] : []));
  const whole = roots.reduce((sum, rung) => sum + (value[rung] ?? 0), 0);
  const part = (rung) => (whole > 0 && value[rung] !== null ? value[rung] / whole : undefined);
  const paths = pathsOf(block);
  const blocks = value.filter((_, rung) => kinds[rung] !== "operator");
  const cells = blocks.length > 0 ? blocks : value;
  const decimals = decimalsOf({ unit: "milliseconds", cells });
  const time = (rung) =>
    value[rung] === null ? "unknown" : shown(value[rung], "milliseconds", { decimals });
  const typeOf = (rung) => (row[rung] === null ? undefined : operators.text("type", row[rung]));
  const count = (rung) => (copies[rung] > 1 ? `x${copies[rung]}` : "");
  const ladder = createLadder({
    title: `${heading.replace(/ ms$/, "")} of modules and operators`,
    shows: [
      `${counted(operators.rows, "operator")} in the order of execution, grouped by the modules in their names; the stronger a block's colour, the more of the operators' time it takes.`,
      report.block("graph") && "Arcs lead to what reads a block's output further down.",
    ]
      .filter(Boolean)
      .join(" "),
    rungs: {
      parents,
      names,
      row: (rung) => row[rung],
      weight: (rung) => value[rung] ?? 0,
      isWorth: (rung) => kinds[rung] !== "pattern",
      heat: (rung) => {
        const of = part(rung);
        return of === undefined ? undefined : { colour: "hot", percent: 100 * Math.sqrt(of) };
      },
      bar: part,
      count,
      figures: (rung) => [
        time(rung),
        share[rung] === null ? "" : shown(share[rung], "share"),
      ],
      text: (rung) => [
        nameInWords(paths[rung]),
        count(rung) && ` ${count(rung)}`,
        typeOf(rung) === undefined
          ? `: ${counted(counts[rung], "operator")}, `
          : [" (", nameInWords(typeOf(rung)), "): "],
        value[rung] === null ? "unknown time" : `${shown(value[rung], "milliseconds")} ms`,
        share[rung] === null ? "" : `, ${shown(share[rung], "share")}`,
      ],
      graph: report.block("graph"),
    },
    scale: scale(),
    headings: [heading, shareHeading],
    open: (rung) => openOperator(report, row[rung]),
    table: () =>
      ladderTable(block, "Module or operator", "Operators", [
        ["value", heading, "milliseconds", value, "sum over its children"],
        ["share", shareHeading, "share", share, "sum over its children"],
        ["flops", "FLOPs", "quantity", block.flops, "operations per iteration"],
      ]),
  });
  return {
    ...ladder,
    find(name, operator) {
      const own = operator === undefined ? -1 : row.indexOf(operator);
      const path = name.replace(/[/.]$/, "");
      const found = own >= 0 ? own : paths.indexOf(path);
      return found < 0 ? undefined : found;
    },
  };
}

/** What the colours mean: the root of the share, so that small ones still differ. */
function scale() {
  return element(
    "span",
    { class: "ladder-scale" },
    ["0 %", "25 %", "100 %"].map((text) => element("span", null, text)),
  );
}
