// Two bars, A and B, from zero, with a whisker for what is known of an interval.

import { shown } from "../../cells.js";
import { sideStyle } from "../side_bars.js";

/** Half the height of a whisker's ends, in pixels. */
const CAP = 6;

/**
 * An ECharts option.
 * @param {{sides: {value?: number, low?: number, high?: number}[],
 *   theme: import("../../colours.js").Theme}} what A, then B; what is unknown is not drawn, and says so in its place
 */
export function wholeBars({ sides, theme }) {
  const data = sides.map(({ value }, place) =>
    value === undefined ? "-" : { value, itemStyle: sideStyle("AB"[place], theme) },
  );
  const whiskers = sides.flatMap(({ low, high }, place) =>
    low === undefined ? [] : [[place, low, high]],
  );
  const ends = sides.map(({ value, high }) => Math.max(value ?? 0, high ?? 0));
  return {
    grid: { left: 8, right: 24, top: 8, bottom: 8, containLabel: true },
    // Room for the number behind the longer bar.
    xAxis: {
      type: "value",
      min: 0,
      max: ({ max }) => Number((Math.max(max, ...ends) * 1.18).toPrecision(3)),
      axisLabel: { hideOverlap: true, showMaxLabel: false },
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: ["A", "B"],
      axisTick: { show: false },
      axisLabel: { fontWeight: "bold" },
    },
    series: [
      { type: "bar", barWidth: 30, data },
      {
        type: "custom",
        silent: true,
        data: whiskers,
        encode: { x: [1, 2], y: 0 },
        renderItem: (params, api) => whisker(api, theme),
      },
      {
        type: "scatter",
        silent: true,
        symbolSize: 0,
        data: sides.map((side, place) => [side.value === undefined ? 0 : ends[place], place]),
        label: {
          show: true,
          position: "right",
          distance: 10,
          color: theme.text,
          formatter: ({ dataIndex }) =>
            sides[dataIndex].value === undefined
              ? "unknown"
              : shown(sides[dataIndex].value, "ratio"),
        },
      },
    ],
  };
}

function whisker(api, theme) {
  const [left, right] = [1, 2].map((dimension) => api.coord([api.value(dimension), api.value(0)]));
  const line = (x1, y1, x2, y2) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: theme.text, lineWidth: 2 },
  });
  const cap = ([x, y]) => line(x, y - CAP, x, y + CAP);
  return { type: "group", children: [line(...left, ...right), cap(left), cap(right)] };
}
