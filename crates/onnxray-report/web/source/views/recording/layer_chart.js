// The chart of every operator in the order of execution: a bar for each, coloured by type. Of
// bars that share a pixel the highest is drawn, since it is the one that is looked for.

import { shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { typeColour } from "../../colours.js";
import * as choices from "./choices.js";
import { nameInWords, operatorInWords } from "./operators.js";
import { stretchOf } from "./stretch.js";

const HEIGHT = 320;
/** Of bars that a search or a filter leaves out. */
const FAINT = 0.25;
/** Part of its place that a bar leaves free, where that can be seen. */
const SPACE = 0.15;

/**
 * @param {object} options
 * @param {import("../../report.js").Table} options.operators
 * @param {{choice: import("./choices.js").Choice, display: string}} options.chosen
 * @param {(row: number) => boolean} options.isFound by the search and the filters
 * @param {(row: number) => string|undefined} options.fixed why no target can change it
 * @param {(row: number) => void} options.open
 */
export function layerChart({ operators, chosen, isFound, fixed, open }) {
  const types = operators.column("type").cells.map(String);
  let base = 0;
  const number = operators.rows === 1 ? "one operator" : `${operators.rows} operators`;
  const value = (row) => choices.displayed(chosen.choice, chosen.display, row);

  const option = (theme) => {
    const colourOf = new Map([...new Set(types)].map((type) => [type, typeColour(type, theme)]));
    const values = types.map((_, row) => value(row));
    const known = values.filter((number) => number !== undefined);
    const isLog = chosen.display === "log";
    const [lowest, highest] = known.length > 0 ? extremes(known) : isLog ? [1, 10] : [0, 1];
    base = isLog ? lowest / 2 : 0;
    return {
      grid: { left: 8, right: 16, top: 28, bottom: 56, containLabel: true },
      xAxis: {
        type: "value",
        min: -0.5,
        max: operators.rows - 0.5,
        minInterval: 1,
        name: "in the order of execution",
        nameLocation: "middle",
        nameGap: 24,
        splitLine: { show: false },
        axisLabel: { formatter: (place) => numberAt(operators, place), hideOverlap: true },
      },
      yAxis: {
        // At the edge: the axis along the bottom begins before the first operator.
        axisLine: { onZero: false },
        type: isLog ? "log" : "value",
        name: choices.axisTitle(chosen.choice, chosen.display),
        nameTextStyle: { align: "left" },
        min: isLog ? base : Math.min(lowest, 0),
        max: isLog ? highest * 1.2 : undefined,
        axisLabel: {
          showMinLabel: !isLog,
          showMaxLabel: !isLog,
          formatter: (number) => choices.axisNumber(number, chosen.choice, chosen.display),
        },
      },
      series: [
        {
          type: "custom",
          // One mark draws all bars that are in sight; the other places make the axis fit.
          data: [
            [-0.5, highest],
            [operators.rows - 0.5, lowest],
          ],
          renderItem: (params, api) =>
            params.dataIndex === 0
              ? barsOf(params, api, {
                  values,
                  base,
                  colour: (row) => colourOf.get(types[row]),
                  isFound,
                })
              : null,
        },
      ],
    };
  };

  return drawChart({
    title: () => `${chosen.choice.title} of each operator`,
    shows: () =>
      `${choices.inWords(chosen.choice, chosen.display)} of ${number} in the order of execution, coloured by type.`,
    marks: operators.rows,
    height: HEIGHT,
    zoom: "x",
    option,
    readout: {
      length: operators.rows,
      text: (row) => [
        operatorInWords(operators, row),
        `: ${choices.spoken(chosen.choice, row)}`,
        fixed(row) && chosen.choice.key.startsWith("pruned")
          ? `; no target can change it: ${fixed(row)}`
          : "",
        weightOf(operators, row),
      ],
      near: (x) => Math.round(x),
      point: (row) => [row, value(row) ?? base],
    },
    open,
  });
}

/** The bars in sight: one for each pixel where there are more operators than pixels. */
function barsOf(params, api, { values, base, colour, isFound }) {
  const { from, to, width, pixel } = stretchOf(
    params,
    api,
    [0, Math.max(values.length, 1)],
    base || 1,
  );
  const [first, last] = [Math.max(0, Math.floor(from)), Math.min(values.length - 1, Math.ceil(to))];
  const perPixel = (to - from) / width;
  const highest = new Map();
  for (let row = first; row <= last; row += 1) {
    if (values[row] === undefined) continue;
    const place = perPixel > 1 ? Math.floor(pixel(row)) : row;
    const other = highest.get(place);
    const isHigher =
      other === undefined ||
      Number(isFound(row)) - Number(isFound(other)) ||
      values[row] - values[other];
    if (isHigher === true || isHigher > 0) highest.set(place, row);
  }
  const gap = perPixel < 1 / 4 ? SPACE : 0;
  const children = Array.from(highest.values(), (row) => {
    const [left, top] = api.coord([row - 0.5 + gap / 2, values[row]]);
    const [right, bottom] = api.coord([row + 0.5 - gap / 2, base]);
    const shape = {
      x: left,
      y: Math.min(top, bottom),
      width: Math.max(right - left, 1),
      height: Math.max(Math.abs(bottom - top), 0.5),
    };
    return { type: "rect", shape, style: { fill: colour(row), opacity: isFound(row) ? 1 : FAINT } };
  });
  return { type: "group", children };
}

function extremes(values) {
  return values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}

const numberAt = (operators, place) =>
  Number.isInteger(place) && place >= 0 && place < operators.rows
    ? operators.text("number", place)
    : "";

function weightOf(operators, row) {
  const weight = operators.cell("weight", row);
  if (typeof weight !== "string") return "";
  return [
    "; weight ",
    nameInWords(weight),
    ` ${shown(operators.cell("weight_shape", row), "text")}`,
  ];
}
