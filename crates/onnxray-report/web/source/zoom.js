// Zoom along a chart's x axes: by buttons, slider, Ctrl and wheel, drag, and keys.

import { element } from "./dom.js";

/** How much of what is shown one step leaves. */
const STEP = 0.5;
/** How far one step goes to the side, as a part of what is shown. */
const PAN = 0.2;
/** Percent: below, digits of numbers begin to show. */
const SMALLEST_SPAN = 1e-6;

/**
 * @param {() => any} chartOf the chart, while it is drawn; ECharts hides some of its members
 * @param {(from: number, to: number) => void} changed
 */
export function createZoom(chartOf, changed) {
  /** The part that is shown, in percent: it outlives a drawing. */
  let percent = { start: 0, end: 100 };
  /** What was asked for before the chart was drawn. */
  let pending;

  /**
   * The ends of what is shown, in the units of the first x axis.
   * @returns {[number, number]}
   */
  function shown() {
    const axis = chartOf()?.getModel().getComponent("xAxis", 0)?.axis;
    return axis?.scale.getExtent() ?? [0, 0];
  }

  function zoomTo(range) {
    const chart = chartOf();
    if (chart) chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, ...range });
    else pending = range;
  }

  /** Learns what the chart shows now. */
  function read() {
    const [start, end] = chartOf().getModel().getComponent("dataZoom", 0).getPercentRange();
    percent = { start, end };
    const [from, to] = shown();
    changed(from, to);
  }

  /** Shows from one value to another; without values, the whole. */
  function set(from, to) {
    zoomTo(from === undefined ? { start: 0, end: 100 } : { startValue: from, endValue: to });
  }

  /** Shows so much from there on, in percent, and as much at the ends of the whole. */
  function show(start, span) {
    const kept = Math.min(100, Math.max(SMALLEST_SPAN, span));
    const first = Math.min(100 - kept, Math.max(0, start));
    zoomTo({ start: first, end: first + kept });
  }

  /** Where a value lies in what is shown: 0 at its start, 1 at its end. */
  function fractionOf(value) {
    const [from, to] = shown();
    return typeof value === "number" ? (value - from) / (to - from) : undefined;
  }

  const span = () => percent.end - percent.start;

  function scale(factor, around) {
    const fraction = fractionOf(around);
    const isShown = fraction !== undefined && fraction >= 0 && fraction <= 1;
    const fixed = isShown ? fraction : 0.5;
    show(percent.start + span() * (1 - factor) * fixed, span() * factor);
  }

  function pan(part) {
    show(percent.start + span() * part, span());
  }

  /** Brings a value into what is shown. */
  function follow(value) {
    const fraction = fractionOf(value);
    if (fraction === undefined || (fraction >= 0 && fraction <= 1) || span() === 100) return;
    pan(fraction - 0.5);
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
    option(/** @type {{xAxis?: any}} */ { xAxis }) {
      const axes = Array.isArray(xAxis) ? xAxis.map((_, place) => place) : [0];
      const common = { xAxisIndex: axes, filterMode: "none", ...(pending ?? percent) };
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
    listen: (chart) => chart.on("datazoom", read),
    /** The chart has been drawn with the option. */
    drawn() {
      if (!pending) return;
      pending = undefined;
      read();
    },
  };
}
