// Where an operator stands in the model: what it reads from, who reads it, and the modules that its
// name says it is in. Each leads there.

import { current, hrefOf } from "../../address.js";
import { shown } from "../../cells.js";
import { element } from "../../dom.js";
import { addressOf, nameInWords, timeColumn } from "./operators.js";

/** Neighbours that are listed; a constant may be read by all. */
const MOST = 12;
/** Views in which an operator can be opened; elsewhere its link leads to the first. */
const [FIRST, ...OTHERS] = ["layer-results", "graph", "timeline", "roofline"];

/** The rows that an operator reads from, and those that read it. */
export function neighboursOf(report, row) {
  const graph = report.block("graph");
  if (!graph) return { from: [], to: [] };
  const ends = (own, other) => own.flatMap((end, edge) => (end === row ? [other[edge]] : []));
  return { from: ends(graph.to, graph.from), to: ends(graph.from, graph.to) };
}

/** Headings and lists of neighbours; nothing where the trace does not tell of any. */
export function neighbours(report, row) {
  const { from, to } = neighboursOf(report, row);
  return [
    ["Reads from", from, "reads"],
    ["Read by", to, "read-by"],
  ]
    .filter(([, rows]) => rows.length > 0)
    .flatMap(([title, rows, key]) => [
      element("h3", null, title),
      element(
        "ul",
        { class: "neighbours", dataset: { neighbours: key } },
        rows.slice(0, MOST).map((other) => neighbour(report, other)),
        rows.length > MOST && element("li", null, `and ${rows.length - MOST} more`),
      ),
    ]);
}

function neighbour(report, row) {
  const operators = report.table("operators");
  const { view = FIRST } = current();
  const href = hrefOf(OTHERS.includes(view) ? view : FIRST, addressOf(report, row));
  return element(
    "li",
    { dataset: { operator: row } },
    element("a", { href }, nameInWords(operators.text("name", row))),
    element("span", { class: "muted" }, timeOf(operators, [row])),
  );
}

/** The modules that an operator is in, from the outermost, each with what it takes. */
export function modules(report, row) {
  const operators = report.table("operators");
  const paths = pathsOf(operators.text("name", row));
  if (paths.length === 0) return null;
  const names = operators.column("name").cells;
  const inside = (path) =>
    names.flatMap((name, at) => (String(name).startsWith(path) ? [at] : []));
  return [
    element("h3", null, "Modules"),
    element(
      "ul",
      { class: "neighbours modules", dataset: { modules: "" } },
      paths.map((path, depth) => {
        const rows = inside(path);
        const part = path.slice(depth === 0 ? 0 : paths[depth - 1].length, -1);
        return element(
          "li",
          { style: { "padding-inline-start": `${depth * 12}px` } },
          element("a", { href: hrefOf(FIRST, path) }, element("bdi", null, part)),
          element("span", { class: "muted" }, `${rows.length} operators, ${timeOf(operators, rows)}`),
        );
      }),
    ),
  ];
}

/** `/a/b/c` is in `/a/` and in `/a/b/`. */
function pathsOf(name) {
  const paths = [];
  for (let at = name.indexOf("/", 1); at >= 0; at = name.indexOf("/", at + 1)) {
    paths.push(name.slice(0, at + 1));
  }
  return paths;
}

/** What operators take together, and their share of the whole. */
function timeOf(operators, rows) {
  const sum = (key) => {
    const known = rows.map((row) => operators.number(key, row));
    if (key === undefined || known.includes(undefined)) return undefined;
    return known.reduce((all, value) => all + value, 0);
  };
  const [time, share] = [sum(timeColumn(operators)), sum("share")];
  const parts = [
    time === undefined ? "unknown time" : `${shown(time, "milliseconds")} ms`,
    share !== undefined && shown(share, "share"),
  ];
  return parts.filter(Boolean).join(", ");
}
