(() => {
"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// loaded:library
var require_library = __commonJS({
  "loaded:library"(exports, module) {
    module.exports = onnxrayLibrary;
  }
});

// source/policy.js
var onlyEmpty = (text) => text === "" ? text : null;
window.trustedTypes?.createPolicy("default", { createHTML: onlyEmpty });

// source/colours.js
var PATTERNS = [
  void 0,
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
  {
    symbol: "circle",
    dashArrayX: [
      [6, 6],
      [0, 6, 6, 0]
    ],
    dashArrayY: [6, 0],
    symbolSize: 0.7
  },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: 0 },
  { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 2 }
];
var places = /* @__PURE__ */ new Map();
function rememberTypes(types) {
  for (const type of types) placeOf(type);
}
function placeOf(type) {
  if (!places.has(type)) places.set(type, places.size);
  return places.get(type);
}

// source/dom.js
function element(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) setProperty(node, name, value);
  append(node, children);
  return node;
}
function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}
function uniqueId(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}
var count = 0;
function setProperty(node, name, value) {
  if (value === void 0 || value === null) return;
  switch (name) {
    case "aria":
      for (const [key, state] of Object.entries(value)) {
        if (state !== void 0 && state !== null) node.setAttribute(`aria-${key}`, String(state));
      }
      break;
    case "dataset":
      for (const [key, text] of Object.entries(value)) node.dataset[key] = String(text);
      break;
    case "on":
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
      break;
    case "style":
      for (const [key, text] of Object.entries(value)) node.style.setProperty(key, String(text));
      break;
    case "value":
    case "checked":
      node[name] = value;
      break;
    default:
      if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
}
function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child instanceof Node) node.append(child);
    else if (child !== null && child !== void 0 && child !== false) node.append(String(child));
  }
}

// source/cells.js
var MOST_CHARACTERS = 96;
var MOST_TITLE_CHARACTERS = 12e3;
var MEASURED_CELLS = 500;
var MOST_DECIMALS = 6;
var LARGE = [
  [1e12, " T"],
  [1e9, " G"],
  [1e6, " M"],
  [1e3, " k"]
];
var isUnknown = (cell) => cell === null || cell === void 0;
var isNone = (cell) => cell === false;
var numberOf = (cell) => typeof cell === "number" ? cell : void 0;
function textOf(cell) {
  if (isUnknown(cell)) return "unknown";
  if (isNone(cell)) return "";
  return Array.isArray(cell) ? cell[1] : String(cell);
}
function shown(cell, unit, { decimals, most } = {}) {
  if (typeof cell === "number") return shownNumber(cell, unit, decimals);
  return shorten(textOf(cell), most);
}
function decimalsOf({ unit, cells }) {
  if (unit !== "milliseconds" || !cells) return void 0;
  const sizes = [];
  const step = Math.ceil(cells.length / MEASURED_CELLS) || 1;
  for (let row = 0; row < cells.length; row += step) {
    if (typeof cells[row] === "number" && cells[row] !== 0) sizes.push(Math.abs(cells[row]));
  }
  if (sizes.length === 0) return void 0;
  const typical = sizes.sort((one, other) => one - other)[sizes.length >> 1];
  const magnitude = Math.floor(Math.log10(typical));
  return magnitude >= 0 ? Math.max(1, 3 - magnitude) : Math.min(MOST_DECIMALS, 2 - magnitude);
}
function exact(cell) {
  if (isUnknown(cell)) return "unknown";
  if (isNone(cell)) return "";
  if (typeof cell === "number") return JSON.stringify(cell);
  return Array.isArray(cell) ? cell[0] : cell;
}
var toneOf = (cell) => Array.isArray(cell) ? cell[2] : "plain";
function valueElement(cell, unit, tag = "span", how = {}) {
  const text = shown(cell, unit, how);
  const whole = typeof cell === "number" ? exact(cell) : textOf(cell);
  const isName = typeof cell === "string";
  const tone = toneOf(cell);
  return element(
    tag,
    {
      class: isUnknown(cell) ? "unknown" : tone === "plain" ? void 0 : `tone-${tone}`,
      dataset: { value: exact(cell) },
      title: whole === text ? void 0 : whole.slice(0, MOST_TITLE_CHARACTERS)
    },
    isName ? element("bdi", null, text) : text
  );
}
var nameElement = (name) => valueElement(name, "text");
function shorten(text, most = MOST_CHARACTERS) {
  if (text.length <= most) return text;
  const letters = [...text];
  if (letters.length <= most) return text;
  const head = Math.floor((most - 1) / 3);
  return `${letters.slice(0, head).join("")}…${letters.slice(head + 1 - most).join("")}`;
}
function shownNumber(value, unit, decimals) {
  switch (unit) {
    case "quantity":
      return quantity(value);
    case "share":
      return `${fixed(value * 100, 1)} %`;
    case "milliseconds":
      return milliseconds(value, decimals);
    case "ratio":
      return fixed(value, 3);
    case "probability":
      return value < 5e-4 ? "<0.001" : fixed(value, 3);
    case "scientific":
      return value === 0 ? "0" : value.toExponential(2);
    default:
      return plain(value);
  }
}
function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? 0 .toFixed(decimals) : text;
}
function milliseconds(value, decimals) {
  const size = Math.abs(value);
  const isLarge = decimals === void 0 ? size >= 0.1 : Number(value.toFixed(decimals)) !== 0;
  if (value === 0 || isLarge) return fixed(value, decimals ?? 3);
  const needed = 2 - Math.floor(Math.log10(size));
  return needed > MOST_DECIMALS ? value.toExponential(2) : value.toFixed(needed);
}
function plain(value) {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return String(value === 0 ? 0 : value);
  if (size >= 1e3) return fixed(value, 1);
  return fixed(value, size >= 1 ? 2 : 4);
}
function quantity(value) {
  const found = LARGE.find(([size]) => Math.abs(value) >= size);
  return found ? `${(value / found[0]).toFixed(2)}${found[1]}` : plain(value);
}

