// Zoom along a chart's x axes: by buttons, slider, Ctrl and wheel, drag, and keys.

import { element } from "./dom.js";

/** How much of what is shown one step leaves. */
const STEP = 0.5;
/** How far one step goes to the side, as a part of what is shown. */
const PAN = 0.2;

/**
 * @param {() => object|undefined} chartOf the chart, while it is drawn
 * @param {(from: number, to: number) => void} changed
 */
export function createZoom(chartOf, changed) {
  /** The part that is shown, in percent: it outlives a drawing. */
  let percent = { start: 0, end: 100 };

  const axisOf = (chart) => chart.getModel().getComponent("xAxis", 0)?.axis;
  const shown = () => {
    const chart = chartOf();
    return (chart && axisOf(chart)?.scale.getExtent()) ?? [0, 0];
  };

  function set(from, to) {
    const range = from === undefined ? { start: 0, end: 100 } : { startValue: from, endValue: to };
    chartOf()?.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, ...range });
  }

  function scale(factor, around) {
    const [from, to] = shown();
    const isInside = typeof around === "number" && around >= from && around <= to;
    const middle = isInside ? around : (from + to) / 2;
    set(middle - (middle - from) * factor, middle + (to - middle) * factor);
  }

  function pan(part) {
    const [from, to] = shown();
    const by = (to - from) * part;
    set(from + by, to + by);
  }

  /** Brings a value into what is shown. */
  function follow(value) {
    const [from, to] = shown();
    if (typeof value !== "number" || (value >= from && value <= to)) return;
    if (percent.start === 0 && percent.end === 100) return;
    const half = (to - from) / 2;
    set(value - half, value + half);
  }

  /** Whether a key means something here. */
  function press({ key, shiftKey }, around) {
    if (key === "+" || key === "=") scale(STEP, around());
    else if (key === "-" || key === "_") scale(1 / STEP, around());
    else if (key === "0") set();
    else if (shiftKey && key === "ArrowLeft") pan(-PAN);
    else if (shiftKey && key === "ArrowRight") pan(PAN);
    else return false;
    return true;
  }

  const button = (text, label, click) =>
    element("button", { type: "button", title: label, aria: { label }, on: { click } }, text);

  return {
    buttons: element(
      "div",
      { class: "chart-zoom", role: "group", aria: { label: "Zoom" } },
      button("+", "Zoom in (+)", () => scale(STEP)),
      button("−", "Zoom out (-)", () => scale(1 / STEP)),
      button("◂", "Go left (Shift and Left)", () => pan(-PAN)),
      button("▸", "Go right (Shift and Right)", () => pan(PAN)),
      button("Whole", "Show the whole (0)", () => set()),
    ),
    press,
    set,
    range: shown,
    follow,
    /** The parts of an option that make it zoom; all x axes go together. */
    option({ xAxis }) {
      const axes = Array.isArray(xAxis) ? xAxis.map((_, place) => place) : [0];
      const common = { xAxisIndex: axes, filterMode: "none", ...percent };
      return [
        {
          type: "inside",
          ...common,
          zoomOnMouseWheel: "ctrl",
          moveOnMouseMove: true,
          moveOnMouseWheel: false,
        },
        {
          type: "slider",
          ...common,
          height: 18,
          bottom: 6,
          showDataShadow: false,
          brushSelect: false,
          labelFormatter: "",
        },
      ];
    },
    listen(chart) {
      chart.on("datazoom", (event) => {
        const { start, end } = event.batch?.[0] ?? event;
        const model = chart.getModel().getComponent("dataZoom", 0);
        const [from, to] = model?.getPercentRange() ?? [start, end];
        percent = { start: from, end: to };
        changed(...shown());
      });
    },
  };
}
