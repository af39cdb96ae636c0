// The roofline: how many GFLOP/s each operator reached, by the FLOPs that it does for each
// byte that it moves, under the roof of what the machine can do.

import { chartLabel, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { typeColour } from "../../colours.js";
import { element, replace, uniqueId } from "../../dom.js";
import { dataTable } from "../../table.js";
import { openOperator } from "./operator_details.js";
import { narrowed, rowOf, timeColumn } from "./operators.js";
import { heightAt, pointsOf, roofOf } from "./roof.js";
import { typeLegend } from "./type_legend.js";

const HEIGHT = 440;
/** Diameters of points, in pixels: their areas go with their share of the time. */
const SMALLEST = 6;
const LARGEST = 40;
/** What lies beyond the outermost points, as a factor. */
const SPACE = 1.6;

export default function roofline(report) {
  const operators = report.table("operators");
  const timeKey = operators && timeColumn(operators);
  const nothing = (text) => ({ node: element("p", { class: "nothing" }, text), show: () => false });
  if (!operators || operators.rows === 0) return nothing("There are no operators: the trace tells nothing of what the model spends its time on.");
  if (!timeKey) return nothing("Times are unknown, so no operator has a rate.");
  const { points, absent } = pointsOf(operators, timeKey);
  if (points.length === 0) return nothing(`No operator can be drawn: ${inWords(absent)}.`);

  const typed = {};
  let roof = roofOf(points, typed);
  const said = element("p", { class: "roof-words", role: "status" });
  const chart = drawChart(chartOf(report, operators, points, () => roof, typed));

  function changed() {
    roof = roofOf(points, typed);
    replace(said, roofInWords(operators, points, roof, typed, timeKey));
    own.refresh();
    chart.refresh();
    table.refresh();
  }

  const own = ownColumns(operators, points, () => roof);
  const table = dataTable({
    table: operators,
    columns: ["number", narrowed(operators, "name", 40), narrowed(operators, "type", 18), ...own.columns, ..."gflops_per_second flops bytes".split(" "), timeKey, "share"],
    caption: "Operators in the roofline",
    rowKey: "name",
    search: ["name", "type"],
    filters: true,
    height: "60vh",
    rows: () => points.map(({ row }) => row),
    cell: own.cell,
    open: (row) => openOperator(report, row),
  });
  replace(said, roofInWords(operators, points, roof, typed, timeKey));
  const node = element(
    "div",
    { class: "view roofline" },
    element(
      "div",
      { class: "selectors" },
      peakInput("Peak GFLOP/s", (value) => { typed.compute = value; changed(); }),
      peakInput("Peak GB/s", (value) => { typed.memory = value; changed(); }),
    ),
    said,
    chart.node,
    typeLegend(report),
    element("p", { class: "left-out" }, `${points.length} of ${operators.rows} operators are drawn${absent.length > 0 ? `; not drawn: ${inWords(absent)}` : ""}.`),
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
      openOperator(report, row);
      return true;
    },
  };
}

const inWords = (absent) => absent.map(([number, reason]) => `${number} with ${reason}`).join("; ");

