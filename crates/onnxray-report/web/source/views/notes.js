// Every note and warning, and what the figures mean.

import { element } from "../dom.js";

export default function notes(report) {
  const of = (kind) => report.notes.filter((note) => note.kind === kind);
  const [warnings, notes] = [of("warning"), of("note")];
  return {
    node: element(
      "div",
      { class: "view notes" },
      list("Warnings", warnings),
      // Without warnings, the view's own title says it.
      list(warnings.length > 0 ? "Notes" : undefined, notes),
      report.notes.length === 0 && element("p", null, "There are no warnings and no notes."),
      meanings(report),
    ),
  };
}

function list(title, notes) {
  if (notes.length === 0) return null;
  const items = notes.map((note) =>
    element("li", { dataset: { value: note.text } }, element("bdi", null, note.text)),
  );
  return [title && element("h3", null, title), element("ul", null, items)];
}

/** Every heading with its meaning, once per title of tables and lists of figures. */
function meanings(report) {
  const groups = new Map();
  const add = (title, headings) => {
    const known = groups.get(title) ?? [];
    const isNew = (one) => !known.some((other) => other.key === one.key);
    groups.set(title, [...known, ...headings.filter(isNew)]);
  };
  for (const figures of report.allFigures) add(figures.title ?? figures.key, figures.figures);
  for (const table of report.tables) add(table.title ?? table.key, table.columns);
  return [
    element("h3", null, "What the figures mean"),
    [...groups].map(([title, headings]) =>
      element(
        "details",
        { class: "meanings" },
        element("summary", null, title),
        element(
          "dl",
          null,
          headings.map(({ heading, meaning }) => [
            element("dt", null, heading),
            element("dd", null, meaning),
          ]),
        ),
      ),
    ),
  ];
}
