// What all views of a projection do alike.

import { element } from "../../dom.js";

/** Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) within a view, but where a text is typed they are the text's own. */
export function withUndo(session, node) {
  node.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
    if (!(ctrlKey || metaKey) || altKey) return;
    const again = key === "y" || (shiftKey && key.toLowerCase() === "z");
    if (!again && key !== "z") return;
    if (session.isTyping(target)) return;
    event.preventDefault();
    if (again) session.store.redo();
    else session.store.undo();
  });
  return node;
}

/** A page that has no projection in its data. */
export function withoutData() {
  const words = "This page has no data to project from: it was written without the latencies and weights of operators.";
  return { node: element("div", { class: "view" }, element("p", { class: "missing" }, words)) };
}
