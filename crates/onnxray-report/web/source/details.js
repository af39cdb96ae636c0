// The panel at the side with the details of one thing. The page beside it stays in use.

import { element } from "./dom.js";

let open;

/**
 * Opens the panel, or changes what is in it.
 * @param {{title: string|Node, body: import("./dom.js").Child[], onClose?: () => void}} content
 * @returns {{node: HTMLElement, close: () => void}}
 */
export function openDetails({ title, body, onClose }) {
  const back = open?.back ?? document.activeElement;
  open?.node.remove();
  open?.onClose?.();
  const heading = element("h2", { id: "details-title", tabindex: "-1" }, title);
  const closing = element(
    "button",
    { type: "button", class: "quiet", on: { click: closeDetails } },
    "Close",
  );
  const node = element(
    "div",
    {
      class: "details",
      dataset: { details: "" },
      role: "dialog",
      aria: { labelledby: "details-title" },
      on: { keydown: (event) => event.key === "Escape" && closeDetails() },
    },
    element("div", { class: "details-head" }, heading, closing),
    // It scrolls, so keys must reach it.
    element(
      "div",
      {
        class: "details-body",
        tabindex: "0",
        role: "group",
        aria: { labelledby: "details-title" },
      },
      body,
    ),
  );
  document.body.append(node);
  document.body.dataset.details = "";
  open = { node, back, onClose };
  heading.focus();
  return { node, close: closeDetails };
}

/** Closes the panel, if it is open; the focus returns to where it was. */
export function closeDetails() {
  if (!open) return;
  const { node, back, onClose } = open;
  open = undefined;
  node.remove();
  delete document.body.dataset.details;
  if (back?.isConnected) back.focus();
  onClose?.();
}
