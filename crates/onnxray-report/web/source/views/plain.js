// A view that nobody has drawn yet: its blocks as they are.

import { isUnknown } from "../cells.js";
import { element } from "../dom.js";
import { figuresList } from "../figures.js";
import { dataTable } from "../table.js";

export default function plain(report, key) {
  const keys = [key, key.replaceAll("-", "_")];
  const own = [...report.allFigures, ...report.tables].filter((block) => keys.includes(block.key));
  const blocks = own.length > 0 ? own : [...report.allFigures, ...report.tables];
  const node = element(
    "div",
    { class: "view" },
    blocks.map((block) =>
      "figures" in block
        ? [element("h3", null, block.title), ...knownFigures(block)]
        : dataTable({ table: block, columns: "shown", caption: block.title ?? block.key }).node,
    ),
  );
  return { node };
}

/** The figures that are known, and the names of the others. */
function knownFigures(block) {
  const unknown = block.figures.filter(({ value }) => isUnknown(value));
  const keys = unknown.map(({ key }) => key);
  const names = unknown.map(({ heading }) => heading).join(", ");
  return [
    figuresList(block, { without: keys }),
    unknown.length > 0 && element("p", { class: "caveat" }, `Unknown: ${names}.`),
  ];
}
