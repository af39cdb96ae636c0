// The tables of a sweep: what is best, all points, and what was not measured.

import { element } from "../../dom.js";
import { dataTable } from "../../table.js";
import { nonEmptyColumns } from "../non_empty_columns.js";
import { POINTS } from "./points.js";

export default function points(report) {
  const tables = ["best_points", POINTS, "skipped"]
    .map((key) => report.table(key))
    .filter((table) => table !== undefined);
  const isLong = (table) => table.key === POINTS;
  const list = (table) =>
    dataTable({
      table,
      columns: nonEmptyColumns(table),
      caption: table.title,
      search: isLong(table) ? ["name", "model", "engine"] : undefined,
      filters: isLong(table),
    }).node;
  const hasPoints = (report.table(POINTS)?.rows ?? 0) > 0;
  return {
    node: element(
      "div",
      { class: "view sweep" },
      !hasPoints && element("p", null, "No configuration was measured."),
      tables.filter((table) => table.rows > 0).map(list),
      report.table("skipped") === undefined &&
        element("p", { class: "muted" }, "Every configuration was measured."),
    ),
  };
}
