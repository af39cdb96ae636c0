// Printing: all views, unfolded, with charts as vectors and whole tables.
//
// A part that looks different on paper registers with `whenPrinting`; it is asked only while
// it is in the page, and is forgotten with its element.

const parts = new WeakMap();

/**
 * Has a part change its looks for paper, and back.
 * @param {HTMLElement} node
 * @param {{before: () => void, after: () => void}} change `before` must leave the part ready
 *   to print when it returns: browsers do not wait
 */
export function whenPrinting(node, change) {
  node.dataset.prints = "";
  parts.set(node, change);
}

/** @param {() => void} unfold brings every view into the page, ready to print */
export function preparePrinting(unfold, foldBack) {
  let printed = [];
  let opened = [];
  window.addEventListener("beforeprint", () => {
    document.documentElement.dataset.printing = "";
    unfold();
    opened = [...document.querySelectorAll("details:not([open], .menu)")];
    for (const node of opened) {
      node.open = true;
      // The event that opening makes comes too late for paper.
      unfolded.get(node)?.();
    }
    printed = [...document.querySelectorAll("[data-prints]")].filter((node) => parts.has(node));
    for (const node of printed) parts.get(node).before();
  });
  window.addEventListener("afterprint", () => {
    for (const node of printed) parts.get(node).after();
    for (const node of opened) node.open = false;
    foldBack();
    delete document.documentElement.dataset.printing;
    [printed, opened] = [[], []];
  });
}

const unfolded = new WeakMap();

/** Calls `fill` when a `<details>` is first opened, or printed. */
export function whenUnfolded(details, fill) {
  let filled = false;
  const once = () => {
    if (filled) return;
    filled = true;
    fill();
  };
  unfolded.set(details, once);
  details.addEventListener("toggle", () => details.open && once());
}
