// The search of a timeline: what is found stands out, and Enter goes from one to the next.

import { element, replace } from "../../dom.js";

/**
 * @param {object} options
 * @param {(text: string) => number[]} options.matches spans of a name or type, by start
 * @param {(span: number) => void} options.show brings a span into sight
 * @param {(isFound: ((span: number) => boolean) | undefined) => void} options.changed
 */
export function spanSearch({ matches, show, changed }) {
  let found = [];
  let at = -1;
  const count = element("span", { class: "found", role: "status" });
  const input = element("input", {
    type: "search",
    placeholder: "Search",
    aria: { label: "Search the timeline by name or type" },
    on: { input: look, keydown: (event) => event.key === "Enter" && go(event.shiftKey ? -1 : 1) },
  });
  const button = (text, label, direction) =>
    element(
      "button",
      {
        type: "button",
        class: "quiet",
        title: label,
        aria: { label },
        on: { click: () => go(direction) },
      },
      text,
    );

  function look() {
    const text = input.value.trim();
    found = text === "" ? [] : matches(text);
    at = -1;
    const set = new Set(found);
    say(text);
    changed(text === "" ? undefined : (span) => set.has(span));
  }

  function go(direction) {
    if (found.length === 0) return;
    at =
      at < 0 && direction < 0 ? found.length - 1 : (at + direction + found.length) % found.length;
    say(input.value);
    show(found[at]);
  }

  function say(text) {
    if (text === "") replace(count);
    else replace(count, at < 0 ? `${found.length} found` : `${at + 1} of ${found.length}`);
  }

  return {
    look,
    node: element(
      "div",
      { class: "span-search" },
      input,
      button("‹", "The one before (Shift and Enter)", -1),
      button("›", "The next (Enter)", 1),
      count,
    ),
  };
}
