// What runs first: unpacks the page's data and the script that draws it, page.js, and starts that.

import { element } from "./dom.js";
import { PackedError, unpacked } from "./packed.js";
import { run } from "./policy.js";

async function load() {
  try {
    const [script, data] = await Promise.all([unpacked("script"), unpacked("data")]);
    const read = dataOf(data);
    run(script);
    onnxrayPage.start(read, read.has_more ? more : undefined);
  } catch (error) {
    if (!(error instanceof PackedError)) throw error;
    sayWhyNoscript(error.message);
  }
}

/** The rest of a long page's data, which stands behind this script. */
async function more() {
  if (document.readyState === "loading") {
    await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  }
  return dataOf(await unpacked("more"));
}

function dataOf(text) {
  const data = JSON.parse(text);
  if (data.format !== "onnxray-page" || data.version !== 1) {
    throw new PackedError("The report's data in this file is not what this page reads.");
  }
  return data;
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
