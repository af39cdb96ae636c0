// Charts: drawn by ECharts, which is used here and nowhere else, and read by pointer and
// arrow keys alike through a line of text. Each comes with a sentence that says what it
// shows, and with the table behind it.

import { chartTheme } from "./chart_theme.js";
import { colours } from "./colours.js";
import { createCursor } from "./cursor.js";
import { element, replace, uniqueId } from "./dom.js";
import { initChart } from "./library.js";
import { fitted } from "./narrow.js";
import { whenPrinting, whenUnfolded } from "./print.js";
import { createReadout } from "./readout.js";
import * as theme from "./theme.js";
import { createZoom } from "./zoom.js";

/** Marks up to which a chart is drawn as vectors; more would be slow. */
const MOST_VECTOR_MARKS = 2000;
/** What stands in place of a readout at first. */
const HINT = "Point at the chart, or press the arrow keys, to read values.";
const ZOOM_HINT = `${HINT} The keys +, - and 0 zoom, and so do Ctrl and the wheel; drag to move.`;
/** Pixels between the margins of a sheet of A4. */
const PAPER_WIDTH = 690;

/**
 * What of a chart can be read: places, from 0 on.
 * @typedef {object} Readout
 * @property {number|(() => number)} length how many places there are
 * @property {(i: number) => import("./dom.js").Child} text what stands at a place
 * @property {(params: any) => number|undefined} [at] the place of a mark, of which ECharts says
 *   `{seriesIndex, dataIndex, name, …}`
 * @property {(x: number, y: number) => number|undefined} [near] the place nearest to a point, in
 *   the units of the axes; for charts whose marks are small or not drawn
 * @property {(i: number) => {seriesIndex: number, dataIndex: number}|undefined} [locate] the mark
 *   of a place, which is then emphasized
 * @property {(i: number) => (number|string)[]|undefined} [point] where a place is, x and y in the
 *   units of the axes: a line marks it, and a zoomed chart follows it
 * @property {(i: number) => {x: number[], y?: number[]}|undefined} [reach] from where to where a
 *   place lies, in the units of the axes (between categories: halves): a box is put around it in
 *   place of the line
 * @property {(i: number, key: string) => number|undefined} [step] where a key leads from a place;
 *   undefined: where it usually does
 */

/**
 * Draws a chart. It follows the size of its place and the theme by itself.
 *
 * Texts from data reach ECharts as data and through formatter *functions* only (see
 * `chartLabel` in cells.js), never as patterns; `rich` is not used, nor a tooltip.
 *
 * @param {object} chart
 * @param {string|(() => string)} chart.title what people read above it, with the unit
 * @param {string|(() => string)} chart.shows a sentence for who cannot see it; shown below the
 *   title
 * @param {number|(() => number)} chart.marks how many marks there are to draw
 * @param {number|(() => number)} [chart.height] pixels
 * @param {(theme: import("./colours.js").Theme, place: {width: number}) => object} chart.option an
 *   ECharts option in the colours of a theme, for a chart of this many pixels across; asked for
 *   whenever it is drawn. Fonts, axes and legend look right by themselves; animation is off.
 * @param {Readout} chart.readout
 * @param {(i: number) => void} [chart.open] a click on a mark, or with `near` beside one, or
 *   Enter
 * @param {Object<string, (i: number) => void>} [chart.keys] keys of your own, which act on the
 *   place that is read
 * @param {(i: number) => void} [chart.moved] another place is read
 * @param {() => Node} [chart.table] the table behind it, made when it is first asked for
 * @param {"x"} [chart.zoom] zoom along the x axes: buttons, a slider, Ctrl and wheel, drag,
 *   and the keys `+`, `-`, `0` and Shift with an arrow
 * @param {(from: number, to: number) => void} [chart.zoomed] the part that is shown, in the
 *   units of the x axis, has changed
 * @returns {{node: HTMLElement, refresh: () => void, show: (i: number) => void,
 *   setZoom: (from?: number, to?: number) => void, zoomRange: () => [number, number]}}
 *   `refresh`: what it shows has changed, all is asked for anew; `show`: moves to a place;
 *   `setZoom`: without ends, the whole
 */
