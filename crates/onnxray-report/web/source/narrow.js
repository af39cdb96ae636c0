// Charts in a narrow place: names of rows stand above their bars, so that the plot keeps its width.

/** Pixels below which names beside the bars leave too little for the bars. */
const NARROW = 480;
/** How much higher a chart is whose names have lines of their own. */
const HIGHER = 1.6;
/** Pixels of a row with a name and a bar, at the least. */
const ROW = 44;
/** Part of a row, and of what its bars usually fill, that is left for the bars. */
const FILLED = 0.5;
/** Part of a row from its middle to the end of its bars, and to that of values written beside them. */
const HALF = 0.25;
const HALF_WITH_VALUES = 0.3;
/** Pixels of the axis along the bottom. */
const AXIS = 22;

/**
 * An ECharts option of rows, such as it is drawn at a width, and how much higher that is.
 * @param {Record<string, any>} option
 * @param {number} width pixels
 * @param {number} height pixels
 * @returns {{option: Record<string, any>, height: number}}
 */
export function fitted(option, width, height) {
  const { yAxis, grid, series = [] } = option;
  if (width >= NARROW || yAxis?.type !== "category" || !grid?.containLabel) {
    return { option, height };
  }
  const rows = Math.max(1, yAxis.data.length);
  const around = (grid.top ?? 0) + (grid.bottom ?? 0) + AXIS;
  const plot = Math.max((height - around) * HIGHER, rows * ROW);
  const hasValues = series.some(({ type, label }) => type === "bar" && label?.show);
  const half = hasValues ? HALF_WITH_VALUES : HALF;
  const axisLabel = {
    ...yAxis.axisLabel,
    inside: true,
    margin: 2,
    align: "left",
    verticalAlign: "bottom",
    padding: [0, 0, Math.round((half * plot) / rows), 0],
  };
  return {
    option: {
      ...option,
      yAxis: { ...yAxis, axisLabel, z: 10 },
      xAxis: { ...option.xAxis, axisLabel: { ...option.xAxis.axisLabel, hideOverlap: true } },
      series: series.map(thinner),
    },
    height: Math.round(plot + around),
  };
}

/** A series whose bars leave room for a line of text above them. */
function thinner(series) {
  if (series.type === "bar") {
    const barWidth = series.barWidth && "40%";
    return { ...series, barCategoryGap: "60%", barWidth };
  }
  if (series.type !== "custom") return series;
  const { renderItem } = series;
  return { ...series, renderItem: (params, api) => renderItem(params, lower(api)) };
}

/** What a custom series asks for sizes, with rows of a part of their height. */
function lower(api) {
  const size = (...of) => {
    const [across, down] = api.size(...of);
    return [across, down * FILLED];
  };
  return Object.assign(Object.create(api), { size });
}
