// What all views of a projection do alike.

import { element } from "../../dom.js";

/**
 * Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) while a view of a projection is shown; where a text is typed
 * they are its own.
 * @param {() => boolean} isShown
 */
export function listenForUndo(session, isShown) {
  document.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
    if (!(ctrlKey || metaKey) || altKey || !isShown()) return;
    const again = key === "y" || (shiftKey && key.toLowerCase() === "z");
    if (!again && key !== "z") return;
    if (isTyping(target)) return;
    event.preventDefault();
    if (again) session.store.redo();
    else session.store.undo();
  });

  function isTyping(target) {
    if (!target.matches("input, textarea")) return false;
    const field = session.fieldAt(target);
    return field ? field.isTyped() : true;
  }
}

/** A page that has no projection in its data. */
export function withoutData() {
  const words =
    "This page has no data to project from: it was written without the latencies and weights of operators.";
  return { node: element("div", { class: "view" }, element("p", { class: "missing" }, words)) };
}