// source/data.js
var DataError = class extends Error {
};
async function readData() {
  if (typeof DecompressionStream !== "function") {
    throw new DataError(
      "This browser cannot unpack the report's data (it has no DecompressionStream)."
    );
  }
  const block = document.getElementById("data");
  if (!block) throw new DataError("The report's data is missing from this file.");
  const data = await unpack(block.textContent.trim()).catch(() => {
    throw new DataError("The report's data in this file is damaged or cut off.");
  });
  if (data?.format !== "onnxray-page" || data.version !== 1) {
    throw new DataError("The report's data in this file is not what this page reads.");
  }
  block.remove();
  return data;
}
async function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// source/report.js
var Table = class {
  #byKey;
  constructor({ key, title = null, caveat = null, rows, columns, folded = false }) {
    this.key = key;
    this.title = title;
    this.caveat = caveat;
    this.folded = folded;
    this.columns = columns;
    this.rows = rows ?? columns[0]?.cells.length ?? 0;
    this.#byKey = new Map(columns.map((column) => [column.key, column]));
  }
  /** A column; undefined if the table has none under this key. */
  column(key) {
    return this.#byKey.get(key);
  }
  /** A cell; unknown (null) if there is no such column. */
  cell(key, row) {
    return this.#byKey.get(key)?.cells[row] ?? null;
  }
  /** The number of a cell; undefined if there is none, or it is unknown. */
  number(key, row) {
    return numberOf(this.cell(key, row));
  }
  /** The whole text of a cell; `unknown`, or nothing, where there is none. */
  text(key, row) {
    return textOf(this.cell(key, row));
  }
  /** Whether any row has a number in this column. */
  hasNumbers(key) {
    return this.#byKey.get(key)?.cells.some((cell) => typeof cell === "number") ?? false;
  }
  /** The first row whose text in a column is this; undefined if there is none. */
  find(key, text) {
    const row = this.#byKey.get(key)?.cells.findIndex((cell) => textOf(cell) === text) ?? -1;
    return row < 0 ? void 0 : row;
  }
};
var Figures = class {
  #byKey;
  constructor({ key, title = null, figures }) {
    this.key = key;
    this.title = title;
    this.figures = figures;
    this.#byKey = new Map(figures.map((figure) => [figure.key, figure]));
  }
  /** A figure; undefined if there is none under this key. */
  figure(key) {
    return this.#byKey.get(key);
  }
  /** The cell of a figure; unknown (null) if there is no such figure. */
  value(key) {
    return this.#byKey.get(key)?.value ?? null;
  }
  number(key) {
    return numberOf(this.value(key));
  }
  text(key) {
    return textOf(this.value(key));
  }
};
var Report = class {
  #blocks;
  #tables;
  #figures;
  constructor(data) {
    this.page = data.page;
    this.title = data.title;
    this.producer = data.producer;
    this.headline = data.headline ?? [];
    this.views = data.views;
    this.#blocks = data.blocks;
    const of = (kind) => data.blocks.filter((block) => block.block === kind);
    this.#tables = new Map(of("table").map((block) => [block.key, new Table(block)]));
    this.#figures = new Map(of("figures").map((block) => [block.key, new Figures(block)]));
    this.notes = of("notes").flatMap((block) => block.notes);
  }
  /** @returns {Table|undefined} */
  table(key) {
    return this.#tables.get(key);
  }
  /** All tables, in order. */
  get tables() {
    return [...this.#tables.values()];
  }
  /** @returns {Figures|undefined} */
  figures(key) {
    return this.#figures.get(key);
  }
  /** All figures, in order. */
  get allFigures() {
    return [...this.#figures.values()];
  }
  /** The first block of a kind, as it is in the data; with a key, the one under it. */
  block(kind, key) {
    return this.blocks(kind).find((block) => key === void 0 || block.key === key);
  }
  /** All blocks of a kind, or all, as they are in the data. */
  blocks(kind) {
    return this.#blocks.filter((block) => kind === void 0 || block.block === kind);
  }
  /** The chart that is declared for a table. */
  chart(tableKey) {
    return this.blocks("chart").find((chart) => chart.table === tableKey);
  }
};

// source/details.js
var open;
function openDetails({ title, body, onClose }) {
  const back = open?.back ?? document.activeElement;
  open?.node.remove();
  open?.onClose?.();
  const heading = element("h2", { id: "details-title", tabindex: "-1" }, title);
  const closing = element(
    "button",
    { type: "button", class: "quiet", on: { click: closeDetails } },
    "Close"
  );
  const node = element(
    "div",
    {
      class: "details",
      dataset: { details: "" },
      role: "dialog",
      aria: { labelledby: "details-title" },
      on: { keydown: (event) => event.key === "Escape" && closeDetails() }
    },
    element("div", { class: "details-head" }, heading, closing),
    // It scrolls, so keys must reach it.
    element(
      "div",
      {
        class: "details-body",
        tabindex: "0",
        role: "group",
        aria: { labelledby: "details-title" }
      },
      body
    )
  );
  document.body.append(node);
  document.body.dataset.details = "";
  open = { node, back, onClose };
  heading.focus();
  return { node, close: closeDetails };
}
function closeDetails() {
  if (!open) return;
  const { node, back, onClose } = open;
  open = void 0;
  node.remove();
  delete document.body.dataset.details;
  if (back?.isConnected) back.focus();
  onClose?.();
}

// source/about.js
function openAbout(report) {
  const licences = document.getElementById("licences")?.textContent.trim();
  openDetails({
    title: "About",
    body: [
      element("p", null, `Made by ${report.producer}.`),
      element(
        "p",
        null,
        "This page is one file. It loads nothing, sends nothing, and stores nothing."
      ),
      element("h3", null, "Licences of what is bundled"),
      element(
        "pre",
        { class: "licences", tabindex: "0" },
        licences ?? "They are missing from this file."
      )
    ]
  });
}

// source/address.js
function current() {
  const hash = window.location.hash.slice(1);
  const slash = hash.indexOf("/");
  const [view, name] = slash < 0 ? [hash, ""] : [hash.slice(0, slash), hash.slice(slash + 1)];
  return { view: decoded(view), name: decoded(name) };
}
function hrefOf(view, name) {
  const of = (text) => encodeURIComponent(text.toWellFormed());
  return name === void 0 ? `#${of(view)}` : `#${of(view)}/${of(name)}`;
}
function go(view, name, { replace: replace2 = false } = {}) {
  if (replace2) window.location.replace(hrefOf(view, name));
  else window.location.hash = hrefOf(view, name);
}
function onChange(listener) {
  window.addEventListener("hashchange", () => listener(current()));
}
function decoded(text) {
  try {
    return text === "" ? void 0 : decodeURIComponent(text);
  } catch {
    return text;
  }
}

// source/print.js
var parts = /* @__PURE__ */ new WeakMap();
function whenPrinting(node, change) {
  node.dataset.prints = "";
  parts.set(node, change);
}
function preparePrinting(unfold, foldBack) {
  let printed = [];
  let opened = [];
  window.addEventListener("beforeprint", () => {
    document.documentElement.dataset.printing = "";
    unfold();
    opened = [...document.querySelectorAll("details:not([open], .menu)")];
    for (const node of opened) {
      node.open = true;
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
var unfolded = /* @__PURE__ */ new WeakMap();

// source/tabs.js
function createTab({ key, title }, make, go2) {
  const panel = element("section", {
    id: `panel-${key}`,
    role: "tabpanel",
    tabindex: "0",
    hidden: true,
    dataset: { view: key },
    aria: { labelledby: `tab-${key}` }
  });
  const button = element(
    "button",
    {
      type: "button",
      role: "tab",
      id: `tab-${key}`,
      dataset: { view: key },
      aria: { controls: panel.id },
      on: { click: () => go2(key) }
    },
    title
  );
  let view;
  let isOpen = false;
  function open2(is) {
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
    open: open2,
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
    }
  };
}
function tabList(tabs, go2) {
  function walk(event) {
    const at = tabs.findIndex((tab2) => tab2.button === event.target);
    const last = tabs.length - 1;
    const targets = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last
    };
    if (at < 0 || !Object.hasOwn(targets, event.key)) return;
    event.preventDefault();
    const tab = tabs[targets[event.key]];
    tab.button.focus();
    go2(tab.key);
  }
  return element(
    "div",
    { class: "tabs", role: "tablist", aria: { label: "Views" }, on: { keydown: walk } },
    tabs.map((tab) => tab.button)
  );
}
function madeOr(make, title) {
  try {
    return make();
  } catch (error) {
    window.reportError(error);
    return { node: element("p", null, `${title} could not be drawn: ${error.message}`) };
  }
}

// source/theme.js
var theme_exports = {};
__export(theme_exports, {
  choose: () => choose,
  current: () => current2,
  onChange: () => onChange2
});
var system = window.matchMedia("(prefers-color-scheme: dark)");
var listeners = /* @__PURE__ */ new Set();
var chosen;
var current2 = () => chosen ?? (system.matches ? "dark" : "light");
function choose(theme) {
  chosen = theme;
  document.documentElement.dataset.theme = theme;
  notify();
}
function onChange2(listener) {
  listeners.add(listener);
}
function notify() {
  for (const listener of listeners) listener(current2());
}
system.addEventListener("change", () => chosen === void 0 && notify());

// source/shell.js
function buildShell(report, viewOf2, attach) {
  const root = document.documentElement;
  const status = element("p", { class: "status", role: "status", dataset: { message: "" } });
  const context = {
    go: (view, name) => go(view, name),
    announce: (text) => replace(status, text),
    theme: theme_exports
  };
  const tabs = report.views.map(
    (view) => createTab(view, () => viewOf2(view.key)(report, context), context.go)
  );
  const byKey = new Map(tabs.map((tab) => [tab.key, tab]));
  const banner = bannerOf(report);
  let opened;
  function open2(tab) {
    if (opened && opened !== tab) {
      window.scrollTo(0, Math.min(window.scrollY, banner.offsetHeight));
    }
    opened = tab;
    for (const other of tabs) other.open(other === tab);
    document.title = `${tab.title} · ${report.title}`;
    return tab.view();
  }
  function follow({ view: key, name }) {
    delete root.dataset.ready;
    closeDetails();
    replace(status);
    const tab = key === void 0 ? tabs[0] : byKey.get(key);
    if (!tab) {
      open2(tabs[0]);
      context.announce([
        "There is no view “",
        nameElement(key),
        "” in this page. This is its first."
      ]);
    } else {
      const view = open2(tab);
      if (name !== void 0 && view.show?.(name) === false) {
        open2(tabs[0]);
        context.announce([
          "There is no “",
          nameElement(name),
          `” in ${tab.title}. This is the first view.`
        ]);
      }
    }
    afterDrawing(() => root.dataset.ready = opened.key);
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
        tabList(tabs, (key) => go(key, void 0, { replace: true }))
      ),
      status,
      element("main", null, ...tabs.map((tab) => tab.panel))
    )
  );
  onChange(follow);
  preparePrinting(
    () => tabs.forEach((tab) => tab.unfold()),
    () => tabs.forEach((tab) => tab.foldBack())
  );
  follow(current());
}
function bannerOf(report) {
  const other = () => current2() === "dark" ? "light" : "dark";
  const themes = quietButton("theme", () => choose(other()));
  const nameTheme = () => replace(themes, other() === "dark" ? "Dark theme" : "Light theme");
  onChange2(nameTheme);
  nameTheme();
  return element(
    "header",
    { class: "banner" },
    element("h1", null, nameElement(report.title)),
    element(
      "div",
      { class: "banner-buttons" },
      themes,
      quietButton("about", () => openAbout(report), "About")
    ),
    report.headline.map((line) => element("p", { class: "headline" }, line))
  );
}
function quietButton(action, click, text) {
  return element(
    "button",
    { type: "button", class: "quiet", dataset: { action }, on: { click } },
    text
  );
}
function afterDrawing(then) {
  requestAnimationFrame(() => setTimeout(then));
}

// source/views/notes.js
function notes(report) {
  const of = (kind) => report.notes.filter((note) => note.kind === kind);
  return {
    node: element(
      "div",
      { class: "view notes" },
      list("Warnings", of("warning")),
      list("Notes", of("note")),
      report.notes.length === 0 && element("p", null, "There are no warnings and no notes."),
      meanings(report)
    )
  };
}
function list(title, notes2) {
  if (notes2.length === 0) return null;
  const items = notes2.map(
    (note) => element("li", { dataset: { value: note.text } }, element("bdi", null, note.text))
  );
  return [element("h3", null, title), element("ul", null, items)];
}
function meanings(report) {
  const groups = [
    ...report.allFigures.map((figures) => [figures.title ?? figures.key, figures.figures]),
    ...report.tables.map((table) => [table.title ?? table.key, table.columns])
  ];
  return [
    element("h3", null, "What the figures mean"),
    groups.map(
      ([title, headings]) => element(
        "details",
        { class: "meanings" },
        element("summary", null, title),
        element(
          "dl",
          null,
          headings.map(({ heading, meaning }) => [
            element("dt", null, heading),
            element("dd", null, meaning)
          ])
        )
      )
    )
  ];
}

// source/figures.js
function figuresList(figures, { only, without = [] } = {}) {
  const chosen2 = only ? only.map((key) => figures.figure(key)).filter(Boolean) : figures.figures;
  const shown2 = chosen2.filter((figure) => !without.includes(figure.key));
  const times = shown2.filter(({ unit }) => unit === "milliseconds").map(({ value }) => value);
  const decimals = decimalsOf({ unit: "milliseconds", cells: times });
  return element(
    "dl",
    { class: "figures", dataset: { figures: figures.key } },
    shown2.map(
      (figure) => element(
        "div",
        { title: figure.meaning || void 0, dataset: { key: figure.key } },
        element("dt", null, figure.heading),
        valueElement(figure.value, figure.unit, "dd", { decimals })
      )
    )
  );
}

// source/columns.js
var NARROWEST = 4;
var WIDEST = 60;
var WIDEST_ON_SCREEN = "max(22ch, 26vw)";
var LOOSEST = 1.75;
var MEASURED_ROWS = 2e3;
function chosenColumns(table, wanted) {
  if (wanted === "shown") return table.columns.filter(({ importance }) => importance !== "hidden");
  const found = wanted.map(
    (column) => typeof column === "string" ? table.column(column) : column
  );
  return found.filter((column) => column !== void 0);
}
function columnMenu(table, first, changed) {
  const isFirst = (column) => first.some(({ key }) => key === column.key);
  const all = [...first, ...table.columns.filter((column) => !isFirst(column))];
  let chosen2 = first;
  const keys = new Set(first.map(({ key }) => key));
  function toggle(column, is) {
    if (is) keys.add(column.key);
    else keys.delete(column.key);
    chosen2 = all.filter(({ key }) => keys.has(key));
    changed();
  }
  const boxes = all.map((column) => {
    const box = element("input", {
      type: "checkbox",
      checked: keys.has(column.key),
      on: { change: () => toggle(column, box.checked) }
    });
    return element("label", { title: column.meaning || void 0 }, box, column.heading);
  });
  const node = all.length < 2 ? null : element(
    "details",
    { class: "menu" },
    element("summary", null, "Columns"),
    element("div", { class: "menu-list" }, boxes)
  );
  node?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    node.querySelector("summary").focus();
  });
  const closeOutside = ({ target }) => {
    if (!node.contains(target)) node.open = false;
  };
  node?.addEventListener("toggle", () => {
    if (node.open) document.addEventListener("pointerdown", closeOutside);
    else document.removeEventListener("pointerdown", closeOutside);
  });
  return { node, all, chosen: () => chosen2 };
}
function columnWidths(grid, group, columns) {
  const widths = columns.map(
    (column) => `min(${widthOf(column)}ch, ${WIDEST_ON_SCREEN}) + var(--cell-space)`
  );
  group.replaceChildren(
    ...widths.map((width) => element("col", { style: { width: `calc(${width})` } }))
  );
  const whole = widths.join(" + ") || "0px";
  grid.style.setProperty("width", `calc(${whole})`);
  grid.parentElement.style.setProperty("max-width", `calc(${LOOSEST} * (${whole}))`);
}
function widthOf(column) {
  const { heading, unit, cells, width } = column;
  if (width !== void 0) return width;
  if (!cells) return heading.length + 2;
  const decimals = decimalsOf(column);
  let longest = Math.max(NARROWEST, heading.length + 2);
  const step = Math.max(1, Math.floor(cells.length / MEASURED_ROWS));
  for (let row = 0; row < cells.length && longest < WIDEST; row += step) {
    longest = Math.max(longest, shown(cells[row], unit, { decimals }).length);
  }
  return Math.min(WIDEST, longest);
}
function lettersThatFit(grid, headings) {
  if (grid.clientWidth === 0) return void 0;
  const style = getComputedStyle(grid);
  const pixels = letterWidth(`${style.fontSize} ${style.fontFamily}`);
  const space = parseFloat(style.getPropertyValue("--cell-space"));
  return headings.map((heading) => Math.floor((heading.clientWidth - space) / pixels));
}
var SPARE = 1.07;
function letterWidth(font) {
  const sample = "/model/layers.12/self_attn/q_proj/MatMul_quant";
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  return SPARE * pen.measureText(sample).width / sample.length;
}

