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
var LIGHT = {
  name: "light",
  background: "#ffffff",
  surface: "#f4f5f6",
  text: "#1b1f24",
  muted: "#59636e",
  line: "#d0d7de",
  axis: "#848d97",
  unknown: "#5f6873",
  a: "#0969b8",
  b: "#b54a08",
  good: "#0b6e5e",
  bad: "#b3261e",
  doubtful: "#80590a",
  accent: "#0969b8",
  series: ["#0969b8", "#b54a08", "#0ba37a", "#7a2350", "#8a9a4b", "#4c1f7a", "#b57db4", "#54606c"]
};
var DARK = {
  name: "dark",
  background: "#14171a",
  surface: "#1e2328",
  text: "#e6e9ec",
  muted: "#a2abb5",
  line: "#39414a",
  axis: "#7d8791",
  unknown: "#a2abb5",
  a: "#58a6f0",
  b: "#f08b45",
  good: "#6fdcc8",
  bad: "#ff7b72",
  doubtful: "#e3b341",
  accent: "#58a6f0",
  series: ["#58a6f0", "#f08b45", "#2b9187", "#f0e6a0", "#ec9eb4", "#8f68bd", "#9fe8dd", "#8c6a45"]
};
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
var colours = (name) => name === "dark" ? DARK : LIGHT;
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
  const letters2 = [...text];
  if (letters2.length <= most) return text;
  const head = Math.floor((most - 1) / 3);
  return `${letters2.slice(0, head).join("")}…${letters2.slice(head + 1 - most).join("")}`;
}
var DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
function chartLabel(name, most = 32) {
  const line2 = String(name).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  const label = shorten(line2.replaceAll(DIRECTIONS, ""), most);
  return label in {} ? `${label}​` : label;
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
  const letters2 = atob(text);
  const bytes = new Uint8Array(letters2.length);
  for (let at2 = 0; at2 < letters2.length; at2 += 1) bytes[at2] = letters2.charCodeAt(at2);
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
    this.#byKey = new Map(figures.map((figure2) => [figure2.key, figure2]));
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
function whenUnfolded(details, fill) {
  let filled = false;
  const once = () => {
    if (filled) return;
    filled = true;
    fill();
  };
  unfolded.set(details, once);
  details.addEventListener("toggle", () => details.open && once());
}

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
    const at2 = tabs.findIndex((tab2) => tab2.button === event.target);
    const last = tabs.length - 1;
    const targets = {
      ArrowRight: at2 === last ? 0 : at2 + 1,
      ArrowLeft: at2 === 0 ? last : at2 - 1,
      Home: 0,
      End: last
    };
    if (at2 < 0 || !Object.hasOwn(targets, event.key)) return;
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
    report.headline.map((line2) => element("p", { class: "headline" }, line2))
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
  const shown2 = chosen2.filter((figure2) => !without.includes(figure2.key));
  const times = shown2.filter(({ unit }) => unit === "milliseconds").map(({ value }) => value);
  const decimals = decimalsOf({ unit: "milliseconds", cells: times });
  return element(
    "dl",
    { class: "figures", dataset: { figures: figures.key } },
    shown2.map(
      (figure2) => element(
        "div",
        { title: figure2.meaning || void 0, dataset: { key: figure2.key } },
        element("dt", null, figure2.heading),
        valueElement(figure2.value, figure2.unit, "dd", { decimals })
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
function columnMenu(table, first2, changed) {
  const isFirst = (column) => first2.some(({ key }) => key === column.key);
  const all = [...first2, ...table.columns.filter((column) => !isFirst(column))];
  let chosen2 = first2;
  const keys = new Set(first2.map(({ key }) => key));
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
    const positions3 = (0, import_library.defaultRangeExtractor)(range);
    const focused = body.contains(document.activeElement) && document.activeElement.closest("tr");
    const position = focused ? order.indexOf(Number(focused.dataset.row)) : -1;
    if (position < 0 || positions3.includes(position)) return positions3;
    return [...positions3, position].sort((one, other) => one - other);
  }
  const isWindowed = () => order.length > WINDOWED_FROM && !onPaper;
  function positions2() {
    if (!isWindowed()) return order.map((_, position) => position);
    return virtual.getVirtualItems().map(({ index }) => index);
  }
  function place() {
    const nodes = [];
    const kept = /* @__PURE__ */ new Set();
    let next = 0;
    for (const position of positions2()) {
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
    let at2 = body.firstChild;
    for (const node of nodes) {
      if (node === at2) at2 = at2.nextSibling;
      else body.insertBefore(node, at2);
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
  let letters2 = [];
  function contentOf(column, place, row) {
    const made = column.element?.(row) ?? own?.(column.key, row);
    if (made) return { column, made };
    const cell = column.cells[row];
    const isName = typeof cell === "string" && cell.length > letters2[place];
    return {
      column,
      cell,
      decimals: decimals[place],
      most: isName ? letters2[place] : void 0
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
      if (!fitting || String(fitting) === String(letters2)) return false;
      letters2 = fitting;
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
    const first2 = unit !== "text";
    const { sort: was } = state;
    if (was?.key !== key) state.sort = { key, descending: first2 };
    else if ((was.descending ?? false) === first2) state.sort = { key, descending: !first2 };
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
    const at2 = state.order.indexOf(state.active);
    const targets = {
      ArrowDown: at2 + 1,
      ArrowUp: at2 - 1,
      PageDown: at2 + 20,
      PageUp: at2 - 20,
      Home: 0,
      End: state.order.length - 1
    };
    if (event.key === "Enter" && at2 >= 0 && open2) open2(state.active);
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
  const line2 = element(
    "p",
    { class: "still-reason", role: "alert", dataset: { message: "" } },
    sentence
  );
  const still = document.getElementById("still");
  const standing = still?.querySelector("[data-message]");
  if (standing) standing.replaceWith(line2);
  else still?.prepend(line2);
}
function viewOf(views, key) {
  if (key === "notes") return notes;
  return views.get(key) ?? ((report) => plain2(report, key));
}

// source/views/said_columns.js
function saidColumns(table, rows, keys) {
  const wanted = keys ?? table.columns.filter((column) => column.importance !== "hidden").map((column) => column.key);
  const says = (cells) => rows ? rows.some((row) => !isNone(cells[row])) : cells.some((cell) => !isNone(cell));
  return wanted.filter((key) => says(table.column(key)?.cells ?? []));
}

// source/views/words.js
function counted(count2, one, many = `${one}s`) {
  return `${count2} ${count2 === 1 ? one : many}`;
}
function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

// source/views/sweep/points.js
var POINTS = "points";
function pointsOf(report) {
  const table = report.table(POINTS);
  if (table === void 0) return [];
  const number = (key, row) => table.number(key, row);
  const known = (key, row) => {
    const cell = table.cell(key, row);
    return isUnknown(cell) || isNone(cell) ? void 0 : table.text(key, row);
  };
  return Array.from({ length: table.rows }, (_, row) => ({
    row,
    name: table.text("name", row),
    label: known("label", row) ?? table.text("name", row),
    model: known("model", row),
    counted: known("counted", row) ?? "items",
    latencyMs: number("latency_ms", row),
    latency: { low: number("latency_low_ms", row), high: number("latency_high_ms", row) },
    perSecond: number("throughput_per_second", row),
    throughput: {
      low: number("throughput_low_per_second", row),
      high: number("throughput_high_per_second", row)
    },
    isOnFront: wordOf(table.cell("on_front", row)) === "yes",
    isOnFrontOfAll: wordOf(table.cell("on_front_of_all", row)) === "yes",
    compareAs: known("compare_as", row),
    configuration: configurationOf(table, row)
  }));
}
var wordOf = (cell) => Array.isArray(cell) ? cell[0] : cell;
function configurationOf(table, row) {
  const number = (key, text2) => {
    const value = table.number(key, row);
    return value === void 0 ? void 0 : text2(value);
  };
  const text = (key) => typeof table.cell(key, row) === "string" ? table.text(key, row) : void 0;
  const parts2 = [
    text("engine"),
    number("batch_size", (size) => `batch ${size}`),
    text("dimensions"),
    number("threads", (threads) => counted(threads, "thread")),
    number("instances", (instances) => counted(instances, "instance"))
  ];
  return parts2.filter((part) => part !== void 0 && part !== "").join(", ");
}
function candidatesOf(report, points2) {
  const table = report.table(POINTS);
  const isCompared = (table?.column("on_front_of_all")?.cells ?? []).some((cell) => !isNone(cell));
  const models = /* @__PURE__ */ new Map();
  for (const point of points2) {
    if (!models.has(point.model)) models.set(point.model, []);
    models.get(point.model).push(point);
  }
  const each = [...models].map(([name, of]) => ({ name, isAll: false, points: of }));
  return isCompared ? [{ name: void 0, isAll: true, points: points2 }, ...each] : each;
}
function latencyText({ latencyMs, latency }) {
  return figure(latencyMs, latency, "milliseconds", "ms");
}
function throughputText({ perSecond, throughput, counted: what }) {
  return figure(perSecond, throughput, "number", `${what}/s`);
}
function figure(value, { low, high }, unit, suffix) {
  if (value === void 0) return `unknown ${suffix}`;
  const hasInterval = low !== void 0 && high !== void 0;
  const interval = hasInterval ? ` (95 % interval ${shown(low, unit)} to ${shown(high, unit)})` : ", without an interval";
  return `${shown(value, unit)} ${suffix}${interval}`;
}

// source/views/sweep/points_view.js
function points(report) {
  const tables = ["best_points", POINTS, "skipped"].map((key) => report.table(key)).filter((table) => table !== void 0);
  const isLong = (table) => table.key === POINTS;
  const list2 = (table) => dataTable({
    table,
    columns: saidColumns(table),
    caption: table.title,
    search: isLong(table) ? ["name", "model", "engine"] : void 0,
    filters: isLong(table)
  }).node;
  const hasPoints = (report.table(POINTS)?.rows ?? 0) > 0;
  return {
    node: element(
      "div",
      { class: "view sweep" },
      !hasPoints && element("p", null, "No configuration was measured."),
      tables.filter((table) => table.rows > 0).map(list2),
      report.table("skipped") === void 0 && element("p", { class: "muted" }, "Every configuration was measured.")
    )
  };
}

// source/chart_theme.js
var FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
function chartTheme(colours2) {
  const text = { color: colours2.text, fontFamily: FONT, fontSize: 12 };
  const axis = {
    axisLine: { show: true, lineStyle: { color: colours2.axis } },
    axisTick: { lineStyle: { color: colours2.axis } },
    axisLabel: { color: colours2.text, fontSize: 12 },
    nameTextStyle: { color: colours2.muted },
    splitLine: { lineStyle: { color: [colours2.line] } },
    splitArea: { show: false }
  };
  return {
    color: colours2.series,
    backgroundColor: "transparent",
    textStyle: text,
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: axis,
    logAxis: { ...axis, minorSplitLine: { show: false } },
    timeAxis: axis,
    legend: { textStyle: text, inactiveColor: colours2.muted, itemGap: 16, itemWidth: 18 },
    dataZoom: {
      backgroundColor: "transparent",
      borderColor: colours2.line,
      fillerColor: colours2.name === "dark" ? "rgba(255,255,255,0.12)" : "rgba(0,0,0,0.08)",
      handleStyle: { color: colours2.background, borderColor: colours2.axis },
      moveHandleStyle: { color: colours2.axis },
      textStyle: { color: colours2.muted }
    },
    bar: { itemStyle: { borderWidth: 0 } },
    line: { symbol: "circle", symbolSize: 5, smooth: false },
    scatter: { symbolSize: 7 }
  };
}

// source/cursor.js
var NARROWEST2 = 3;
function createCursor(source) {
  const node = element("div", { class: "chart-cursor", hidden: true });
  function put(chart, place) {
    const box = chart && place !== void 0 ? boxOf(chart, place) : void 0;
    node.hidden = !box;
    if (!box) return;
    const { left, top, right, bottom, isSpan } = box;
    node.classList.toggle("chart-cursor-span", isSpan);
    node.style.setProperty("transform", `translate(${left}px, ${top}px)`);
    node.style.setProperty("width", isSpan ? `${right - left}px` : "1px");
    node.style.setProperty("height", `${bottom - top}px`);
  }
  function boxOf(chart, place) {
    const grid = chart.getModel().getComponent("grid", 0)?.coordinateSystem.getRect();
    if (!grid) return void 0;
    const reach = source.reach?.(place);
    const point = reach ? void 0 : source.point?.(place);
    if (!reach && !point) return void 0;
    const across = reach ? reach.x.map((x) => pixelOf(chart, "xAxis", x)) : [pixelOf(chart, "xAxis", point[0])];
    const along = reach?.y?.map((y) => pixelOf(chart, "yAxis", y));
    const left = Math.min(...across);
    const right = Math.max(...across);
    if (!(right >= grid.x && left <= grid.x + grid.width)) return void 0;
    const edges = clipped(left, Math.max(right, left + NARROWEST2), grid.x, grid.x + grid.width);
    const [top, bottom] = along ? clipped(Math.min(...along), Math.max(...along), grid.y, grid.y + grid.height) : [grid.y, grid.y + grid.height];
    if (bottom < top) return void 0;
    return { left: reach ? edges[0] : left, right: edges[1], top, bottom, isSpan: Boolean(reach) };
  }
  return { node, put };
}
function pixelOf(chart, axis, value) {
  const at2 = (exact2) => chart.convertToPixel({ [`${axis}Index`]: 0 }, exact2);
  const isBetween = typeof value === "number" && !Number.isInteger(value);
  const isCategory = chart.getModel().getComponent(axis, 0).axis.type === "category";
  if (!isBetween || !isCategory) return at2(value);
  const before = Math.floor(value);
  return at2(before) + (at2(before + 1) - at2(before)) * (value - before);
}
function clipped(from, to, low, high) {
  return [Math.max(from, low), Math.min(to, high)];
}

// source/chart.js
var import_library2 = __toESM(require_library(), 1);

// source/readout.js
var PAGE = 10;
function createReadout(source, hint, moved) {
  let place;
  const node = element(
    "p",
    { class: "chart-readout", dataset: { readout: "" }, aria: { live: "polite" } },
    hint
  );
  const length = () => typeof source.length === "function" ? source.length() : source.length;
  function move(to) {
    if (to === void 0 || length() === 0) return;
    const next = Math.max(0, Math.min(length() - 1, to));
    if (next === place) return;
    place = next;
    replace(node, source.text(place));
    moved(place);
  }
  function press(key) {
    const from = place ?? -1;
    const targets = {
      ArrowRight: from + 1,
      ArrowDown: from + 1,
      ArrowLeft: from - 1,
      ArrowUp: from - 1,
      PageDown: from + PAGE,
      PageUp: from - PAGE,
      Home: 0,
      End: length() - 1
    };
    if (!Object.hasOwn(targets, key)) return false;
    move((place === void 0 ? void 0 : source.step?.(place, key)) ?? targets[key]);
    return true;
  }
  return {
    node,
    press,
    move,
    get place() {
      return place;
    },
    /** Reads the place again: what stands there has changed, or is there no more. */
    refresh() {
      if (place === void 0) return;
      if (place >= length()) place = void 0;
      replace(node, place === void 0 ? hint : source.text(place));
    }
  };
}

// source/zoom.js
var STEP = 0.5;
var PAN = 0.2;
var SMALLEST_SPAN = 1e-6;
function createZoom(chartOf2, changed) {
  let percent = { start: 0, end: 100 };
  let pending;
  function shown2() {
    const axis = chartOf2()?.getModel().getComponent("xAxis", 0)?.axis;
    return axis?.scale.getExtent() ?? [0, 0];
  }
  function zoomTo(range) {
    const chart = chartOf2();
    if (chart) chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, ...range });
    else pending = range;
  }
  function read() {
    const [start2, end] = chartOf2().getModel().getComponent("dataZoom", 0).getPercentRange();
    percent = { start: start2, end };
    changed(...shown2());
  }
  function set(from, to) {
    zoomTo(from === void 0 ? { start: 0, end: 100 } : { startValue: from, endValue: to });
  }
  function show(start2, span2) {
    const kept = Math.min(100, Math.max(SMALLEST_SPAN, span2));
    const first2 = Math.min(100 - kept, Math.max(0, start2));
    zoomTo({ start: first2, end: first2 + kept });
  }
  function fractionOf(value) {
    const [from, to] = shown2();
    return typeof value === "number" ? (value - from) / (to - from) : void 0;
  }
  const span = () => percent.end - percent.start;
  function scale(factor, around) {
    const fraction = fractionOf(around);
    const fixed2 = fraction >= 0 && fraction <= 1 ? fraction : 0.5;
    show(percent.start + span() * (1 - factor) * fixed2, span() * factor);
  }
  function pan(part) {
    show(percent.start + span() * part, span());
  }
  function follow(value) {
    const fraction = fractionOf(value);
    if (fraction === void 0 || fraction >= 0 && fraction <= 1 || span() === 100) return;
    pan(fraction - 0.5);
  }
  function press({ key, shiftKey }, around) {
    if (key === "+" || key === "=") scale(STEP, around());
    else if (key === "-" || key === "_") scale(1 / STEP, around());
    else if (key === "0") set();
    else if (shiftKey && key === "ArrowLeft") pan(-PAN);
    else if (shiftKey && key === "ArrowRight") pan(PAN);
    else return false;
    return true;
  }
  const button = (text, label, click) => element("button", { type: "button", title: label, aria: { label }, on: { click } }, text);
  return {
    buttons: element(
      "div",
      { class: "chart-zoom", role: "group", aria: { label: "Zoom" } },
      button("+", "Zoom in (+)", () => scale(STEP)),
      button("−", "Zoom out (-)", () => scale(1 / STEP)),
      button("◂", "Go left (Shift and Left)", () => pan(-PAN)),
      button("▸", "Go right (Shift and Right)", () => pan(PAN)),
      button("Whole", "Show the whole (0)", () => set())
    ),
    press,
    set,
    range: shown2,
    follow,
    /** The parts of an option that make it zoom; all x axes go together. */
    option({ xAxis }) {
      const axes = Array.isArray(xAxis) ? xAxis.map((_, place) => place) : [0];
      const common = { xAxisIndex: axes, filterMode: "none", ...pending ?? percent };
      return [
        {
          type: "inside",
          ...common,
          zoomOnMouseWheel: "ctrl",
          moveOnMouseMove: true,
          moveOnMouseWheel: false
        },
        {
          type: "slider",
          ...common,
          height: 18,
          bottom: 6,
          showDataShadow: false,
          brushSelect: false,
          labelFormatter: ""
        }
      ];
    },
    listen: (chart) => chart.on("datazoom", read),
    /** The chart has been drawn with the option. */
    drawn() {
      if (!pending) return;
      pending = void 0;
      read();
    }
  };
}

// source/chart.js
var MOST_VECTOR_MARKS = 2e3;
var HINT = "Point at the chart, or press the arrow keys, to read values.";
var ZOOM_HINT = `${HINT} The keys +, - and 0 zoom, and so do Ctrl and the wheel; drag to move.`;
var PAPER_WIDTH = 690;
function drawChart({
  title,
  shows,
  marks,
  height = 320,
  option,
  readout: source,
  keys = {},
  moved: told,
  open: open2,
  table,
  zoom,
  zoomed
}) {
  let drawn;
  let onPaper = false;
  let isStale = true;
  const call = (value) => typeof value === "function" ? value() : value;
  const heading = element("h3", null, call(title));
  const sentence = element(
    "p",
    { class: "chart-shows", dataset: { shows: "" }, id: uniqueId("chart-shows") },
    call(shows)
  );
  const canvas = element("div", { class: "chart-canvas" });
  const cursor = createCursor(source);
  const plot = element(
    "div",
    {
      class: "chart-plot",
      tabindex: "0",
      role: "application",
      aria: { label: call(title), roledescription: "chart", describedby: sentence.id },
      on: { keydown: press }
    },
    canvas,
    cursor.node
  );
  const readout = createReadout(source, zoom === "x" ? ZOOM_HINT : HINT, (place) => {
    emphasize(place);
    told?.(place);
  });
  const zooming = zoom === "x" ? createZoom(
    () => drawn?.chart,
    (from, to) => {
      placeCursor();
      zoomed?.(from, to);
    }
  ) : void 0;
  const behind = table && element("details", { class: "chart-table" }, element("summary", null, "Table"));
  if (behind) whenUnfolded(behind, () => behind.append(table()));
  const node = element(
    "figure",
    { class: "chart", dataset: { chart: call(title) } },
    element(
      "div",
      { class: "chart-head" },
      element("figcaption", null, heading, sentence),
      zooming?.buttons
    ),
    plot,
    readout.node,
    behind
  );
  function draw() {
    const width = onPaper ? PAPER_WIDTH : canvas.clientWidth;
    const pixels = call(height);
    plot.style.setProperty("height", `${pixels}px`);
    isStale = width === 0;
    if (isStale) return;
    const themeName = onPaper ? "light" : current2();
    const markCount = call(marks);
    node.dataset.marks = markCount;
    const renderer = onPaper || markCount <= MOST_VECTOR_MARKS ? "svg" : "canvas";
    if (drawn && (drawn.themeName !== themeName || drawn.renderer !== renderer)) discard();
    drawn ??= start2(themeName, renderer, width, pixels);
    const asked = { animation: false, ...option(colours(themeName), { width }) };
    if (zooming) asked.dataZoom = zooming.option(asked);
    const isResized = drawn.width !== width || drawn.height !== pixels;
    drawn.chart.setOption(asked, { notMerge: true, lazyUpdate: isResized });
    if (isResized) {
      drawn.chart.resize({ width, height: pixels });
      Object.assign(drawn, { width, height: pixels });
    }
    zooming?.drawn();
    if (readout.place !== void 0) emphasize(readout.place);
    else placeCursor();
  }
  function refresh() {
    replace(heading, call(title));
    replace(sentence, call(shows));
    plot.setAttribute("aria-label", call(title));
    readout.refresh();
    draw();
  }
  function start2(themeName, renderer, width, pixels) {
    const chart = (0, import_library2.initChart)(canvas, chartTheme(colours(themeName)), {
      renderer,
      width,
      height: pixels
    });
    chart.on("mousemove", (params) => readout.move(source.at?.(params)));
    chart.on("click", (params) => openIfAny(source.at?.(params)));
    chart.getZr().on("mousemove", (event) => readout.move(placeNear(chart, event)));
    chart.getZr().on("click", (event) => {
      if (!event.target || !source.at) openIfAny(placeNear(chart, event));
    });
    zooming?.listen(chart);
    return { chart, themeName, renderer, width, height: pixels };
  }
  function discard() {
    drawn?.chart.dispose();
    drawn = void 0;
  }
  function openIfAny(place) {
    if (place !== void 0) open2?.(place);
  }
  function placeNear(chart, { offsetX, offsetY }) {
    if (!source.near || !chart.containPixel("grid", [offsetX, offsetY])) return void 0;
    return source.near(...chart.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY]));
  }
  function emphasize(place) {
    if (!drawn || isStale) return;
    const mark = source.locate?.(place);
    drawn.chart.dispatchAction({ type: "downplay" });
    if (mark) drawn.chart.dispatchAction({ type: "highlight", ...mark });
    const x = source.point?.(place)?.[0];
    if (x !== void 0) zooming?.follow(x);
    placeCursor();
  }
  function placeCursor() {
    cursor.put(onPaper ? void 0 : drawn?.chart, readout.place);
  }
  function press(event) {
    if (event.target !== plot || event.altKey || event.metaKey) return;
    const isAtPlace = readout.place !== void 0;
    if (event.key === "Enter" && isAtPlace && open2) open2(readout.place);
    else if (isAtPlace && Object.hasOwn(keys, event.key)) keys[event.key](readout.place);
    else if (!zooming?.press(event, () => source.point?.(readout.place ?? -1)?.[0])) {
      if (event.shiftKey || event.ctrlKey || !readout.press(event.key)) return;
    }
    event.preventDefault();
  }
  new ResizeObserver(() => {
    const width = canvas.clientWidth;
    if (!onPaper && width > 0 && (isStale || width !== drawn?.width)) draw();
  }).observe(canvas);
  node.addEventListener("themechange", draw);
  whenPrinting(node, {
    before() {
      onPaper = true;
      draw();
      placeCursor();
    },
    after() {
      onPaper = false;
      draw();
    }
  });
  return {
    node,
    refresh,
    show: (place) => readout.move(place),
    setZoom: (from, to) => zooming?.set(from, to),
    zoomRange: () => zooming?.range() ?? [0, 0]
  };
}
onChange2(() => {
  for (const node of document.querySelectorAll(".chart"))
    node.dispatchEvent(new Event("themechange"));
});

// source/views/controls.js
function radioChoice({ label, options, value, change }) {
  const name = uniqueId("choice");
  const buttons2 = options.map(
    ([key, text]) => element(
      "label",
      null,
      element("input", {
        type: "radio",
        name,
        value: key,
        checked: key === value,
        on: { change: () => change(key) }
      }),
      text
    )
  );
  return element("fieldset", { class: "choice" }, element("legend", null, label), buttons2);
}

// source/views/sweep/families.js
var ALONG = ["batch_size", "threads", "instances"];
var FIELDS = ["model", "engine", "dimensions", "batch_size", "threads", "instances"];
function families(count2, value) {
  const positions2 = Array.from({ length: count2 }, (_, position) => position);
  const along = ALONG.find((field) => varies(field, positions2, value));
  const fixed2 = FIELDS.filter((field) => field !== along);
  const found = /* @__PURE__ */ new Map();
  for (const position of positions2) {
    const key = JSON.stringify(fixed2.map((field) => value(field, position) ?? null));
    if (!found.has(key)) {
      const fields = new Map(fixed2.map((field) => [field, value(field, position)]));
      found.set(key, { fields, points: [] });
    }
    found.get(key).points.push(position);
  }
  const all = [...found.values()];
  for (const family of all) {
    family.points.sort(
      (a, b) => (value(along, a) ?? Infinity) - (value(along, b) ?? Infinity) || 0
    );
  }
  const differing = fixed2.filter(
    (field) => new Set(all.map((family) => JSON.stringify(family.fields.get(field) ?? null))).size > 1
  );
  return { along, differing, families: all };
}
function varies(field, positions2, value) {
  const ofModel = /* @__PURE__ */ new Map();
  for (const position of positions2) {
    const model = value("model", position);
    if (!ofModel.has(model)) ofModel.set(model, /* @__PURE__ */ new Set());
    ofModel.get(model).add(value(field, position));
  }
  return [...ofModel.values()].some((values) => values.size > 1);
}

// source/views/spoken.js
function spokenName(name) {
  const short = shorten(name);
  return element("bdi", { title: short === name ? void 0 : name.slice(0, 12e3) }, short);
}

// source/views/svg.js
var NAMESPACE = "http://www.w3.org/2000/svg";
function svg(tag, attributes, ...children) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== void 0) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== void 0 && child !== false));
  return node;
}

