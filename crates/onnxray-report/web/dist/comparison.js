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
function rememberTypes(types2) {
  for (const type of types2) placeOf(type);
}
function pattern(index, theme) {
  const found = PATTERNS[index % PATTERNS.length];
  if (found === void 0) return void 0;
  const color = theme.name === "dark" ? "rgba(0,0,0,0.45)" : "rgba(255,255,255,0.5)";
  return { ...found, color };
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
var DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
function chartLabel(name, most = 32) {
  const line = String(name).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  const label = shorten(line.replaceAll(DIRECTIONS, ""), most);
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
  constructor({ key, title = null, figures: figures2 }) {
    this.key = key;
    this.title = title;
    this.figures = figures2;
    this.#byKey = new Map(figures2.map((figure) => [figure.key, figure]));
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
  const groups2 = [
    ...report.allFigures.map((figures2) => [figures2.title ?? figures2.key, figures2.figures]),
    ...report.tables.map((table) => [table.title ?? table.key, table.columns])
  ];
  return [
    element("h3", null, "What the figures mean"),
    groups2.map(
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
function figuresList(figures2, { only, without = [] } = {}) {
  const chosen3 = only ? only.map((key) => figures2.figure(key)).filter(Boolean) : figures2.figures;
  const shown2 = chosen3.filter((figure) => !without.includes(figure.key));
  const times = shown2.filter(({ unit }) => unit === "milliseconds").map(({ value }) => value);
  const decimals = decimalsOf({ unit: "milliseconds", cells: times });
  return element(
    "dl",
    { class: "figures", dataset: { figures: figures2.key } },
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
  let chosen3 = first;
  const keys = new Set(first.map(({ key }) => key));
  function toggle(column, is) {
    if (is) keys.add(column.key);
    else keys.delete(column.key);
    chosen3 = all.filter(({ key }) => keys.has(key));
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
  return { node, all, chosen: () => chosen3 };
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
    const chosen3 = column();
    const test = testOf(chosen3, conditions.value, value.value);
    const needsValue = !ON_KNOWLEDGE.has(conditions.value);
    value.hidden = !needsValue;
    value.setAttribute("aria-invalid", String(needsValue && value.value.trim() !== "" && !test));
    filter.accepts = test ? (row) => test(chosen3.cells[row]) : () => true;
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
    choose(chosen3) {
      columns = chosen3;
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
function sayWhyStill(reason2) {
  const sentence = `${reason2} What follows stands without it.`;
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
  const at = (exact2) => chart.convertToPixel({ [`${axis}Index`]: 0 }, exact2);
  const isBetween = typeof value === "number" && !Number.isInteger(value);
  const isCategory = chart.getModel().getComponent(axis, 0).axis.type === "category";
  if (!isBetween || !isCategory) return at(value);
  const before = Math.floor(value);
  return at(before) + (at(before + 1) - at(before)) * (value - before);
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
function createZoom(chartOf3, changed) {
  let percent = { start: 0, end: 100 };
  let pending;
  function shown2() {
    const axis = chartOf3()?.getModel().getComponent("xAxis", 0)?.axis;
    return axis?.scale.getExtent() ?? [0, 0];
  }
  function zoomTo(range) {
    const chart = chartOf3();
    if (chart) chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, ...range });
    else pending = range;
  }
  function read() {
    const [start2, end] = chartOf3().getModel().getComponent("dataZoom", 0).getPercentRange();
    percent = { start: start2, end };
    changed(...shown2());
  }
  function set(from, to) {
    zoomTo(from === void 0 ? { start: 0, end: 100 } : { startValue: from, endValue: to });
  }
  function show(start2, span2) {
    const kept = Math.min(100, Math.max(SMALLEST_SPAN, span2));
    const first = Math.min(100 - kept, Math.max(0, start2));
    zoomTo({ start: first, end: first + kept });
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
  const buttons = options.map(
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
  return element("fieldset", { class: "choice" }, element("legend", null, label), buttons);
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
function signed(value, unit = "milliseconds") {
  if (value === 0) return "0";
  return `${value < 0 ? "−" : "+"}${shown(Math.abs(value), unit)}`;
}
var sentenceCase = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

// source/views/side_mark.js
function sideMark(letter) {
  return element("span", { class: `side-mark side-mark-${letter.toLowerCase()}` }, letter);
}

// source/views/comparison/versions.js
var VERSION = "version";
var known = /* @__PURE__ */ new WeakMap();
function versionsOf(report) {
  if (!known.has(report)) known.set(report, new Versions(report));
  return known.get(report);
}
var Versions = class {
  #listeners = /* @__PURE__ */ new Set();
  #chosen = 0;
  constructor(report) {
    const names = /* @__PURE__ */ new Set();
    for (const table of report.tables) {
      for (const cell of table.column(VERSION)?.cells ?? []) names.add(textOf(cell));
    }
    this.all = [...names].map((name) => new Version(report, name));
  }
  /** The one that is shown; undefined if the page compares nothing. */
  get chosen() {
    return this.all[this.#chosen];
  }
  /** Shows another one, in all views. */
  choose(position) {
    if (position === this.#chosen) return;
    this.#chosen = position;
    for (const listener of this.#listeners) listener(this.chosen);
  }
  /** Calls `listener(version)` when another one is shown. */
  onChange(listener) {
    this.#listeners.add(listener);
  }
};
var Version = class {
  #report;
  constructor(report, name) {
    this.#report = report;
    this.name = name;
    this.baseline = this.#nameOfBaseline();
  }
  #nameOfBaseline() {
    const cell = this.table("inference")?.cell("baseline", this.rows("inference")[0]) ?? null;
    return cell === null ? void 0 : textOf(cell);
  }
  /** A table of the report; undefined if it is not there. */
  table(key) {
    return this.#report.table(key);
  }
  /** Rows of a table that are of this version; none if the table is not there. */
  rows(key) {
    const cells = this.table(key)?.column(VERSION)?.cells ?? [];
    return [...cells.keys()].filter((row) => textOf(cells[row]) === this.name);
  }
  /** The first of these rows whose cell in a column has this key; undefined for none. */
  row(key, column, word) {
    const table = this.table(key);
    return this.rows(key).find((row) => {
      const cell = table.cell(column, row);
      return (Array.isArray(cell) ? cell[0] : cell) === word;
    });
  }
};

// source/views/comparison/frame.js
var NOT_COMPARABLE = "not comparable";
function ofVersion(report, build, has = () => false) {
  const versions = versionsOf(report);
  if (versions.all.length === 0) {
    const nothing = "The page compares nothing: no table says of which version it is.";
    return { node: element("div", { class: "view" }, element("p", null, nothing)) };
  }
  const body = element("div");
  let view;
  const fill = (version) => {
    view = build(version);
    replace(body, sides(version), notComparable(version), view.node);
  };
  fill(versions.chosen);
  versions.onChange(fill);
  return {
    node: element("div", { class: "view comparison" }, selector(versions), notesLine(report), body),
    /** Looks in the version that is shown, then in the others. */
    show(name) {
      const order = [versions.chosen, ...versions.all];
      const found = order.find((version) => has(version, name));
      if (found === void 0) return false;
      versions.choose(versions.all.indexOf(found));
      return view.show?.(name);
    },
    prepare: () => view.prepare?.()
  };
}
function selector(versions) {
  if (versions.all.length < 2) return null;
  const id = uniqueId("version");
  const options = versions.all.map(
    (version, position) => element("option", { value: position }, version.name)
  );
  const select = element(
    "select",
    { id, on: { change: () => versions.choose(Number(select.value)) } },
    options
  );
  const follow = () => {
    select.value = String(versions.all.indexOf(versions.chosen));
  };
  follow();
  versions.onChange(follow);
  return element(
    "p",
    { class: "controls" },
    element("label", { for: id }, "Version that is compared to A: "),
    select
  );
}
function sides(version) {
  const side = (letter, name, role) => element(
    "span",
    { class: `side side-${letter.toLowerCase()}` },
    sideMark(letter),
    " ",
    name === void 0 ? null : [element("bdi", null, name), " "],
    element("span", { class: "muted" }, role)
  );
  return element(
    "p",
    { class: "sides" },
    side("A", version.baseline, "baseline"),
    side("B", version.name, "version")
  );
}
function notComparable(version) {
  const table = version.table("configuration_differences");
  const rows = version.rows("configuration_differences").filter((row) => table.text("meaning", row) === NOT_COMPARABLE);
  if (rows.length === 0) return null;
  const fields = rows.map(
    (row) => element(
      "li",
      null,
      `${table.text("field", row)}: `,
      element("bdi", null, table.text("a", row)),
      " in A, ",
      element("bdi", null, table.text("b", row)),
      " in B"
    )
  );
  return element(
    "div",
    { class: "callout callout-bad", role: "note" },
    element(
      "p",
      null,
      element("strong", null, "Not comparable."),
      " The recordings were not made alike, so their times mean different things:"
    ),
    element("ul", null, fields)
  );
}
function notesLine(report) {
  if (report.notes.length === 0 || !report.views.some((view) => view.key === "notes")) return null;
  const warnings = report.notes.filter((note) => note.kind === "warning").length;
  const notes2 = report.notes.length - warnings;
  const parts2 = [
    warnings > 0 && counted(warnings, "warning"),
    notes2 > 0 && counted(notes2, "note")
  ].filter(Boolean);
  return element(
    "p",
    { class: "notes-line" },
    element("a", { href: hrefOf("notes") }, parts2.join(" and ")),
    " on these figures"
  );
}

// source/views/comparison/waterfall.js
function waterfall(startMs, differencesMs) {
  let at = startMs;
  let unknown = 0;
  const steps = differencesMs.map((difference) => {
    if (difference === void 0) {
      unknown += 1;
      return void 0;
    }
    const from = at;
    at += difference;
    return { from, to: at };
  });
  return { steps, end: at, unknown };
}
function addsUp(end, wholeMs, terms) {
  const scale = Math.max(Math.abs(end), Math.abs(wholeMs), Number.MIN_VALUE);
  return Math.abs(end - wholeMs) <= scale * Number.EPSILON * 8 * (terms + 1) + 1e-9;
}

// source/views/comparison/side_bars.js
var NARROW = 600;
function sideValue(cell, unit) {
  if (isNone(cell)) return "has none";
  if (isUnknown(cell)) return "unknown";
  return unit === "milliseconds" ? `${shown(cell, unit)} ms` : shown(cell, unit);
}
function sideStyle(letter, theme) {
  return letter === "A" ? { color: theme.a } : { color: theme.b, decal: pattern(1, theme) };
}
function sideBars({ labels, a, b, unit, theme, width }) {
  const scale = unit === "share" ? 100 : 1;
  const series = (name, cells) => ({
    type: "bar",
    name,
    barMaxWidth: 12,
    barGap: "10%",
    itemStyle: sideStyle(name, theme),
    // A category without a number keeps its place.
    data: cells.map((cell) => numberOf(cell) === void 0 ? "-" : cell * scale),
    label: {
      show: true,
      position: "right",
      color: theme.text,
      fontSize: 11,
      formatter: ({ dataIndex }) => numberOf(cells[dataIndex]) === void 0 ? "" : shown(cells[dataIndex], unit)
    }
  });
  return {
    legend: { top: 0, left: 0, data: ["A", "B"], selectedMode: false },
    grid: { left: 8, right: 56, top: 30, bottom: 24, containLabel: true },
    xAxis: {
      type: "value",
      min: 0,
      axisLabel: { hideOverlap: true },
      name: unit === "share" ? "%" : "ms",
      nameLocation: "end",
      nameGap: 6
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: labels.map((_, position) => position),
      axisTick: { show: false },
      axisLabel: {
        interval: 0,
        formatter: (position) => chartLabel(labels[position], width < NARROW ? 18 : 32)
      }
    },
    series: [series("A", a), series("B", b)]
  };
}

// source/views/comparison/waterfall_chart.js
var THICKNESS = 0.62;
var THINNEST = 1.5;
var LETTER_WIDTH = 6;
var LABEL_WIDTH = 64;
var NARROW2 = 600;
function waterfallChart({ a, b, bars, steps, isDifference, theme, width }) {
  const shift = isDifference ? a : 0;
  const items = [
    {
      name: "A",
      from: 0,
      to: a - shift,
      style: sideStyle("A", theme),
      next: a - shift,
      label: isDifference ? "0" : shown(a, "milliseconds")
    },
    ...bars.map((bar2, place) => partOf(bar2, steps[place], shift, theme)),
    {
      name: "B",
      from: 0,
      to: b - shift,
      style: sideStyle("B", theme),
      label: isDifference ? signed(b - a) : shown(b, "milliseconds")
    }
  ];
  const values = items.flatMap((item) => item.from === void 0 ? [] : [item.from, item.to]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const letters = width < NARROW2 ? 16 : 30;
  const plot = Math.max(100, width - letters * LETTER_WIDTH - 40);
  const room = (high - low || 1) * LABEL_WIDTH / Math.max(LABEL_WIDTH, plot - LABEL_WIDTH);
  return {
    grid: { left: 8, right: 16, top: 8, bottom: 8, containLabel: true },
    xAxis: {
      type: "value",
      min: low < 0 ? low - 0.04 * (high - low) : 0,
      max: high + room,
      axisLabel: {
        hideOverlap: true,
        showMinLabel: low === 0,
        showMaxLabel: false,
        formatter: (value) => String(Number(value.toPrecision(3)))
      }
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: items.map((_, place) => place),
      axisTick: { show: false },
      axisLabel: { interval: 0, formatter: (place) => chartLabel(items[place].name, letters) }
    },
    series: [
      {
        type: "custom",
        data: items.map((item, place) => [place, item.from ?? 0, item.to ?? 0]),
        encode: { x: [1, 2], y: 0 },
        renderItem: ({ dataIndex }, api) => bar(items, dataIndex, api, theme)
      }
    ]
  };
}
function partOf({ name, difference }, step, shift, theme) {
  if (step === void 0) return { name, label: "unknown" };
  const style = difference > 0 ? { color: theme.bad, decal: pattern(3, theme) } : { color: theme.good };
  return {
    name,
    from: step.from - shift,
    to: step.to - shift,
    next: step.to - shift,
    style,
    label: signed(difference)
  };
}
function bar(items, place, api, theme) {
  const item = items[place];
  const [start2, y] = api.coord([item.from ?? 0, place]);
  const [end] = api.coord([item.to ?? 0, place]);
  const height = api.size([0, 1])[1] * THICKNESS;
  const width = Math.max(THINNEST, Math.abs(end - start2));
  const label = {
    type: "text",
    style: {
      x: Math.max(start2, end) + 6,
      y,
      text: item.label,
      fill: theme.text,
      font: `12px ${FONT2}`,
      textVerticalAlign: "middle"
    }
  };
  if (item.from === void 0) return { type: "group", children: [label] };
  const { decal, color } = item.style;
  const shape = { x: Math.min(start2, end), y: y - height / 2, width, height };
  const children = [{ type: "rect", shape, style: { fill: color, decal } }, label];
  if (item.next !== void 0) {
    const [x] = api.coord([item.next, place]);
    const below = api.coord([item.next, place + 1])[1];
    children.unshift({
      type: "line",
      shape: { x1: x, y1: y, x2: x, y2: below },
      style: { stroke: theme.axis, lineWidth: 1 }
    });
  }
  return { type: "group", children };
}
var FONT2 = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

// source/views/comparison/causes.js
var COLUMNS = [
  "cause",
  "groups",
  "a_ms",
  "b_ms",
  "difference_ms",
  "share_of_difference",
  "explained_by"
];
var MOST_BARS = 14;
var THIN = 0.02;
var MEANS = ["profiled_latency_mean_ms", "latency_mean_ms", "operators_mean_ms"];
function causes(report) {
  return ofVersion(report, (version) => {
    const table = version.table("causes");
    const rows = version.rows("causes");
    if (rows.length === 0) {
      return { node: element("p", null, `There are no causes to show: ${whyNone(version)}`) };
    }
    const list2 = dataTable({
      table,
      rows: () => rows,
      rowKey: "cause",
      columns: saidColumns(table, rows, COLUMNS),
      caption: table.title,
      search: ["cause"],
      filters: true
    });
    return { node: element("div", { class: "stack" }, drawing(version, table, rows), list2.node) };
  });
}
function whyNone(version) {
  const layers2 = version.rows("layers");
  if (layers2.length === 0) return "there are no layers to compare.";
  const isUnlike = layers2.every(
    (row) => version.table("layers").number("difference_ms", row) === void 0
  );
  if (isUnlike)
    return "the times of A and B are not of one kind, so no difference can be taken of them.";
  return version.row("inference", "figure", "latency_typical_ms") === void 0 ? "nothing of the difference is known part by part." : "profiling adds so much more to one side that they cannot explain the difference.";
}
function drawing(version, table, rows) {
  const whole = version.table("inference");
  const row = MEANS.map((key) => version.row("inference", "figure", key)).find(
    (found) => found !== void 0
  );
  const [a, b] = ["a", "b"].map(
    (side) => row === void 0 ? void 0 : whole.number(side, row)
  );
  const bars = barsOf(table, rows);
  const { steps, end, unknown } = waterfall(
    a ?? 0,
    bars.map((bar2) => bar2.difference)
  );
  if (a === void 0 || b === void 0) {
    const missing = [a === void 0 && "A", b === void 0 && "B"].filter(Boolean).join(" and ");
    return element(
      "p",
      null,
      `No waterfall is drawn: the mean time of ${missing} is unknown. The parts that are known are in the table.`
    );
  }
  const thin = Math.max(...bars.map((bar2) => Math.abs(bar2.difference ?? 0))) < THIN * Math.max(a, b);
  const state = { from: thin ? "difference" : "zero" };
  const places2 = [
    {
      name: "A",
      text: `A: ${milliseconds2(a)}, mean ${whole.text("figure", row).replace(/,.*/, "")}`
    },
    ...bars.map((bar2, place) => ({ name: bar2.name, text: stepText(bar2, steps[place], a, b) })),
    { name: "B", text: `B: ${milliseconds2(b)}; ${signedMilliseconds(b - a)} beside A` }
  ];
  const chart = drawChart({
    title: "From A to B, ms per iteration",
    shows: "Where the difference of the mean times comes from: bars to the right make B slower, bars to the left make it faster. The first bar is A, the last one B.",
    marks: places2.length,
    height: 26 * places2.length + 48,
    option: (theme, { width }) => waterfallChart({
      a,
      b,
      bars,
      steps,
      isDifference: state.from === "difference",
      theme,
      width
    }),
    readout: {
      length: places2.length,
      text: (place) => places2[place].text,
      near: (x, y) => Math.max(0, Math.min(places2.length - 1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 0, dataIndex: place })
    }
  });
  const axis = radioChoice({
    label: "Axis",
    options: [
      ["zero", "times from 0"],
      ["difference", "difference to A"]
    ],
    value: state.from,
    change(value) {
      state.from = value;
      chart.refresh();
    }
  });
  return element(
    "div",
    { class: "stack" },
    element("div", { class: "controls" }, axis),
    chart.node,
    sumLine({ a, b, end, unknown, count: rows.length })
  );
}
function barsOf(table, rows) {
  const bars = rows.map((row) => ({
    name: table.text("cause", row),
    difference: table.number("difference_ms", row),
    explanation: typeof table.cell("explained_by", row) === "string" ? table.text("explained_by", row) : void 0
  }));
  if (bars.length <= MOST_BARS + 1) return bars;
  const bySize = [...bars].sort(
    (x, y) => Math.abs(y.difference ?? 0) - Math.abs(x.difference ?? 0)
  );
  const own = new Set(bySize.slice(0, MOST_BARS));
  const others = bars.filter((bar2) => !own.has(bar2));
  const known2 = others.filter((bar2) => bar2.difference !== void 0);
  const difference = known2.reduce((sum, bar2) => sum + bar2.difference, 0);
  return [
    ...bars.filter((bar2) => own.has(bar2)),
    { name: counted(others.length, "other"), difference }
  ];
}
function stepText(bar2, step, a, b) {
  if (step === void 0) return `${chartLabel(bar2.name, 80)}: unknown, and so not drawn`;
  const share = a === b ? "" : `, ${shown(bar2.difference / (b - a), "share")} of the difference`;
  const explanation = bar2.explanation ? `; ${bar2.explanation}` : "";
  return `${chartLabel(bar2.name, 80)}: ${signedMilliseconds(bar2.difference)}${share}; up to here ${milliseconds2(step.to)}${explanation}`;
}
function sumLine({ a, b, end, unknown, count: count2 }) {
  const parts2 = counted(count2, "part");
  if (unknown > 0)
    return element(
      "p",
      null,
      `${counted(unknown, "part")} of ${count2} ${unknown === 1 ? "is" : "are"} unknown: the others come to ${milliseconds2(end)}, B is ${milliseconds2(b)}.`
    );
  if (addsUp(end, b, count2))
    return element(
      "p",
      { class: "muted" },
      `A and ${parts2} add up to B: ${milliseconds2(a)} ${signedMilliseconds(b - a)} = ${milliseconds2(b)}.`
    );
  return element(
    "p",
    null,
    `A and ${parts2} come to ${milliseconds2(end)}, B is ${milliseconds2(b)}: ${signedMilliseconds(b - end)} is in none of them.`
  );
}
var milliseconds2 = (value) => `${shown(value, "milliseconds")} ms`;
var signedMilliseconds = (value) => `${signed(value)} ms`;

// source/views/spoken.js
function spokenWord(cell) {
  const tone = toneOf(cell);
  return element("span", { class: tone === "plain" ? void 0 : `tone-${tone}` }, textOf(cell));
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

// source/views/comparison/ratio_interval.js
var WIDTH = 104;
var HEIGHT = 16;
var LABEL_HEIGHT = 18;
var MARGIN = 8;
var ENDS = [1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100];
var MOST = 0.95;
function scaleEnd(table, rows) {
  const reach = rows.flatMap((row) => ["ratio", "ratio_low", "ratio_high"].map((key) => table.number(key, row))).filter((ratio) => ratio > 0).map((ratio) => Math.exp(Math.abs(Math.log(ratio)))).sort((a, b) => a - b);
  const needed = reach[Math.ceil(reach.length * MOST) - 1] ?? 1;
  return ENDS.find((end) => end >= needed) ?? ENDS.at(-1);
}
function ratioText({ ratio, low, high }) {
  if (ratio === void 0) return "an unknown time";
  const hasInterval = low !== void 0 && high !== void 0;
  const interval = hasInterval ? ` (95 % interval ${shown(low, "ratio")} to ${shown(high, "ratio")})` : ", without an interval";
  return `${shown(ratio, "ratio")} times as long as A${interval}`;
}
function ratioInterval({ ratio, low, high, tone, end }, { width = WIDTH, hasLabels = false } = {}) {
  if (!(ratio > 0)) return void 0;
  const place = (value) => MARGIN + (width - 2 * MARGIN) * (0.5 + Math.log(value) / Math.log(end) / 2);
  const clamp = (x2) => Math.min(width - MARGIN, Math.max(MARGIN, x2));
  const middle = HEIGHT / 2;
  const height = hasLabels ? HEIGHT + LABEL_HEIGHT : HEIGHT;
  const one = place(1);
  const hasInterval = low > 0 && high > 0;
  const [left, right] = hasInterval ? [place(low), place(high)] : [place(ratio), place(ratio)];
  const arrow = (x2, direction) => svg("path", {
    class: "ratio-arrow",
    d: `M${x2 + 6 * direction} ${middle}l${-6 * direction} -4v8z`
  });
  const x = place(ratio);
  return svg(
    "svg",
    {
      class: `ratio-interval tone-${tone}`,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `B takes ${ratioText({ ratio, low, high })}`
    },
    svg("line", { class: "ratio-one", x1: one, x2: one, y1: 0, y2: HEIGHT }),
    hasInterval && svg("line", {
      class: "ratio-line",
      x1: clamp(left),
      x2: clamp(right),
      y1: middle,
      y2: middle
    }),
    hasInterval && left >= MARGIN && cap(left, middle),
    hasInterval && right <= width - MARGIN && cap(right, middle),
    left < MARGIN && arrow(MARGIN, -1),
    right > width - MARGIN && arrow(width - MARGIN, 1),
    x >= MARGIN && x <= width - MARGIN && svg("circle", { class: "ratio-dot", cx: x, cy: middle, r: 3 }),
    ...hasLabels ? scaleLabels(end, width, height) : []
  );
}
var cap = (x, middle) => svg("line", { class: "ratio-line", x1: x, x2: x, y1: middle - 5, y2: middle + 5 });
function scaleLabels(end, width, height) {
  const label = (x, anchor, text) => {
    const node = svg("text", { class: "ratio-label", x, y: height - 4, "text-anchor": anchor });
    node.textContent = text;
    return node;
  };
  const [low, high] = endsOf(end);
  return [
    label(MARGIN, "start", `${low} ← B faster`),
    label(width / 2, "middle", "1"),
    label(width - MARGIN, "end", `B slower → ${high}`)
  ];
}
function endsOf(end) {
  return [1 / end, end].map((value) => Number(value.toPrecision(2)));
}

// source/views/comparison/whole_bars.js
var CAP = 6;
function wholeBars({ sides: sides2, theme }) {
  const data = sides2.map(
    ({ value }, place) => value === void 0 ? "-" : { value, itemStyle: sideStyle("AB"[place], theme) }
  );
  const whiskers = sides2.flatMap(
    ({ low, high }, place) => low === void 0 ? [] : [[place, low, high]]
  );
  const ends = sides2.map(({ value, high }) => Math.max(value ?? 0, high ?? 0));
  return {
    grid: { left: 8, right: 24, top: 8, bottom: 8, containLabel: true },
    // Room for the number behind the longer bar.
    xAxis: {
      type: "value",
      min: 0,
      max: ({ max }) => Number((Math.max(max, ...ends) * 1.18).toPrecision(3)),
      axisLabel: { hideOverlap: true, showMaxLabel: false }
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: ["A", "B"],
      axisTick: { show: false },
      axisLabel: { fontWeight: "bold" }
    },
    series: [
      { type: "bar", barWidth: 30, data },
      {
        type: "custom",
        silent: true,
        data: whiskers,
        encode: { x: [1, 2], y: 0 },
        renderItem: (params, api) => whisker(api, theme)
      },
      {
        type: "scatter",
        silent: true,
        symbolSize: 0,
        data: sides2.map((side, place) => [side.value === void 0 ? 0 : ends[place], place]),
        label: {
          show: true,
          position: "right",
          distance: 10,
          color: theme.text,
          formatter: ({ dataIndex }) => sides2[dataIndex].value === void 0 ? "unknown" : shown(sides2[dataIndex].value, "ratio")
        }
      }
    ]
  };
}
function whisker(api, theme) {
  const [left, right] = [1, 2].map((dimension) => api.coord([api.value(dimension), api.value(0)]));
  const line = (x1, y1, x2, y2) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: theme.text, lineWidth: 2 }
  });
  const cap2 = ([x, y]) => line(x, y - CAP, x, y + CAP);
  return { type: "group", children: [line(...left, ...right), cap2(left), cap2(right)] };
}

// source/views/comparison/inference_time.js
var CHOICES = /* @__PURE__ */ new Map([
  [
    "throughput",
    {
      title: "Throughput",
      rows: ["throughput_items_per_second", "throughput_iterations_per_second"],
      better: "longer"
    }
  ],
  [
    "latency",
    {
      title: "Latency",
      rows: [
        "latency_typical_ms",
        "profiled_latency_typical_ms",
        "operators_typical_ms",
        "latency_mean_ms",
        "profiled_latency_mean_ms",
        "operators_mean_ms"
      ],
      better: "shorter"
    }
  ]
]);
var RATIO_WIDTH = 420;
var [ALL, SETTINGS] = ["inference", "configuration_differences"];
function inferenceTime(report) {
  return ofVersion(report, (version) => {
    const tables = [ALL, SETTINGS].filter((key) => version.rows(key).length > 0).map((key) => tableOf(version, key));
    if (version.rows(ALL).length === 0) {
      const nothing = "Neither latency nor throughput is known of this comparison.";
      return { node: element("div", { class: "stack" }, element("p", null, nothing), tables) };
    }
    return { node: element("div", { class: "stack" }, chosen2(version), decision(version), tables) };
  });
}
function chosen2(version) {
  const found = (choice2) => CHOICES.get(choice2).rows.map((key) => version.row(ALL, "figure", key)).find((row) => row !== void 0 && isKnown2(version, row));
  const options = [...CHOICES.keys()].filter((choice2) => found(choice2) !== void 0);
  if (options.length === 0)
    return element(
      "p",
      null,
      "Of neither side a latency or throughput is known, so there is nothing to draw."
    );
  const place = element("div");
  const show = (choice2) => replace(place, chartOf(version, found(choice2), CHOICES.get(choice2)));
  const choice = radioChoice({
    label: "Chart shows",
    options: options.map((key) => [key, CHOICES.get(key).title.toLowerCase()]),
    value: options[0],
    change: show
  });
  const missing = [...CHOICES.keys()].filter((key) => !options.includes(key));
  show(options[0]);
  return element(
    "div",
    { class: "stack" },
    element(
      "div",
      { class: "controls" },
      choice,
      missing.map(
        (key) => element("span", { class: "muted" }, `No ${key}: ${whyMissing(version)}`)
      )
    ),
    place
  );
}
var isKnown2 = (version, row) => ["a", "b"].some((side) => version.table(ALL).number(side, row) !== void 0);
function whyMissing(version) {
  const isOfOperators = version.row(ALL, "figure", "operators_mean_ms") !== void 0 && ["latency_mean_ms", "profiled_latency_mean_ms"].every(
    (key) => version.row(ALL, "figure", key) === void 0
  );
  return isOfOperators ? "a side has no wall times, so the whole is the time of all operators." : "it is unknown on both sides.";
}
function chartOf(version, row, { better }) {
  const table = version.table(ALL);
  const figure = table.text("figure", row);
  const sides2 = sidesOf(table, row);
  const text = ({ value, low, high }, letter) => {
    if (value === void 0) return `${letter}: unknown`;
    const interval = low === void 0 ? "" : `; by the ratio, ${shown(low, "ratio")} to ${shown(high, "ratio")} where A is ${shown(sides2[0].value, "ratio")}`;
    return `${letter}: ${shown(value, "ratio")}${interval}`;
  };
  const drawing3 = drawChart({
    title: sentenceCase(figure),
    shows: `The ${better} bar is the better one. ${whisker2(sides2[1])}`,
    marks: 4,
    height: 140,
    option: (theme) => wholeBars({ sides: sides2, theme }),
    readout: {
      length: 2,
      text: (place) => text(sides2[place], "AB"[place]),
      near: (x, y) => Math.max(0, Math.min(1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 0, dataIndex: place })
    },
    table: () => dataTable({
      table,
      rows: () => [row],
      columns: ["figure", "a", "b", "difference", "ratio"],
      caption: figure
    }).node
  });
  return drawing3.node;
}
function sidesOf(table, row) {
  const [a, b, low, high] = ["a", "b", "ratio_low", "ratio_high"].map(
    (key) => table.number(key, row)
  );
  const hasInterval = a !== void 0 && low !== void 0 && high !== void 0;
  return [{ value: a }, hasInterval ? { value: b, low: a * low, high: a * high } : { value: b }];
}
function whisker2({ low }) {
  return low === void 0 ? "It has no interval: what is tested is the typical time, whose ratio stands below." : "The whisker is where B would end at either end of the ratio's 95 % interval, beside an A as long as drawn.";
}
function decision(version) {
  const table = version.table(ALL);
  const row = version.rows(ALL).find((row2) => !isNone(table.cell("verdict", row2)));
  if (row === void 0)
    return element(
      "p",
      null,
      "No test was possible: what the sides have of the whole is not of one kind."
    );
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map(
    (key) => table.number(key, row)
  );
  const verdict2 = table.cell("verdict", row);
  const reason2 = table.cell("reason", row);
  if (ratio === void 0) {
    return element(
      "p",
      null,
      "The ratio B / A is unknown: a side has no latency. Verdict: ",
      spokenWord(verdict2),
      "."
    );
  }
  return element(
    "div",
    { class: "verdict" },
    element("h3", null, "Ratio B / A"),
    element(
      "p",
      null,
      `By the ${wholeOf(table, row)}, B takes ${ratioText({ ratio, low, high })}: `,
      spokenWord(verdict2),
      isNone(reason2) || reason2 === null ? null : ["; ", spokenWord(reason2)],
      "."
    ),
    ratioInterval(
      { ratio, low, high, tone: toneOf(verdict2), end: scaleEnd(table, [row]) },
      { width: RATIO_WIDTH, hasLabels: true }
    ) ?? null
  );
}
var WHOLES = /* @__PURE__ */ new Map([
  ["latency_typical_ms", "typical latency"],
  ["profiled_latency_typical_ms", "typical profiled latency"],
  ["operators_typical_ms", "typical time of all operators"]
]);
function wholeOf(table, row) {
  const [key] = table.cell("figure", row);
  return WHOLES.get(key);
}
function tableOf(version, key) {
  const table = version.table(key);
  return dataTable({
    table,
    rows: () => version.rows(key),
    columns: saidColumns(table, version.rows(key)).filter((column) => column !== "version"),
    caption: table.title
  }).node;
}

// source/views/comparison/layer_columns.js
var OF_BOTH_SIDES = /* @__PURE__ */ new Map([
  ["type", { heading: "Type", meaning: "types of the group's operators, A → B", width: 19 }],
  ["precision", { heading: "Precision", meaning: "element type it computes in, A → B", width: 8 }]
]);
var LAYER_WIDTH = 36;
var MATCHED_WIDTH = 12;
var DRAWN = "ratio_drawn";
var DRAWN_WIDTH = 13;
var TIMES = ["a_ms", "b_ms"];
var WORDS_WIDTH = 11;
function layerColumns(table, rows, end) {
  const width = (key, most) => ({ ...table.column(key), width: most });
  const hasRatio = rows.some((row) => table.number("ratio", row) !== void 0);
  return [
    width("layer", LAYER_WIDTH),
    ...[...OF_BOTH_SIDES.keys()].map((key) => bothSides(table, key)),
    ...TIMES.map((key) => timeColumn(table.column(key), rows)),
    ...saidColumns(table, rows, ["difference_ms", "ratio"]),
    ...hasRatio ? [drawnColumn(table, end)] : [],
    "verdict",
    width("matched_by", MATCHED_WIDTH)
  ];
}
function layerCell(table, key, row, end) {
  if (key === DRAWN) return drawing2(table, row, end);
  if (OF_BOTH_SIDES.has(key)) return fromTo(table, key, row);
  if (TIMES.includes(key) && isNone(table.cell(key, row))) {
    return element("span", { class: "muted", dataset: { value: "" } }, "not executed");
  }
  return void 0;
}
function bothSides(table, key) {
  const of = (letter) => table.column(`${letter}_${key}`).cells.map(textOf);
  const [a, b] = [of("a"), of("b")];
  const cells = a.map((text, row) => `${text} ${b[row]}`);
  return { key, unit: "text", cells, ...OF_BOTH_SIDES.get(key) };
}
function fromTo(table, key, row) {
  const known2 = ["a", "b"].map((letter) => `${letter}_${key}`).filter((side) => !isNone(table.cell(side, row)));
  const words = known2.map((side) => table.text(side, row));
  const shown2 = words[0] === words[1] ? known2.slice(0, 1) : known2;
  const value = (side) => element("span", { dataset: { column: side } }, valueElement(table.cell(side, row), "text"));
  const title = shown2.map((side) => table.text(side, row)).join(" → ");
  return element(
    "span",
    { title },
    shown2.map((side, place) => [place > 0 && " → ", value(side)])
  );
}
function timeColumn(column, rows) {
  const hasWords = rows.some((row) => isNone(column.cells[row]));
  return hasWords ? { ...column, width: WORDS_WIDTH } : column;
}
function drawnColumn(table, end) {
  const [low, high] = endsOf(end);
  return {
    key: DRAWN,
    heading: `${low} … ${high}`,
    unit: "text",
    meaning: "the ratio and its 95 % interval on a logarithmic scale; left of the line B is faster, an arrow leads beyond the scale",
    cells: table.column("ratio").cells,
    width: DRAWN_WIDTH
  };
}
function drawing2(table, row, end) {
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map(
    (key) => table.number(key, row)
  );
  const drawn = ratioInterval({ ratio, low, high, tone: toneOf(table.cell("verdict", row)), end });
  return element("span", { title: drawn && `B takes ${ratioText({ ratio, low, high })}` }, drawn);
}

// source/views/comparison/layer_details.js
var PANEL_WIDTH = 320;
var OF_SIDES = ["type", "precision", "ms", "mean_ms", "share", "outliers"];
var ELSEWHERE = [
  "version",
  "layer",
  "a_operators",
  "b_operators",
  ...OF_SIDES.flatMap((key) => [`a_${key}`, `b_${key}`])
];
function layerDetails(version, row, end) {
  const table = version.table("layers");
  return [
    verdict(table, row, end),
    element("h3", null, "Both sides"),
    bothSides2(version, table, row),
    element("h3", null, "Operators of the group"),
    operators(table, row),
    element("h3", null, "All figures"),
    figures(table, row)
  ];
}
function verdict(table, row, end) {
  const [ratio, low, high] = ["ratio", "ratio_low", "ratio_high"].map(
    (key) => table.number(key, row)
  );
  const cell = table.cell("verdict", row);
  const word = spokenWord(cell);
  if (ratio === void 0) return element("p", null, "Verdict: ", word, reason(table, row), ".");
  return element(
    "div",
    { class: "verdict" },
    element(
      "p",
      null,
      `B takes ${ratioText({ ratio, low, high })}: `,
      word,
      reason(table, row),
      "."
    ),
    ratioInterval(
      { ratio, low, high, tone: toneOf(cell), end },
      { width: PANEL_WIDTH, hasLabels: true }
    ) ?? null
  );
}
function reason(table, row) {
  const cell = table.cell("reason", row);
  return isNone(cell) || cell === null ? null : ["; ", spokenWord(cell)];
}
function bothSides2(version, table, row) {
  const details = version.table("details");
  const number = table.number("number", row);
  const differing = version.rows("details").filter((detail) => details.number("number", detail) === number);
  const isParameter = (key) => differing.some((detail) => details.text("parameter", detail) === key);
  const isSaid = (key) => [`a_${key}`, `b_${key}`].some((of) => !isNone(table.column(of)?.cells[row] ?? false));
  const figures2 = OF_SIDES.filter((key) => isSaid(key) && !isParameter(key)).map((key) => {
    const keys = [`a_${key}`, `b_${key}`];
    const cells = keys.map((of) => table.cell(of, row));
    const { heading, meaning, unit } = table.column(keys[0]);
    const differs = cells.every((cell) => typeof cell === "string") && cells[0] !== cells[1];
    const name = heading.replace(/^A /, "");
    return sideRow({ row, heading: name, meaning, cells, unit, keys, differs });
  });
  const parameters = differing.map((detail) => {
    const cells = [details.cell("a", detail), details.cell("b", detail)];
    const heading = details.text("parameter", detail);
    return sideRow({ row: detail, heading, cells, unit: "text", keys: ["a", "b"], differs: true });
  });
  const head = element(
    "tr",
    null,
    element("td"),
    ["A", "B"].map((letter) => element("th", { scope: "col" }, sideMark(letter))),
    element("td")
  );
  const title = (text) => element(
    "tr",
    null,
    element("th", { colspan: 4, scope: "rowgroup", class: "rows-title" }, text)
  );
  const isOnBoth = ["a_operators", "b_operators"].every(
    (key) => typeof table.cell(key, row) === "string"
  );
  const said = parameters.length > 0 ? "Parameters that differ" : isOnBoth ? "No parameter is known to differ" : "Only one side has it, so no parameters are compared";
  return element(
    "table",
    { class: "both-sides" },
    element("thead", null, head),
    element("tbody", { dataset: { table: "layers" } }, figures2),
    element("tbody", { dataset: { table: "details" } }, title(said), parameters)
  );
}
function sideRow({ row, heading, meaning, cells, unit, keys, differs }) {
  const value = (cell, place) => element(
    "td",
    { dataset: { column: keys[place] } },
    isNone(cell) ? element("span", { class: "muted", dataset: { value: "" } }, "none") : valueElement(cell, unit)
  );
  return element(
    "tr",
    { class: differs ? "differs" : void 0, dataset: { row } },
    element("th", { scope: "row", title: meaning }, heading),
    cells.map(value),
    element("td", { class: "differs-mark" }, differs ? "differs" : null)
  );
}
function operators(table, row) {
  const list2 = (letter) => {
    const key = `${letter.toLowerCase()}_operators`;
    const cell = table.cell(key, row);
    const none = typeof cell !== "string" || cell === "";
    const lines = none ? "not executed" : cell.replaceAll("; ", ";\n");
    return element(
      "div",
      { class: "operators-of-side", dataset: { table: "layers", row, column: key } },
      sideMark(letter),
      element(
        "p",
        { class: none ? "muted" : "names", dataset: { value: none ? "" : cell } },
        none ? lines : element("bdi", null, lines)
      )
    );
  };
  const hasConversions = ["a_operators", "b_operators"].some(
    (key) => table.text(key, row).includes("(")
  );
  return element(
    "div",
    null,
    list2("A"),
    list2("B"),
    hasConversions && element(
      "p",
      { class: "muted" },
      "In parentheses: conversions, such as quantization, that go with the group."
    )
  );
}
function figures(table, row) {
  const columns = table.columns.filter(
    (column) => !ELSEWHERE.includes(column.key) && !isNone(column.cells[row])
  );
  return element(
    "dl",
    { class: "figures", dataset: { table: "layers", row } },
    columns.map(
      (column) => element(
        "div",
        { title: column.meaning, dataset: { column: column.key } },
        element("dt", null, column.heading),
        valueElement(column.cells[row], column.unit, "dd")
      )
    )
  );
}

// source/views/comparison/layers.js
var SEARCHED = ["layer", "a_type", "b_type", "a_operators", "b_operators"];
function layers(report, context) {
  return ofVersion(report, (version) => groups(version, context), hasLayer);
}
var rowOf = (version, name) => version.rows("layers").find((row) => version.table("layers").text("layer", row) === name);
var hasLayer = (version, name) => rowOf(version, name) !== void 0;
function groups(version, context) {
  const table = version.table("layers");
  const rows = version.rows("layers");
  if (rows.length === 0) {
    return {
      node: element("p", null, "There are no layers to compare: a side has none that were timed.")
    };
  }
  const end = scaleEnd(table, rows);
  let opened;
  const open2 = (row) => {
    opened = row;
    const name = table.text("layer", row);
    const { view, name: shown2 } = current();
    if (view === "layers" && shown2 === name) show(name);
    else context.go("layers", name);
  };
  const list2 = dataTable({
    table,
    rows: () => rows,
    rowKey: "layer",
    columns: layerColumns(table, rows, end),
    caption: table.title,
    search: SEARCHED,
    filters: true,
    open: open2,
    cell: (key, row) => layerCell(table, key, row, end)
  });
  function show(name) {
    const row = opened !== void 0 && table.text("layer", opened) === name ? opened : rowOf(version, name);
    if (row === void 0) return false;
    list2.reveal(row);
    openDetails({ title: element("bdi", null, name), body: layerDetails(version, row, end) });
    return true;
  }
  return {
    node: element("div", { class: "stack" }, element("p", null, summary(table, rows)), list2.node),
    show
  };
}
function summary(table, rows) {
  const counts = /* @__PURE__ */ new Map();
  for (const row of rows) {
    const verdict2 = table.text("verdict", row);
    counts.set(verdict2, (counts.get(verdict2) ?? 0) + 1);
  }
  const parts2 = [...counts].sort((a, b) => b[1] - a[1]).map(([verdict2, count2]) => `${count2} ${verdict2}`);
  return `${counted(rows.length, "group")} of layers: ${listed(parts2)}. Click a row, or press Enter, for its details.`;
}

// source/views/comparison/not_aligned.js
var PARTS = ["aligned_ms", "only_ms", "overhead_ms"];
var CONSERVATION = "conservation";
function notAligned(report, context) {
  return ofVersion(report, (version) => ({
    node: element(
      "div",
      { class: "stack" },
      conservation(version),
      onlyIn(version, "A", context),
      onlyIn(version, "B", context)
    )
  }));
}
function conservation(version) {
  const table = version.table(CONSERVATION);
  const rows = version.rows(CONSERVATION);
  if (rows.length === 0)
    return element("p", null, "What the time of each side is made of is unknown.");
  const list2 = dataTable({
    table,
    rows: () => rows,
    columns: saidColumns(table, rows).filter((key) => key !== "version"),
    caption: table.title
  });
  return element(
    "div",
    { class: "stack" },
    partsChart(table, rows).node,
    list2.node,
    rows.map((row) => equation(table, row))
  );
}
function partsChart(table, rows) {
  const names = PARTS.map((key) => table.column(key).heading.replace(/ ms$/, ""));
  return drawChart({
    title: "Parts of the time, ms per iteration",
    shows: "What the mean time of each side is made of: operators that both sides have, operators that only this side has, and time that no operator covers.",
    marks: rows.length * PARTS.length,
    height: 150,
    option: (theme) => ({
      legend: { top: 0, left: 0, data: names, selectedMode: false },
      grid: { left: 8, right: 24, top: 34, bottom: 8, containLabel: true },
      xAxis: { type: "value", min: 0, axisLabel: { hideOverlap: true } },
      yAxis: {
        type: "category",
        inverse: true,
        data: rows.map((row) => table.text("side", row)),
        axisTick: { show: false },
        axisLabel: { fontWeight: "bold" }
      },
      series: PARTS.map((key, place) => ({
        type: "bar",
        stack: "parts",
        barWidth: 26,
        name: names[place],
        itemStyle: {
          color: [theme.series[5], theme.series[3], theme.unknown][place],
          decal: pattern([0, 3, 4][place], theme)
        },
        data: rows.map((row) => table.number(key, row) ?? "-")
      }))
    }),
    readout: {
      length: rows.length * PARTS.length,
      text(place) {
        const row = rows[Math.floor(place / PARTS.length)];
        const part = place % PARTS.length;
        return `${table.text("side", row)}, ${names[part].toLowerCase()}: ${milliseconds3(table.number(PARTS[part], row))}, ${table.column(PARTS[part]).meaning}`;
      },
      at: ({ seriesIndex, dataIndex }) => dataIndex * PARTS.length + seriesIndex,
      locate: (place) => ({
        seriesIndex: place % PARTS.length,
        dataIndex: Math.floor(place / PARTS.length)
      })
    }
  });
}
function equation(table, row) {
  const value = (key) => milliseconds3(table.number(key, row));
  const name = (key) => table.column(key).heading.replace(/ ms$/, "").toLowerCase();
  const known2 = PARTS.filter((key) => table.number(key, row) !== void 0);
  if (known2.length === 0)
    return element(
      "p",
      null,
      sideMark(table.text("side", row)),
      " What its time is made of is unknown."
    );
  const parts2 = known2.map((key) => `${value(key)} ${name(key)}`);
  const unknown = PARTS.filter((key) => !known2.includes(key)).map(
    (key) => `; ${name(key)} is unknown`
  );
  const concurrent = table.number("concurrent_ms", row);
  const apart = table.number("timed_apart_ms", row);
  const less = [
    concurrent > 0 ? ` − ${value("concurrent_ms")} side by side` : "",
    apart === void 0 ? "" : `; layers were timed one by one, in another run: what they have beyond the whole is ${milliseconds3(apart)}`
  ];
  return element(
    "p",
    null,
    sideMark(table.text("side", row)),
    ` ${parts2.join(" + ")}${less[0]} = ${value("whole_ms")} whole${unknown.join("")}${less[1]}.`
  );
}
var milliseconds3 = (value) => value === void 0 ? "unknown" : `${shown(value, "milliseconds")} ms`;
function onlyIn(version, letter, context) {
  const other = letter === "A" ? "B" : "A";
  const table = version.table("layers");
  const rows = version.rows("layers").filter((row) => table.text("verdict", row) === `not executed in ${other}`);
  const heading = element("h3", null, `Layers that only ${letter} has `, sideMark(letter));
  if (version.rows("layers").length === 0) {
    return element(
      "div",
      null,
      heading,
      element("p", null, "Unknown: there are no layers to compare.")
    );
  }
  if (rows.length === 0) {
    return element(
      "div",
      null,
      heading,
      element(
        "p",
        null,
        `None: every layer that ${letter} executes has a counterpart in ${other}.`
      )
    );
  }
  const side = letter.toLowerCase();
  const list2 = dataTable({
    table,
    rows: () => rows,
    rowKey: "layer",
    columns: [
      "layer",
      `${side}_type`,
      `${side}_precision`,
      `${side}_ms`,
      `${side}_mean_ms`,
      `${side}_share`,
      `${side}_operators`
    ],
    caption: `Only in ${letter}`,
    search: ["layer", `${side}_type`, `${side}_operators`],
    filters: true,
    sort: { key: `${side}_ms`, descending: true },
    open: (row) => context.go("layers", table.text("layer", row))
  });
  const sum = version.table(CONSERVATION)?.number("only_ms", version.row(CONSERVATION, "side", letter));
  const time = sum === void 0 ? "" : ` They take ${milliseconds3(sum)} per iteration, mean.`;
  return element(
    "div",
    { class: "stack" },
    element(
      "p",
      null,
      `${counted(rows.length, "group")} of layers with nothing in ${other} that does the same work.${time}`
    ),
    list2.node
  );
}

// source/views/comparison/performance_summary.js
var TABLE = "compared_types";
var COLUMNS2 = [
  "type",
  "a_ms",
  "b_ms",
  "difference_ms",
  "a_share",
  "b_share",
  "a_layers",
  "b_layers",
  "a_precisions",
  "b_precisions"
];
var [IN_CHART, BARS] = ["in_chart", "bars"];
var MOST_AT_FIRST = 16;
function performanceSummary(report) {
  return ofVersion(report, types);
}
function types(version) {
  const table = version.table(TABLE);
  const rows = version.rows(TABLE);
  if (rows.length === 0) {
    return {
      node: element(
        "p",
        null,
        "There are no operator types to compare: neither side has operators that were timed."
      )
    };
  }
  const included = new Set(rows.slice(0, MOST_AT_FIRST));
  const state = { value: "ms" };
  const drawn = () => list2.visible().filter((row) => included.has(row));
  const boxes = new Map(rows.map((row) => [row, box(row)]));
  function box(row) {
    const input = element("input", {
      type: "checkbox",
      checked: included.has(row),
      aria: { label: `Include ${table.text("type", row)} in the chart` },
      on: { change: () => include([row], input.checked) }
    });
    return input;
  }
  function include(which, isIn) {
    for (const row of which) {
      if (isIn) included.add(row);
      else included.delete(row);
      boxes.get(row).checked = isIn;
    }
    list2.refresh();
  }
  const cell = (key, row) => {
    if (key === IN_CHART) return boxes.get(row);
    return key === BARS ? shareBars(table, row, included) : void 0;
  };
  let chart;
  const list2 = dataTable({
    table,
    rows: () => rows,
    rowKey: "type",
    columns: columnsOf(table),
    caption: table.title,
    search: ["type"],
    filters: true,
    cell,
    changed: () => chart?.refresh()
  });
  chart = chartOf2(table, drawn, state);
  const all = element(
    "button",
    { type: "button", on: { click: () => include(rows, true) } },
    "All in the chart"
  );
  const none = element(
    "button",
    { type: "button", on: { click: () => include(rows, false) } },
    "None"
  );
  const value = radioChoice({
    label: "Chart shows",
    options: [
      ["ms", "ms"],
      ["share", "share of latency"]
    ],
    value: state.value,
    change(chosen3) {
      state.value = chosen3;
      chart.refresh();
    }
  });
  return {
    node: element(
      "div",
      { class: "stack" },
      element("div", { class: "controls" }, value, all, none),
      chart.node,
      list2.node
    )
  };
}
function columnsOf(table) {
  const blank = table.column("type").cells.map(() => false);
  const box = {
    key: IN_CHART,
    heading: "In chart",
    unit: "text",
    meaning: "whether the chart above draws the type; shares stay those of the whole",
    cells: blank
  };
  const bars = {
    key: BARS,
    heading: "Shares",
    unit: "text",
    meaning: "both shares as bars, A above B, relative to the largest of the types in the chart",
    cells: blank,
    width: 14
  };
  return COLUMNS2.flatMap(
    (key) => key === "type" ? [box, key] : key === "b_share" ? [key, bars] : [key]
  );
}
function shareBars(table, row, included) {
  if (!included.has(row)) return element("span", { class: "muted" }, "not in chart");
  const most = Math.max(
    ...[...included].flatMap(
      (other) => ["a_share", "b_share"].map((key) => table.number(key, other) ?? 0)
    )
  );
  const bar2 = (letter) => {
    const share = table.number(`${letter}_share`, row);
    return element("span", {
      class: `share-bar share-bar-${letter}`,
      style: { width: share === void 0 ? 0 : `${100 * share / most}%` }
    });
  };
  return element("span", { class: "share-bars", aria: { hidden: true } }, bar2("a"), bar2("b"));
}
function chartOf2(table, drawn, state) {
  const column = (letter) => table.column(`${letter}_${state.value}`);
  const values = (letter) => drawn().map((row) => column(letter).cells[row]);
  const side = (letter, row) => `${letter} ${sideValue(column(letter.toLowerCase()).cells[row], column("a").unit)}`;
  return drawChart({
    title: "Time by operator type",
    shows: "How long each operator type takes in A and in B, mean per iteration, in the order of the table below and without the types that are switched off there.",
    marks: () => 2 * drawn().length,
    height: () => Math.max(120, 34 * drawn().length + 64),
    option: (theme, { width }) => sideBars({
      labels: drawn().map((row) => table.text("type", row)),
      a: values("a"),
      b: values("b"),
      unit: column("a").unit,
      theme,
      width
    }),
    readout: {
      length: () => drawn().length,
      text(place) {
        const row = drawn()[place];
        const parts2 = [
          `${chartLabel(table.text("type", row), 60)}: ${side("A", row)}, ${side("B", row)}`
        ];
        const difference = table.number("difference_ms", row);
        if (difference !== void 0) parts2.push(`B − A ${signed(difference)} ms`);
        return parts2.join("; ");
      },
      near: (x, y) => Math.max(0, Math.min(drawn().length - 1, Math.round(y))),
      locate: (place) => ({ seriesIndex: 0, dataIndex: place })
    }
  });
}

// source/views/comparison/index.js
var comparisonViews = /* @__PURE__ */ new Map([
  ["performance-summary", performanceSummary],
  ["inference-time", inferenceTime],
  ["layers", layers],
  ["causes", causes],
  ["not-aligned", notAligned]
]);

// source/pages/comparison.js
start(comparisonViews);
})();