// source/filters.js
var ON_TEXTS = /* @__PURE__ */ new Map([
  ["contains", (typed) => (cell) => isKnown(cell) && lower(textOf(cell)).includes(lower(typed))],
  ["is", (typed) => (cell) => isKnown(cell) && textOf(cell) === typed],
  ["is not", (typed) => (cell) => isKnown(cell) && textOf(cell) !== typed]
]);
var ON_NUMBERS = /* @__PURE__ */ new Map([
  [
    "=",
    (typed, unit) => (number) => number === typed || shown(number, unit) === shown(typed, unit)
  ],
  [
    "≠",
    (typed, unit) => (number) => number !== typed && shown(number, unit) !== shown(typed, unit)
  ],
  ["<", (typed) => (number) => number < typed],
  ["≤", (typed) => (number) => number <= typed],
  [">", (typed) => (number) => number > typed],
  ["≥", (typed) => (number) => number >= typed]
]);
var ON_KNOWLEDGE = /* @__PURE__ */ new Map([
  ["unknown", (cell) => isUnknown(cell)],
  ["known", (cell) => isKnown(cell)]
]);
var SIZES = /* @__PURE__ */ new Map([
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
  ["T", 1e12]
]);
function createFilters(columns, changed) {
  const filters = [];
  const node = element("div", { class: "filters", role: "group", aria: { label: "Filters" } });
  function draw() {
    replace(
      node,
      filters.map((filter, place) => [
        element("span", { class: "filter-join" }, place === 0 ? "where" : "and"),
        filter.node
      ])
    );
    node.hidden = filters.length === 0;
  }
  const adding = element(
    "button",
    { type: "button", dataset: { filter: "add" }, on: { click: () => add() } },
    "Add filter"
  );
  function add(given) {
    const filter = createFilter(columns, given, changed, remove);
    filters.push(filter);
    draw();
    if (given) changed();
    else filter.node.querySelector("select").focus();
  }
  function remove(filter) {
    filters.splice(filters.indexOf(filter), 1);
    draw();
    changed();
    adding.focus();
  }
  draw();
  return {
    node,
    adding,
    add,
    clear() {
      filters.length = 0;
      draw();
      changed();
    },
    count: () => filters.length,
    accepts: (row) => filters.every((filter) => filter.accepts(row))
  };
}
function typedNumber(text, unit) {
  const [, digits, size, percent] = text.trim().match(/^(.*?)\s*([kMGT]?)\s*(%?)$/) ?? [];
  if (!digits || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(digits)) return void 0;
  const number = Number(digits) * (SIZES.get(size) ?? 1);
  return percent || unit === "share" ? number / 100 : number;
}
function createFilter(columns, given, changed, remove) {
  const filter = { node: void 0, accepts: () => true };
  const keys = element(
    "select",
    {
      aria: { label: "Column" },
      dataset: { filter: "column" },
      on: { change: () => chooseColumn() }
    },
    columns.map(({ key, heading }) => element("option", { value: key }, heading))
  );
  const conditions = element("select", {
    aria: { label: "Condition" },
    dataset: { filter: "operator" },
    on: { change: () => update() }
  });
  const value = element("input", {
    type: "text",
    size: 14,
    aria: { label: "Value" },
    dataset: { filter: "value" },
    on: { input: () => update() }
  });
  const column = () => columns[keys.selectedIndex];
  function chooseColumn() {
    const isText = column().unit === "text";
    const names = [...(isText ? ON_TEXTS : ON_NUMBERS).keys(), ...ON_KNOWLEDGE.keys()];
    replace(
      conditions,
      names.map((name) => element("option", { value: name }, name))
    );
    value.placeholder = column().unit === "share" ? "percent" : "";
    update();
  }
  function update() {
    const chosen2 = column();
    const test = testOf(chosen2, conditions.value, value.value);
    const needsValue = !ON_KNOWLEDGE.has(conditions.value);
    value.hidden = !needsValue;
    value.setAttribute("aria-invalid", String(needsValue && value.value.trim() !== "" && !test));
    filter.accepts = test ? (row) => test(chosen2.cells[row]) : () => true;
    changed();
  }
  const removing = element(
    "button",
    {
      type: "button",
      class: "quiet",
      aria: { label: "Remove this filter" },
      dataset: { filter: "remove" },
      on: { click: () => remove(filter) }
    },
    "×"
  );
  filter.node = element("span", { class: "filter" }, keys, conditions, value, removing);
  if (given) keys.value = given.key;
  chooseColumn();
  if (given) {
    conditions.value = given.condition;
    value.value = given.value ?? "";
    update();
  }
  return filter;
}
function testOf({ unit }, condition, typed) {
  if (ON_KNOWLEDGE.has(condition)) return ON_KNOWLEDGE.get(condition);
  if (typed === "") return void 0;
  if (ON_TEXTS.has(condition)) return ON_TEXTS.get(condition)(typed);
  const number = typedNumber(typed, unit);
  if (number === void 0) return void 0;
  const test = ON_NUMBERS.get(condition)(number, unit);
  return (cell) => numberOf(cell) !== void 0 && test(cell);
}
var isKnown = (cell) => !isUnknown(cell) && cell !== false;
var lower = (text) => text.toLowerCase();

