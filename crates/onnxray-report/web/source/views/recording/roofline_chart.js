// The chart of a roofline: operators as circles on two logarithmic axes, under the roof.

import { shown } from "../../cells.js";
import { drawChart } from "../../chart.js";
import { typeColour } from "../../colours.js";
import { operatorInWords } from "./operators.js";
import { shareOf } from "./roof.js";

const HEIGHT = 440;
/** Diameters of points, in pixels: their areas go with their share of the time. */
const SMALLEST = 6;
const LARGEST = 40;
/** What lies beyond the outermost points, as a factor. */
const SPACE = 1.6;
/** Lines of rates that differ by less than this factor have one name. */
const NEAR = 1.5;

/**
 * @param {object} options
 * @param {import("../../report.js").Table} options.operators
 * @param {import("./roof.js").Point[]} options.points
 * @param {() => {compute: number, memory: number, ridge: number}} options.roof as of `roofOf`
 * @param {{compute?: number, memory?: number}} options.typed peaks that were typed in
 * @param {{compute?: number, memory?: number, levels: {name: string, rate: number}[]}}
 *   options.recorded peaks that were measured when the model was recorded
 * @param {(row: number) => void} options.open
 */
export function rooflineChart({ operators, points, roof, typed, recorded, open }) {
  const share = ({ row }) => Math.max(operators.number("share", row) ?? 0, 0);
  const most = points.reduce((highest, point) => Math.max(highest, share(point)), 0);
  const size = (point) =>
    Math.max(SMALLEST, most > 0 ? LARGEST * Math.sqrt(share(point) / most) : SMALLEST);
  const circle = (point, theme) => ({
    value: [point.intensity, point.rate],
    symbolSize: size(point),
    itemStyle: {
      color: typeColour(operators.text("type", point.row), theme),
      opacity: 0.75,
      borderColor: theme.background,
      borderWidth: 0.5,
    },
  });
  const isKnown = (key) => (typed[key] ?? recorded[key]) !== undefined;
  return drawChart({
    title: () => {
      const known = isKnown("compute") && isKnown("memory");
      return `Roofline: GFLOP/s against FLOPs per byte${known ? "" : ", no hardware peak known"}`;
    },
    shows:
      "Each operator as a circle, its area in proportion to its share of the time; both axes are logarithmic. " +
      "Solid is a peak of the machine, measured or typed in, dashed the best of the operators; dotted are caches. " +
      "Arrow keys go from the operator with most time to the one with least.",
    marks: points.length,
    height: HEIGHT,
    option: (theme) => {
      const { compute, memory, ridge } = roof();
      const [low, high] = around([...points.map(({ intensity }) => intensity), ridge]);
      const [bottom, top] = around([...points.map(({ rate }) => rate), compute]);
      // Below the highest peak alone: of a peak that was typed in, caches may be slower.
      const caches = recorded.levels.filter(({ rate }) => rate > memory && compute / rate > low);
      const from = ({ rate }) => Math.max(low, bottom / rate);
      const names = [
        ...named(caches).map(({ text, level }) => [
          from(level) * 1.05,
          from(level) * level.rate * 1.05,
          `${text} GB/s`,
          1,
        ]),
        [ridge, compute, `${shown(memory, "number")} GB/s`, -1],
        [ridge, compute, `${shown(compute, "number")} GFLOP/s`, 1],
      ];
      return {
        grid: { left: 8, right: 24, top: 28, bottom: 28, containLabel: true },
        xAxis: {
          ...logarithmic(low, high, theme),
          name: "FLOPs per byte",
          nameLocation: "middle",
          nameGap: 26,
        },
        yAxis: {
          ...logarithmic(bottom, top, theme),
          name: "GFLOP/s",
          nameTextStyle: { align: "left" },
        },
        series: [
          {
            type: "scatter",
            data: points.map((point) => circle(point, theme)),
            emphasis: read(theme),
          },
          roofLine(
            [
              [low, memory * low],
              [ridge, compute],
            ],
            isKnown("memory"),
            theme,
          ),
          ...caches.map((level) => cacheLine(level.rate, from(level), compute, theme)),
          roofLine(
            [
              [ridge, compute],
              [high, compute],
            ],
            isKnown("compute"),
            theme,
          ),
          roofNames(names, theme),
        ],
      };
    },
    readout: {
      length: points.length,
      text: (i) => spoken(operators, points[i], shareOf(operators, points[i], roof(), typed)),
      near: (x, y) => nearestPoint(points, x, y),
      locate: (i) => ({ seriesIndex: 0, dataIndex: i }),
    },
    open: (i) => open(points[i].row),
  });
}

