// The views of a FLOPS profile that are more than their tables.

import { element } from "../../dom.js";
import plain from "../plain.js";
import { sharesChart } from "./shares_chart.js";

function types(report) {
  const { node } = plain(report, "operator-types");
  return { node: element("div", { class: "view" }, sharesChart(report), node) };
}

export const flopsViews = new Map([["operator-types", types]]);