// source/views/line_styles.js
var FIRST_COLOUR = 2;
var DASHES = [
  ["solid", void 0],
  ["dashed", "6 4"],
  ["dotted", "2 3"],
  [[8, 3, 2, 3], "8 3 2 3"]
];
var MOST_NAMED = 24;
function lineStyle(place, theme) {
  const found = theme.series.slice(FIRST_COLOUR);
  return { color: found[place % found.length], dash: dashOf(place)[0] };
}
var dashOf = (place) => DASHES[(place + Math.floor(place / 12)) % DASHES.length];
function lineLegend(label, names) {
  const named = names.slice(0, MOST_NAMED);
  const swatches = named.map(() => element("span"));
  const draw = (name) => swatches.forEach((node, place) => replace(node, swatch(place, colours(name))));
  draw(current2());
  onChange2(draw);
  const more = names.length - named.length;
  const list2 = element(
    "ul",
    { class: "legend", aria: { label } },
    named.map((name, place) => element("li", null, swatches[place], " ", spokenName(name))),
    more > 0 && element("li", { class: "muted" }, `and ${more} more`)
  );
  whenPrinting(list2, { before: () => draw("light"), after: () => draw(current2()) });
  return list2;
}
function swatch(place, colours2) {
  const { color } = lineStyle(place, colours2);
  const line2 = svg("line", {
    x1: 0,
    x2: 30,
    y1: 5,
    y2: 5,
    stroke: color,
    "stroke-width": 2.5,
    "stroke-dasharray": dashOf(place)[1]
  });
  return svg("svg", { width: 30, height: 10, viewBox: "0 0 30 10", "aria-hidden": "true" }, line2);
}