const read = (theme) => ({ itemStyle: { borderColor: theme.text, borderWidth: 2, opacity: 1 } });

function logarithmic(min, max, theme) {
  return {
    type: "log",
    min,
    max,
    axisLabel: { formatter: power },
    minorTick: { show: true, splitNumber: 9 },
    minorSplitLine: { show: true, lineStyle: { color: theme.line, opacity: 0.4 } },
  };
}

function roofLine(data, isPeak, theme) {
  const type = isPeak ? "solid" : "dashed";
  return {
    type: "line",
    silent: true,
    symbol: "none",
    lineStyle: { color: theme.text, width: 1.5, type },
    data,
  };
}

/** Names of caches with their rates; those of lines that nearly meet are written as one. */
function named(caches) {
  const names = [];
  for (const level of caches) {
    const text = `${level.name} ${shown(level.rate, "number")}`;
    const last = names.at(-1);
    if (last && last.level.rate / level.rate < NEAR) last.text += `, ${text}`;
    else names.push({ text, level });
  }
  return names;
}

/** The rate of a cache, up to the peak of arithmetic. */
function cacheLine(rate, from, compute, theme) {
  const data = [
    [from, rate * from],
    [compute / rate, compute],
  ];
  const lineStyle = { color: theme.muted, width: 1, type: "dotted" };
  return { type: "line", silent: true, symbol: "none", lineStyle, data };
}

function spoken(operators, { row, intensity, rate }, roofShare) {
  const number = (value) => shown(value, "number");
  const share = (value) => shown(value, "share");
  return [
    operatorInWords(operators, row),
    `: ${number(rate)} GFLOP/s at ${number(intensity)} FLOPs per byte, `,
    `${share(roofShare)} of its roof; `,
    `${share(operators.cell("share", row))} of the time`,
  ];
}

/** What the parts of the roof are, written above where they meet: the slower half has few points. */
function roofNames(names, theme) {
  return {
    type: "custom",
    silent: true,
    z: 5,
    data: names.map(([x, y]) => [x, y]),
    renderItem: ({ dataIndex }, api) => {
      const [, , text, side] = names[dataIndex];
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      return {
        type: "text",
        x: x + 6 * side,
        y: y - 6,
        style: {
          text,
          align: side < 0 ? "right" : "left",
          verticalAlign: "bottom",
          fill: theme.muted,
          font: api.font({ fontSize: 12 }),
        },
      };
    },
  };
}

/** Ends of a logarithmic axis around some values: there is a power of ten in it, or two. */
function around(values) {
  const [low, high] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, 0],
  );
  const [from, to] = [low / SPACE, high * SPACE];
  const isNarrow = Math.floor(Math.log10(to)) - Math.ceil(Math.log10(from)) < 1;
  return isNarrow
    ? [10 ** Math.floor(Math.log10(from)), 10 ** Math.ceil(Math.log10(to))]
    : [from, to];
}

/** The point that is nearest on the two logarithmic scales. */
function nearestPoint(points, x, y) {
  const distance = ({ intensity, rate }) => Math.hypot(Math.log(intensity / x), Math.log(rate / y));
  return points.reduce(
    (best, point, i) => (distance(point) < distance(points[best]) ? i : best),
    0,
  );
}

/** A power of ten as people write it; the ends of the axis, which are none, have no label. */
function power(value) {
  if (Math.abs(Math.log10(value) - Math.round(Math.log10(value))) > 1e-9) return "";
  return value >= 1e5 || value < 1e-4
    ? value.toExponential(0).replace("+", "")
    : String(Number(value.toPrecision(1)));
}