// source/rows.js
var import_library = __toESM(require_library(), 1);
var WINDOWED_FROM = 100;
var OVERSCAN = 12;
var ROW_HEIGHT = 26;
function createRows({ scroller, head, body, makeRow, updateRow, placed, height }) {
  const made = /* @__PURE__ */ new Map();
  let order = [];
  let onPaper = false;
  let wanted;
  const virtual = new import_library.Virtualizer(options());
  virtual._didMount();
  function options() {
    return {
      count: order.length,
      getScrollElement: () => scroller,
      estimateSize: () => ROW_HEIGHT,
      overscan: OVERSCAN,
      rangeExtractor: withFocus,
      scrollToFn: import_library.elementScroll,
      observeElementRect: import_library.observeElementRect,
      observeElementOffset: import_library.observeElementOffset,
      onChange: () => place()
    };
  }
  function withFocus(range) {
    const positions2 = (0, import_library.defaultRangeExtractor)(range);
    const focused = body.contains(document.activeElement) && document.activeElement.closest("tr");
    const position = focused ? order.indexOf(Number(focused.dataset.row)) : -1;
    if (position < 0 || positions2.includes(position)) return positions2;
    return [...positions2, position].sort((one, other) => one - other);
  }
  const isWindowed = () => order.length > WINDOWED_FROM && !onPaper;
  function positions() {
    if (!isWindowed()) return order.map((_, position) => position);
    return virtual.getVirtualItems().map(({ index }) => index);
  }
  function place() {
    const nodes = [];
    const kept = /* @__PURE__ */ new Set();
    let next = 0;
    for (const position of positions()) {
      if (position > next) nodes.push(spacer(position - next));
      const row = order[position];
      if (row === void 0) continue;
      let node = made.get(row);
      if (!node || node.dataset.position !== String(position)) {
        node ??= makeRow(row);
        node.dataset.position = position;
        updateRow(node, row, position);
        made.set(row, node);
      }
      kept.add(row);
      nodes.push(node);
      next = position + 1;
    }
    if (next < order.length) nodes.push(spacer(order.length - next));
    for (const row of [...made.keys()]) if (!kept.has(row)) made.delete(row);
    arrange(nodes);
    placed();
    scrollIfWanted();
  }
  function arrange(nodes) {
    const focused = body.contains(document.activeElement) ? document.activeElement : void 0;
    const staying = new Set(nodes);
    for (const node of [...body.children]) if (!staying.has(node)) node.remove();
    let at = body.firstChild;
    for (const node of nodes) {
      if (node === at) at = at.nextSibling;
      else body.insertBefore(node, at);
    }
    if (focused?.isConnected && document.activeElement !== focused)
      focused.focus({ preventScroll: true });
  }
  function scrollIfWanted() {
    if (wanted === void 0 || scroller.clientHeight === 0) return;
    const row = wanted;
    const position = order.indexOf(row);
    if (position < 0) return;
    wanted = void 0;
    if (isWindowed()) scrollWindow(position);
    const node = made.get(row);
    if (node) node.scrollIntoView({ block: "nearest", inline: "nearest" });
    else wanted = row;
  }
  function scrollWindow(position) {
    const room = scroller.clientHeight - head.offsetHeight;
    const top = position * ROW_HEIGHT;
    const bottom = top + ROW_HEIGHT;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + room) scroller.scrollTop = bottom - room;
    virtual.scrollOffset = scroller.scrollTop;
    place();
  }
  function draw(rows) {
    order = rows;
    onPaper = false;
    scroller.classList.toggle("windowed", isWindowed());
    scroller.style.setProperty("max-height", height ?? (isWindowed() ? "70vh" : ""));
    virtual.setOptions(options());
    virtual._willUpdate();
    place();
  }
  return {
    draw,
    /** All of these, for paper. */
    drawAll(rows) {
      order = rows;
      onPaper = true;
      scroller.classList.remove("windowed");
      scroller.style.setProperty("max-height", "none");
      place();
    },
    /** The cells of rows in the page have changed. */
    stale() {
      for (const node of made.values()) delete node.dataset.position;
    },
    /** The columns have changed. */
    forget() {
      made.clear();
    },
    /** Brings a row into sight, once it can be. */
    scrollTo(row) {
      wanted = row;
      scrollIfWanted();
    }
  };
}
function spacer(rows) {
  return element("tr", {
    class: "spacer",
    aria: { hidden: true },
    style: { height: `${rows * ROW_HEIGHT}px` }
  });
}