// source/views/sweep/legend.js
var NAMES = /* @__PURE__ */ new Map([
  ["batch_size", "batch size"],
  ["threads", "threads"],
  ["instances", "instances"],
  ["model", "model"],
  ["engine", "engine"],
  ["dimensions", "dimensions"]
]);
function alongWords({ along }) {
  return along === void 0 ? "Each point stands alone." : `A line joins points that differ in ${NAMES.get(along)} only.`;
}
function marksLegend() {
  const shape = (...marks2) => svg(
    "svg",
    { class: "mark-swatch", width: 22, height: 18, viewBox: "0 0 22 18", "aria-hidden": "true" },
    ...marks2
  );
  const circle = (r, style) => svg("circle", { cx: 11, cy: 9, r, class: style });
  const marks = [
    [
      shape(svg("rect", { x: 6.5, y: 4.5, width: 9, height: 9, class: "hollow" })),
      "highest throughput of a line"
    ],
    [shape(circle(4.5, "hollow")), "other points of it"],
    [shape(circle(6, "filled")), "sweet spot"],
    [shape(circle(8, "ring"), circle(3.5, "hollow")), "on the Pareto front of its model"],
    [
      shape(svg("path", { d: "M1 14h8V6h12", class: "ring" })),
      "highest throughput within a latency"
    ],
    [shape(svg("path", { d: "M11 2v14M3 9h16", class: "ring" })), "95 % intervals"]
  ];
  return element(
    "ul",
    { class: "legend", aria: { label: "Marks" } },
    marks.map(([drawing, text]) => element("li", null, drawing, " ", text))
  );
}
function familyLegend({ along, differing, families: families2 }) {
  if (families2.length < 2 || along === void 0) return null;
  return lineLegend(
    "Lines",
    families2.map((family) => nameOf(family, differing))
  );
}
function nameOf({ fields }, differing) {
  const part = (field) => {
    const cell = fields.get(field);
    if (typeof cell !== "number") return textOf(cell) === "" ? void 0 : textOf(cell);
    if (field === "batch_size") return `batch ${cell}`;
    return counted(cell, field === "threads" ? "thread" : "instance");
  };
  return differing.map(part).filter((text) => text !== void 0).join(", ");
}

