// The latency threshold as people type it: a number of milliseconds, or nothing for none.

import { element, replace, uniqueId } from "../../dom.js";

/** The threshold that a text means; undefined for none, NaN for what is not one. */
export function typedThreshold(text) {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : NaN;
}

/**
 * An input that follows every key; what is not a threshold leaves the last one in force.
 * @param {{value?: number, changed: (thresholdMs?: number) => void}} what
 */
export function thresholdInput({ value, changed }) {
  const id = uniqueId("threshold");
  const wrong = element("span", { id: `${id}-wrong`, class: "tone-bad", role: "status" });
  const input = element("input", {
    id,
    type: "text",
    inputmode: "decimal",
    size: 10,
    placeholder: "none",
    value: value === undefined ? "" : String(value),
    dataset: { input: "latency-threshold" },
    aria: { describedby: wrong.id },
    on: {
      input() {
        const typed = typedThreshold(input.value);
        const isWrong = Number.isNaN(typed);
        input.setAttribute("aria-invalid", String(isWrong));
        replace(wrong, isWrong ? "not a number of milliseconds: the last threshold stays" : null);
        if (!isWrong) changed(typed);
      },
    },
  });
  return element(
    "span",
    { class: "choice" },
    element("label", { for: id }, "Latency threshold, ms"),
    input,
    wrong,
  );
}
