// The roofline: how many GFLOP/s each operator reached, by the FLOPs that it does for each
// byte that it moves, under the roof of what the machine can do.

import { shown } from "../../cells.js";
import { element, replace, uniqueId } from "../../dom.js";
import { dataTable } from "../../table.js";
import { openOperator } from "./operator_details.js";
import { nameInWords, narrowed, rowOf, timeColumn } from "./operators.js";
import { heightAt, pointsOf, recordedOf, roofOf, shareOf } from "./roof.js";
import { rooflineChart } from "./roofline_chart.js";
import { typeLegend } from "./type_legend.js";

const NO_OPERATORS =
  "There are no operators: the trace tells nothing of what the model spends its time on.";

export default function roofline(report) {
  const operators = report.table("operators");
  const timeKey = operators && timeColumn(operators);
  const nothing = (text) => ({ node: element("p", { class: "nothing" }, text), show: () => false });
  if (!operators || operators.rows === 0) return nothing(NO_OPERATORS);
  if (!timeKey) return nothing("Times are unknown, so no operator has a rate.");
  const { points, absent } = pointsOf(operators, timeKey);
  if (points.length === 0) return nothing(`No operator can be drawn: ${inWords(absent)}.`);

  const typed = {};
  const recorded = recordedOf(report);
  let roof = roofOf(points, typed, recorded);
  const said = element("p", { class: "roof-words", role: "status" });
  const open = (row) => openOperator(report, row);
  const chart = rooflineChart({ operators, points, roof: () => roof, typed, recorded, open });

  function changed() {
    roof = roofOf(points, typed, recorded);
    replace(said, roofInWords({ operators, points, roof, typed, recorded, timeKey }));
    own.refresh();
    chart.refresh();
    table.refresh();
  }

  const own = ownColumns(operators, points, (point) => shareOf(operators, point, roof, typed));
  const table = dataTable({
    table: operators,
    columns: [
      narrowed(operators, "name", 40),
      timeKey,
      "share",
      "gflops_per_second",
      ...own.columns,
      ..."flops bytes".split(" "),
      narrowed(operators, "type", 18),
      "number",
    ],
    caption: "Operators in the roofline",
    rowKey: "name",
    search: ["name", "type"],
    filters: true,
    height: "60vh",
    rows: () => points.map(({ row }) => row),
    cell: own.cell,
    open,
  });
  replace(said, roofInWords({ operators, points, roof, typed, recorded, timeKey }));
  const node = element(
    "div",
    { class: "view roofline" },
    element(
      "div",
      { class: "selectors" },
      peakInput("Peak GFLOP/s", recorded.compute, (value) => {
        typed.compute = value;
        changed();
      }),
      peakInput("Peak GB/s", recorded.memory, (value) => {
        typed.memory = value;
        changed();
      }),
    ),
    said,
    typeLegend(report),
    chart.node,
    element("p", { class: "left-out" }, drawnInWords(points, operators, absent)),
    table.node,
  );
  return {
    node,
    show(name) {
      const row = rowOf(report, name);
      if (row === undefined) return false;
      const place = points.findIndex((point) => point.row === row);
      if (place >= 0) {
        chart.show(place);
        table.reveal(row);
      }
      open(row);
      return true;
    },
  };
}

const inWords = (absent) => absent.map(([number, reason]) => `${number} with ${reason}`).join("; ");

/** A peak of the machine; without a number what was recorded counts, or the best operator. */
function peakInput(label, recorded, changed) {
  const id = uniqueId("peak");
  const input = element("input", {
    id,
    type: "number",
    min: "0",
    step: "any",
    placeholder: recorded === undefined ? "best measured" : shown(recorded, "number"),
    on: {
      input: () => {
        const value = input.valueAsNumber;
        const isGiven = value > 0;
        input.setAttribute("aria-invalid", String(input.value !== "" && !isGiven));
        changed(isGiven ? value : undefined);
      },
    },
  });
  return element("label", { class: "selector", for: id }, element("span", null, label), input);
}

function drawnInWords(points, operators, absent) {
  const others = absent.length > 0 ? `; not drawn: ${inWords(absent)}` : "";
  return `${points.length} of ${operators.rows} operators are drawn${others}.`;
}

/** How high the roof is, where it comes from, and who is under which part of it. */
function roofInWords({ operators, points, roof, typed, recorded, timeKey }) {
  const name = ({ row }) => nameInWords(operators.text("name", row));
  const source = (key) => {
    if (typed[key]) return "typed in";
    if (recorded[key]) return `measured on this machine${key === "compute" ? ", fp32" : ", memory"}`;
    return ["the best that was measured, by ", name(roof.best[key])];
  };
  const isKnown = ["compute", "memory"].every((key) => typed[key] || recorded[key]);
  const number = (value) => shown(value, "number");
  const time = (row) => operators.number(timeKey, row) ?? 0;
  const sum = (some) => some.reduce((all, { row }) => all + time(row), 0);
  const left = points.filter(({ intensity }) => intensity < roof.ridge);
  const above = points.filter((point) => point.rate > heightAt(roof, point.intensity) * (1 + 1e-9));
  return [
    `The roof is ${number(roof.compute)} GFLOP/s (`,
    source("compute"),
    `) and ${number(roof.memory)} GB/s (`,
    source("memory"),
    "). ",
    !isKnown &&
      "Type the machine's peaks in to see how far off them it is. ",
    `${left.length} of ${points.length} operators (${shown(sum(left) / sum(points), "share")} of their time) `,
    `are memory-bound: below ${number(roof.ridge)} FLOPs per byte.`,
    above.length > 0 &&
      ` ${above.length} are above this line: their data stayed in caches, whose rates are higher ` +
        "(“Of the roof” counts these), or the peak is too low.",
  ];
}

/** FLOPs per byte and the part of the roof, which the data does not have. */
function ownColumns(operators, points, share) {
  const column = (key, heading, unit, meaning) => ({
    key,
    heading,
    unit,
    meaning,
    cells: new Array(operators.rows).fill(null),
  });
  const intensity = column("intensity", "FLOPs/byte", "number", "FLOPs by bytes");
  const part = column(
    "roof_share",
    "Of the roof",
    "share",
    "what it would take at the peak rates, of what it takes",
  );
  const columns = [intensity, part];
  const refresh = () => {
    for (const point of points) {
      intensity.cells[point.row] = point.intensity;
      part.cells[point.row] = share(point);
    }
  };
  refresh();
  return {
    columns,
    refresh,
    cell(key, row) {
      const own = columns.find((other) => other.key === key);
      return own && element("span", null, shown(own.cells[row], own.unit));
    },
  };
}