// source/views/side_mark.js
function sideMark(letter) {
  return element("span", { class: `side-mark side-mark-${letter.toLowerCase()}` }, letter);
}

// source/views/sweep/pair.js
var NONE = "";
function createPair({ points: points2, first: first2, changed }) {
  const chosen2 = /* @__PURE__ */ new Map([
    ["A", first2.a],
    ["B", first2.b]
  ]);
  let next = "A";
  const turns = radioChoice({
    label: "A click or Enter chooses",
    options: [
      ["A", "A"],
      ["B", "B"]
    ],
    value: next,
    change: (letter) => next = letter
  });
  const lists = new Map(["A", "B"].map((letter) => [letter, list2(letter)]));
  const facts = new Map(["A", "B"].map((letter) => [letter, element("span", { class: "muted" })]));
  const place = element("div", { class: "command" });
  function list2(letter) {
    const select = element(
      "select",
      {
        dataset: { pick: letter },
        aria: { label: `Point ${letter}` },
        on: {
          change: () => set(
            letter,
            points2.find((point) => String(point.row) === select.value)
          )
        }
      },
      element("option", { value: NONE }, "none"),
      points2.map((point) => element("option", { value: point.row }, point.name))
    );
    return select;
  }
  function set(letter, point) {
    chosen2.set(letter, point);
    show();
    changed();
  }
  function pick(point, letter = next) {
    chosen2.set(letter, point);
    next = letter === "A" ? "B" : "A";
    for (const input of turns.querySelectorAll("input")) input.checked = input.value === next;
    show();
    changed();
  }
  function show() {
    for (const [letter, point] of chosen2) {
      lists.get(letter).value = point === void 0 ? NONE : String(point.row);
      replace(
        facts.get(letter),
        point === void 0 ? "not chosen" : `${throughputText(point)} at ${latencyText(point)}`
      );
    }
    replace(place, command(chosen2.get("A"), chosen2.get("B")));
  }
  show();
  const row = (letter) => element("p", { class: "pair-side" }, sideMark(letter), lists.get(letter), facts.get(letter));
  return {
    node: element("div", { class: "pair" }, turns, row("A"), row("B"), place),
    pick,
    /** `A`, `B`, `A B` or nothing. */
    letterOf: (point) => ["A", "B"].filter((letter) => chosen2.get(letter) === point).join(" ")
  };
}
function command(a, b) {
  if (a === void 0 || b === void 0)
    return element("p", null, "Choose A and B for the command that compares them layer by layer.");
  if (a === b)
    return element("p", null, "A and B are the same point: there is nothing to compare.");
  if (a.compareAs === void 0 || b.compareAs === void 0) {
    return element(
      "p",
      null,
      "The page does not know where the recordings of both are, so there is no command that compares them."
    );
  }
  const text = `onnxray compare ${a.compareAs} ${b.compareAs}`;
  const said = element("span", { role: "status", class: "muted" });
  const code = element("code", { dataset: { command: "compare" }, tabindex: "0" }, text);
  const copy = element(
    "button",
    { type: "button", on: { click: () => copyText(text, code, said) } },
    "Copy"
  );
  return element("p", null, "Compare them layer by layer with ", code, " ", copy, " ", said);
}
async function copyText(text, code, said) {
  try {
    await navigator.clipboard.writeText(text);
    replace(said, "copied");
  } catch {
    window.getSelection().selectAllChildren(code);
    replace(said, "marked: copy it with Ctrl+C");
  }
}