/** A peak of the machine; without a number the best that was measured counts. */
function peakInput(label, changed) {
  const id = uniqueId("peak");
  const input = element("input", {
    id,
    type: "number",
    min: "0",
    step: "any",
    placeholder: "best measured",
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

function roofInWords(operators, points, roof, typed, timeKey) {
  const name = ({ row }) => element("bdi", null, chartLabel(operators.text("name", row), 60));
  const compute = typed.compute
    ? ["typed in"]
    : ["the best that was measured, by ", name(roof.best.compute)];
  const memory = typed.memory ? ["typed in"] : ["the best that was measured, by ", name(roof.best.memory)];
  const time = (row) => operators.number(timeKey, row) ?? 0;
  const sum = (some) => some.reduce((all, { row }) => all + time(row), 0);
  const left = points.filter(({ intensity }) => intensity < roof.ridge);
  const above = points.filter((point) => point.rate > heightAt(roof, point.intensity) * (1 + 1e-9));
  const bound = `${left.length} of ${points.length} operators, with ${shown(sum(left) / sum(points), "share")} of their time, do fewer than ${shown(roof.ridge, "number")} FLOPs for each byte: there the memory is the roof.`;
  return [
    `The roof is ${shown(roof.compute, "number")} GFLOP/s (`,
    compute,
    `) and ${shown(roof.memory, "number")} GB/s (`,
    memory,
    "). ",
    typed.compute && typed.memory ? "" : "What was measured is no limit of the machine: type its peaks in to see how far off it is. ",
    bound,
    above.length > 0 ? ` ${above.length} lie above this roof: the peak that was typed in is too low for them, or their data stayed in caches.` : "",
  ];
}

function chartOf(report, operators, points, roof, typed) {
  const share = ({ row }) => operators.number("share", row) ?? 0;
  const most = points.reduce((highest, point) => Math.max(highest, share(point)), 0);
  const size = (point) => Math.max(SMALLEST, most > 0 ? LARGEST * Math.sqrt(Math.max(share(point), 0) / most) : SMALLEST);
  const text = ({ row, intensity, rate }) => [
    element("bdi", null, `#${operators.text("number", row)} ${chartLabel(operators.text("name", row), 80)}`),
    ` (${operators.text("type", row)}): ${shown(rate, "number")} GFLOP/s at ${shown(intensity, "number")} FLOPs per byte, ${shown(rate / heightAt(roof(), intensity), "share")} of the roof there; ${shown(operators.cell("share", row), "share")} of the time`,
  ];
  return {
    title: "Roofline: GFLOP/s against FLOPs per byte",
    shows: "Each operator as a circle, its area in proportion to its share of the time; both axes are logarithmic. Arrow keys go from the one with most time to the one with least.",
    marks: points.length,
    height: HEIGHT,
    option: (theme) => {
      const { compute, memory, ridge } = roof();
      const [low, high] = around([...points.map(({ intensity }) => intensity), ridge]);
      const [bottom, top] = around([...points.map(({ rate }) => rate), compute]);
      const logarithmic = {
        axisLabel: { formatter: power },
        minorTick: { show: true, splitNumber: 9 },
        minorSplitLine: { show: true, lineStyle: { color: theme.line, opacity: 0.4 } },
      };
      const dashed = typed.compute || typed.memory ? "solid" : "dashed";
      return {
        grid: { left: 8, right: 24, top: 28, bottom: 28, containLabel: true },
        xAxis: { type: "log", min: low, max: high, name: "FLOPs per byte", nameLocation: "middle", nameGap: 26, ...logarithmic },
        yAxis: { type: "log", min: bottom, max: top, name: "GFLOP/s", nameTextStyle: { align: "left" }, ...logarithmic },
        series: [
          {
            type: "line",
            silent: true,
            symbol: "none",
            clip: true,
            lineStyle: { color: theme.text, width: 1.5, type: dashed },
            data: [[low, memory * low], [ridge, compute], [high, compute]],
          },
          roofNames([
            [high, compute, `${shown(compute, "number")} GFLOP/s`, "right"],
            [ridge, compute, `${shown(memory, "number")} GB/s`, "right"],
          ], theme),
          {
            type: "scatter",
            data: points.map((point) => ({
              value: [point.intensity, point.rate],
              symbolSize: size(point),
              itemStyle: { color: typeColour(operators.text("type", point.row), theme), opacity: 0.75, borderColor: theme.background, borderWidth: 0.5 },
            })),
            emphasis: { itemStyle: { borderColor: theme.text, borderWidth: 2, opacity: 1 } },
          },
        ],
      };
    },
    readout: {
      length: points.length,
      text: (i) => text(points[i]),
      near: (x, y) => nearestPoint(points, x, y),
      locate: (i) => ({ seriesIndex: 2, dataIndex: i }),
    },
    open: (i) => openOperator(report, points[i].row),
  };
}

/** What the parts of the roof are, written above them. */
function roofNames(names, theme) {
  return {
    type: "custom",
    silent: true,
    data: names.map(([x, y]) => [x, y]),
    renderItem: ({ dataIndex }, api) => {
      const [, , text, align] = names[dataIndex];
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      return { type: "text", x: x - 6, y: y - 6, style: { text, align, verticalAlign: "bottom", fill: theme.muted, font: api.font({ fontSize: 12 }) } };
    },
  };
}

/** Ends of a logarithmic axis around some values: there is a power of ten in it, or two. */
function around(values) {
  const [low, high] = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, 0]);
  const [from, to] = [low / SPACE, high * SPACE];
  const isNarrow = Math.floor(Math.log10(to)) - Math.ceil(Math.log10(from)) < 1;
  return isNarrow ? [10 ** Math.floor(Math.log10(from)), 10 ** Math.ceil(Math.log10(to))] : [from, to];
}

/** The point that is nearest on the two logarithmic scales. */
function nearestPoint(points, x, y) {
  const distance = ({ intensity, rate }) => Math.hypot(Math.log(intensity / x), Math.log(rate / y));
  return points.reduce((best, point, i) => (distance(point) < distance(points[best]) ? i : best), 0);
}

/** A power of ten as people write it; the ends of the axis, which are none, have no label. */
function power(value) {
  if (Math.abs(Math.log10(value) - Math.round(Math.log10(value))) > 1e-9) return "";
  return value >= 1e5 || value < 1e-4 ? value.toExponential(0).replace("+", "") : String(Number(value.toPrecision(1)));
}

/** FLOPs per byte and the part of the roof, which the data does not have. */
function ownColumns(operators, points, roof) {
  const column = (key, heading, unit, meaning) => ({ key, heading, unit, meaning, cells: new Array(operators.rows).fill(null) });
  const intensity = column("intensity", "FLOPs/byte", "number", "FLOPs by bytes");
  const part = column("roof_share", "Of the roof", "share", "GFLOP/s by the height of the roof above its FLOPs per byte");
  const columns = [intensity, part];
  const refresh = () => {
    for (const point of points) {
      intensity.cells[point.row] = point.intensity;
      part.cells[point.row] = point.rate / heightAt(roof(), point.intensity);
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
