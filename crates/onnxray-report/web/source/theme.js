// Light or dark: as the system is, until the reader says otherwise.

const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();
let chosen;

/** @returns {"light"|"dark"} */
export const current = () => chosen ?? (system.matches ? "dark" : "light");

/** Has the page look so, whatever the system says. */
export function choose(theme) {
  chosen = theme;
  document.documentElement.dataset.theme = theme;
  notify();
}

/** Calls `listener(theme)` when the page changes its looks. */
export function onChange(listener) {
  listeners.add(listener);
}

function notify() {
  for (const listener of listeners) listener(current());
}

system.addEventListener("change", () => chosen === undefined && notify());