// source/order.js
var texts = new Intl.Collator("en", { numeric: true });
function sortedRows(rows, column, descending) {
  const { cells } = column;
  const sign = descending ? -1 : 1;
  const numbers = [];
  const others = [];
  const last = [];
  for (const row of rows) {
    const cell = cells[row];
    if (numberOf(cell) !== void 0) numbers.push(row);
    else if (typeof cell === "string" || Array.isArray(cell)) others.push(row);
    else last.push(row);
  }
  numbers.sort((one, other) => sign * (cells[one] - cells[other]));
  others.sort((one, other) => sign * texts.compare(textOf(cells[one]), textOf(cells[other])));
  return [...numbers, ...others, ...last];
}

// source/table_head.js
var isSortable = ({ cells }) => cells !== void 0;
function classesOf({ key, unit }, rowKey) {
  const isNumber = unit !== void 0 && unit !== "text";
  return [isNumber && "number", key === rowKey && "row-name"].filter(Boolean);
}
function headRow(columns, how) {
  return element(
    "tr",
    { aria: { rowindex: 1 } },
    columns.map((column) => headingOf(column, how))
  );
}
function headingOf(column, { sort, rowKey, sortBy, onPaper }) {
  const { key, heading } = column;
  const meaning = column.meaning || void 0;
  const isSorted = sort?.key === key;
  const direction = isSorted ? sort.descending ? "descending" : "ascending" : "none";
  const mark = { none: "", ascending: " ▲", descending: " ▼" }[direction];
  const isButton = isSortable(column) && !onPaper;
  const content = isButton ? element(
    "button",
    {
      type: "button",
      class: "sort",
      title: meaning,
      aria: { description: meaning },
      on: { click: () => sortBy(column) }
    },
    heading,
    element("span", { aria: { hidden: true } }, mark)
  ) : element("span", { class: "sort", title: meaning }, heading, mark);
  return element(
    "th",
    {
      scope: "col",
      class: classesOf(column, rowKey).join(" ") || void 0,
      dataset: { column: key },
      aria: { sort: isSortable(column) ? direction : void 0 }
    },
    content
  );
}

