// Which module draws which view of which page.
//
// A view is `function (report, context) → { node, show?(name), prepare?() }`, made when it
// is first opened. `show` is called when the address has a name, and returns false if there
// is nothing of that name; `prepare` before printing.

import { comparisonViews } from "./comparison/index.js";
import { lossViews } from "./loss/index.js";
import notes from "./notes.js";
import plain from "./plain.js";
import { projectionViews } from "./projection/index.js";
import { recordingViews } from "./recording/index.js";
import { sweepViews } from "./sweep/index.js";

/** Views of each page, by key. */
const PAGES = new Map([
  ["recording", recordingViews],
  ["projection", projectionViews],
  ["comparison", comparisonViews],
  ["sweep", sweepViews],
  ["loss", lossViews],
]);

/** The view of a report under this key. */
export function viewOf(report, key) {
  if (key === "notes") return notes;
  return PAGES.get(report.page)?.get(key) ?? ((shown, context) => plain(shown, context, key));
}