// source/views/sweep/sweet_spot.js
function sweetSpot(points2, thresholdMs) {
  const isWithin = (point) => thresholdMs === void 0 || point.latencyMs <= thresholdMs;
  return first(points2, isWithin, hasMoreThroughput);
}
function bestLatency(points2) {
  return first(points2, () => true, hasLessLatency);
}
function attainable(points2) {
  const byLatency = positions(points2).sort((a, b) => {
    if (hasLessLatency(points2[a], points2[b])) return -1;
    return hasLessLatency(points2[b], points2[a]) ? 1 : a - b;
  });
  let most = -Infinity;
  return byLatency.filter((position) => {
    const rises = points2[position].perSecond > most;
    if (rises) most = points2[position].perSecond;
    return rises;
  });
}
function positions(points2) {
  const isKnown2 = (value) => typeof value === "number" && !Number.isNaN(value);
  return [...points2.keys()].filter(
    (position) => isKnown2(points2[position].latencyMs) && isKnown2(points2[position].perSecond)
  );
}
function first(points2, isMeant, goesBefore) {
  let best;
  for (const position of positions(points2)) {
    if (!isMeant(points2[position])) continue;
    if (best === void 0 || goesBefore(points2[position], points2[best])) best = position;
  }
  return best;
}
function hasMoreThroughput(a, b) {
  return a.perSecond > b.perSecond || a.perSecond === b.perSecond && a.latencyMs < b.latencyMs;
}
function hasLessLatency(a, b) {
  return a.latencyMs < b.latencyMs || a.latencyMs === b.latencyMs && a.perSecond > b.perSecond;
}

