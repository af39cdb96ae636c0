// Throughput or CPU time by latency as ECharts draws it: a line for each family of points, the front, the
// sweet spots, the threshold, and the letters of the two that are compared.

import { chartLabel } from "../../cells.js";
import { lineStyle } from "../line_styles.js";

const SIZE = 10;
/** Of more points than these, intervals are not drawn. */
const MOST_WITH_INTERVALS = 80;
/** Of more points than these, only the squares and the sweet spots have labels. */
const MOST_WITH_LABELS = 24;

/**
 * An ECharts option.
 * @param {object} what
 * @param {import("./points.js").Point[]} what.points those of the chart
 * @param {import("./points.js").Point[][]} what.families the same, by family
 * @param {Set<import("./points.js").Point>} what.spots points that are sweet spots
 * @param {number} [what.thresholdMs]
 * @param {(point: import("./points.js").Point) => string} what.letterOf `A`, `B` or nothing
 * @param {boolean} what.isLog whether both axes are logarithmic
 * @param {import("./measures.js").Measure} what.measure what is drawn upwards
 * @param {string} what.percentile the latency that is meant, such as p50
 * @param {import("../../colours.js").Theme} what.theme
 * @param {number} what.width of the chart, pixels
 */
export function sweepChart({
  points,
  families,
  spots,
  thresholdMs,
  letterOf,
  isLog,
  measure,
  percentile,
  theme,
  width,
}) {
  const drawn = points.filter(isDrawn(isLog, measure));
  const axis = (name) => ({
    type: isLog ? "log" : "value",
    name,
    nameLocation: "middle",
    scale: isLog,
    axisLabel: { hideOverlap: true, formatter: (value) => String(Number(value.toPrecision(6))) },
  });
  const range = isLog
    ? logRange(drawn, measure, thresholdMs)
    : linearRange(drawn, measure, thresholdMs);
  return {
    grid: { left: 8, right: width < 600 ? 24 : 90, top: 44, bottom: 30, containLabel: true },
    xAxis: { ...axis(`latency ${percentile}, ms`), nameGap: 28, ...range.x },
    yAxis: {
      ...axis(measure.axis),
      nameLocation: "end",
      nameTextStyle: { color: theme.muted, align: "left" },
      nameGap: 24,
      ...range.y,
    },
    series: [
      steps(drawn, measure, range, theme),
      ...(drawn.length <= MOST_WITH_INTERVALS ? [intervals(drawn, measure, isLog, theme)] : []),
      front(drawn, measure, theme),
      ...families.map((family, place) =>
        line(
          family.filter(isDrawn(isLog, measure)),
          measure,
          lineStyle(place, theme),
          spots,
          drawn.length,
          theme,
        ),
      ),
      letters(drawn, measure, letterOf, theme),
      ...(thresholdMs === undefined ? [] : [threshold(thresholdMs, theme)]),
    ],
  };
}

/** Whether a point has a place: both figures are known, and above 0 on a logarithmic axis. */
export const isDrawn = (isLog, measure) => (point) => {
  const [x, y] = at(measure)(point);
  return x !== undefined && y !== undefined && (!isLog || (x > 0 && y > 0));
};

const at = (measure) => (point) => [point.latencyMs, measure.value(point)];

/** A family: a square for its best point, circles for the others. */
function line(family, measure, { color, dash }, spots, count, theme) {
  const best = family[measure.best(family)];
  return {
    type: "line",
    z: 4,
    color,
    lineStyle: { color, type: dash, width: 2 },
    data: family.map((point) => {
      const isSpot = spots.has(point);
      return {
        value: at(measure)(point),
        row: point.row,
        symbol: point === best ? "rect" : "circle",
        symbolSize: isSpot ? SIZE + 5 : SIZE,
        itemStyle: { color: isSpot ? color : theme.background, borderColor: color, borderWidth: 2 },
        label: {
          show: count <= MOST_WITH_LABELS || point === best || isSpot,
          // Beside the lines of both intervals, not on one.
          position: [SIZE + 12, -14],
          color: theme.text,
          textBorderColor: theme.background,
          textBorderWidth: 2,
          fontSize: 11,
          fontWeight: isSpot ? "bold" : "normal",
          formatter: () => `${chartLabel(point.label, 20)}${isSpot ? " sweet spot" : ""}`,
        },
      };
    }),
    labelLayout: { hideOverlap: true },
  };
}

/** Rings around the points of the front. */
function front(points, measure, theme) {
  return {
    type: "scatter",
    z: 3,
    silent: true,
    symbol: "circle",
    symbolSize: SIZE + 14,
    itemStyle: { color: "transparent", borderColor: theme.muted, borderWidth: 1.5 },
    data: points.filter(measure.isOnFront).map(at(measure)),
  };
}

