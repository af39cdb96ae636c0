// The shell: headline, tabs, the open view, and what is said when an address leads nowhere.

import { openAbout } from "./about.js";
import * as address from "./address.js";
import { closeDetails } from "./details.js";
import { element, replace } from "./dom.js";
import { preparePrinting } from "./print.js";
import * as theme from "./theme.js";
import { viewOf } from "./views/index.js";

/**
 * Builds the page around the views of a report and opens the one that the address names.
 * @param {import("./report.js").Report} report
 * @param {(page: HTMLElement) => void} attach puts the page into the document, before the
 *   first view is made
 */
export function buildShell(report, attach) {
  const status = element("p", { class: "status", role: "status" });
  const context = {
    /** Goes to a view, and to an operator in it. */
    go: (view, name) => address.go(view, name),
    /** Says something in the line below the tabs; the next change of view clears it. */
    announce: (text) => replace(status, text),
    /** `current()`: "light" or "dark"; `onChange(listener)`. */
    theme,
  };
  const tabs = report.views.map((view) => tabOf(view, report, context));
  const byKey = new Map(tabs.map((tab) => [tab.key, tab]));

  let opened;

  function open(tab) {
    // A view begins at its beginning, below the tabs.
    if (opened && opened !== tab) window.scrollTo(0, Math.min(window.scrollY, nav.offsetTop));
    opened = tab;
    for (const other of tabs) other.select(other === tab);
    document.title = `${tab.title} · ${report.title}`;
    return tab.view();
  }

  function follow({ view: key, name }) {
    closeDetails();
    replace(status);
    const tab = key === undefined ? tabs[0] : byKey.get(key);
    if (!tab) {
      open(tabs[0]);
      context.announce([
        "There is no view ",
        element("q", null, element("bdi", null, key)),
        " in this page. This is its first.",
      ]);
      return;
    }
    const view = open(tab);
    if (name === undefined || view.show?.(name) !== false) return;
    open(tabs[0]);
    context.announce([
      "There is no ",
      element("q", null, element("bdi", null, name)),
      ` in ${tab.title}. This is the first view.`,
    ]);
  }

  const list = element(
    "div",
    {
      class: "tabs",
      role: "tablist",
      aria: { label: "Views" },
      on: { keydown: (event) => walk(tabs, event) },
    },
    tabs.map((tab) => tab.button),
  );
  const nav = element("nav", { aria: { label: "Views" } }, list);
  attach(
    element(
      "div",
      { class: "page" },
      header(report),
      nav,
      status,
      element(
        "main",
        null,
        tabs.map((tab) => tab.panel),
      ),
    ),
  );
  address.onChange(follow);
  preparePrinting(
    () => tabs.forEach((tab) => tab.prepare()),
    () => tabs.forEach((tab) => tab.foldBack()),
  );
  follow(address.current());
}

function header(report) {
  const themes = element("button", {
    type: "button",
    class: "quiet",
    on: { click: () => theme.choose(theme.current() === "dark" ? "light" : "dark") },
  });
  const nameTheme = () => replace(themes, theme.current() === "dark" ? "Light" : "Dark");
  theme.onChange(nameTheme);
  nameTheme();
  return element(
    "header",
    { class: "banner" },
    element("h1", null, element("bdi", null, report.title)),
    element(
      "div",
      { class: "banner-buttons" },
      themes,
      element(
        "button",
        { type: "button", class: "quiet", on: { click: () => openAbout(report) } },
        "About",
      ),
    ),
    report.headline.map((line) => element("p", { class: "headline" }, line)),
  );
}

/** A tab with its panel; its view is made when it is first opened. */
function tabOf({ key, title }, report, context) {
  const panel = element("section", {
    id: `panel-${key}`,
    role: "tabpanel",
    tabindex: "0",
    hidden: true,
    aria: { labelledby: `tab-${key}` },
  });
  const button = element(
    "button",
    {
      type: "button",
      role: "tab",
      id: `tab-${key}`,
      tabindex: "-1",
      aria: { selected: false, controls: `panel-${key}` },
      on: { click: () => context.go(key) },
    },
    title,
  );
  let made;
  let selected = false;
  const tab = {
    key,
    title,
    panel,
    button,
    view() {
      if (!made) {
        made = viewOf(report, key)(report, context);
        replace(panel, element("h2", { class: "view-title" }, title), made.node);
      }
      return made;
    },
    select(is) {
      selected = is;
      panel.hidden = !is;
      button.setAttribute("aria-selected", String(is));
      button.tabIndex = is ? 0 : -1;
    },
    prepare() {
      tab.view().prepare?.();
      panel.hidden = false;
    },
    foldBack() {
      panel.hidden = !selected;
    },
  };
  return tab;
}

function walk(tabs, event) {
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
  address.go(tab.key, undefined, { replace: true });
}
