// What the plan of a budget is estimated to gain, on a page whose reader asked for a projection.

import { valueElement } from "../../cells.js";
import { element } from "../../dom.js";
import { largeFigure } from "./large_figure.js";

/** What the plan of the budget is estimated to bring, and what that rests on; nothing without a plan. */
export function estimated(report) {
  const plan = report.table("plan");
  const row = (key) =>
    plan?.column("figure")?.cells.findIndex((cell) => Array.isArray(cell) && cell[0] === key) ?? -1;
  const latency = row("total_latency_ms");
  if (latency < 0) return null;
  const cell = (at, key, unit) => {
    const value = valueElement(plan.cell(key, at), unit ?? plan.column(key)?.unit);
    value.dataset.column = key;
    return value;
  };
  if (plan.number("planned", latency) === undefined) {
    return element(
      "p",
      { class: "nothing" },
      "Unknown: the trace has no weights or no times, so nothing can be said of pruning them.",
    );
  }
  const items = row("items_per_second");
  const others = [row("flops"), row("parameters")].filter(
    (at) => at >= 0 && plan.number("gain", at) !== undefined,
  );
  return [
    element(
      "div",
      { dataset: { table: plan.key, row: latency } },
      largeFigure(cell(latency, "planned", "milliseconds"), "ms per batch", [
        cell(latency, "low", "milliseconds"),
        " to ",
        cell(latency, "high", "milliseconds"),
        " ms",
      ]),
      largeFigure(cell(latency, "gain"), "× speedup", [
        "as the mean of ",
        cell(latency, "before", "milliseconds"),
        " ms that was recorded",
      ]),
      element(
        "p",
        { class: "remark" },
        "Its perf ratios are: ",
        origin(cell(latency, "origin")),
        ".",
      ),
    ),
    items >= 0 &&
      element(
        "p",
        { dataset: { table: plan.key, row: items } },
        cell(items, "planned"),
        " items/s instead of ",
        cell(items, "before"),
        ".",
      ),
    others.map((at) =>
      element(
        "p",
        { dataset: { table: plan.key, row: at } },
        cell(at, "figure"),
        ": ",
        cell(at, "planned", "quantity"),
        " instead of ",
        cell(at, "before", "quantity"),
        ".",
      ),
    ),
  ];
}

/** A speedup that rests on ratios that nobody measured is to be taken with care. */
function origin(value) {
  if (value.dataset.value.includes("default")) value.classList.add("tone-doubtful");
  return value;
}
