// The table behind a timeline: every span of the iteration, by its start.

import { Table } from "../../report.js";
import { dataTable } from "../../table.js";

/**
 * @param {any} block the block of the timeline
 * @param {any} iteration one of its iterations
 * @param {(span: number) => void} show brings a span into sight
 */
export function spanTable(block, iteration, show) {
  const { spans, threads } = iteration;
  const order = [...spans.start_ms.keys()].sort(
    (a, b) => spans.start_ms[a] - spans.start_ms[b] || spans.depth[a] - spans.depth[b],
  );
  const column = (key, heading, unit, meaning, cell) => ({
    key,
    heading,
    unit,
    meaning,
    importance: "shown",
    cells: order.map(cell),
  });
  const table = new Table({
    key: "timeline",
    rows: order.length,
    columns: [
      column(
        "name",
        "Operator",
        "text",
        "name of the operator",
        (span) => block.names[spans.name[span]],
      ),
      column("type", "Type", "text", "operator type", (span) => block.types[spans.type[span]]),
      column("thread", "Thread", "text", "where it ran", (span) =>
        String(threads[spans.thread[span]]),
      ),
      column(
        "depth",
        "Depth",
        "count",
        "spans of the thread that enclose it",
        (span) => spans.depth[span],
      ),
      column(
        "start_ms",
        "Start ms",
        "milliseconds",
        "from the start of the iteration",
        (span) => spans.start_ms[span],
      ),
      column(
        "duration_ms",
        "Time ms",
        "milliseconds",
        "from its start to its end",
        (span) => spans.duration_ms[span],
      ),
      column(
        "exclusive_ms",
        "Own ms",
        "milliseconds",
        "without the spans that it encloses",
        (span) => spans.exclusive_ms[span],
      ),
    ],
  });
  const { node } = dataTable({
    table,
    columns: "shown",
    caption: "Spans",
    rowKey: "name",
    search: ["name", "type"],
    filters: true,
    open: (row) => show(order[row]),
  });
  // Spans stand in this page only: other formats have what is summed up from them.
  node.dataset.computed = "spans";
  return node;
}