// source/views/sweep/spots.js
function spotsOf(candidates, thresholdMs) {
  return candidates.map((of) => {
    const point = of.points[sweetSpot(of.points, thresholdMs) ?? -1];
    const nearest2 = point === void 0 ? of.points[bestLatency(of.points) ?? -1] : void 0;
    return { candidates: of, point, nearest: nearest2 };
  });
}
function spotsList(spots, thresholdMs) {
  const hasOne = spots.length === 1;
  return element(
    "ul",
    { class: "spots" },
    spots.map((spot) => element("li", null, spotLine(spot, thresholdMs, hasOne)))
  );
}
function spotLine({ candidates, point, nearest: nearest2 }, thresholdMs, isOnly) {
  const of = isOnly ? null : candidates.isAll ? " of all models" : [" of ", spokenName(candidates.name ?? "an unknown model")];
  if (point !== void 0) {
    return [
      element("strong", null, "Sweet spot"),
      of,
      ": ",
      pointText(point),
      sure(point, thresholdMs)
    ];
  }
  if (nearest2 === void 0)
    return ["No sweet spot", of, ": no point has both a latency and a throughput that are known."];
  return ["No point", of, ` is within ${thresholdMs} ms; the nearest is `, pointText(nearest2), "."];
}
function sure({ latency }, thresholdMs) {
  const isSure = thresholdMs === void 0 || !(latency.high > thresholdMs);
  return isSure ? "." : ". It is within the threshold probably only: the interval of its latency ends above it.";
}
function pointText(point) {
  return [
    spokenName(point.name),
    point.configuration === "" ? null : ` (${point.configuration})`,
    `: ${throughputText(point)} at ${latencyText(point)}`
  ];
}

