// What runs first: unpacks the page's data and the script that draws it, page.js, and starts that.

import { element } from "./dom.js";
import { PackedError, unpacked } from "./packed.js";
import { run } from "./policy.js";

async function load() {
  try {
    const [script, text] = await Promise.all([unpacked("script"), unpacked("data")]);
    const data = JSON.parse(text);
    if (data.format !== "onnxray-page" || data.version !== 2) {
      throw new PackedError("The report's data in this file is not what this page reads.");
    }
    run(script);
    onnxrayPage.start(data, data.has_more ? readLater : undefined);
  } catch (error) {
    if (!(error instanceof PackedError)) throw error;
    sayWhyNoscript(error.message);
  }
}

/** The other blocks of a long page, which follow this script. */
async function readLater() {
  if (document.readyState === "loading") {
    await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  }
  const blocks = [];
  // One by one: of all at once, a browser would have every copy that it makes of a text.
  for (const block of document.querySelectorAll("body > .later")) {
    blocks.push(JSON.parse(await unpacked("rest", block)));
  }
  return blocks;
}

/** Leaves the part without scripts where it is, under a sentence that says why. */
function sayWhyNoscript(reason) {
  const sentence = `${reason} What follows stands without it.`;
  const line = element(
    "p",
    { class: "noscript-reason", role: "alert", dataset: { message: "" } },
    sentence,
  );
  // In place of the line that stands there for a page without scripts.
  const noscript = document.getElementById("noscript");
  const standing = noscript?.querySelector("[data-message]");
  if (standing) standing.replaceWith(line);
  else noscript?.prepend(line);
}

load();
