// Choices above a chart or a table: one of several, or a box to tick.

import { element, uniqueId } from "../dom.js";

/**
 * Radio buttons side by side, of which one is chosen; `options` are values with their texts.
 * @param {{label: string, options: string[][], value: string,
 *   change: (value: string) => void}} choice
 */
export function radioChoice({ label, options, value, change }) {
  const name = uniqueId("choice");
  const buttons = options.map(([key, text]) =>
    element(
      "label",
      null,
      element("input", {
        type: "radio",
        name,
        value: key,
        checked: key === value,
        on: { change: () => change(key) },
      }),
      text,
    ),
  );
  return element("fieldset", { class: "choice" }, element("legend", null, label), buttons);
}

/**
 * A list of which one is chosen.
 * @param {{label: string, options: string[][], value: string,
 *   change: (value: string) => void}} choice
 * @returns {{node: HTMLElement, select: HTMLSelectElement}}
 */
export function listChoice({ label, options, value, change }) {
  const select = element(
    "select",
    { on: { change: () => change(select.value) } },
    options.map(([key, text]) => element("option", { value: key }, text)),
  );
  select.value = value;
  return { node: element("label", { class: "choice" }, `${label} `, select), select };
}
