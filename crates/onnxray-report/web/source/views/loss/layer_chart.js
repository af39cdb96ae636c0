// A figure of each layer, as ECharts draws it: dots of each level, or bars of a single one.

import { numberOf, shown } from "../../cells.js";
import { namedPlaces } from "../named_places.js";
import { dotStyle } from "../dot_styles.js";
import { cellAt } from "./profile.js";

/** Layers from which on dots are smaller. */
const MANY_LAYERS = 200;

/** An ECharts option; what is unknown leaves a gap. */
export function layerChart({ profile, column, levels, isLog, theme }) {
  const { layers } = profile;
  const value = (layer, level) => {
    const number = numberOf(cellAt(column, layer, level));
    return number === undefined || (isLog && number <= 0) ? "-" : number;
  };
  const data = (level) => layers.map((layer) => value(layer, level));
  const format = (number) =>
    column.unit === "share"
      ? `${Number((number * 100).toPrecision(4))} %`
      : column.unit === "scientific"
        ? tidy(number)
        : shown(number, column.unit);
  const isAlone = levels.length === 1;
  const place = (level) => profile.levels.indexOf(level);
  return {
    grid: { left: 8, right: 16, top: 28, bottom: 8, containLabel: true },
    xAxis: {
      type: "category",
      ...namedPlaces(layers.map((layer) => layer.name)),
      boundaryGap: true,
    },
    yAxis: {
      type: isLog ? "log" : "value",
      name: `${column.heading}${isLog ? ", logarithmic" : ""}`,
      nameTextStyle: { align: "left" },
      axisLabel: { formatter: format },
    },
    series: levels.map((level) => {
      const { color, symbol } = dotStyle(place(level), theme);
      if (isAlone) return { type: "bar", data: data(level), itemStyle: { color }, barMaxWidth: 28 };
      return {
        // A line would join layers whose order is not a course.
        type: "scatter",
        data: data(level),
        itemStyle: { color },
        symbol,
        symbolSize: layers.length <= MANY_LAYERS ? 8 : 5,
      };
    }),
  };
}

/** `2e-5` rather than `0.00002`. */
function tidy(number) {
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-2 || size >= 1e5)
    ? Number(number.toPrecision(3)).toExponential()
    : String(Number(number.toPrecision(3)));
}
