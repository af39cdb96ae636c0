// Figures as a list of terms: what each is called, its value, and what it means.

import { decimalsOf, valueElement } from "./cells.js";
import { element } from "./dom.js";

/**
 * @param {import("./report.js").Figures} figures
 * @param {{only?: string[], without?: string[]}} [choice] keys; `only` also gives the order
 * @returns {HTMLElement} a `<dl class="figures">`
 */
export function figuresList(figures, { only, without = [] } = {}) {
  const chosen = only ? only.map((key) => figures.figure(key)).filter(Boolean) : figures.figures;
  const shown = chosen.filter((figure) => !without.includes(figure.key));
  const times = shown.filter(({ unit }) => unit === "milliseconds").map(({ value }) => value);
  const decimals = decimalsOf({ unit: "milliseconds", cells: times });
  return element(
    "dl",
    { class: "figures", dataset: { figures: figures.key } },
    shown.map((figure) =>
      element(
        "div",
        { title: figure.meaning || undefined, dataset: { key: figure.key } },
        element("dt", null, figure.heading),
        valueElement(figure.value, figure.unit, "dd", { decimals }),
      ),
    ),
  );
}
