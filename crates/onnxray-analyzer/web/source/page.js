// Starts the page: reads its data, puts the views in place of the part that stands without
// scripts, and opens the first.

import "./policy.js";
import { rememberTypes } from "./colours.js";
import { textOf } from "./cells.js";
import { DataError, readData } from "./data.js";
import { element } from "./dom.js";
import { Report } from "./report.js";
import { buildShell } from "./shell.js";

async function start() {
  try {
    const report = new Report(await readData());
    rememberTypes(report.table("operator_types")?.column("type")?.cells.map(textOf) ?? []);
    const still = document.getElementById("still");
    buildShell(report, (page) => still?.replaceWith(page) ?? document.body.prepend(page));
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

start();
