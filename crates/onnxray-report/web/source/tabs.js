// Tabs and their panels: which is open, and the arrow keys that walk them.

import { element, replace } from "./dom.js";

/**
 * Makes a tab with its panel; its view is made when it is first opened.
 * @param {{key: string, title: string}} view
 * @param {() => import("./shell.js").View} make
 * @param {(key: string) => void} go
 */
export function createTab({ key, title }, make, go) {
  const panel = element("section", {
    id: `panel-${key}`,
    role: "tabpanel",
    tabindex: "0",
    hidden: true,
    dataset: { view: key },
    aria: { labelledby: `tab-${key}` },
  });
  const button = element(
    "button",
    {
      type: "button",
      role: "tab",
      id: `tab-${key}`,
      dataset: { view: key },
      aria: { controls: panel.id },
      on: { click: () => go(key) },
    },
    title,
  );
  let view;
  let isOpen = false;

  function open(is) {
    isOpen = is;
    panel.hidden = !is;
    button.setAttribute("aria-selected", String(is));
    button.tabIndex = is ? 0 : -1;
    if (is) button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  return {
    key,
    title,
    panel,
    button,
    open,
    view() {
      if (!view) {
        view = madeOr(make, title);
        replace(panel, element("h2", { class: "view-title" }, title), view.node);
      }
      return view;
    },
    /** Brings it into the page, whether it is open or not, ready to print. */
    unfold() {
      panel.hidden = false;
      this.view().prepare?.();
    },
    foldBack() {
      panel.hidden = !isOpen;
    },
  };
}

/** The list of tabs; the arrow keys, Home and End open the next. */
export function tabList(tabs, go) {
  function walk(event) {
    const at = tabs.findIndex((tab) => tab.button === event.target);
    const last = tabs.length - 1;
    const targets = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    if (at < 0 || !Object.hasOwn(targets, event.key)) return;
    event.preventDefault();
    const tab = tabs[targets[event.key]];
    tab.button.focus();
    go(tab.key);
  }

  return element(
    "div",
    { class: "tabs", role: "tablist", aria: { label: "Views" }, on: { keydown: walk } },
    tabs.map((tab) => tab.button),
  );
}

/** A view that fails must not take the others with it; the browser's console says why. */
function madeOr(make, title) {
  try {
    return make();
  } catch (error) {
    window.reportError(error);
    const why = error instanceof Error ? error.message : error;
    return { node: element("p", null, `${title} could not be drawn: ${why}`) };
  }
}
