// Starts a page: reads its data, puts the views in place of the part that stands without
// scripts, and opens the first. Each kind of page has a script of its own, in pages/.

import "./policy.js";
import { rememberTypes } from "./colours.js";
import { textOf } from "./cells.js";
import { DataError, readData } from "./data.js";
import { element } from "./dom.js";
import { Report } from "./report.js";
import { buildShell } from "./shell.js";
import notes from "./views/notes.js";
import plain from "./views/plain.js";

/**
 * @param {Map<string, Function>} views what draws the views of this kind of page, by key: each
 *   is `(report, context) → { node, show?(name), prepare?() }`, made when it is first opened;
 *   `show` is called when the address has a name, and returns false if there is nothing of
 *   that name; `prepare` before printing. What `context` has is said in shell.js.
 */
export async function start(views) {
  try {
    const report = new Report(await readData());
    rememberTypes(report.table("operator_types")?.column("type")?.cells.map(textOf) ?? []);
    const still = document.getElementById("still");
    buildShell(
      report,
      (key) => viewOf(views, key),
      (page) => still?.replaceWith(page) ?? document.body.prepend(page),
    );
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    sayWhyStill(error.message);
  }
}

/** Leaves the part without scripts where it is, under a sentence that says why. */
function sayWhyStill(reason) {
  const sentence = `${reason} What follows stands without it.`;
  const line = element(
    "p",
    { class: "still-reason", role: "alert", dataset: { message: "" } },
    sentence,
  );
  // In place of the line that stands there for a page without scripts.
  const still = document.getElementById("still");
  const standing = still?.querySelector("[data-message]");
  if (standing) standing.replaceWith(line);
  else still?.prepend(line);
}

/** What draws a view; without a view of its own, its tables are shown as they are. */
function viewOf(views, key) {
  if (key === "notes") return notes;
  return views.get(key) ?? ((report) => plain(report, key));
}
