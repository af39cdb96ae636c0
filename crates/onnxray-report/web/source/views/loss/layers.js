// The layers of a loss profile: how many parameters each has, all of their figures, how outputs
// are compared, and how it was measured.

import { chartLabel, numberOf, shown, textOf } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { element } from "../../dom.js";
import { figuresList } from "../../figures.js";
import { dataTable } from "../../table.js";
import { nonEmptyColumns } from "../non_empty_columns.js";

export default function layers(report, context) {
  const table = report.table("loss_layers");
  const outputs = report.table("loss_outputs");
  const figures = report.figures("loss");
  const hasLayers = table !== undefined && table.rows > 0;
  const node = element(
    "div",
    { class: "view loss" },
    hasLayers
      ? [parametersChart(table, context), layersTable(table, context)]
      : element("p", null, "The model has no layer with a weight, so there is nothing to prune."),
    outputs &&
      outputs.rows > 0 &&
      dataTable({ table: outputs, columns: "shown", caption: outputs.title }).node,
    figures &&
      element(
        "section",
        { class: "stack" },
        element("h3", null, "How it was measured"),
        figuresList(figures),
      ),
  );
  return { node };
}

const open = (table, context) => (row) => context.go("sensitivity", table.text("name", row));

function parametersChart(table, context) {
  const column = table.column("parameters");
  const unknown = column.cells.filter((cell) => numberOf(cell) === undefined).length;
  const left = unknown === 0 ? "" : ` Of ${unknown} it is unknown.`;
  return drawChart({
    title: "Parameters by layer",
    shows: `How many elements each layer's weight has, in the order of the model.${left}`,
    marks: table.rows,
    height: 260,
    option: (theme) => ({
      grid: { left: 8, right: 16, top: 12, bottom: 26, containLabel: true },
      xAxis: {
        type: "category",
        data: table.column("number").cells.map(textOf),
        name: "layer",
        nameLocation: "middle",
        nameGap: 26,
        axisLabel: { hideOverlap: true },
      },
      yAxis: {
        type: "value",
        axisLabel: { formatter: (value) => shown(value, "quantity").replace(".00", "") },
      },
      series: [
        {
          type: "bar",
          barMaxWidth: 28,
          itemStyle: { color: theme.series[2] },
          data: column.cells.map((cell) => numberOf(cell) ?? "-"),
        },
      ],
    }),
    readout: {
      length: table.rows,
      text: (row) =>
        `${table.text("number", row)}: ${chartLabel(table.text("name", row), 80)}, ${table.text("weight_shape", row)}, ${shown(column.cells[row], "count")} parameters`,
      at: ({ dataIndex }) => dataIndex,
      near: (x) => Math.max(0, Math.min(table.rows - 1, Math.round(x))),
      locate: (row) => ({ seriesIndex: 0, dataIndex: row }),
    },
    open: open(table, context),
  }).node;
}

function layersTable(table, context) {
  return dataTable({
    table,
    columns: nonEmptyColumns(table),
    caption: table.title,
    rowKey: "name",
    search: ["name", "weight", "operator_type"],
    filters: true,
    open: open(table, context),
  }).node;
}