export function drawChart({
  title,
  shows,
  marks,
  height = 320,
  option,
  readout: source,
  keys = {},
  moved: told,
  open,
  table,
  zoom,
  zoomed,
}) {
  let drawn;
  let onPaper = false;
  let isStale = true;
  /** How many rows the chart has, if it has rows. */
  let rows;

  const call = (value) => (typeof value === "function" ? value() : value);
  const heading = element("h3", null, call(title));
  const sentence = element(
    "p",
    { class: "chart-shows", dataset: { shows: "" }, id: uniqueId("chart-shows") },
    call(shows),
  );
  const canvas = element("div", { class: "chart-canvas" });
  const cursor = createCursor(source);
  const plot = element(
    "div",
    {
      class: "chart-plot",
      tabindex: "0",
      role: "application",
      aria: { label: call(title), roledescription: "chart", describedby: sentence.id },
      on: { keydown: press },
    },
    canvas,
    cursor.node,
  );
  const readout = createReadout(source, zoom === "x" ? ZOOM_HINT : HINT, (place) => {
    emphasize(place);
    told?.(place);
  });
  const zooming =
    zoom === "x"
      ? createZoom(
          () => drawn?.chart,
          (from, to) => {
            placeCursor();
            zoomed?.(from, to);
          },
        )
      : undefined;
  const behind =
    table && element("details", { class: "chart-table" }, element("summary", null, "Table"));
  if (behind) whenUnfolded(behind, () => behind.append(table()));
  const node = element(
    "figure",
    { class: "chart", dataset: { chart: call(title) } },
    element(
      "div",
      { class: "chart-head" },
      element("figcaption", null, heading, sentence),
      zooming?.buttons,
    ),
    plot,
    readout.node,
    behind,
  );

  function draw() {
    const width = onPaper ? PAPER_WIDTH : canvas.clientWidth;
    // Out of sight: the observer draws it when it is seen, in a place that is kept free.
    isStale = width === 0;
    if (isStale) return plot.style.setProperty("height", `${call(height)}px`);
    const themeName = onPaper ? "light" : theme.current();
    /** @type {Record<string, any>} */
    const wanted = option(colours(themeName), { width });
    rows = wanted.yAxis?.type === "category" ? wanted.yAxis.data.length : undefined;
    const fit = fitted(wanted, width, call(height));
    const pixels = fit.height;
    plot.style.setProperty("height", `${pixels}px`);
    const markCount = call(marks);
    node.dataset.marks = markCount;
    const renderer = onPaper || markCount <= MOST_VECTOR_MARKS ? "svg" : "canvas";
    if (drawn && (drawn.themeName !== themeName || drawn.renderer !== renderer)) discard();
    drawn ??= start(themeName, renderer, width, pixels);
    /** @type {Record<string, any>} */
    const asked = { animation: false, ...fit.option };
    if (zooming) asked.dataZoom = zooming.option(asked);
    const isResized = drawn.width !== width || drawn.height !== pixels;
    // A change of size draws as well: with the new option, since functions of the old one
    // know places that may be gone.
    drawn.chart.setOption(asked, { notMerge: true, lazyUpdate: isResized });
    if (isResized) {
      drawn.chart.resize({ width, height: pixels });
      Object.assign(drawn, { width, height: pixels });
    }
    zooming?.drawn();
    node.dataset.plotWidth = String(Math.round(plotWidth(drawn.chart)));
    if (readout.place !== undefined) emphasize(readout.place);
    else placeCursor();
  }

  function refresh() {
    replace(heading, call(title));
    replace(sentence, call(shows));
    plot.setAttribute("aria-label", call(title));
    readout.refresh();
    draw();
  }

  function start(themeName, renderer, width, pixels) {
    const chart = initChart(canvas, chartTheme(colours(themeName)), {
      renderer,
      width,
      height: pixels,
    });
    chart.on("mousemove", (params) => readout.move(source.at?.(params)));
    chart.on("click", (params) => openIfAny(source.at?.(params)));
    chart.getZr().on("mousemove", (event) => readout.move(placeNear(chart, event)));
    chart.getZr().on("click", (event) => {
      if (!event.target || !source.at) openIfAny(placeNear(chart, event));
    });
    zooming?.listen(chart);
    return { chart, themeName, renderer, width, height: pixels };
  }

  function discard() {
    drawn?.chart.dispose();
    drawn = undefined;
  }

  function openIfAny(place) {
    if (place !== undefined) open?.(place);
  }

  function placeNear(chart, { offsetX, offsetY }) {
    if (!chart.containPixel("grid", [offsetX, offsetY])) return undefined;
    const [x, y] = chart.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY]);
    if (source.near) return source.near(x, y);
    // A row that the pointer is in, wherever its bar ends.
    const row = Math.round(y);
    return rows === call(source.length) && row >= 0 && row < rows ? row : undefined;
  }

  function emphasize(place) {
    if (!drawn || isStale) return;
    const mark = source.locate?.(place);
    drawn.chart.dispatchAction({ type: "downplay" });
    if (mark) drawn.chart.dispatchAction({ type: "highlight", ...mark });
    const x = source.point?.(place)?.[0];
    if (x !== undefined) zooming?.follow(x);
    placeCursor();
  }

  function placeCursor() {
    cursor.put(onPaper ? undefined : drawn?.chart, readout.place);
  }

  function press(event) {
    if (event.target !== plot || event.altKey || event.metaKey) return;
    const isAtPlace = readout.place !== undefined;
    if (event.key === "Enter" && isAtPlace && open) open(readout.place);
    else if (isAtPlace && Object.hasOwn(keys, event.key)) keys[event.key](readout.place);
    else if (!zooming?.press(event, () => source.point?.(readout.place ?? -1)?.[0])) {
      if (event.shiftKey || event.ctrlKey || !readout.press(event.key)) return;
    }
    event.preventDefault();
  }

  new ResizeObserver(() => {
    const width = canvas.clientWidth;
    if (!onPaper && width > 0 && (isStale || width !== drawn?.width)) draw();
  }).observe(canvas);
  node.addEventListener("themechange", draw);
  whenPrinting(node, {
    before() {
      onPaper = true;
      draw();
      placeCursor();
    },
    after() {
      onPaper = false;
      draw();
    },
  });

  return {
    node,
    refresh,
    show: (place) => readout.move(place),
    setZoom: (from, to) => zooming?.set(from, to),
    zoomRange: () => zooming?.range() ?? [0, 0],
  };
}

/** Pixels across that are left for the marks of the first grid. */
function plotWidth(chart) {
  const grid = chart.getModel().getComponent("grid");
  return grid?.coordinateSystem.getRect().width ?? 0;
}

theme.onChange(() => {
  for (const node of document.querySelectorAll(".chart"))
    node.dispatchEvent(new Event("themechange"));
});