// source/views/sweep/sweep_chart.js
var SIZE = 10;
var MOST_WITH_INTERVALS = 80;
var MOST_WITH_LABELS = 24;
function sweepChart({
  points: points2,
  families: families2,
  spots,
  thresholdMs,
  letterOf,
  isLog,
  counted: counted2,
  percentile,
  theme,
  width
}) {
  const drawn = points2.filter(isDrawn(isLog));
  const axis = (name) => ({
    type: isLog ? "log" : "value",
    name,
    nameLocation: "middle",
    scale: isLog,
    axisLabel: { hideOverlap: true, formatter: (value) => String(Number(value.toPrecision(6))) }
  });
  const range = isLog ? logRange(drawn, thresholdMs) : linearRange(drawn, thresholdMs);
  return {
    grid: { left: 8, right: width < 600 ? 24 : 90, top: 44, bottom: 30, containLabel: true },
    xAxis: { ...axis(`latency ${percentile}, ms`), nameGap: 28, ...range.x },
    yAxis: {
      ...axis(`throughput, ${counted2}/s`),
      nameLocation: "end",
      nameTextStyle: { color: theme.muted, align: "left" },
      nameGap: 24,
      ...range.y
    },
    series: [
      steps(drawn, range, theme),
      ...drawn.length <= MOST_WITH_INTERVALS ? [intervals(drawn, isLog, theme)] : [],
      front(drawn, theme),
      ...families2.map(
        (family, place) => line(family.filter(isDrawn(isLog)), lineStyle(place, theme), spots, drawn.length, theme)
      ),
      letters(drawn, letterOf, theme),
      ...thresholdMs === void 0 ? [] : [threshold(thresholdMs, theme)]
    ]
  };
}
var isDrawn = (isLog) => ({ latencyMs, perSecond }) => latencyMs !== void 0 && perSecond !== void 0 && (!isLog || latencyMs > 0 && perSecond > 0);
var at = ({ latencyMs, perSecond }) => [latencyMs, perSecond];
function line(family, { color, dash }, spots, count2, theme) {
  const best = family[sweetSpot(family)];
  return {
    type: "line",
    z: 4,
    color,
    lineStyle: { color, type: dash, width: 2 },
    data: family.map((point) => {
      const isSpot = spots.has(point);
      return {
        value: at(point),
        row: point.row,
        symbol: point === best ? "rect" : "circle",
        symbolSize: isSpot ? SIZE + 5 : SIZE,
        itemStyle: { color: isSpot ? color : theme.background, borderColor: color, borderWidth: 2 },
        label: {
          show: count2 <= MOST_WITH_LABELS || point === best || isSpot,
          position: "right",
          color: theme.text,
          textBorderColor: theme.background,
          textBorderWidth: 2,
          fontSize: 11,
          fontWeight: isSpot ? "bold" : "normal",
          formatter: () => `${chartLabel(point.label, 20)}${isSpot ? " sweet spot" : ""}`
        }
      };
    }),
    labelLayout: { hideOverlap: true }
  };
}
function front(points2, theme) {
  return {
    type: "scatter",
    z: 3,
    silent: true,
    symbol: "circle",
    symbolSize: SIZE + 14,
    itemStyle: { color: "transparent", borderColor: theme.muted, borderWidth: 1.5 },
    data: points2.filter((point) => point.isOnFront).map(at)
  };
}
function steps(points2, { x }, theme) {
  const found = attainable(points2).map((position) => at(points2[position]));
  const last = found.at(-1);
  return {
    type: "line",
    z: 1,
    silent: true,
    step: "end",
    symbol: "none",
    lineStyle: { color: theme.axis, width: 1, type: "solid" },
    areaStyle: { color: theme.surface, opacity: 0.8, origin: "start" },
    data: last === void 0 ? [] : [...found, [x.max, last[1]]]
  };
}
function intervals(points2, isLog, theme) {
  const ends = points2.flatMap((point) => {
    const [x, y] = at(point);
    const isKnown2 = ({ low, high }) => low !== void 0 && high !== void 0 && (!isLog || low > 0);
    return [
      ...isKnown2(point.latency) ? [[point.latency.low, y, point.latency.high, y]] : [],
      ...isKnown2(point.throughput) ? [[x, point.throughput.low, x, point.throughput.high]] : []
    ];
  });
  return {
    type: "custom",
    z: 2,
    silent: true,
    clip: true,
    data: ends,
    encode: { x: [0, 2], y: [1, 3] },
    renderItem(params, api) {
      const [x1, y1] = api.coord([api.value(0), api.value(1)]);
      const [x2, y2] = api.coord([api.value(2), api.value(3)]);
      return {
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: theme.axis, lineWidth: 1 }
      };
    }
  };
}
function letters(points2, letterOf, theme) {
  return {
    type: "scatter",
    z: 6,
    silent: true,
    symbolSize: 1,
    itemStyle: { color: "transparent", opacity: 1 },
    data: points2.filter((point) => letterOf(point) !== "").map((point) => {
      const letter = letterOf(point);
      const isB = letter === "B";
      const color = isB ? theme.b : theme.a;
      return {
        value: at(point),
        label: {
          show: true,
          position: "top",
          distance: 9,
          formatter: () => letter,
          fontWeight: "bold",
          fontSize: 13,
          padding: [2, 6],
          borderRadius: 3,
          borderWidth: 2,
          borderColor: color,
          backgroundColor: isB ? theme.background : color,
          color: isB ? color : theme.background
        }
      };
    })
  };
}
function threshold(thresholdMs, theme) {
  return {
    type: "line",
    data: [],
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color: theme.bad, type: "dashed", width: 1.5 },
      label: { position: "end", color: theme.bad, formatter: () => `threshold ${thresholdMs} ms` },
      data: [{ xAxis: thresholdMs }]
    }
  };
}
function linearRange(points2, thresholdMs) {
  const most = (values) => niceAbove(1.06 * Math.max(0, ...values.filter((value) => value !== void 0)));
  const latencies = points2.map((point) => point.latencyMs);
  const beyond = thresholdMs !== void 0 && thresholdMs <= 2 * Math.max(0, ...latencies) ? [thresholdMs] : [];
  return {
    x: {
      min: 0,
      max: most([
        ...latencies,
        ...points2.map((point) => within(point.latency.high, point.latencyMs)),
        ...beyond
      ])
    },
    y: {
      min: 0,
      max: most([
        ...points2.map((point) => point.perSecond),
        ...points2.map((point) => within(point.throughput.high, point.perSecond))
      ])
    }
  };
}
function logRange(points2, thresholdMs) {
  const range = (values) => {
    if (values.length === 0) return { min: 1, max: 10 };
    return { min: niceBelow(Math.min(...values) / 1.1), max: niceAbove(Math.max(...values) * 1.1) };
  };
  const latencies = points2.map((point) => point.latencyMs);
  const beyond = thresholdMs > 0 && thresholdMs <= 10 * Math.max(0, ...latencies) ? [thresholdMs] : [];
  return { x: range([...latencies, ...beyond]), y: range(points2.map((point) => point.perSecond)) };
}
var within = (high, value) => high === void 0 ? void 0 : Math.min(high, 1.5 * value);
var STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
function niceAbove(value) {
  if (!(value > 0)) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  return Number(
    (STEPS.find((step) => step * decade >= value * (1 - 1e-12)) * decade).toPrecision(6)
  );
}
function niceBelow(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  return Number(
    (STEPS.findLast((step) => step * decade <= value * (1 + 1e-12)) * decade).toPrecision(6)
  );
}

// source/views/sweep/threshold.js
function typedThreshold(text) {
  const trimmed = text.trim();
  if (trimmed === "") return void 0;
  return /^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : NaN;
}
function thresholdInput({ value, changed }) {
  const id = uniqueId("threshold");
  const wrong = element("span", { id: `${id}-wrong`, class: "tone-bad", role: "status" });
  const input = element("input", {
    id,
    type: "text",
    inputmode: "decimal",
    size: 10,
    placeholder: "none",
    value: value === void 0 ? "" : String(value),
    dataset: { input: "latency-threshold" },
    aria: { describedby: wrong.id },
    on: {
      input() {
        const typed = typedThreshold(input.value);
        const isWrong = Number.isNaN(typed);
        input.setAttribute("aria-invalid", String(isWrong));
        replace(wrong, isWrong ? "not a number of milliseconds: the last threshold stays" : null);
        if (!isWrong) changed(typed);
      }
    }
  });
  return element(
    "span",
    { class: "choice" },
    element("label", { for: id }, "Latency threshold, ms"),
    input,
    wrong
  );
}

