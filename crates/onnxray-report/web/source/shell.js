// The shell: headline, tabs, the open view, and what is said when an address leads nowhere.

import { openAbout } from "./about.js";
import * as address from "./address.js";
import { nameElement } from "./cells.js";
import { closeDetails } from "./details.js";
import { element, replace } from "./dom.js";
import { preparePrinting } from "./print.js";
import { createTab, tabList } from "./tabs.js";
import * as theme from "./theme.js";

/**
 * What a view is: `show` is called when the address has a name, and returns false if there is
 * nothing of that name; `prepare` before printing.
 * @typedef {{node: Element, show?: (name: string) => boolean|void, prepare?: () => void}} View
 */

/**
 * Builds the page around the views of a report and opens the one that the address names.
 *
 * Views are given a context: `go(view, name?)` goes to a view, and to an operator in it;
 * `announce(text)` says something in the line below the tabs, until the view changes; `theme`
 * is theme.js.
 * @param {import("./report.js").Report} report
 * @param {(key: string) => (report: import("./report.js").Report, context: any) => View} viewOf
 *   what draws the view of a key
 * @param {(page: HTMLElement) => void} attach puts the page into the document, before the
 *   first view is made
 */
export function buildShell(report, viewOf, attach) {
  const root = document.documentElement;
  const status = element("p", { class: "status", role: "status", dataset: { message: "" } });
  const context = {
    go: (view, name) => address.go(view, name),
    announce: (text) => replace(status, text),
    theme,
  };
  const tabs = report.views.map((view) =>
    createTab(view, () => viewOf(view.key)(report, context), context.go),
  );
  const byKey = new Map(tabs.map((tab) => [tab.key, tab]));
  // Who types an address knows a tab by its title.
  const byTitle = new Map(tabs.map((tab) => [plain(tab.title), tab]));
  const named = (key) => byKey.get(key) ?? byTitle.get(plain(key));
  const banner = bannerOf(report);
  let opened;

  function open(tab) {
    // A view begins at its beginning, right below the tabs.
    if (opened && opened !== tab) {
      window.scrollTo(0, Math.min(window.scrollY, banner.offsetHeight));
    }
    opened = tab;
    for (const other of tabs) other.open(other === tab);
    document.title = `${tab.title} · ${report.title}`;
    return tab.view();
  }

  /** Reads the rest of a long page, then goes where the address leads by then. */
  function complete() {
    context.announce("Reading the rest of this page …");
    report.complete().then(
      () => follow(address.current()),
      (error) => {
        open(tabs[0]);
        context.announce(String(error.message ?? error));
        afterDrawing(() => (root.dataset.ready = opened.key));
      },
    );
  }

  /** @returns {void} */
  function follow({ view: key, name }) {
    delete root.dataset.ready;
    closeDetails();
    replace(status);
    const tab = key === undefined ? tabs[0] : named(key);
    if (tab && tab !== tabs[0] && !report.isWhole) return complete();
    if (!tab) {
      open(tabs[0]);
      context.announce([
        "There is no view “",
        nameElement(key),
        "” in this page. This is its first.",
      ]);
    } else {
      const view = open(tab);
      if (name !== undefined && view.show?.(name) === false) {
        open(tabs[0]);
        context.announce([
          "There is no “",
          nameElement(name),
          `” in ${tab.title}. This is the first view.`,
        ]);
      }
    }
    afterDrawing(() => (root.dataset.ready = opened.key));
  }

  attach(
    element(
      "div",
      { class: "page" },
      banner,
      element(
        "nav",
        { aria: { label: "Views" } },
        // The way back leads to where one was, not through all that arrow keys passed.
        tabList(tabs, (key) => address.go(key, undefined, { replace: true })),
      ),
      status,
      element("main", null, ...tabs.map((tab) => tab.panel)),
    ),
  );
  address.onChange(follow);
  preparePrinting(
    // Of a page that was not read to its end, the first view: a browser does not wait.
    () => (report.isWhole ? tabs : tabs.slice(0, 1)).forEach((tab) => tab.unfold()),
    () => tabs.forEach((tab) => tab.foldBack()),
  );
  follow(address.current());
}

/** `By type` and `by-type` are alike. */
const plain = (title) => title.toLowerCase().replace(/[\s_-]+/g, "-");

function bannerOf(report) {
  const other = () => (theme.current() === "dark" ? "light" : "dark");
  const themes = quietButton("theme", () => theme.choose(other()));
  const nameTheme = () => replace(themes, other() === "dark" ? "Dark theme" : "Light theme");
  theme.onChange(nameTheme);
  nameTheme();
  return element(
    "header",
    { class: "banner" },
    element("h1", null, nameElement(report.title)),
    element(
      "div",
      { class: "banner-buttons" },
      themes,
      quietButton("about", () => openAbout(report), "About"),
    ),
    report.headline.map((line) => element("p", { class: "headline" }, line)),
    report.measured.map(({ side, parts }) =>
      element(
        "p",
        { class: "measured" },
        side !== "" && element("strong", null, element("bdi", null, side)),
        parts.map((part) => element("bdi", null, part)),
      ),
    ),
  );
}

function quietButton(action, click, text) {
  return element(
    "button",
    { type: "button", class: "quiet", dataset: { action }, on: { click } },
    text,
  );
}

/** Charts draw themselves once they have a size, which is after the next frame. */
function afterDrawing(then) {
  requestAnimationFrame(() => setTimeout(then));
}