// source/table_cells.js
function createCells({ rowKey, own }) {
  const shown2 = /* @__PURE__ */ new WeakMap();
  let columns = [];
  let decimals = [];
  let letters = [];
  function contentOf(column, place, row) {
    const made = column.element?.(row) ?? own?.(column.key, row);
    if (made) return { column, made };
    const cell = column.cells[row];
    const isName = typeof cell === "string" && cell.length > letters[place];
    return {
      column,
      cell,
      decimals: decimals[place],
      most: isName ? letters[place] : void 0
    };
  }
  function elementOf(content) {
    const { column, made, cell } = content;
    const node = made ? element("td", null, made) : valueElement(cell, column.unit, "td", content);
    node.dataset.column = column.key;
    node.classList.add(...classesOf(column, rowKey));
    if (column.key === rowKey) node.setAttribute("role", "rowheader");
    shown2.set(node, content);
    return node;
  }
  return {
    /** Shows these columns, with the decimals that their times need now. */
    choose(chosen2) {
      columns = chosen2;
      decimals = columns.map(decimalsOf);
    },
    /**
     * Names lose their middle, not their ends, to what there is room for.
     * @param {number[]|undefined} fitting letters of each column; undefined if nobody knows
     * @returns whether that changes anything
     */
    fit(fitting) {
      if (!fitting || String(fitting) === String(letters)) return false;
      letters = fitting;
      return true;
    },
    /** Has a row show what its cells hold now. */
    update(node, row) {
      columns.forEach((column, place) => {
        const content = contentOf(column, place, row);
        const old = node.children[place];
        if (old && isSame(shown2.get(old), content)) return;
        const fresh = elementOf(content);
        if (old) old.replaceWith(fresh);
        else node.append(fresh);
      });
    }
  };
}
function isSame(one, other) {
  const keys = ["column", "made", "decimals", "most"];
  return one !== void 0 && keys.every((key) => one[key] === other[key]) && isSameCell(one.cell, other.cell);
}
function isSameCell(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.every((part, place) => part === other[place]);
}