// source/views/sweep/sweep.js
var [CHOOSE, SPOT] = ["choose", "sweet_spot_now"];
var COLUMNS = [
  CHOOSE,
  "name",
  "latency_ms",
  "throughput_per_second",
  SPOT,
  "on_front",
  "on_front_of_all",
  "model",
  "engine",
  "batch_size",
  "dimensions",
  "threads",
  "instances",
  "latency_low_ms",
  "latency_high_ms",
  "throughput_low_per_second",
  "throughput_high_per_second"
];
function sweep(report) {
  const points2 = pointsOf(report);
  const figures = report.figures("sweep");
  if (points2.length === 0) return { node: nothing(report, figures) };
  const table = report.table(POINTS);
  const candidates = candidatesOf(report, points2);
  const written = numberOf(figures?.value("latency_threshold_ms"));
  const percentile = figures?.figure("percentile") ? figures.text("percentile") : "";
  const state = { thresholdMs: written, isLog: false };
  const overall = candidates[0].points;
  const first2 = { a: overall[bestLatency(overall) ?? -1], b: overall[sweetSpot(overall) ?? -1] };
  if (first2.a === first2.b) first2.a = void 0;
  let spots;
  const spotLines = element("div", { role: "status" });
  const pair = createPair({ points: points2, first: first2, changed: () => follow() });
  const threshold2 = thresholdInput({
    value: state.thresholdMs,
    changed(thresholdMs) {
      state.thresholdMs = thresholdMs;
      follow();
    }
  });
  const axes = radioChoice({
    label: "Axes",
    options: [
      ["zero", "from 0"],
      ["log", "logarithmic"]
    ],
    value: "zero",
    change(value) {
      state.isLog = value === "log";
      follow();
    }
  });
  function find() {
    spots = spotsOf(candidates, state.thresholdMs);
    const isOther = state.thresholdMs !== written;
    replace(spotLines, spotsList(spots, state.thresholdMs), isOther && writtenWith(written));
  }
  find();
  const isSpot = (point) => spots.some((spot) => spot.point === point);
  const charts = kindsOf(points2).map(
    (kind) => chartOf({ kind, table, state, percentile, pair, isSpot, spots: () => spots })
  );
  const list2 = pointsTable({ table, points: points2, pair, isSpot });
  function follow() {
    find();
    for (const chart of charts) chart.refresh();
    list2.refresh();
  }
  const node = element(
    "div",
    { class: "view sweep" },
    figures && figuresList(figures, { without: ["latency_threshold_ms"] }),
    element("div", { class: "controls" }, threshold2, axes),
    spotLines,
    charts.map((chart) => chart.node),
    pair.node,
    list2.node
  );
  return { node };
}
function writtenWith(thresholdMs) {
  const threshold2 = thresholdMs === void 0 ? "none" : `${thresholdMs} ms`;
  return element(
    "p",
    { class: "muted" },
    `The headline, the notes and the other views are of the threshold that the page was written with: ${threshold2}.`
  );
}
function kindsOf(points2) {
  const kinds = /* @__PURE__ */ new Map();
  for (const point of points2) {
    if (!kinds.has(point.counted)) kinds.set(point.counted, []);
    kinds.get(point.counted).push(point);
  }
  return [...kinds].map(([counted2, of]) => ({ counted: counted2, points: of }));
}
function chartOf({ kind, table, state, percentile, pair, isSpot, spots }) {
  const { points: points2, counted: counted2 } = kind;
  const lines = families(
    points2.length,
    (field, position) => table.column(field)?.cells[points2[position].row] ?? void 0
  );
  const byFamily = lines.families.map(
    (family) => family.points.map((position) => points2[position])
  );
  const drawn = () => points2.filter(isDrawn(state.isLog)).sort((a, b) => a.latencyMs - b.latencyMs);
  const chart = drawChart({
    title: `Throughput (${counted2}/s) by latency (ms)`,
    shows: () => `Every configuration that was measured: further up and further left is better. ${alongWords(lines)}${undrawn(points2, drawn())}`,
    marks: () => 3 * points2.length,
    height: 440,
    option: (theme, { width }) => sweepChart({
      points: points2,
      families: byFamily,
      spots: new Set(spots().map((spot) => spot.point)),
      thresholdMs: state.thresholdMs,
      letterOf: pair.letterOf,
      isLog: state.isLog,
      counted: counted2,
      percentile,
      theme,
      width
    }),
    readout: {
      length: () => drawn().length,
      text: (place) => pointText2(drawn()[place], pair, isSpot),
      near: (x, y) => nearest(drawn(), x, y, state.isLog),
      point: (place) => [drawn()[place].latencyMs, drawn()[place].perSecond]
    },
    open: (place) => pair.pick(drawn()[place]),
    keys: {
      a: (place) => pair.pick(drawn()[place], "A"),
      b: (place) => pair.pick(drawn()[place], "B")
    }
  });
  const node = element("div", { class: "stack" }, chart.node, familyLegend(lines), marksLegend());
  return { node, refresh: chart.refresh };
}
function undrawn(points2, drawn) {
  const left = points2.length - drawn.length;
  return left === 0 ? "" : ` ${left} of ${points2.length} have no place in it: a figure is unknown, or 0 on a logarithmic axis.`;
}
function nearest(points2, x, y, isLog) {
  const scale = isLog ? Math.log : (value) => value;
  const spread = (of) => {
    const values = points2.map((point) => scale(of(point)));
    return Math.max(...values) - Math.min(...values) || 1;
  };
  const [across, up] = [spread((point) => point.latencyMs), spread((point) => point.perSecond)];
  const distance = (point) => Math.hypot(
    (scale(point.latencyMs) - scale(x)) / across,
    (scale(point.perSecond) - scale(y)) / up
  );
  let best;
  points2.forEach((point, place) => {
    if (best === void 0 || distance(point) < distance(points2[best])) best = place;
  });
  return best;
}
function pointText2(point, pair, isSpot) {
  const letter = pair.letterOf(point);
  const facts = [
    `${point.name}: ${throughputText(point)} at ${latencyText(point)}`,
    point.configuration,
    isSpot(point) && "sweet spot",
    point.isOnFront ? "on the Pareto front" : "not on the Pareto front",
    letter !== "" && `chosen as ${listed(letter.split(" "))}`
  ];
  return facts.filter(Boolean).join("; ");
}
function pointsTable({ table, points: points2, pair, isSpot }) {
  const cells = points2.map(() => false);
  const own = /* @__PURE__ */ new Map([
    [
      CHOOSE,
      {
        key: CHOOSE,
        heading: "Choose",
        unit: "text",
        meaning: "which of the two that are compared it becomes",
        cells,
        width: 9
      }
    ],
    [
      SPOT,
      {
        key: SPOT,
        heading: "Sweet spot",
        unit: "text",
        meaning: "whether it has the highest throughput within the threshold above, of its model or of all",
        cells,
        width: 11
      }
    ]
  ]);
  const isNeeded = (key) => key !== "model" || new Set(table.column(key)?.cells).size > 1;
  return dataTable({
    table,
    columns: COLUMNS.filter(isNeeded).map((key) => own.get(key) ?? key),
    rowKey: "name",
    caption: "Points",
    search: ["name", "model", "engine"],
    filters: true,
    rowClass: (row) => isSpot(points2[row]) ? "is-spot" : void 0,
    cell(key, row) {
      const point = points2[row];
      if (key === SPOT) return element("span", null, isSpot(point) ? "sweet spot" : "");
      return key === CHOOSE ? buttons(point, pair) : void 0;
    }
  });
}
function buttons(point, pair) {
  const is = pair.letterOf(point).split(" ");
  const button = (letter) => element(
    "button",
    {
      type: "button",
      class: "pick",
      dataset: { pick: letter },
      aria: { pressed: is.includes(letter), label: `Compare ${point.name} as ${letter}` },
      on: { click: () => pair.pick(point, letter) }
    },
    letter
  );
  return element("span", { class: "picks" }, button("A"), button("B"));
}
function nothing(report, figures) {
  const skipped = report.table("skipped");
  return element(
    "div",
    { class: "view sweep" },
    figures && figuresList(figures),
    element("p", null, "No configuration was measured, so there is nothing to draw."),
    skipped && dataTable({ table: skipped, columns: "shown", caption: skipped.title }).node
  );
}

// source/views/sweep/index.js
var sweepViews = /* @__PURE__ */ new Map([
  ["sweep", sweep],
  ["points", points]
]);

// source/pages/sweep.js
start(sweepViews);
})();
