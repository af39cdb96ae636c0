// The script of every page: puts the views of its data in place of the part that stands without
// scripts, and opens the first. loader.js starts it.

import { rememberTypes } from "./colours.js";
import { textOf } from "./cells.js";
import { Report } from "./report.js";
import { buildShell } from "./shell.js";
import { viewsOfPages } from "./views/index.js";
import notes from "./views/notes.js";
import plain from "./views/plain.js";

/**
 * Shows data of a page.
 * @param {any} data
 * @param {() => Promise<any[]>} [more] reads its other blocks, where the first view needs only some
 */
export function start(data, more) {
  const report = new Report(data, more);
  rememberTypes(report.table("operator_types")?.column("type")?.cells.map(textOf) ?? []);
  buildShell(
    report,
    (key) => viewOf(report.page, key),
    (page) => {
      document.getElementById("noscript")?.remove();
      document.body.prepend(page);
    },
  );
}

/** What draws a view, when it is first opened; what it is given and returns is said in shell.js. */
function viewOf(kind, key) {
  if (key === "notes") return notes;
  return viewsOfPages.get(kind)?.get(key) ?? ((report) => plain(report, key));
}
