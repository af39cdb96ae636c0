// Latency or throughput of both sides, the ratio that decides, all figures of the whole, and in
// what the recordings were not made alike.

import { element, replace } from "../../dom.js";
import { dataTable } from "../../table.js";
import { radioChoice } from "../controls.js";
import { nonEmptyColumns } from "../non_empty_columns.js";
import { ofVersion } from "./frame.js";
import { ALL, WHOLES, ratioOf, wholeChart, wholeRow } from "./whole.js";

/** The tables of differences, and of calls at a pace, where there are any. */
const SETTINGS = "configuration_differences";
const PACE = "pace";

export default function inferenceTime(report) {
  return ofVersion(report, (version) => {
    const tables = [ALL, PACE, SETTINGS]
      .filter((key) => version.rows(key).length > 0)
      .map((key) => tableOf(version, key));
    if (version.rows(ALL).length === 0) {
      const nothing = "Neither latency nor throughput is known of this comparison.";
      return { node: element("div", { class: "stack" }, element("p", null, nothing), tables) };
    }
    return { node: element("div", { class: "stack" }, chosen(version), ratioOf(version), tables) };
  });
}

/** The bars, and the choice of what they are of. */
function chosen(version) {
  const options = [...WHOLES].filter(([key]) => wholeRow(version, key) !== undefined);
  if (options.length === 0)
    return element(
      "p",
      null,
      "Of neither side a latency or throughput is known, so there is nothing to draw.",
    );
  const place = element("div");
  const show = (key) => {
    replace(place, wholeChart(version, key));
  };
  const choice = radioChoice({
    label: "Chart shows",
    options: options.map(([key, { title }]) => [key, title.toLowerCase()]),
    value: options[0][0],
    change: show,
  });
  const missing = [...WHOLES.keys()].filter((key) => !options.some(([shown]) => shown === key));
  show(options[0][0]);
  return element(
    "div",
    { class: "stack" },
    element(
      "div",
      { class: "controls" },
      choice,
      missing.map((key) =>
        element("span", { class: "muted" }, `No ${key}: ${whyMissing(version)}`),
      ),
    ),
    place,
  );
}

function whyMissing(version) {
  const isOfOperators =
    version.row(ALL, "figure", "operators_mean_ms") !== undefined &&
    ["latency_mean_ms", "profiled_latency_mean_ms"].every(
      (key) => version.row(ALL, "figure", key) === undefined,
    );
  return isOfOperators
    ? "a side has no wall times, so the whole is the time of all operators."
    : "it is unknown on both sides.";
}

function tableOf(version, key) {
  const table = version.table(key);
  return dataTable({
    table,
    rows: () => version.rows(key),
    columns: nonEmptyColumns(table, version.rows(key)).filter((column) => column !== "version"),
    caption: table.title,
  }).node;
}