// source/table.js
var MOST_PRINTED_ROWS = 2e3;
function dataTable({
  table,
  columns,
  caption,
  rowKey,
  search,
  filters,
  sort,
  open: open2,
  selectedRow,
  cell,
  rowClass,
  height,
  rows,
  changed
}) {
  const menu = columnMenu(table, chosenColumns(table, columns), drawHead);
  const state = { sort, all: [], order: [], active: selectedRow };
  const id = uniqueId("table");
  const cells = createCells({ rowKey, own: cell });
  const searching = search ? searchField(`Search ${caption}`, () => arrange()) : void 0;
  const filtering = filters ? createFilters(menu.all.filter(isSortable), () => arrange()) : void 0;
  const count2 = element("span", { class: "table-count", role: "status" });
  const head = element("thead");
  const widths = element("colgroup");
  const body = element("tbody");
  const grid = element(
    "table",
    {
      role: "grid",
      class: open2 ? "opens" : void 0,
      tabindex: "0",
      dataset: { table: table.key },
      aria: { label: caption, readonly: cell ? void 0 : true },
      on: { keydown: press, click }
    },
    widths,
    head,
    body
  );
  const scroller = element("div", { class: "table-scroll" }, grid);
  const leftOut = element("p", { class: "caveat", hidden: true });
  const node = element(
    "section",
    { class: "table-block" },
    caption && element("h3", null, caption),
    element(
      "div",
      { class: "table-tools", dataset: { tableTools: table.key } },
      searching,
      filtering?.adding,
      menu.node,
      count2,
      filtering?.node
    ),
    scroller,
    leftOut,
    table.caveat && element("p", { class: "caveat" }, table.caveat)
  );
  const sight = createRows({
    scroller,
    head,
    body,
    makeRow,
    updateRow,
    placed: markActive,
    height
  });
  const columnsNow = () => menu.chosen();
  function drawHead() {
    const columns2 = columnsNow();
    columnWidths(grid, widths, columns2);
    cells.choose(columns2);
    drawHeadings(columns2, false);
    grid.setAttribute("aria-colcount", columns2.length);
    sight.forget();
    fit();
    arrange();
  }
  function drawHeadings(columns2, onPaper) {
    replace(head, headRow(columns2, { sort: state.sort, rowKey, sortBy, onPaper }));
  }
  function fit() {
    if (!cells.fit(lettersThatFit(grid, [...head.querySelectorAll("th")]))) return;
    sight.stale();
    sight.draw(state.order);
  }
  function sortBy({ key, unit }) {
    const first = unit !== "text";
    const { sort: was } = state;
    if (was?.key !== key) state.sort = { key, descending: first };
    else if ((was.descending ?? false) === first) state.sort = { key, descending: !first };
    else state.sort = void 0;
    drawHead();
    head.querySelector(`[data-column="${CSS.escape(key)}"] button`)?.focus();
  }
  function allRows() {
    if (rows) return typeof rows === "function" ? rows() : rows;
    return Array.from({ length: table.rows }, (_, row) => row);
  }
  function arrange() {
    state.all = allRows();
    const { all } = state;
    const wanted = searching?.value.trim().toLowerCase() ?? "";
    const sought = wanted === "" ? [] : search.map((key) => table.column(key)).filter(Boolean);
    const isFound = (row) => wanted === "" || sought.some(({ cells: cells2 }) => textOf(cells2[row]).toLowerCase().includes(wanted));
    const accepted = all.filter((row) => isFound(row) && (filtering?.accepts(row) ?? true));
    const by = state.sort && (columnsNow().find(({ key }) => key === state.sort.key) ?? table.column(state.sort.key));
    state.order = by ? sortedRows(accepted, by, state.sort.descending ?? false) : accepted;
    const of = accepted.length === all.length ? "" : ` of ${all.length}`;
    replace(count2, `${accepted.length}${of} ${all.length === 1 ? "row" : "rows"}`);
    grid.setAttribute("aria-rowcount", String(state.order.length + 1));
    sight.draw(state.order);
    changed?.(state.order);
  }
  function makeRow(row) {
    return element("tr", { id: `${id}-${row}`, dataset: { row } });
  }
  function updateRow(node2, row, position) {
    node2.setAttribute("aria-rowindex", String(position + 2));
    node2.className = rowClass?.(row) ?? "";
    cells.update(node2, row);
  }
  function markActive() {
    for (const node3 of body.querySelectorAll("[aria-selected]"))
      node3.removeAttribute("aria-selected");
    const node2 = state.active === void 0 ? null : document.getElementById(`${id}-${state.active}`);
    node2?.setAttribute("aria-selected", "true");
    if (node2) grid.setAttribute("aria-activedescendant", node2.id);
    else grid.removeAttribute("aria-activedescendant");
  }
  function activate(row) {
    state.active = row;
    sight.scrollTo(row);
    markActive();
  }
  function press(event) {
    if (event.target !== grid || state.order.length === 0) return;
    const at = state.order.indexOf(state.active);
    const targets = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 20,
      PageUp: at - 20,
      Home: 0,
      End: state.order.length - 1
    };
    if (event.key === "Enter" && at >= 0 && open2) open2(state.active);
    else if (Object.hasOwn(targets, event.key) && !event.altKey && !event.metaKey) {
      activate(state.order[Math.max(0, Math.min(state.order.length - 1, targets[event.key]))]);
    } else return;
    event.preventDefault();
  }
  function click(event) {
    const node2 = event.target.closest("tr[data-row]");
    if (!node2 || event.target.closest("input, select, button, a, summary")) return;
    if (!window.getSelection().isCollapsed) return;
    activate(Number(node2.dataset.row));
    open2?.(state.active);
  }
  function reveal(row) {
    if (!state.order.includes(row)) {
      if (searching) searching.value = "";
      filtering?.clear();
      arrange();
    }
    if (!state.order.includes(row)) return void 0;
    activate(row);
    return document.getElementById(`${id}-${row}`) ?? void 0;
  }
  whenPrinting(node, {
    before() {
      drawHeadings(columnsNow(), true);
      cells.fit([]);
      sight.stale();
      const missing = state.order.length - MOST_PRINTED_ROWS;
      leftOut.hidden = missing <= 0;
      replace(leftOut, `${missing} more rows are not printed.`);
      sight.drawAll(state.order.slice(0, MOST_PRINTED_ROWS));
    },
    after() {
      leftOut.hidden = true;
      drawHeadings(columnsNow(), false);
      sight.stale();
      sight.draw(state.order);
      fit();
    }
  });
  drawHead();
  new ResizeObserver(fit).observe(scroller);
  if (selectedRow !== void 0) reveal(selectedRow);
  return {
    node,
    refresh({ sort: again = true } = {}) {
      cells.choose(columnsNow());
      sight.stale();
      if (again || allRows().length !== state.all.length) arrange();
      else sight.draw(state.order);
    },
    visible: () => state.order,
    reveal
  };
}
function searchField(label, changed) {
  return element("input", {
    type: "search",
    placeholder: "Search",
    aria: { label },
    on: { input: changed }
  });
}

