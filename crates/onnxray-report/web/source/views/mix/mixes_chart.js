// Loss against latency of all mixes: those that none is both faster and nearer to A than are
// joined by steps, A, B and the best mix have names, and a line is where the loss has its limit.

import { chartLabel, shown } from "../../cells.js";
import { drawChart } from "../../chart.js";

/** Of more mixes of the front than these, only A, B and the best have labels. */
const MOST_LABELS = 12;

/** @typedef {ReturnType<typeof mixesOf>[number]} Mix */

/** Undefined if no mix has both figures. */
export function mixesChart(table, figures, tableNode) {
  const mixes = table === undefined ? [] : mixesOf(table);
  if (mixes.length === 0) return undefined;
  const limit = figures.number("loss_limit");
  // Those that matter are drawn over the others.
  const series = [mixes.filter((mix) => !isMarked(mix)), mixes.filter(isMarked)];
  const text = ({ row, name, latencyMs, loss }) => {
    const said = ["apart", "remark"].map((key) => table.text(key, row));
    const end = said.filter((text) => text !== "").map((text) => `, ${chartLabel(text, 80)}`);
    const [time, lost] = [shown(latencyMs, "milliseconds"), shown(loss, "scientific")];
    return `${name}: ${time} ms, loss ${lost}${end.join("")}`;
  };
  return drawChart({
    title: "Loss against latency (ms)",
    shows:
      "Each mix that was measured, by its latency and by how far its outputs are from those of " +
      "A. Further left is faster, further down is nearer to A; the line joins the mixes that " +
      "none is both faster and nearer than.",
    marks: mixes.length,
    height: 360,
    option: (theme, { width }) => option(series, limit, theme, width),
    readout: {
      length: mixes.length,
      text: (place) => text(mixes[place]),
      at: ({ seriesIndex, dataIndex }) => {
        const mix = series[seriesIndex]?.[dataIndex];
        return mix && mixes.indexOf(mix);
      },
      near: (x, y) => nearest(mixes, x, y),
      locate: (place) => {
        const seriesIndex = isMarked(mixes[place]) ? 1 : 0;
        return { seriesIndex, dataIndex: series[seriesIndex].indexOf(mixes[place]) };
      },
    },
    table: tableNode,
  }).node;
}

/** The mixes whose latency and loss are known, the fastest first. */
function mixesOf(table) {
  const rows = Array.from({ length: table.rows }, (_, row) => ({
    row,
    name: table.text("mix", row),
    latencyMs: table.number("latency_ms", row),
    loss: table.number("loss", row),
    isOnFront: table.text("on_front", row) === "yes",
    isBest: table.text("best", row) === "yes",
  }));
  return rows.filter(({ latencyMs, loss }) => latencyMs !== undefined && loss !== undefined);
}

const at = ({ latencyMs, loss }) => [latencyMs, loss];

const isModel = ({ name }) => name === "A" || name === "B";

const isMarked = (mix) => isModel(mix) || mix.isBest || mix.isOnFront;

/** An ECharts option; its first two series are these. */
function option(series, limit, theme, width) {
  const [plain, marked] = series;
  const front = marked.filter(({ isOnFront }) => isOnFront);
  const isNamed = (mix) => isModel(mix) || mix.isBest || front.length <= MOST_LABELS;
  const number = (value) => String(Number(value.toPrecision(4)));
  const axis = (name) => ({
    type: "value",
    name,
    scale: true,
    axisLabel: { hideOverlap: true, formatter: number },
  });
  return {
    grid: { left: 8, right: width < 600 ? 48 : 90, top: 40, bottom: 30, containLabel: true },
    xAxis: {
      ...axis("latency, ms"),
      nameLocation: "middle",
      nameGap: 28,
      boundaryGap: ["4%", "4%"],
    },
    yAxis: {
      ...axis("loss"),
      nameTextStyle: { color: theme.muted, align: "left" },
      boundaryGap: [0, "8%"],
    },
    series: [
      {
        type: "scatter",
        z: 2,
        symbolSize: 6,
        itemStyle: { color: theme.axis, opacity: 0.7 },
        data: plain.map(at),
      },
      {
        type: "scatter",
        z: 4,
        data: marked.map((mix) => ({
          value: at(mix),
          symbol: mix.isBest ? "diamond" : "circle",
          symbolSize: mix.isBest ? 16 : isModel(mix) ? 12 : 9,
          itemStyle: { color: colour(mix, theme), opacity: 1 },
          label: {
            show: isNamed(mix),
            // Above the line, which leads to the right and down.
            position: [14, -12],
            color: theme.text,
            textBorderColor: theme.background,
            textBorderWidth: 2,
            fontSize: 11,
            fontWeight: mix.isBest || isModel(mix) ? "bold" : "normal",
            formatter: () => `${mix.name}${mix.isBest ? ", best" : ""}`,
          },
        })),
        labelLayout: { hideOverlap: true },
      },
      {
        type: "line",
        silent: true,
        step: "end",
        symbol: "none",
        z: 3,
        lineStyle: { color: theme.accent, width: 1.5 },
        data: front.map(at),
      },
      ...(limit === undefined ? [] : [limitLine(limit, theme)]),
    ],
  };
}

function colour({ name, isBest }, theme) {
  if (isBest) return theme.good;
  return name === "A" ? theme.a : name === "B" ? theme.b : theme.accent;
}

function limitLine(limit, theme) {
  return {
    type: "line",
    data: [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color: theme.bad, type: "dashed", width: 1.5 },
      label: { position: "insideEndTop", color: theme.bad, formatter: () => "loss limit" },
      // As it is: two decimals would be too few.
      precision: -1,
      data: [{ yAxis: limit }],
    },
  };
}

/** The mix nearest to a place, in shares of what is drawn. */
function nearest(mixes, x, y) {
  const span = (values) => Math.max(...values) - Math.min(...values) || 1;
  const width = span(mixes.map((mix) => mix.latencyMs));
  const height = span(mixes.map((mix) => mix.loss));
  const distance = ({ latencyMs, loss }) =>
    Math.hypot((latencyMs - x) / width, (loss - y) / height);
  const distances = mixes.map(distance);
  return distances.indexOf(Math.min(...distances));
}
