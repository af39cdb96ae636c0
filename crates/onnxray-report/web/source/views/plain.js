// A view that nobody has drawn yet: its blocks as they are.

import { isUnknown } from "../cells.js";
import { element } from "../dom.js";
import { figuresList } from "../figures.js";
import { dataTable } from "../table.js";

export default function plain(report, key) {
  const keys = [key, key.replaceAll("-", "_")];
  const own = [...report.allFigures, ...report.tables].filter((block) => keys.includes(block.key));
  const blocks = own.length > 0 ? own : [...report.allFigures, ...report.tables];
  // What stands above the view is not said once more.
  const title = report.views.find((view) => view.key === key)?.title;
  const node = element(
    "div",
    { class: "view" },
    blocks.map((block) => {
      const caption = block.title ?? block.key;
      const captioned = caption !== title;
      return "figures" in block
        ? [captioned && element("h3", null, caption), ...knownFigures(block)]
        : dataTable({ table: block, columns: "shown", caption, captioned }).node;
    }),
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