// source/views/plain.js
function plain2(report, key) {
  const keys = [key, key.replaceAll("-", "_")];
  const own = [...report.allFigures, ...report.tables].filter((block) => keys.includes(block.key));
  const blocks = own.length > 0 ? own : [...report.allFigures, ...report.tables];
  const node = element(
    "div",
    { class: "view" },
    blocks.map(
      (block) => "figures" in block ? [element("h3", null, block.title), figuresList(block)] : dataTable({ table: block, columns: "shown", caption: block.title ?? block.key }).node
    )
  );
  return { node };
}

// source/page.js
async function start(views) {
  try {
    const report = new Report(await readData());
    rememberTypes(report.table("operator_types")?.column("type")?.cells.map(textOf) ?? []);
    const still = document.getElementById("still");
    buildShell(
      report,
      (key) => viewOf(views, key),
      (page) => still?.replaceWith(page) ?? document.body.prepend(page)
    );
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    sayWhyStill(error.message);
  }
}
function sayWhyStill(reason) {
  const sentence = `${reason} What follows stands without it.`;
  const line = element(
    "p",
    { class: "still-reason", role: "alert", dataset: { message: "" } },
    sentence
  );
  const still = document.getElementById("still");
  const standing = still?.querySelector("[data-message]");
  if (standing) standing.replaceWith(line);
  else still?.prepend(line);
}
function viewOf(views, key) {
  if (key === "notes") return notes;
  return views.get(key) ?? ((report) => plain2(report, key));
}

// source/pages/flops.js
start(/* @__PURE__ */ new Map());
})();