/** The highest throughput within each latency: where the sweet spot goes with the threshold. */
function steps(points, measure, { x }, theme) {
  const found = measure.steps(points).map((position) => at(measure)(points[position]));
  const last = found.at(-1);
  return {
    type: "line",
    z: 1,
    silent: true,
    step: "end",
    symbol: "none",
    lineStyle: { color: theme.axis, width: 1, type: "solid" },
    areaStyle: { color: theme.surface, opacity: 0.8, origin: "start" },
    data: last === undefined ? [] : [...found, [x.max, last[1]]],
  };
}

/** Lines from end to end of both intervals. */
function intervals(points, measure, isLog, theme) {
  const ends = points.flatMap((point) => {
    const [x, y] = at(measure)(point);
    const upwards = measure.interval(point);
    const isKnown = ({ low, high }) =>
      low !== undefined && high !== undefined && (!isLog || low > 0);
    return [
      ...(isKnown(point.latency) ? [[point.latency.low, y, point.latency.high, y]] : []),
      ...(isKnown(upwards) ? [[x, upwards.low, x, upwards.high]] : []),
    ];
  });
  return {
    type: "custom",
    z: 2,
    silent: true,
    clip: true,
    data: ends,
    encode: { x: [0, 2], y: [1, 3] },
    renderItem(params, api) {
      const [x1, y1] = api.coord([api.value(0), api.value(1)]);
      const [x2, y2] = api.coord([api.value(2), api.value(3)]);
      return {
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: theme.axis, lineWidth: 1 },
      };
    },
  };
}

/** The letters of the points that are compared, in the colours of the sides. */
function letters(points, measure, letterOf, theme) {
  return {
    type: "scatter",
    z: 6,
    silent: true,
    symbolSize: 1,
    itemStyle: { color: "transparent", opacity: 1 },
    data: points
      .filter((point) => letterOf(point) !== "")
      .map((point) => {
        const letter = letterOf(point);
        const isB = letter === "B";
        const color = isB ? theme.b : theme.a;
        return {
          value: at(measure)(point),
          label: {
            show: true,
            position: "top",
            distance: 9,
            formatter: () => letter,
            fontWeight: "bold",
            fontSize: 13,
            padding: [2, 6],
            borderRadius: 3,
            borderWidth: 2,
            borderColor: color,
            backgroundColor: isB ? theme.background : color,
            color: isB ? color : theme.background,
          },
        };
      }),
  };
}

function threshold(thresholdMs, theme) {
  return {
    type: "line",
    data: [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color: theme.bad, type: "dashed", width: 1.5 },
      label: { position: "end", color: theme.bad, formatter: () => `threshold ${thresholdMs} ms` },
      data: [{ xAxis: thresholdMs }],
    },
  };
}

/** From 0 to a little beyond what is drawn. */
function linearRange(points, measure, thresholdMs) {
  const most = (values) =>
    niceAbove(1.06 * Math.max(0, ...values.filter((value) => value !== undefined)));
  const latencies = points.map((point) => point.latencyMs);
  const beyond =
    thresholdMs !== undefined && thresholdMs <= 2 * Math.max(0, ...latencies) ? [thresholdMs] : [];
  return {
    x: {
      min: 0,
      max: most([
        ...latencies,
        ...points.map((point) => within(point.latency.high, point.latencyMs)),
        ...beyond,
      ]),
    },
    y: {
      min: 0,
      max: most([
        ...points.map(measure.value),
        ...points.map((point) => within(measure.interval(point).high, measure.value(point))),
      ]),
    },
  };
}

/** Whole parts of decades around what is drawn. */
function logRange(points, measure, thresholdMs) {
  const range = (values) => {
    if (values.length === 0) return { min: 1, max: 10 };
    return { min: niceBelow(Math.min(...values) / 1.1), max: niceAbove(Math.max(...values) * 1.1) };
  };
  const latencies = points.map((point) => point.latencyMs);
  const beyond =
    thresholdMs > 0 && thresholdMs <= 10 * Math.max(0, ...latencies) ? [thresholdMs] : [];
  return { x: range([...latencies, ...beyond]), y: range(points.map(measure.value)) };
}

/** An interval that reaches far beyond all figures is cut off, not followed. */
const within = (high, value) => (high === undefined ? undefined : Math.min(high, 1.5 * value));

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

function niceAbove(value) {
  if (!(value > 0)) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((step) => step * decade >= value * (1 - 1e-12)) ?? NaN;
  return Number((step * decade).toPrecision(6));
}

function niceBelow(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.findLast((step) => step * decade <= value * (1 + 1e-12)) ?? NaN;
  return Number((step * decade).toPrecision(6));
}
