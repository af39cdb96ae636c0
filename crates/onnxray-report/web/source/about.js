// What made the page, and the licences of what is bundled in it.

import { openDetails } from "./details.js";
import { element } from "./dom.js";

export function openAbout(report) {
  const licences = document.getElementById("licences")?.textContent.trim();
  openDetails({
    title: "About",
    body: [
      element("p", null, `Made by ${report.producer}.`),
      element(
        "p",
        null,
        "This page is one file. It loads nothing, sends nothing, and stores nothing.",
      ),
      element("h3", null, "Licences of what is bundled"),
      element(
        "pre",
        { class: "licences", tabindex: "0" },
        licences ?? "They are missing from this file.",
      ),
    ],
  });
}
