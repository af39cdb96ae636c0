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
var typeColour = (type, theme) => theme.series[placeOf(type) % theme.series.length];
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
function shown(cell, unit, { decimals, most: most2 } = {}) {
  if (typeof cell === "number") return shownNumber(cell, unit, decimals);
  return shorten(textOf(cell), most2);
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
function shorten(text, most2 = MOST_CHARACTERS) {
  if (text.length <= most2) return text;
  const letters = [...text];
  if (letters.length <= most2) return text;
  const head = Math.floor((most2 - 1) / 3);
  return `${letters.slice(0, head).join("")}…${letters.slice(head + 1 - most2).join("")}`;
}
var DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
function chartLabel(name, most2 = 32) {
  const line = String(name).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  const label = shorten(line.replaceAll(DIRECTIONS, ""), most2);
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
  constructor({ key, title: title2 = null, caveat = null, rows, columns, folded = false }) {
    this.key = key;
    this.title = title2;
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
  constructor({ key, title: title2 = null, figures }) {
    this.key = key;
    this.title = title2;
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
function openDetails({ title: title2, body, onClose }) {
  const back = open?.back ?? document.activeElement;
  open?.node.remove();
  open?.onClose?.();
  const heading = element("h2", { id: "details-title", tabindex: "-1" }, title2);
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
function whenPrinting(node, change2) {
  node.dataset.prints = "";
  parts.set(node, change2);
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
function createTab({ key, title: title2 }, make, go2) {
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
    title2
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
    title: title2,
    panel,
    button,
    open: open2,
    view() {
      if (!view) {
        view = madeOr(make, title2);
        replace(panel, element("h2", { class: "view-title" }, title2), view.node);
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
function madeOr(make, title2) {
  try {
    return make();
  } catch (error) {
    window.reportError(error);
    return { node: element("p", null, `${title2} could not be drawn: ${error.message}`) };
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
function list(title2, notes2) {
  if (notes2.length === 0) return null;
  const items = notes2.map(
    (note) => element("li", { dataset: { value: note.text } }, element("bdi", null, note.text))
  );
  return [element("h3", null, title2), element("ul", null, items)];
}
function meanings(report) {
  const groups = [
    ...report.allFigures.map((figures) => [figures.title ?? figures.key, figures.figures]),
    ...report.tables.map((table) => [table.title ?? table.key, table.columns])
  ];
  return [
    element("h3", null, "What the figures mean"),
    groups.map(
      ([title2, headings]) => element(
        "details",
        { class: "meanings" },
        element("summary", null, title2),
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
  const times2 = shown2.filter(({ unit }) => unit === "milliseconds").map(({ value }) => value);
  const decimals = decimalsOf({ unit: "milliseconds", cells: times2 });
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
    { type: "button", dataset: { filter: "add" }, on: { click: () => add2() } },
    "Add filter"
  );
  function add2(given) {
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
    add: add2,
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
  const [, digits, size, percent2] = text.trim().match(/^(.*?)\s*([kMGT]?)\s*(%?)$/) ?? [];
  if (!digits || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(digits)) return void 0;
  const number = Number(digits) * (SIZES.get(size) ?? 1);
  return percent2 || unit === "share" ? number / 100 : number;
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
  const numbers2 = [];
  const others = [];
  const last = [];
  for (const row of rows) {
    const cell = cells[row];
    if (numberOf(cell) !== void 0) numbers2.push(row);
    else if (typeof cell === "string" || Array.isArray(cell)) others.push(row);
    else last.push(row);
  }
  numbers2.sort((one, other) => sign * (cells[one] - cells[other]));
  others.sort((one, other) => sign * texts.compare(textOf(cells[one]), textOf(cells[other])));
  return [...numbers2, ...others, ...last];
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
  const leftOut2 = element("p", { class: "caveat", hidden: true });
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
    leftOut2,
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
      const missing2 = state.order.length - MOST_PRINTED_ROWS;
      leftOut2.hidden = missing2 <= 0;
      replace(leftOut2, `${missing2} more rows are not printed.`);
      sight.drawAll(state.order.slice(0, MOST_PRINTED_ROWS));
    },
    after() {
      leftOut2.hidden = true;
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
  const sentence2 = `${reason} What follows stands without it.`;
  const line = element(
    "p",
    { class: "still-reason", role: "alert", dataset: { message: "" } },
    sentence2
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
  const at = (exact3) => chart.convertToPixel({ [`${axis}Index`]: 0 }, exact3);
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
function createZoom(chartOf2, changed) {
  let percent2 = { start: 0, end: 100 };
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
  function read3() {
    const [start2, end] = chartOf2().getModel().getComponent("dataZoom", 0).getPercentRange();
    percent2 = { start: start2, end };
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
  const span = () => percent2.end - percent2.start;
  function scale(factor, around2) {
    const fraction = fractionOf(around2);
    const fixed2 = fraction >= 0 && fraction <= 1 ? fraction : 0.5;
    show(percent2.start + span() * (1 - factor) * fixed2, span() * factor);
  }
  function pan(part) {
    show(percent2.start + span() * part, span());
  }
  function follow(value) {
    const fraction = fractionOf(value);
    if (fraction === void 0 || fraction >= 0 && fraction <= 1 || span() === 100) return;
    pan(fraction - 0.5);
  }
  function press({ key, shiftKey }, around2) {
    if (key === "+" || key === "=") scale(STEP, around2());
    else if (key === "-" || key === "_") scale(1 / STEP, around2());
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
      const common = { xAxisIndex: axes, filterMode: "none", ...pending ?? percent2 };
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
    listen: (chart) => chart.on("datazoom", read3),
    /** The chart has been drawn with the option. */
    drawn() {
      if (!pending) return;
      pending = void 0;
      read3();
    }
  };
}

// source/chart.js
var MOST_VECTOR_MARKS = 2e3;
var HINT = "Point at the chart, or press the arrow keys, to read values.";
var ZOOM_HINT = `${HINT} The keys +, - and 0 zoom, and so do Ctrl and the wheel; drag to move.`;
var PAPER_WIDTH = 690;
function drawChart({
  title: title2,
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
  const heading = element("h3", null, call(title2));
  const sentence2 = element(
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
      aria: { label: call(title2), roledescription: "chart", describedby: sentence2.id },
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
    { class: "chart", dataset: { chart: call(title2) } },
    element(
      "div",
      { class: "chart-head" },
      element("figcaption", null, heading, sentence2),
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
    replace(heading, call(title2));
    replace(sentence2, call(shows));
    plot.setAttribute("aria-label", call(title2));
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

// source/views/recording/stretch.js
function stretchOf(params, api, [first, last], y = 1) {
  const { x: left, width } = params.coordSys;
  const [start2] = api.coord([first, y]);
  const [end] = api.coord([last, y]);
  const scale = (end - start2) / (last - first);
  const from = first + (left - start2) / scale;
  return { left, width, from, to: from + width / scale, pixel: (x) => start2 + (x - first) * scale };
}
function firstFrom(values, value, at = (place) => values[place]) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = low + high >> 1;
    if (at(middle) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
function nearestTo(values, value, at = (place) => values[place]) {
  const above = firstFrom(values, value, at);
  if (above === 0) return 0;
  if (above === values.length) return above - 1;
  return at(above) - value < value - at(above - 1) ? above : above - 1;
}

// source/views/recording/iteration_marks.js
var MOST_SINGLE = 1500;
var RADIUS = 3;
var KINDS = [
  { kind: "plain", name: "plain, without instrumentation", symbol: "△" },
  { kind: "measured", name: "measured", symbol: "●" },
  { kind: "warm-up", name: "warm-up, flagged", symbol: "○" },
  { kind: "outlier", name: "outliers", symbol: "◆" }
];
var [, MEASURED, WARM_UP, OUTLIER] = KINDS.keys();
function iterationMarks(params, api, { line, kinds, whole, theme, top }) {
  const { rows, places: places3, latencies } = line;
  const stretch = stretchOf(params, api, whole, top);
  const at = (i) => places3[rows[i]];
  const [first, last] = [firstFrom(rows, stretch.from, at), firstFrom(rows, stretch.to, at)];
  const [, zero2] = api.coord([whole[0], 0]);
  const [, one] = api.coord([whole[0], 1]);
  const y = (row) => zero2 + latencies[row] * (one - zero2);
  const x = (row) => stretch.pixel(places3[row]);
  const looks = looksOf(theme);
  const group = (children) => ({ type: "group", children });
  if (last - first <= MOST_SINGLE) {
    const byKind = KINDS.map(() => []);
    for (let i = first; i < last; i += 1) byKind[kinds[rows[i]]].push(rows[i]);
    const marks = byKind.map((own, kind) => own.map((row) => looks[kind].mark(x(row), y(row))));
    return group(marks.map(group));
  }
  const columns = KINDS.map(() => newColumns(stretch));
  for (let i = first; i < last; i += 1) columns[kinds[rows[i]]].add(x(rows[i]), y(rows[i]));
  return group(columns.map((own, kind) => group(own.marks(looks[kind].colour))));
}
function newColumns({ left, width }) {
  const pixels = Math.ceil(width) + 1;
  const top = new Float64Array(pixels).fill(Infinity);
  const bottom = new Float64Array(pixels).fill(-Infinity);
  return {
    add(x, y) {
      const pixel = Math.floor(x - left);
      if (y < top[pixel]) top[pixel] = y;
      if (y > bottom[pixel]) bottom[pixel] = y;
    },
    /** Pixels that touch are one mark, which is quicker to draw than one for each. */
    marks(fill) {
      const marks = [];
      for (let from = 0; from < pixels; from += 1) {
        if (top[from] === Infinity) continue;
        let to = from;
        while (top[to] < Infinity && to < pixels) to += 1;
        marks.push(outline(left, from, to, top, bottom, fill));
        from = to;
      }
      return marks;
    }
  };
}
function outline(left, from, to, top, bottom, fill) {
  const [there, back] = [[], []];
  for (let pixel = from; pixel < to; pixel += 1) {
    const [high, low] = [top[pixel] - 0.5, bottom[pixel] + 0.5];
    there.push([left + pixel, high], [left + pixel + 1, high]);
    back.push([left + pixel, low], [left + pixel + 1, low]);
  }
  return {
    type: "polygon",
    shape: { points: [...there, ...back.reverse()] },
    style: { fill },
    silent: true
  };
}
function looksOf(theme) {
  const filled = (fill) => ({ fill, stroke: theme.background, lineWidth: 0.5 });
  const hollow = (stroke) => ({ fill: theme.background, stroke, lineWidth: 1.25 });
  const polygon = (points, style) => ({ type: "polygon", shape: { points }, style, silent: true });
  const circle = (cx, cy, style) => ({
    type: "circle",
    shape: { cx, cy, r: RADIUS },
    style,
    silent: true
  });
  const triangle = (x, y, r) => [
    [x, y - r],
    [x + r, y + r],
    [x - r, y + r]
  ];
  const diamond = (x, y, r) => [
    [x, y - r],
    [x + r, y],
    [x, y + r],
    [x - r, y]
  ];
  const [measured3, outlier, plain3] = theme.series;
  return [
    { colour: plain3, mark: (x, y) => polygon(triangle(x, y, RADIUS + 0.5), hollow(plain3)) },
    { colour: measured3, mark: (x, y) => circle(x, y, filled(measured3)) },
    { colour: theme.axis, mark: (x, y) => circle(x, y, hollow(theme.axis)) },
    { colour: outlier, mark: (x, y) => polygon(diamond(x, y, RADIUS + 2), filled(outlier)) }
  ];
}

// source/views/recording/fences.js
var FEWEST = 4;
var FAR = 3;
function fencesOf(values) {
  if (values.length < FEWEST) return void 0;
  const sorted = Float64Array.from(values).sort();
  const [lower2, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = FAR * (upper - lower2);
  return [lower2 - reach, upper + reach];
}
function quantile(sorted, share2) {
  const place = share2 * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.min(Math.floor(place) + 1, sorted.length - 1)];
  return below + (above - below) * (place - Math.floor(place));
}

// source/views/recording/launches_in_line.js
var GAP = 0.04;
function launchesInLine(table) {
  const known2 = [];
  const [starts, latencies] = ["start_ms", "latency_ms"].map((key) => numbersOf(table, key));
  for (let row = 0; row < table.rows; row += 1) {
    if (Number.isFinite(starts[row]) && Number.isFinite(latencies[row])) known2.push(row);
  }
  const groups = /* @__PURE__ */ new Map();
  for (const row of known2) {
    const launch = table.number("launch", row) ?? 0;
    if (!groups.has(launch)) groups.set(launch, []);
    groups.get(launch).push(row);
  }
  const sorted = [...groups].sort(([a], [b]) => a - b);
  for (const [, rows2] of sorted) rows2.sort((a, b) => starts[a] - starts[b]);
  const lengths = sorted.map(
    ([, rows2]) => starts[rows2.at(-1)] + latencies[rows2.at(-1)] - starts[rows2[0]]
  );
  const round2 = roundStep(Math.max(...lengths, 0));
  const places3 = new Float64Array(table.rows).fill(NaN);
  const rows = [];
  let next = 0;
  const launches = sorted.map(([launch, own], at) => {
    const offset = next - starts[own[0]];
    for (const row of own) {
      places3[row] = starts[row] + offset;
      rows.push(row);
    }
    const recorded = own.filter((row) => table.text("kind", row) !== "plain");
    const measured3 = recorded.filter((row) => table.text("kind", row) === "measured");
    const fences = fencesOf(measured3.map((row) => latencies[row]));
    const [from, to] = [next, next + lengths[at]];
    next = Math.ceil((to + lengths[at] * GAP) / round2) * round2;
    return { launch, from, to, fences, recorded };
  });
  return { launches, rows, places: places3, latencies, unplaced: table.rows - known2.length };
}
function launchAt(launches, place) {
  return launches.findLast((launch) => launch.from <= place) ?? launches[0];
}
function roundStep(length) {
  return length > 0 ? 10 ** Math.floor(Math.log10(length / 10)) : 1;
}
function numbersOf(table, key) {
  return Float64Array.from({ length: table.rows }, (_, row) => table.number(key, row) ?? NaN);
}

// source/views/recording/operators.js
var MOST_LETTERS = 80;
function addressOf(report, row) {
  const operators = report.table("operators");
  const name = operators.text("name", row);
  if (name !== "" && operators.find("name", name) === row) return name;
  let address = `#${operators.text("number", row)}`;
  while (operators.find("name", address) !== void 0) address = `#${address}`;
  return address;
}
function rowOf(report, address) {
  const operators = report.table("operators");
  if (!operators || address === void 0) return void 0;
  const [, number] = address.match(/^#+(\d+)$/) ?? [];
  return operators.find("name", address) ?? (number && operators.find("number", number));
}
var nameInWords = (name) => element("bdi", null, chartLabel(name, MOST_LETTERS));
function operatorInWords(operators, row) {
  const [number, name, type] = ["number", "name", "type"].map((key) => operators.text(key, row));
  return [`#${number} `, nameInWords(name), " (", nameInWords(type), ")"];
}
function timeColumn(table) {
  return ["time_ms", "total_ms"].find((key) => table?.hasNumbers(key));
}
function narrowed(table, key, width) {
  const column = table.column(key);
  return column && { ...column, width };
}
function knownColumns(table) {
  const isKnown3 = (cell) => !isUnknown(cell) && !isNone(cell);
  return table.columns.filter(({ importance, cells }) => importance !== "hidden" && cells.some(isKnown3)).map(({ key }) => key);
}

// source/views/recording/choices.js
var DISPLAYS = [
  ["value", "value"],
  ["log", "log of the value"],
  ["percent", "percent of the whole"]
];
function measured(table, timeKey) {
  const perIteration = timeKey === "time_ms";
  return {
    key: "baseline",
    title: "Baseline ms",
    unit: "milliseconds",
    value: (row) => table.number(timeKey, row),
    share: (row) => table.number("share", row),
    whole: perIteration ? "of the iterations' wall time" : "of all operators' time"
  };
}
function flops(table) {
  const known2 = table.column("flops").cells.filter((cell) => typeof cell === "number");
  const sum = known2.reduce((all, value) => all + value, 0);
  return {
    key: "flops",
    title: "FLOPS",
    unit: "quantity",
    value: (row) => table.number("flops", row),
    share: (row) => sum > 0 ? divided(table.number("flops", row), sum) : void 0,
    whole: known2.length === table.rows ? "of all FLOPs" : "of the FLOPs that are known",
    applies: (row) => !isNone(table.cell("flops", row))
  };
}
var isOverhead = (types, row) => types.text("type", row) === "framework overhead" && isNone(types.cell("operators", row));
function prunedTypes(report) {
  const [types, levelTypes, levels] = ["operator_types", "level_types", "levels"].map(
    (key) => report.table(key)
  );
  if (!types || !levelTypes) return [];
  return rowsByLevel(levelTypes).map(([level, byType]) => {
    const total = levels?.number("latency_ms", levels.column("sparse_ratio").cells.indexOf(level));
    const found = (row) => byType.get(types.text("type", row));
    const at = (key) => (row) => found(row) === void 0 ? void 0 : levelTypes.number(key, found(row));
    const [value, share2, low, high] = [
      "latency_ms",
      "share",
      "latency_low_ms",
      "latency_high_ms"
    ].map(at);
    const overhead = (row) => types.number("time_ms", row);
    return {
      key: `pruned ${level}`,
      title: `Pruned ${level} ms`,
      unit: "milliseconds",
      value: (row) => isOverhead(types, row) ? overhead(row) : value(row),
      share: (row) => isOverhead(types, row) ? divided(overhead(row), total) : share2(row),
      whole: "of the model's latency at that level",
      ends: (row) => low(row) === void 0 ? void 0 : [low(row), high(row)],
      origin: (row) => found(row) === void 0 ? void 0 : levelTypes.text("origin", found(row)),
      applies: (row) => found(row) !== void 0 || isOverhead(types, row)
    };
  });
}
function rowsByLevel(levelTypes) {
  const levels = /* @__PURE__ */ new Map();
  for (let row = 0; row < levelTypes.rows; row += 1) {
    const level = levelTypes.number("sparse_ratio", row);
    if (level === void 0) continue;
    if (!levels.has(level)) levels.set(level, /* @__PURE__ */ new Map());
    levels.get(level).set(levelTypes.text("type", row), row);
  }
  return [...levels];
}
function displayed(choice, display, row) {
  if (display === "percent") {
    const share2 = choice.share(row);
    return share2 === void 0 ? void 0 : share2 * 100;
  }
  const value = choice.value(row);
  return display === "log" && !(value > 0) ? void 0 : value;
}
function axisTitle(choice, display) {
  if (display === "percent") return `% ${choice.whole}`;
  const unit = choice.unit === "milliseconds" ? "ms" : "FLOPs";
  return display === "log" ? `${unit}, logarithmic scale` : unit;
}
function inWords(choice, display) {
  if (display === "percent") return `Percent ${choice.whole}`;
  const unit = choice.unit === "milliseconds" ? "Milliseconds" : "FLOPs";
  return display === "log" ? `${unit}, on a logarithmic scale,` : unit;
}
function axisNumber(value, choice, display) {
  if (display === "percent") return `${round(value)} %`;
  return choice.unit === "milliseconds" ? String(round(value)) : shown(round(value), choice.unit);
}
function spoken(choice, row) {
  const [value, share2] = [choice.value(row), choice.share(row)];
  const unit = choice.unit === "milliseconds" ? " ms" : " FLOPs";
  const text = value === void 0 ? "unknown" : `${shown(value, choice.unit)}${unit}`;
  const ends = choice.ends?.(row);
  const interval = ends && ends[0] !== ends[1] ? ` (${ends.map((end) => shown(end, choice.unit)).join(" to ")})` : "";
  return share2 === void 0 ? text + interval : `${text}${interval}, ${shown(share2, "share")} ${choice.whole}`;
}
function leftOut(choice, display, rows, [one, several]) {
  const values = rows.map((row) => display === "percent" ? choice.share(row) : choice.value(row));
  const unknown = values.filter((value) => value === void 0).length;
  const notPositive = display === "log" ? values.filter((value) => value <= 0).length : 0;
  const of = (number) => `${number} ${number === 1 ? one : several}`;
  const parts2 = [];
  if (unknown > 0) parts2.push(`${of(unknown)} not drawn: unknown`);
  if (notPositive > 0) {
    parts2.push(`${of(notPositive)} not drawn: 0 or less has no place on a logarithmic scale`);
  }
  return parts2.length > 0 ? `${parts2.join("; ")}.` : void 0;
}
var divided = (part, whole) => part === void 0 || !(whole > 0) ? void 0 : part / whole;
var round = (value) => Number(value.toPrecision(6));

// source/views/recording/selectors.js
function selector(label, options, chosen2) {
  const list2 = element(
    "select",
    { on: { change: (event) => chosen2(event.target.value) }, dataset: { choice: label } },
    options.map(([key, words2]) => element("option", { value: key }, words2))
  );
  return element("label", { class: "selector" }, element("span", null, label), list2);
}
function summarySelectors(choices, changed) {
  const chosen2 = { choice: choices[0], display: DISPLAYS[0][0] };
  const types = choices.map(({ key, title: title2 }) => [key, title2]);
  chosen2.node = element(
    "div",
    { class: "selectors" },
    selector("Summary type", types, (key) => {
      chosen2.choice = choices.find((other) => other.key === key);
      changed();
    }),
    selector("Value", DISPLAYS, (display) => {
      chosen2.display = display;
      changed();
    })
  );
  return chosen2;
}

// source/views/recording/iterations.js
var HEIGHT = 380;
var MARGIN = 0.01;
var NAME_WIDTH = 64;
var AXES = [
  ["all", "all latencies"],
  ["zero", "from 0"],
  ["near", "without outliers"]
];
function iterations(report) {
  const table = report.table("iterations");
  if (!table || table.rows === 0)
    return { node: element("p", { class: "nothing" }, whyNone(report)) };
  const line = launchesInLine(table);
  if (line.rows.length === 0) {
    return {
      node: element(
        "p",
        { class: "nothing" },
        "The starts or latencies of all iterations are unknown."
      )
    };
  }
  const kinds = kindsOf(table, line);
  const settled = settledPlaces(report, line);
  let axis = "all";
  const chart = drawChart({
    title: "Latency by start (ms)",
    shows: sentence(table, line, settled),
    marks: line.rows.length,
    height: HEIGHT,
    zoom: "x",
    option: (theme, { width }) => optionOf(table, line, kinds, settled, axis, width, theme),
    readout: {
      length: line.rows.length,
      text: (i) => spoken2(table, line, kinds, line.rows[i]),
      near: (x) => nearestTo(line.rows, x, (i) => line.places[line.rows[i]]),
      point: (i) => [line.places[line.rows[i]], line.latencies[line.rows[i]]]
    }
  });
  const axes = selector("Latency axis", AXES, (key) => {
    axis = key;
    chart.refresh();
  });
  const launches = report.table("launches");
  const node = element(
    "div",
    { class: "view iterations" },
    element("div", { class: "selectors" }, axes, legend(line, kinds, settled)),
    chart.node,
    line.unplaced > 0 && element(
      "p",
      { class: "left-out" },
      `${line.unplaced} iterations are not drawn: their start or latency is unknown.`
    ),
    launches && dataTable({ table: launches, columns: knownColumns(launches), caption: launches.title }).node,
    dataTable({
      table,
      columns: knownColumns(table),
      caption: table.title,
      filters: true,
      open: (row) => chart.show(line.rows.indexOf(row))
    }).node
  );
  return { node };
}
function whyNone(report) {
  const operators = report.table("operators");
  const has = (key) => operators?.hasNumbers(key);
  if (has("time_ms"))
    return "There are no iterations: the trace has averages over iterations only, so nothing is known of single ones.";
  if (has("total_ms"))
    return "There are no iterations: the trace does not mark where one ends, so it has sums over the whole run only.";
  return "There are no iterations: nothing was measured.";
}
function kindsOf(table, { launches, rows, latencies, places: places3 }) {
  const kinds = new Uint8Array(table.rows);
  const byName = new Map(KINDS.map(({ kind }, place) => [kind, place]));
  for (const row of rows) {
    const kind = byName.get(table.text("kind", row)) ?? MEASURED;
    const { fences } = launchAt(launches, places3[row]);
    const isFar = fences && (latencies[row] < fences[0] || latencies[row] > fences[1]);
    kinds[row] = kind === MEASURED && isFar ? OUTLIER : kind;
  }
  return kinds;
}
function settledPlaces(report, { launches, places: places3 }) {
  const table = report.table("launches");
  return launches.flatMap(({ launch, recorded }) => {
    const row = table?.column("launch")?.cells.indexOf(launch) ?? -1;
    const found = row < 0 ? void 0 : table.number("warmup_found", row);
    if (!(found > 0) || recorded[found] === void 0) return [];
    return [{ launch, place: places3[recorded[found]], found }];
  });
}
function sentence(table, { launches, rows }, settled) {
  const parts2 = [
    `${rows.length === 1 ? "One iteration" : `${rows.length} iterations`} of ${launches.length === 1 ? "one launch" : `${launches.length} launches, one behind the other`}, by start.`
  ];
  if (launches.some(({ recorded }) => table.text("kind", recorded[0]) === "warm-up"))
    parts2.push("Grey is the warm-up that the recorder flagged.");
  if (settled.length === 0)
    parts2.push("No other warm-up was found, or too few iterations ran to find one.");
  if (launches.some(({ fences }) => fences))
    parts2.push(
      "Outliers lie more than three quartile distances beyond the quartiles of their launch."
    );
  if (launches.length === 1) parts2.push("One launch says little about others.");
  return parts2.join(" ");
}
function legend({ rows }, kinds, settled) {
  const numbers2 = KINDS.map(() => 0);
  for (const row of rows) numbers2[kinds[row]] += 1;
  const items = KINDS.map(({ name, symbol }, kind) => {
    if (numbers2[kind] === 0) return null;
    const sign = element("span", { aria: { hidden: true } }, symbol);
    return element("li", null, sign, `${name}: ${numbers2[kind]}`);
  });
  const line = settled.length > 0 && element(
    "li",
    null,
    element("span", { aria: { hidden: true } }, "┊"),
    "where the latency settles, as found in the data"
  );
  return element("ul", { class: "type-legend", aria: { label: "Symbols" } }, items, line);
}
function spoken2(table, line, kinds, row) {
  const { launch } = launchAt(line.launches, line.places[row]);
  const ms = (key) => `${shown(table.cell(key, row), "milliseconds")} ms`;
  const { kind } = KINDS[kinds[row]];
  const parts2 = [
    `launch ${launch}, iteration ${table.text("iteration", row)} (${kind}): ${ms("latency_ms")}, starts at ${ms("start_ms")}`
  ];
  if (table.column("phase"))
    parts2.push(`${table.text("phase", row)}, ${table.text("cached", row)} tokens in the cache`);
  if (table.number("overhead_ms", row) !== void 0) {
    const isKnown3 = table.number("profiling_ms", row) !== void 0;
    const profiling = isKnown3 ? `profiling ${ms("profiling_ms")}, ` : "";
    parts2.push(`operators ${ms("operators_ms")}, ${profiling}overhead ${ms("overhead_ms")}`);
  }
  return parts2.join("; ");
}
function optionOf(table, line, kinds, settled, axis, width, theme) {
  const { launches, rows, latencies } = line;
  const near = axis === "near" ? rows.filter((row) => kinds[row] !== OUTLIER && kinds[row] !== WARM_UP) : rows;
  const drawn = (near.length > 0 ? near : rows).map((row) => latencies[row]);
  const [low, high] = drawn.reduce(
    ([least2, most2], value) => [Math.min(least2, value), Math.max(most2, value)],
    [Infinity, -Infinity]
  );
  const space = (high - low || high || 1) * 0.05;
  const end = launches.at(-1).to || 1;
  return {
    grid: { left: 8, right: 16, top: 30, bottom: 60, containLabel: true },
    xAxis: {
      type: "value",
      // Marks at the ends are whole.
      min: -end * MARGIN,
      max: end * (1 + MARGIN),
      name: launches.length > 1 ? "time since the first iteration of each launch" : "time since the first iteration",
      nameLocation: "middle",
      nameGap: 26,
      splitLine: { show: false },
      axisLabel: {
        hideOverlap: true,
        showMaxLabel: false,
        formatter: (place, tick) => tick === 0 && place !== 0 ? "" : clock(launches, place)
      }
    },
    yAxis: {
      type: "value",
      min: axis === "zero" ? 0 : Math.max(low - space, 0),
      max: high + space,
      axisLabel: {
        showMinLabel: axis === "zero",
        showMaxLabel: false,
        formatter: (value) => String(Number(value.toPrecision(4)))
      }
    },
    series: [
      {
        type: "custom",
        clip: true,
        // One mark draws all iterations that are in sight.
        data: [
          [0, low],
          [end, high]
        ],
        renderItem: (params, api) => params.dataIndex === 0 ? iterationMarks(params, api, {
          line,
          kinds,
          whole: [0, end],
          theme,
          top: high + space
        }) : null,
        markLine: markLine(settled, launches, width, theme),
        markArea: markArea(table, line, theme)
      }
    ]
  };
}
function clock(launches, place) {
  const { from, to } = launchAt(launches, place);
  if (place > to + (to - from) * 1e-9) return "";
  const [time, unit] = to - from >= 1e4 ? [(place - from) / 1e3, "s"] : [place - from, "ms"];
  return `${Number(time.toPrecision(6))} ${unit}`;
}
function markLine(settled, launches, width, theme) {
  const line = (xAxis, name, type, color) => ({
    xAxis,
    name,
    lineStyle: { type, color, width: 1 }
  });
  const starts = launches.map(
    ({ launch, from }) => line(from, `launch ${launch}`, "solid", theme.axis)
  );
  const ends = settled.map(({ place }) => line(place, "", "dashed", theme.text));
  const isCrowded = launches.length * NAME_WIDTH > width;
  return {
    symbol: "none",
    silent: true,
    animation: false,
    label: {
      formatter: ({ name }) => isCrowded ? "" : name,
      color: theme.muted,
      fontSize: 12,
      position: "end",
      align: "left",
      distance: 6
    },
    data: [...launches.length > 1 ? starts : [], ...ends]
  };
}
function markArea(table, { launches, places: places3, latencies }, theme) {
  const areas = launches.flatMap(({ from, recorded }) => {
    const warm = recorded.filter((row) => table.text("kind", row) === "warm-up");
    if (warm.length === 0) return [];
    const last = warm.at(-1);
    return [[{ xAxis: from }, { xAxis: places3[last] + latencies[last] }]];
  });
  return {
    silent: true,
    animation: false,
    itemStyle: { color: theme.line, opacity: 0.45 },
    data: areas
  };
}

// source/views/recording/layer_chart.js
var HEIGHT2 = 320;
var FAINT = 0.25;
var SPACE = 0.15;
function layerChart({ operators, chosen: chosen2, isFound, fixed: fixed2, open: open2 }) {
  const types = operators.column("type").cells.map(String);
  let base = 0;
  const number = operators.rows === 1 ? "one operator" : `${operators.rows} operators`;
  const value = (row) => displayed(chosen2.choice, chosen2.display, row);
  const option = (theme) => {
    const colourOf = new Map([...new Set(types)].map((type) => [type, typeColour(type, theme)]));
    const values = types.map((_, row) => value(row));
    const known2 = values.filter((number2) => number2 !== void 0);
    const isLog = chosen2.display === "log";
    const [lowest, highest] = known2.length > 0 ? extremes(known2) : isLog ? [1, 10] : [0, 1];
    base = isLog ? lowest / 2 : 0;
    return {
      grid: { left: 8, right: 16, top: 28, bottom: 56, containLabel: true },
      xAxis: {
        type: "value",
        min: -0.5,
        max: operators.rows - 0.5,
        minInterval: 1,
        name: "in the order of execution",
        nameLocation: "middle",
        nameGap: 24,
        splitLine: { show: false },
        axisLabel: { formatter: (place) => numberAt(operators, place), hideOverlap: true }
      },
      yAxis: {
        // At the edge: the axis along the bottom begins before the first operator.
        axisLine: { onZero: false },
        type: isLog ? "log" : "value",
        name: axisTitle(chosen2.choice, chosen2.display),
        nameTextStyle: { align: "left" },
        min: isLog ? base : Math.min(lowest, 0),
        max: isLog ? highest * 1.2 : void 0,
        axisLabel: {
          showMinLabel: !isLog,
          showMaxLabel: !isLog,
          formatter: (number2) => axisNumber(number2, chosen2.choice, chosen2.display)
        }
      },
      series: [
        {
          type: "custom",
          // One mark draws all bars that are in sight; the other places make the axis fit.
          data: [
            [-0.5, highest],
            [operators.rows - 0.5, lowest]
          ],
          renderItem: (params, api) => params.dataIndex === 0 ? barsOf(params, api, {
            values,
            base,
            colour: (row) => colourOf.get(types[row]),
            isFound
          }) : null
        }
      ]
    };
  };
  return drawChart({
    title: () => `${chosen2.choice.title} of each operator`,
    shows: () => `${inWords(chosen2.choice, chosen2.display)} of ${number} in the order of execution, coloured by type.`,
    marks: operators.rows,
    height: HEIGHT2,
    zoom: "x",
    option,
    readout: {
      length: operators.rows,
      text: (row) => [
        operatorInWords(operators, row),
        `: ${spoken(chosen2.choice, row)}`,
        fixed2(row) && chosen2.choice.key.startsWith("pruned") ? `; no target can change it: ${fixed2(row)}` : "",
        weightOf(operators, row)
      ],
      near: (x) => Math.round(x),
      point: (row) => [row, value(row) ?? base]
    },
    open: open2
  });
}
function barsOf(params, api, { values, base, colour, isFound }) {
  const { from, to, width, pixel } = stretchOf(
    params,
    api,
    [0, Math.max(values.length, 1)],
    base || 1
  );
  const [first, last] = [Math.max(0, Math.floor(from)), Math.min(values.length - 1, Math.ceil(to))];
  const perPixel = (to - from) / width;
  const highest = /* @__PURE__ */ new Map();
  for (let row = first; row <= last; row += 1) {
    if (values[row] === void 0) continue;
    const place = perPixel > 1 ? Math.floor(pixel(row)) : row;
    const other = highest.get(place);
    const isHigher = other === void 0 || Number(isFound(row)) - Number(isFound(other)) || values[row] - values[other];
    if (isHigher === true || isHigher > 0) highest.set(place, row);
  }
  const gap = perPixel < 1 / 4 ? SPACE : 0;
  const children = Array.from(highest.values(), (row) => {
    const [left, top] = api.coord([row - 0.5 + gap / 2, values[row]]);
    const [right, bottom] = api.coord([row + 0.5 - gap / 2, base]);
    const shape = {
      x: left,
      y: Math.min(top, bottom),
      width: Math.max(right - left, 1),
      height: Math.max(Math.abs(bottom - top), 0.5)
    };
    return { type: "rect", shape, style: { fill: colour(row), opacity: isFound(row) ? 1 : FAINT } };
  });
  return { type: "group", children };
}
function extremes(values) {
  return values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity]
  );
}
var numberAt = (operators, place) => Number.isInteger(place) && place >= 0 && place < operators.rows ? operators.text("number", place) : "";
function weightOf(operators, row) {
  const weight = operators.cell("weight", row);
  if (typeof weight !== "string") return "";
  return [
    "; weight ",
    nameInWords(weight),
    ` ${shown(operators.cell("weight_shape", row), "text")}`
  ];
}

// source/views/recording/layer_columns.js
var WIDTHS = /* @__PURE__ */ new Map([
  ["type", 15],
  ["weight", 11]
]);
var SHAPE_WIDTH = 13;
var NAME = { least: 27, most: 64, from: 1280, pixels: 8 };
function layerColumns(operators, timeKey, chosen2) {
  const shape = isKnown2(operators, "weight_shape") ? "weight_shape" : "output_shapes";
  const ends = endsOf(operators);
  const keys = ["number", "name", "type", "weight", shape, timeKey, ...ends];
  keys.push("share", "flops", "gflops_per_second");
  const asked = keys.filter((key) => key && operators.column(key));
  const known2 = asked.filter((key) => isKnown2(operators, key));
  const widths = new Map([...WIDTHS, ["name", widthOfNames()]]);
  const inChart = inChartColumn(operators, chosen2);
  const columns = known2.flatMap((key) => {
    if (key === shape) return [narrowed(operators, key, SHAPE_WIDTH)];
    if (key === ends[0]) return [intervalColumn(operators, ends, timeKey)];
    if (key === ends[1]) return [];
    return [widths.has(key) ? narrowed(operators, key, widths.get(key)) : key];
  });
  return {
    columns: [...columns, inChart],
    unknown: asked.filter((key) => !known2.includes(key)).map((key) => operators.column(key).heading),
    cell(key, row) {
      return key === inChart.key ? element("span", null, inChart.text(row)) : void 0;
    },
    refresh: inChart.refresh
  };
}
function isKnown2(operators, key) {
  return operators.column(key)?.cells.some((cell) => !isUnknown(cell) && !isNone(cell)) ?? false;
}
function endsOf(operators) {
  const ends = ["time_low_ms", "time_high_ms"];
  return operators.hasNumbers(ends[0]) ? ends : ["time_p10_ms", "time_p90_ms"];
}
function widthOfNames() {
  const more = Math.floor((window.innerWidth - NAME.from) / NAME.pixels);
  return Math.max(NAME.least, Math.min(NAME.most, NAME.least + more));
}
function intervalColumn(operators, ends, timeKey) {
  const columns = ends.map((key) => operators.column(key));
  const decimals = decimalsOf(operators.column(timeKey));
  const length = (cell) => shown(cell, columns[0].unit, { decimals }).length;
  const lengths = columns[0].cells.map((low, row) => length(low) + length(columns[1].cells[row]));
  const longest = lengths.reduce((most2, own) => Math.max(most2, own), 0);
  const end = (column, row) => {
    const value = valueElement(column.cells[row], column.unit, "span", { decimals });
    value.dataset.column = column.key;
    return value;
  };
  return {
    key: "interval",
    heading: columns.map(({ heading }) => heading.replace(/ ms$/, "")).join("–"),
    meaning: columns.map(({ meaning }) => meaning).join("; "),
    width: longest + 1,
    element(row) {
      const isSame2 = columns.every(({ cells }) => isUnknown(cells[row]));
      return element(
        "span",
        { class: "interval" },
        end(columns[0], row),
        !isSame2 && ["–", end(columns[1], row)]
      );
    }
  };
}
function inChartColumn(operators, chosen2) {
  let decimals;
  const column = {
    key: "in_chart",
    heading: "In chart",
    unit: "number",
    meaning: "what the chart shows of it",
    width: 9,
    cells: []
  };
  column.refresh = () => {
    const { choice, display } = chosen2;
    const value = (row) => display === "percent" ? choice.share(row) : choice.value(row);
    column.cells = Array.from({ length: operators.rows }, (_, row) => value(row) ?? null);
    column.unit = display === "percent" ? "share" : choice.unit;
    decimals = decimalsOf(column);
  };
  column.text = (row) => shown(column.cells[row], column.unit, { decimals });
  column.refresh();
  return column;
}

// source/projection.js
var SAME_LEVEL = 1e-9;
function project(inputs, settings) {
  const lookups = new Lookups(settings.ratios);
  const targets = targetsOf(inputs, settings.targets);
  const measured3 = asMeasured(inputs);
  const operators = operatorsAt(inputs, measured3, targets, lookups);
  const levels = allLevels(settings);
  return {
    levels,
    operators,
    types: typesOf(inputs, operators, targets),
    totals: totalsOf(inputs, operators),
    origin: allOrigins(operators),
    atLevels: levels.map((level) => atLevel(inputs, measured3, level, lookups)),
    plan: planOf(inputs, measured3, settings, lookups)
  };
}
function allLevels(settings) {
  const levels = [...settings.levels];
  for (const row of settings.ratios) {
    for (const { level } of row.points) {
      if (!levels.some((known2) => Math.abs(known2 - level) < SAME_LEVEL)) levels.push(level);
    }
  }
  return levels;
}
var GIVEN = 1;
var DEFAULT = 2;
var ORIGINS = ["measured", "given", "default, not measured", "given and default"];
var originText = (origins) => ORIGINS[origins];
var allOrigins = ({ origins }) => originText(origins.reduce((all, more) => all | more, 0));
var bitOf = (origin2) => origin2 === "given" ? GIVEN : DEFAULT;
var EXACTLY_1 = { value: 1, low: 1, high: 1, origins: 0, origin: ORIGINS[0] };
var UNKNOWN = { value: NaN, low: NaN, high: NaN, origins: 0, origin: null };
var percent = (level) => Math.round(level * 1e8) / 1e6;
function perfRatio({ points, others }, level) {
  let above = 0;
  while (above < points.length && points[above].level <= level + SAME_LEVEL) above += 1;
  const below = points[above - 1], next = points[above];
  if (below === void 0) {
    const exact3 = { value: others, low: others, high: others };
    if (next === void 0 && others === 1) return EXACTLY_1;
    const key = others === 1 ? "default" : "given";
    return { ...exact3, origins: bitOf(key), origin: `below all levels (${key})` };
  }
  const known2 = ({ level: level2, origin: origin3 }) => `${percent(level2)} % (${origin3})`;
  const at = Math.abs(level - below.level) < SAME_LEVEL;
  const between = !at && next !== void 0;
  let origins = bitOf(below.origin), origin2 = originText(origins);
  if (between) {
    origins |= bitOf(next.origin);
    origin2 = `between ${known2(below)} and ${known2(next)}`;
  } else if (!at) {
    origin2 = `as at ${known2(below)}`;
  }
  if (next === void 0) {
    const { value: value2, low, high } = below;
    return { value: value2, low, high, origins, origin: origin2 };
  }
  const way = (level - below.level) / (next.level - below.level);
  const on = (from, to) => from + way * (to - from);
  const value = on(below.value, next.value);
  return { value, low: on(below.low, next.low), high: on(below.high, next.high), origins, origin: origin2 };
}
var Lookups = class {
  constructor(rows) {
    this.rows = rows.map((row) => ({ row, known: /* @__PURE__ */ new Map() }));
  }
  at(number, level) {
    const { row, known: known2 } = this.rows[number];
    if (!known2.has(level)) known2.set(level, perfRatio(row, level));
    return known2.get(level);
  }
  /** What a target does to an operator that it can change, and the perf ratio that follows. */
  ofOperator({ row, sparseRatio }, operator, target) {
    if (target <= 0) return { outcome: "no target", by: EXACTLY_1 };
    if (target <= sparseRatio[operator]) return { outcome: "already at the target", by: EXACTLY_1 };
    const number = row[operator];
    const isEmpty = this.rows[number].row.points.length === 0;
    return { outcome: isEmpty ? "no perf ratio" : "projected", by: this.at(number, target) };
  }
};
function byPosition(named, length) {
  const levels = new Float64Array(length).fill(NaN);
  for (const { at, level } of named) if (at >= 0) levels[at] = level;
  return levels;
}
function targetsOf(inputs, { model, types, operators }) {
  const own = byPosition(operators, inputs.operators.type.length);
  const ofTypes = byPosition(types, inputs.types.name.length);
  const whole = model === null ? { level: inputs.defaultTarget, from: "default" } : { level: model, from: "model" };
  const ofType = (type) => {
    const level = ofTypes[inputs.types.sameName[type]];
    return Number.isNaN(level) ? whole : { level, from: "type" };
  };
  const byType = inputs.types.name.map((_, type) => ofType(type));
  const of = (operator) => {
    const level = own[inputs.operators.sameName[operator]];
    return Number.isNaN(level) ? byType[inputs.operators.type[operator]] : { level, from: "operator" };
  };
  return { of, byType };
}
var columnsOf = (length) => ({ value: new Float64Array(length), low: new Float64Array(length), high: new Float64Array(length) });
var ratiosOf = (length) => ({
  ratio: columnsOf(length),
  projected: columnsOf(length),
  origin: new Array(length).fill(null),
  origins: new Uint8Array(length)
});
function setRatio({ ratio, projected, origin: origin2, origins }, n, latency, at, by) {
  ratio.value[n] = by.value;
  ratio.low[n] = by.low;
  ratio.high[n] = by.high;
  projected.value[n] = latency.value[at] / by.value;
  projected.low[n] = latency.low[at] / by.high;
  projected.high[n] = latency.high[at] / by.low;
  origin2[n] = by.origin;
  origins[n] = by.origins;
}
function asMeasured({ operators: { latency, weightUnknown } }) {
  const found = ratiosOf(weightUnknown.length);
  weightUnknown.forEach((unknown, n) => setRatio(found, n, latency, n, unknown ? UNKNOWN : EXACTLY_1));
  return found;
}
var copyOf = ({ value, low, high }) => ({ value: value.slice(), low: low.slice(), high: high.slice() });
var copyOfAll = ({ ratio, projected, origin: origin2, origins }) => ({
  ratio: copyOf(ratio),
  projected: copyOf(projected),
  origin: origin2.slice(),
  origins: origins.slice()
});
function operatorsAt(inputs, measured3, targets, lookups) {
  const { latency, fixed: fixed2 } = inputs.operators;
  const length = fixed2.length;
  const found = {
    ...copyOfAll(measured3),
    target: new Float64Array(length).fill(NaN),
    targetFrom: new Array(length).fill(null),
    outcome: [...fixed2]
  };
  for (let n = 0; n < length; n += 1) {
    if (fixed2[n] !== null) continue;
    const { level, from } = targets.of(n);
    const { outcome, by } = lookups.ofOperator(inputs.operators, n, level);
    found.target[n] = level;
    found.targetFrom[n] = from;
    found.outcome[n] = outcome;
    setRatio(found, n, latency, n, by);
  }
  return found;
}
var plus = (a, b) => ({ value: a.value + b.value, low: a.low + b.low, high: a.high + b.high });
var minus = (a, b) => ({ value: a.value - b.value, low: a.low - b.low, high: a.high - b.high });
var times = ({ value, low, high }, factor) => ({ value: value * factor, low: low * factor, high: high * factor });
var exact2 = (value) => ({ value, low: value, high: value });
var zero = () => exact2(0);
var withFiniteEnds = ({ value, low, high }) => ({ value, low: Number.isFinite(low) ? low : value, high: Number.isFinite(high) ? high : value });
var least = (a, b) => Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
var most = (a, b) => Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
function add(sum, column, n) {
  sum.value += column.value[n];
  sum.low += column.low[n];
  sum.high += column.high[n];
}
function sumsByType(inputs, column, isKnown3) {
  const sums = new Array(inputs.types.name.length).fill(null);
  inputs.operators.type.forEach((type, n) => {
    if (!isKnown3(n)) return;
    sums[type] ??= zero();
    add(sums[type], column, n);
  });
  return sums;
}
function typesAt(inputs, { projected, origins }) {
  const { known: known2, weightUnknown, type } = inputs.operators;
  const sums = sumsByType(inputs, projected, (n) => known2[n] && !weightUnknown[n]);
  const ofTypes = new Uint8Array(sums.length);
  type.forEach((at, n) => {
    ofTypes[at] |= origins[n];
    if (weightUnknown[n]) sums[at] = null;
  });
  return { projected: sums, origin: Array.from(ofTypes, originText) };
}
function typesOf(inputs, operators, targets) {
  const inheriting = new Int32Array(inputs.types.name.length);
  inputs.operators.type.forEach((type, n) => {
    const from = operators.targetFrom[n];
    if (from !== null && from !== "operator") inheriting[type] += 1;
  });
  const { latency, known: known2 } = inputs.operators;
  return {
    ...typesAt(inputs, operators),
    target: Float64Array.from(targets.byType, (target) => target.level),
    inheriting,
    latency: sumsByType(inputs, latency, (n) => known2[n])
  };
}
function sumsOf({ latency, known: known2, supported, weightUnknown }, sparse, end) {
  const dense = latency[end], after = sparse[end];
  let all = 0, projected = 0, support = 0, projectedSupport = 0;
  for (let n = 0; n < known2.length; n += 1) {
    if (!known2[n]) continue;
    all += dense[n];
    projected += weightUnknown[n] ? dense[n] : after[n];
    if (weightUnknown[n] || !supported[n]) continue;
    support += dense[n];
    projectedSupport += after[n];
  }
  return { all, projected, support, projectedSupport };
}
function cornersOf({ latency, known: known2, supported, weightUnknown }, ratio) {
  const corners = [0, 0, 0, 0];
  for (let n = 0; n < known2.length; n += 1) {
    if (!known2[n] || weightUnknown[n] || !supported[n]) continue;
    corners[0] += latency.low[n] / ratio.low[n];
    corners[1] += latency.high[n] / ratio.low[n];
    corners[2] += latency.low[n] / ratio.high[n];
    corners[3] += latency.high[n] / ratio.high[n];
  }
  return corners;
}
function totalsOf(inputs, { ratio, projected: sparse }) {
  const [value, low, high] = ["value", "low", "high"].map((end) => sumsOf(inputs.operators, sparse, end));
  const sum = (key) => ({ value: value[key], low: low[key], high: high[key] });
  const all = sum("all"), projected = sum("projected");
  const support = sum("support"), projectedSupport = sum("projectedSupport");
  const timed = inputs.operators.known.includes(1);
  const degree = all.value > 0 ? inputs.concurrent / all.value : 0;
  const concurrent = { ...times(all, degree), value: inputs.concurrent };
  const projectedConcurrent = times(projected, degree);
  const covered = 1 - degree;
  const overhead = inputs.overhead ?? zero();
  const total = plus(minus(all, concurrent), overhead);
  const projectedTotal = plus(minus(projected, projectedConcurrent), overhead);
  const before = (figure) => timed ? figure : null;
  const after = (figure) => timed && weightsAreKnown(inputs) ? figure : null;
  return {
    operators: before(all),
    projectedOperators: after(projected),
    concurrent: before(concurrent),
    projectedConcurrent: after(projectedConcurrent),
    overhead: inputs.overhead,
    total: before(total),
    projectedTotal: after(projectedTotal),
    support: after(support),
    projectedSupport: after(projectedSupport),
    supportShare: after(share(support, covered, total)),
    projectedSupportShare: after(share(projectedSupport, covered, projectedTotal)),
    speedup: after(speedup(
      total,
      minus(total, times(support, covered)),
      projectedTotal,
      minus(projectedTotal, times(projectedSupport, covered)),
      times(support, covered),
      cornersOf(inputs.operators, ratio).map((corner) => corner * covered)
    )),
    itemsPerSecond: before(rate(inputs, total)),
    projectedItemsPerSecond: after(rate(inputs, projectedTotal))
  };
}
function weightsAreKnown({ operators: { fixed: fixed2, weightUnknown } }) {
  const hasWeight = (outcome, n) => !weightUnknown[n] && outcome !== "no constant weight";
  return !weightUnknown.includes(1) || fixed2.some(hasWeight);
}
function rate({ batchSize }, total) {
  if (batchSize === null || !(total.value > 0)) return null;
  const items = batchSize * 1e3;
  return withFiniteEnds({ value: items / total.value, low: items / total.high, high: items / total.low });
}
function share(operators, covered, whole) {
  if (!(whole.value > 0)) return null;
  const rest = minus(whole, times(operators, covered));
  const end = (part, others) => part / (part * covered + others);
  return withFiniteEnds({
    value: operators.value / whole.value,
    low: end(operators.low, rest.high),
    high: end(operators.high, rest.low)
  });
}
function speedup(total, before, projectedTotal, after, support, corners) {
  if (!(projectedTotal.value > 0)) return null;
  const cases = (low2, high2) => [
    (support.low + before.low) / (low2 + after.low),
    (support.low + before.high) / (low2 + after.high),
    (support.high + before.low) / (high2 + after.low),
    (support.high + before.high) / (high2 + after.high)
  ];
  const low = Math.min(...cases(corners[0], corners[1]));
  const high = Math.max(...cases(corners[2], corners[3]));
  const value = total.value / projectedTotal.value;
  return withFiniteEnds({ value, low: least(low, value), high: most(high, value) });
}
function operatorsAtLevel(inputs, settings, level) {
  return everyWeightAt(inputs, asMeasured(inputs), level, new Lookups(settings.ratios));
}
function everyWeightAt(inputs, measured3, level, lookups) {
  const { latency, sparseRatio, row } = inputs.operators;
  const found = copyOfAll(measured3);
  const ratios = lookups.rows.map((_, number) => lookups.at(number, level));
  row.forEach((number, n) => {
    const isUnchanged = number < 0 || level <= 0 || level <= sparseRatio[n];
    if (!isUnchanged) setRatio(found, n, latency, n, ratios[number]);
  });
  return found;
}
function atLevel(inputs, measured3, level, lookups) {
  const found = everyWeightAt(inputs, measured3, level, lookups);
  return { level, totals: totalsOf(inputs, found), types: typesAt(inputs, found), origin: allOrigins(found) };
}
function agreed(inputs, overrides) {
  const { fixed: unsettable, sameName } = inputs.operators;
  const { operator, sameWeight, exclusion } = inputs.layers;
  const named = byPosition(overrides, sameName.length);
  const own = Float64Array.from(operator, (at) => unsettable[at] === null ? named[sameName[at]] : NaN);
  const weights = /* @__PURE__ */ new Map();
  sameWeight.forEach((first, layer) => {
    if (!weights.has(first)) weights.set(first, { fixed: NaN, outcome: null, other: null });
    const weight = weights.get(first);
    if (unsettable[operator[layer]] !== null) weight.outcome ??= exclusion[layer];
    else if (Number.isNaN(own[layer])) weight.other ??= exclusion[layer];
    if (Number.isNaN(weight.fixed)) weight.fixed = own[layer];
  });
  return Array.from(sameWeight, (first) => {
    const { fixed: fixed2, outcome, other } = weights.get(first);
    if (outcome !== null) return { fixed: NaN, exclusion: outcome };
    return { fixed: fixed2, exclusion: Number.isNaN(fixed2) ? other : null };
  });
}
function planOf(inputs, measured3, settings, lookups) {
  const { latency, flops: flops2 } = inputs.operators;
  const { operator, parameters, planned } = inputs.layers;
  const length = operator.length;
  const whole = copyOfAll(measured3), plannedFlops = flops2.slice();
  const agreement = agreed(inputs, settings.plan.overrides);
  const layers = {
    ...ratiosOf(length),
    level: new Float64Array(length),
    flops: new Float64Array(length),
    why: [],
    fixed: Float64Array.from(agreement, (layer) => layer.fixed)
  };
  let weights = 0, prunable = 0, pruned2 = 0;
  agreement.forEach(({ fixed: fixed2, exclusion }, n) => {
    const at = operator[n];
    const isFixed = !Number.isNaN(fixed2);
    const level = exclusion !== null ? 0 : isFixed ? fixed2 : planned[n];
    const isFree = exclusion === null;
    const by = isFree ? lookups.ofOperator(inputs.operators, at, level).by : EXACTLY_1;
    setRatio(layers, n, latency, at, by);
    setRatio(whole, at, latency, at, by);
    if (isFree) plannedFlops[at] = flops2[at] * (1 - level);
    layers.level[n] = level;
    layers.why[n] = exclusion ?? (isFixed ? "fixed" : level > 0 ? "planned" : "left dense by the budget");
    layers.flops[n] = plannedFlops[at];
    weights += parameters[n];
    if (isFree) prunable += parameters[n];
    pruned2 += parameters[n] * level;
  });
  const totals = totalsOf(inputs, whole);
  const known2 = weightsAreKnown(inputs);
  const after = (value) => known2 && value !== null ? exact2(value) : null;
  const all = inputs.parameters ?? (known2 ? weights : null);
  return {
    layers,
    totals,
    pruned: pruned2,
    origin: allOrigins(layers),
    figures: {
      latency: change(totals.total, totals.projectedTotal),
      itemsPerSecond: change(totals.itemsPerSecond, totals.projectedItemsPerSecond, true),
      flops: change(exact2(sumOfKnown(flops2)), after(sumOfKnown(plannedFlops))),
      parameters: change(all === null ? null : exact2(all), after(all === null ? null : all - pruned2)),
      prunableParameters: change(after(prunable), after(prunable - pruned2))
    }
  };
}
var sumOfKnown = (column) => column.reduce((sum, value) => Number.isNaN(value) ? sum : sum + value, 0);
function change(before, planned, rises = false) {
  const isKnown3 = before !== null && planned !== null && before.value > 0 && planned.value > 0;
  const gain = () => rises ? planned.value / before.value : before.value / planned.value;
  return { before, planned, gain: isKnown3 ? gain() : null };
}

// source/projection_inputs.js
var numbers = (values) => Float64Array.from(values, (value) => value ?? NaN);
function readInputs(block) {
  const outcomes = block.outcomes;
  const { operators, types, layers } = block;
  const fixed2 = operators.fixed.map((outcome) => outcome < 0 ? null : outcomes[outcome].text);
  const type = Int32Array.from(operators.type);
  const settable = new Int32Array(types.name.length);
  type.forEach((at, n) => {
    if (fixed2[n] === null) settable[at] += 1;
  });
  return {
    basis: block.basis,
    latencyEnds: block.latency_ends,
    concurrent: block.concurrent_ms,
    overhead: block.overhead_ms,
    batchSize: block.batch_size,
    parameters: block.parameters,
    defaultTarget: block.default_target,
    outcomes,
    operators: {
      latency: {
        value: numbers(operators.latency_ms),
        low: numbers(operators.latency_low_ms),
        high: numbers(operators.latency_high_ms)
      },
      known: Uint8Array.from(operators.latency_ms, (value) => Number(value !== null)),
      supported: Uint8Array.from(operators.sparse_support),
      weightUnknown: Uint8Array.from(fixed2, (outcome) => Number(outcome === "weight unknown")),
      sparseRatio: numbers(operators.sparse_ratio),
      fixed: fixed2,
      type,
      row: Int32Array.from(operators.row),
      sameName: Int32Array.from(operators.same_name),
      flops: numbers(operators.flops)
    },
    types: {
      name: types.name,
      operators: Int32Array.from(types.operators),
      settable,
      sameName: Int32Array.from(types.same_name),
      flops: numbers(types.flops)
    },
    layers: {
      operator: Int32Array.from(layers.operator),
      parameters: numbers(layers.parameters),
      sameWeight: Int32Array.from(layers.same_weight),
      exclusion: layers.exclusion,
      planned: numbers(layers.planned)
    },
    settings: settingsOf(block.settings)
  };
}
function settingsOf({ block, levels, default_ratios: defaultRatios, ratios, targets, plan }) {
  const named = ({ name, at, level }) => name.map((text, n) => ({ name: text, at: at[n], level: level[n] }));
  const row = (known2) => ({
    weightShape: known2.weight_shape,
    operatorType: known2.operator_type,
    dataType: known2.data_type,
    block: known2.block,
    operators: known2.operators,
    others: known2.others,
    points: known2.points.map(([level, value, low, high, origin2]) => ({ level, value, low, high, origin: origin2 }))
  });
  const { model, types, operators } = targets;
  return {
    block,
    levels,
    defaultRatios,
    ratios: ratios.map(row),
    targets: { model, types: named(types), operators: named(operators) },
    plan: { ...plan, overrides: named(plan.overrides) }
  };
}

// source/views/recording/levels.js
var known = /* @__PURE__ */ new WeakMap();
var NOTHING = { choices: [], fixed: () => void 0 };
function levelsOf(report) {
  if (!known.has(report)) known.set(report, read(report));
  return known.get(report);
}
function read(report) {
  const block = report.block("projection");
  if (!block) {
    return { ...NOTHING, why: "Pruned levels are left out: this page has no projection." };
  }
  const inputs = readInputs(block);
  const { fixed: fixed2 } = inputs.operators;
  const { atLevels } = project(inputs, inputs.settings);
  if (!atLevels.some(({ totals }) => totals.projectedTotal)) {
    const why = "Pruned levels are left out: the trace has no weights, so their gain is unknown.";
    return { ...NOTHING, why };
  }
  return {
    choices: atLevels.map((at) => choiceOf(inputs, at)),
    fixed: (row) => fixed2[row] ?? void 0
  };
}
function choiceOf(inputs, { level, totals }) {
  let found;
  const at = () => found ??= operatorsAtLevel(inputs, inputs.settings, level);
  const whole = totals.projectedTotal?.value;
  const numberAt2 = (row) => finite(at().projected.value[row]);
  return {
    level,
    key: `pruned ${level}`,
    title: `Pruned ${level} ms`,
    unit: "milliseconds",
    value: numberAt2,
    share: (row) => {
      const value = numberAt2(row);
      return value === void 0 || !(whole > 0) ? void 0 : value / whole;
    },
    whole: "of the model's latency at that level",
    ends: (row) => endsOf2(at().projected, row),
    origin: (row) => at().origin[row] ?? void 0
  };
}
function endsOf2({ low, high }, row) {
  const ends = [finite(low[row]), finite(high[row])];
  return ends.includes(void 0) ? void 0 : ends;
}
var finite = (value) => Number.isFinite(value) ? value : void 0;

// source/views/recording/histogram.js
var MARKS = [
  ["time_p10_ms", "dotted"],
  ["time_median_ms", "dashed"],
  ["time_p90_ms", "dotted"]
];
function histogramChart(report, row) {
  const block = report.block("histograms", "latency_histograms");
  if (!block) return words("There is no distribution: the trace does not tell iterations apart.");
  const [low, high] = [block.low_ms[row], block.high_ms[row]];
  if (!Number.isFinite(low) || !Number.isFinite(high)) {
    return words("There is no distribution: its time in single iterations is unknown.");
  }
  const { bins } = block;
  const counts = block.counts.slice(row * bins, (row + 1) * bins);
  const all = counts.reduce((sum, count2) => sum + count2, 0);
  const ms = (value) => `${shown(value, "milliseconds")} ms`;
  if (low === high) return words(`It took ${ms(low)} in each of ${all} iterations.`);
  const width = (high - low) / bins;
  const edge = (bin) => low + bin * width;
  const operators = report.table("operators");
  const marks = MARKS.map(([key, type]) => ({ type, value: operators.number(key, row) }));
  const bars = counts.map((count2, bin) => [edge(bin) + width / 2, count2]);
  return drawChart({
    title: "Distribution of its latency (ms)",
    shows: `How many of ${all} iterations took how long, in ${bins} bins of ${ms(width)}. Dashed is the median, dotted are p10 and p90.`,
    marks: bins,
    height: 220,
    option: (theme) => ({
      grid: { left: 8, right: 16, top: 28, bottom: 8, containLabel: true },
      xAxis: {
        type: "value",
        min: low,
        max: high,
        axisLabel: { formatter: (value) => shown(value, "milliseconds"), hideOverlap: true },
        splitLine: { show: false }
      },
      yAxis: {
        type: "value",
        minInterval: 1,
        name: "iterations",
        nameTextStyle: { align: "left" }
      },
      series: [
        {
          type: "custom",
          data: bars,
          renderItem: (params, api) => barOf(api, width, theme),
          markLine: markLine2(marks, theme)
        }
      ]
    }),
    readout: {
      length: bins,
      text: (bin) => {
        const share2 = all > 0 ? `, ${shown(counts[bin] / all, "share")}` : "";
        return `${ms(edge(bin))} to ${ms(edge(bin + 1))}: ${counts[bin]} of ${all} iterations${share2}`;
      },
      near: (time) => Math.floor((time - low) / width),
      locate: (bin) => ({ seriesIndex: 0, dataIndex: bin })
    },
    table: () => binTable(counts, edge)
  }).node;
}
function barOf(api, width, theme) {
  const [center, count2] = [api.value(0), api.value(1)];
  const [left, top] = api.coord([center - width / 2, count2]);
  const [right, bottom] = api.coord([center + width / 2, 0]);
  return {
    type: "rect",
    shape: { x: left + 0.5, y: top, width: Math.max(right - left - 1, 0.5), height: bottom - top },
    style: { fill: theme.accent },
    emphasis: { style: { fill: theme.text } }
  };
}
function markLine2(marks, theme) {
  return {
    symbol: "none",
    silent: true,
    animation: false,
    label: { show: false },
    data: marks.filter(({ value }) => value !== void 0).map(({ type, value }) => ({
      xAxis: value,
      lineStyle: { color: theme.text, type, width: 1.5 }
    }))
  };
}
function binTable(counts, edge) {
  const column = (key, heading, unit, meaning, cell) => ({
    key,
    heading,
    unit,
    meaning,
    importance: "shown",
    cells: counts.map(cell)
  });
  const table = new Table({
    key: "bins",
    rows: counts.length,
    columns: [
      column("from_ms", "From ms", "milliseconds", "low end of the bin", (_, bin) => edge(bin)),
      column("to_ms", "To ms", "milliseconds", "high end of the bin", (_, bin) => edge(bin + 1)),
      column("iterations", "Iterations", "count", "iterations that took so long", (count2) => count2)
    ]
  });
  const { node } = dataTable({ table, columns: "shown", caption: "Bins" });
  node.dataset.computed = "bins";
  return node;
}
var words = (text) => element("p", { class: "nothing" }, text);

// source/views/recording/operator_details.js
var GROUPS = [
  [
    "Time",
    [
      ..."share time_ms time_low_ms time_high_ms time_median_ms time_p10_ms time_p90_ms".split(" "),
      ..."time_p99_ms time_min_ms time_max_ms iterations executions calls total_ms".split(" ")
    ]
  ],
  ["Cost", ["flops", "gflops_per_second", "bytes", "parameters"]],
  [
    "Weight",
    [
      ..."weight weight_shape sparse_support sparse_ratio_1x1 sparse_ratio_4x1".split(" "),
      ..."sparse_ratio_1x4 sparse_ratio_1x16 sparse_ratio_4x16".split(" ")
    ]
  ],
  ["Tensors", "inputs input_types input_shapes outputs output_types output_shapes".split(" ")]
];
var OTHERS = "Operator";
var MOST_LETTERS2 = 300;
var VIEWS = ["layer-results", "timeline", "roofline"];
function openOperator(report, row) {
  const operators = report.table("operators");
  const name = operators.text("name", row);
  return openDetails({
    title: title(name),
    body: [
      places2(report, row),
      histogramChart(report, row),
      ...groupsOf(operators, row),
      pruned(report, row),
      resources(report, row)
    ].filter(Boolean)
  });
}
function title(name) {
  return element(
    "bdi",
    null,
    shorten(name, MOST_LETTERS2).split(/(?<=\/)/).flatMap((part) => [part, element("wbr")])
  );
}
function places2(report, row) {
  const views = report.views.filter((view) => VIEWS.includes(view.key));
  const name = addressOf(report, row);
  const links = views.map((view) => element("a", { href: hrefOf(view.key, name) }, view.title));
  return element("p", { class: "places" }, "In other views: ", links);
}
function groupsOf(operators, row) {
  const grouped = new Set(GROUPS.flatMap(([, keys]) => keys));
  const others = operators.columns.map((column) => column.key).filter((key) => !grouped.has(key));
  return [...GROUPS, [OTHERS, others]].map(([title2, keys]) => {
    const columns = keys.map((key) => operators.column(key)).filter(Boolean);
    const facts = columns.filter((column) => !isNone(column.cells[row]));
    if (facts.length === 0) return null;
    return [
      element("h3", null, title2),
      element(
        "dl",
        { class: "figures facts", dataset: { table: operators.key, row } },
        facts.map((column) => fact(column, column.cells[row]))
      )
    ];
  }).flat();
}
function fact({ key, heading, unit, meaning }, cell) {
  const isText = typeof cell === "string";
  const value = isText ? element(
    "dd",
    { class: "whole", dataset: { value: exact(cell) } },
    element("bdi", null, textOf(cell))
  ) : valueElement(cell, unit, "dd");
  value.dataset.column = key;
  return element("div", { title: meaning || void 0 }, element("dt", null, heading), value);
}
function pruned(report, row) {
  const levels = levelsOf(report);
  if (levels.why)
    return [element("h3", null, "Pruned"), element("p", { class: "quiet" }, levels.why)];
  const fixed2 = levels.fixed(row);
  if (fixed2) {
    return [
      element("h3", null, "Pruned"),
      element("p", null, `No target can change it: ${fixed2}.`)
    ];
  }
  const cell = (value) => element("td", { class: "number", title: value }, shown(value ?? null, "milliseconds"));
  const rows = levels.choices.map((choice) => {
    const [low, high] = choice.ends(row) ?? [];
    return element(
      "tr",
      null,
      element("th", { scope: "row" }, shown(choice.level, "share")),
      [choice.value(row), low, high].map(cell),
      element("td", null, choice.origin(row) ?? "unknown")
    );
  });
  const headings = ["Pruned to", "Latency ms", "Low ms", "High ms", "Perf ratio is"].map(
    (text) => element("th", { scope: "col" }, text)
  );
  const head = element("thead", null, element("tr", null, headings));
  return [
    element("h3", null, "Pruned"),
    element("table", { class: "plain" }, head, element("tbody", null, rows))
  ];
}
function resources(report, row) {
  const table = report.table("resources");
  const number = report.table("operators").text("number", row);
  const own = table?.find("number", number);
  if (own === void 0) return null;
  const columns = table.columns.filter(
    ({ key, cells }) => !["number", "name"].includes(key) && !isUnknown(cells[own])
  );
  return [
    element("h3", null, table.title),
    element(
      "dl",
      { class: "figures facts", dataset: { table: table.key, row: own } },
      columns.map((column) => fact(column, column.cells[own]))
    )
  ];
}

// source/views/recording/type_legend.js
var MOST = 8;
function typeLegend(report) {
  const types = report.table("operator_types");
  const names = (types?.column("type")?.cells ?? []).filter(
    (_, row) => types.cell("operators", row) !== false
  );
  if (names.length < 2) return null;
  const swatches = names.slice(0, MOST).map((name) => {
    const swatch = element("span", { class: "swatch", aria: { hidden: true } });
    return { name, swatch, item: element("li", null, swatch, nameInWords(name)) };
  });
  const paint = (looks) => {
    for (const { name, swatch } of swatches) {
      swatch.style.setProperty("background-color", typeColour(String(name), colours(looks)));
    }
  };
  const paintAsPage = () => paint(current2());
  onChange2(paintAsPage);
  paintAsPage();
  const more = names.length - swatches.length;
  const list2 = element(
    "ul",
    { class: "type-legend", aria: { label: "Colours of operator types" } },
    swatches.map(({ item }) => item),
    more > 0 && element("li", null, `${more} more, by pointing at them`)
  );
  whenPrinting(list2, { before: () => paint("light"), after: paintAsPage });
  return list2;
}

// source/views/recording/layer_results.js
var SEARCHED = ["name", "type", "weight", "nodes"];
var NOTHING2 = "There are no operators: the trace tells nothing of what the model spends its time on.";
function layerResults(report, context) {
  const operators = report.table("operators");
  if (!operators || operators.rows === 0) {
    return { node: element("p", { class: "nothing" }, NOTHING2), show: () => false };
  }
  const timeKey = timeColumn(operators);
  const levels = levelsOf(report);
  const measured3 = timeKey && measured(operators, timeKey);
  const all = [measured3, ...levels.choices, flops(operators)].filter(Boolean);
  const chosen2 = summarySelectors(all, changed);
  const words2 = element("p", { class: "left-out", role: "status" });
  const everyRow = Array.from({ length: operators.rows }, (_, row) => row);
  const columns = layerColumns(operators, timeKey, chosen2);
  let found;
  const chart = layerChart({
    operators,
    chosen: chosen2,
    isFound: (row) => found?.has(row) ?? true,
    fixed: levels.fixed,
    open: go2
  });
  const table = dataTable({
    table: operators,
    columns: columns.columns,
    caption: operators.title,
    rowKey: "name",
    search: SEARCHED,
    filters: true,
    open: go2,
    cell: columns.cell,
    changed: follow
  });
  function go2(row) {
    const name = addressOf(report, row);
    if (current().name === name) show(name);
    else context.go("layer-results", name);
  }
  function changed() {
    columns.refresh();
    sayWhatIsLeftOut();
    chart.refresh();
    table.refresh();
  }
  function follow(rows) {
    const next = rows.length === operators.rows ? void 0 : new Set(rows);
    const isSame2 = next === found || next && found && next.size === found.size && rows.every((row) => found.has(row));
    found = next;
    if (!isSame2) chart.refresh();
  }
  function sayWhatIsLeftOut() {
    const out = leftOut(chosen2.choice, chosen2.display, everyRow, [
      "operator is",
      "operators are"
    ]);
    replace(words2, out);
  }
  function show(name) {
    const row = rowOf(report, name);
    if (row === void 0) return false;
    chart.show(row);
    table.reveal(row);
    openOperator(report, row);
    return true;
  }
  sayWhatIsLeftOut();
  const reasons = [
    !timeKey && "Times are unknown: nothing was measured.",
    levels.why,
    columns.unknown.length > 0 && `Columns in which nothing is known are left out: ${columns.unknown.join(", ")}.`
  ].filter(Boolean);
  const node = element(
    "div",
    { class: "view layer-results" },
    chosen2.node,
    reasons.length > 0 && element("p", { class: "nothing" }, reasons.join(" ")),
    typeLegend(report),
    chart.node,
    words2,
    table.node
  );
  return { node, show };
}

// source/views/recording/bar_ends.js
var FOOT = 4;
var SPACE2 = 8;
function barEnds(bars, theme) {
  const drawn = bars.map((bar, place) => ({ ...bar, place })).filter(({ value }) => value !== void 0);
  const line = (x1, y1, x2, y2) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: theme.text, lineWidth: 1 }
  });
  return {
    type: "custom",
    silent: true,
    z: 3,
    // The axis has room for what the data holds: value, then low and high end.
    data: drawn.map(({ value, ends, place }) => [
      value,
      ends?.[0] ?? value,
      ends?.[1] ?? value,
      place
    ]),
    encode: { x: [0, 1, 2], y: 3 },
    renderItem({ dataIndex }, api) {
      const at = (dimension) => api.coord([api.value(dimension), api.value(3)]);
      const [[value, y], [low], [high]] = [at(0), at(1), at(2)];
      const text = {
        type: "text",
        // What is below 0 has its text on the free side of 0.
        x: (api.value(0) < 0 ? api.coord([0, api.value(3)])[0] : Math.max(value, high)) + SPACE2,
        y,
        style: {
          text: drawn[dataIndex].text,
          verticalAlign: "middle",
          fill: theme.text,
          font: api.font({ fontSize: 12 })
        }
      };
      if (low === high) return { type: "group", children: [text] };
      const feet = [low, high].map((x) => line(x, y - FOOT, x, y + FOOT));
      return { type: "group", children: [text, line(low, y, high, y), ...feet] };
    }
  };
}

// source/views/recording/layer_summaries.js
var ROW_HEIGHT2 = 30;
var PATTERN = 1;
var UNCHANGED = "no target can change it";
function layerSummaries(report) {
  const types = report.table("operator_types");
  if (!types || types.rows === 0) {
    return {
      node: element(
        "p",
        { class: "nothing" },
        "There are no operators: the trace tells nothing of what the model spends its time on."
      )
    };
  }
  const pruned2 = prunedTypes(report);
  const timeKey = timeColumn(types);
  const all = [timeKey && measured(types, timeKey), ...pruned2, flops(types)].filter(
    Boolean
  );
  const isUnchanged = unchanged(types, pruned2);
  const chosen2 = summarySelectors(all, changed);
  const words2 = element("p", { class: "left-out", role: "status" });
  const state = { rows: [] };
  choose2();
  const chart = drawChart(chartOf(types, chosen2, state, isUnchanged));
  function choose2() {
    const { choice, display } = chosen2;
    state.rows = Array.from({ length: types.rows }, (_, row) => row).filter(
      (row) => choice.applies?.(row) ?? true
    );
    replace(words2, leftOut(choice, display, state.rows, ["type is", "types are"]));
  }
  function changed() {
    choose2();
    chart.refresh();
  }
  const node = element(
    "div",
    { class: "view layer-summaries" },
    chosen2.node,
    missing(timeKey, pruned2, report),
    chart.node,
    words2,
    typeTable(types, pruned2, isUnchanged),
    pruned2.length > 0 && levelTable(report.table("level_types"))
  );
  return { node };
}
function typeTable(types, pruned2, isUnchanged) {
  const words2 = (row) => {
    if (isUnchanged(row)) return UNCHANGED;
    const levels = pruned2.filter((choice) => choice.applies(row));
    return levels.some((choice) => choice.value(row) !== void 0) ? "shortens with its weights" : null;
  };
  const cells = Array.from(
    { length: types.rows },
    (_, row) => types.text("type", row) === "concurrent" ? false : words2(row)
  );
  const own = {
    key: "pruning",
    heading: "Pruning",
    unit: "text",
    meaning: "whether a target can change its time",
    cells
  };
  const columns = knownColumns(types);
  return dataTable({
    table: types,
    columns: pruned2.length > 0 ? [columns[0], own, ...columns.slice(1)] : columns,
    caption: types.title,
    rowKey: "type",
    cell: (key, row) => key === own.key ? element("span", null, textOf(cells[row])) : void 0
  }).node;
}
function levelTable(table) {
  const details = element("details", { class: "folded" }, element("summary", null, table.title));
  whenUnfolded(
    details,
    () => details.append(
      dataTable({ table, columns: "shown", caption: table.title, filters: true }).node
    )
  );
  return details;
}
function missing(timeKey, pruned2, report) {
  const reasons = [];
  if (!timeKey) reasons.push("Times are unknown: the model was not measured.");
  if (pruned2.length === 0) reasons.push("Pruned levels are left out: this page has no projection.");
  else if (!report.table("level_types").hasNumbers("latency_ms")) {
    reasons.push("Latencies at pruned levels are unknown: the trace has no weights.");
  }
  return reasons.length > 0 ? element("p", { class: "nothing" }, reasons.join(" ")) : null;
}
function unchanged(types, pruned2) {
  return (row) => {
    const levels = pruned2.filter((choice) => choice.applies(row));
    if (levels.length === 0) return false;
    return levels.every(
      (choice) => choice.origin(row) === "measured" || choice.origin(row) === void 0
    );
  };
}
function chartOf(types, chosen2, state, isUnchanged) {
  return {
    title: () => `${chosen2.choice.title} by operator type`,
    shows: () => {
      const marked = state.rows.some(isUnchanged) ? " Hatched grey bars are what no target can change." : "";
      const whiskers = chosen2.choice.ends && chosen2.display !== "percent" ? " Whiskers reach from the low to the high end." : "";
      return `${inWords(chosen2.choice, chosen2.display)} of each operator type, in the order of the table.${marked}${whiskers}`;
    },
    marks: types.rows,
    height: () => state.rows.length * ROW_HEIGHT2 + 60,
    option: (theme) => optionOf2(types, chosen2, state.rows, isUnchanged, theme),
    readout: {
      length: () => state.rows.length,
      text: (i) => [
        nameInWords(types.text("type", state.rows[i])),
        `: ${spoken(chosen2.choice, state.rows[i])}`,
        originOf(chosen2.choice, state.rows[i], isUnchanged)
      ],
      near: (x, y) => Math.round(y),
      locate: (i) => ({ seriesIndex: 0, dataIndex: i })
    }
  };
}
function optionOf2(types, { choice, display }, rows, isUnchanged, theme) {
  const values = rows.map((row) => displayed(choice, display, row));
  const item = (row, at) => {
    const look = isUnchanged(row) ? { color: theme.axis, decal: pattern(PATTERN, theme) } : { color: theme.accent };
    return { value: values[at] ?? "-", itemStyle: look };
  };
  const label = (row) => {
    if (display === "percent") return shown(choice.share(row) ?? null, "share");
    return shown(choice.value(row) ?? null, choice.unit);
  };
  const least2 = Math.min(...values.filter((value) => value !== void 0));
  const start2 = display === "log" && Number.isFinite(least2) ? 10 ** Math.floor(Math.log10(least2) - 0.1) : void 0;
  return {
    grid: { left: 8, right: 72, top: 8, bottom: 28, containLabel: true },
    xAxis: {
      type: display === "log" ? "log" : "value",
      min: start2,
      startValue: start2,
      name: axisTitle(choice, display),
      nameLocation: "middle",
      nameGap: 26,
      axisLabel: {
        formatter: (value) => axisNumber(value, choice, display),
        hideOverlap: true
      }
    },
    yAxis: {
      type: "category",
      inverse: true,
      axisTick: { show: false },
      data: rows.map((row) => types.text("type", row)),
      axisLabel: { formatter: (name) => chartLabel(name, 22) }
    },
    series: [
      {
        type: "bar",
        barMaxWidth: 20,
        data: rows.map(item)
      },
      barEnds(
        rows.map((row, at) => ({
          value: values[at],
          ends: display === "percent" ? void 0 : choice.ends?.(row),
          text: label(row)
        })),
        theme
      )
    ]
  };
}
function originOf(choice, row, isUnchanged) {
  if (isUnchanged(row)) return `; ${UNCHANGED}`;
  const origin2 = choice.origin?.(row);
  return origin2 ? `; perf ratios: ${origin2}` : "";
}

// source/views/recording/roof.js
function pointsOf(operators, timeKey) {
  const points = [];
  const reasons = /* @__PURE__ */ new Map();
  for (let row = 0; row < operators.rows; row += 1) {
    const [flops2, bytes, rate2] = ["flops", "bytes", "gflops_per_second"].map(
      (key) => operators.number(key, row)
    );
    const reason = reasonOf(flops2, bytes, rate2);
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else points.push({ row, intensity: flops2 / bytes, rate: rate2 });
  }
  const time = ({ row }) => operators.number(timeKey, row) ?? 0;
  points.sort((a, b) => time(b) - time(a) || a.row - b.row);
  return { points, absent: [...reasons].map(([reason, number]) => [number, reason]) };
}
function reasonOf(flops2, bytes, rate2) {
  if (flops2 === void 0) return "unknown FLOPs";
  if (flops2 <= 0) return "no FLOPs, and 0 has no place on a logarithmic scale";
  if (bytes === void 0) return "unknown bytes";
  if (bytes <= 0) return "no bytes";
  return rate2 > 0 ? void 0 : "unknown time";
}
function roofOf(points, typed) {
  const bandwidth = ({ rate: rate2, intensity }) => rate2 / intensity;
  const best = (of) => points.reduce((highest, point) => of(point) > of(highest) ? point : highest);
  const fastest = best(({ rate: rate2 }) => rate2);
  const widest = best(bandwidth);
  const compute = typed.compute ?? fastest.rate;
  const memory = typed.memory ?? bandwidth(widest);
  return { compute, memory, ridge: compute / memory, best: { compute: fastest, memory: widest } };
}
var heightAt = ({ compute, memory }, intensity) => Math.min(compute, memory * intensity);

// source/views/recording/roofline_chart.js
var HEIGHT3 = 440;
var SMALLEST = 6;
var LARGEST = 40;
var SPACE3 = 1.6;
function rooflineChart({ operators, points, roof, typed, open: open2 }) {
  const share2 = ({ row }) => Math.max(operators.number("share", row) ?? 0, 0);
  const most2 = points.reduce((highest, point) => Math.max(highest, share2(point)), 0);
  const size = (point) => Math.max(SMALLEST, most2 > 0 ? LARGEST * Math.sqrt(share2(point) / most2) : SMALLEST);
  const circle = (point, theme) => ({
    value: [point.intensity, point.rate],
    symbolSize: size(point),
    itemStyle: {
      color: typeColour(operators.text("type", point.row), theme),
      opacity: 0.75,
      borderColor: theme.background,
      borderWidth: 0.5
    }
  });
  return drawChart({
    title: "Roofline: GFLOP/s against FLOPs per byte",
    shows: "Each operator as a circle, its area in proportion to its share of the time; both axes are logarithmic. Dashed is a roof that was measured, solid one that was typed in. Arrow keys go from the operator with most time to the one with least.",
    marks: points.length,
    height: HEIGHT3,
    option: (theme) => {
      const { compute, memory, ridge } = roof();
      const [low, high] = around([...points.map(({ intensity }) => intensity), ridge]);
      const [bottom, top] = around([...points.map(({ rate: rate2 }) => rate2), compute]);
      const names = [
        [ridge, compute, `${shown(memory, "number")} GB/s`],
        [high, compute, `${shown(compute, "number")} GFLOP/s`]
      ];
      return {
        grid: { left: 8, right: 24, top: 28, bottom: 28, containLabel: true },
        xAxis: {
          ...logarithmic(low, high, theme),
          name: "FLOPs per byte",
          nameLocation: "middle",
          nameGap: 26
        },
        yAxis: {
          ...logarithmic(bottom, top, theme),
          name: "GFLOP/s",
          nameTextStyle: { align: "left" }
        },
        series: [
          {
            type: "scatter",
            data: points.map((point) => circle(point, theme)),
            emphasis: read2(theme)
          },
          roofLine(
            [
              [low, memory * low],
              [ridge, compute]
            ],
            typed.memory,
            theme
          ),
          roofLine(
            [
              [ridge, compute],
              [high, compute]
            ],
            typed.compute,
            theme
          ),
          roofNames(names, theme)
        ]
      };
    },
    readout: {
      length: points.length,
      text: (i) => spoken3(operators, points[i], roof()),
      near: (x, y) => nearestPoint(points, x, y),
      locate: (i) => ({ seriesIndex: 0, dataIndex: i })
    },
    open: (i) => open2(points[i].row)
  });
}
var read2 = (theme) => ({ itemStyle: { borderColor: theme.text, borderWidth: 2, opacity: 1 } });
function logarithmic(min, max, theme) {
  return {
    type: "log",
    min,
    max,
    axisLabel: { formatter: power },
    minorTick: { show: true, splitNumber: 9 },
    minorSplitLine: { show: true, lineStyle: { color: theme.line, opacity: 0.4 } }
  };
}
function roofLine(data, isTyped, theme) {
  const type = isTyped ? "solid" : "dashed";
  return {
    type: "line",
    silent: true,
    symbol: "none",
    lineStyle: { color: theme.text, width: 1.5, type },
    data
  };
}
function spoken3(operators, { row, intensity, rate: rate2 }, roof) {
  const number = (value) => shown(value, "number");
  const share2 = (value) => shown(value, "share");
  return [
    operatorInWords(operators, row),
    `: ${number(rate2)} GFLOP/s at ${number(intensity)} FLOPs per byte, `,
    `${share2(rate2 / heightAt(roof, intensity))} of the roof there; `,
    `${share2(operators.cell("share", row))} of the time`
  ];
}
function roofNames(names, theme) {
  return {
    type: "custom",
    silent: true,
    data: names.map(([x, y]) => [x, y]),
    renderItem: ({ dataIndex }, api) => {
      const [, , text] = names[dataIndex];
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      return {
        type: "text",
        x: x - 6,
        y: y - 6,
        style: {
          text,
          align: "right",
          verticalAlign: "bottom",
          fill: theme.muted,
          font: api.font({ fontSize: 12 })
        }
      };
    }
  };
}
function around(values) {
  const [low, high] = values.reduce(
    ([least2, most2], value) => [Math.min(least2, value), Math.max(most2, value)],
    [Infinity, 0]
  );
  const [from, to] = [low / SPACE3, high * SPACE3];
  const isNarrow = Math.floor(Math.log10(to)) - Math.ceil(Math.log10(from)) < 1;
  return isNarrow ? [10 ** Math.floor(Math.log10(from)), 10 ** Math.ceil(Math.log10(to))] : [from, to];
}
function nearestPoint(points, x, y) {
  const distance = ({ intensity, rate: rate2 }) => Math.hypot(Math.log(intensity / x), Math.log(rate2 / y));
  return points.reduce(
    (best, point, i) => distance(point) < distance(points[best]) ? i : best,
    0
  );
}
function power(value) {
  if (Math.abs(Math.log10(value) - Math.round(Math.log10(value))) > 1e-9) return "";
  return value >= 1e5 || value < 1e-4 ? value.toExponential(0).replace("+", "") : String(Number(value.toPrecision(1)));
}

// source/views/recording/roofline.js
var NO_OPERATORS = "There are no operators: the trace tells nothing of what the model spends its time on.";
function roofline(report) {
  const operators = report.table("operators");
  const timeKey = operators && timeColumn(operators);
  const nothing = (text) => ({ node: element("p", { class: "nothing" }, text), show: () => false });
  if (!operators || operators.rows === 0) return nothing(NO_OPERATORS);
  if (!timeKey) return nothing("Times are unknown, so no operator has a rate.");
  const { points, absent } = pointsOf(operators, timeKey);
  if (points.length === 0) return nothing(`No operator can be drawn: ${inWords2(absent)}.`);
  const typed = {};
  let roof = roofOf(points, typed);
  const said = element("p", { class: "roof-words", role: "status" });
  const open2 = (row) => openOperator(report, row);
  const chart = rooflineChart({ operators, points, roof: () => roof, typed, open: open2 });
  function changed() {
    roof = roofOf(points, typed);
    replace(said, roofInWords(operators, points, roof, typed, timeKey));
    own.refresh();
    chart.refresh();
    table.refresh();
  }
  const own = ownColumns(operators, points, () => roof);
  const table = dataTable({
    table: operators,
    columns: [
      "number",
      narrowed(operators, "name", 40),
      narrowed(operators, "type", 18),
      ...own.columns,
      ..."gflops_per_second flops bytes".split(" "),
      timeKey,
      "share"
    ],
    caption: "Operators in the roofline",
    rowKey: "name",
    search: ["name", "type"],
    filters: true,
    height: "60vh",
    rows: () => points.map(({ row }) => row),
    cell: own.cell,
    open: open2
  });
  replace(said, roofInWords(operators, points, roof, typed, timeKey));
  const node = element(
    "div",
    { class: "view roofline" },
    element(
      "div",
      { class: "selectors" },
      peakInput("Peak GFLOP/s", (value) => {
        typed.compute = value;
        changed();
      }),
      peakInput("Peak GB/s", (value) => {
        typed.memory = value;
        changed();
      })
    ),
    said,
    typeLegend(report),
    chart.node,
    element("p", { class: "left-out" }, drawnInWords(points, operators, absent)),
    table.node
  );
  return {
    node,
    show(name) {
      const row = rowOf(report, name);
      if (row === void 0) return false;
      const place = points.findIndex((point) => point.row === row);
      if (place >= 0) {
        chart.show(place);
        table.reveal(row);
      }
      open2(row);
      return true;
    }
  };
}
var inWords2 = (absent) => absent.map(([number, reason]) => `${number} with ${reason}`).join("; ");
function peakInput(label, changed) {
  const id = uniqueId("peak");
  const input = element("input", {
    id,
    type: "number",
    min: "0",
    step: "any",
    placeholder: "best measured",
    on: {
      input: () => {
        const value = input.valueAsNumber;
        const isGiven = value > 0;
        input.setAttribute("aria-invalid", String(input.value !== "" && !isGiven));
        changed(isGiven ? value : void 0);
      }
    }
  });
  return element("label", { class: "selector", for: id }, element("span", null, label), input);
}
function drawnInWords(points, operators, absent) {
  const others = absent.length > 0 ? `; not drawn: ${inWords2(absent)}` : "";
  return `${points.length} of ${operators.rows} operators are drawn${others}.`;
}
function roofInWords(operators, points, roof, typed, timeKey) {
  const name = ({ row }) => nameInWords(operators.text("name", row));
  const measured3 = (point) => ["the best that was measured, by ", name(point)];
  const number = (value) => shown(value, "number");
  const time = (row) => operators.number(timeKey, row) ?? 0;
  const sum = (some) => some.reduce((all, { row }) => all + time(row), 0);
  const left = points.filter(({ intensity }) => intensity < roof.ridge);
  const above = points.filter((point) => point.rate > heightAt(roof, point.intensity) * (1 + 1e-9));
  return [
    `The roof is ${number(roof.compute)} GFLOP/s (`,
    typed.compute ? "typed in" : measured3(roof.best.compute),
    `) and ${number(roof.memory)} GB/s (`,
    typed.memory ? "typed in" : measured3(roof.best.memory),
    "). ",
    (!typed.compute || !typed.memory) && "What was measured is no limit of the machine: type its peaks in to see how far off it is. ",
    `${left.length} of ${points.length} operators, with ${shown(sum(left) / sum(points), "share")} of their time, `,
    `do fewer than ${number(roof.ridge)} FLOPs for each byte: there the memory is the roof.`,
    above.length > 0 && ` ${above.length} lie above this roof: the peak that was typed in is too low for them, or their data stayed in caches.`
  ];
}
function ownColumns(operators, points, roof) {
  const column = (key, heading, unit, meaning) => ({
    key,
    heading,
    unit,
    meaning,
    cells: new Array(operators.rows).fill(null)
  });
  const intensity = column("intensity", "FLOPs/byte", "number", "FLOPs by bytes");
  const part = column(
    "roof_share",
    "Of the roof",
    "share",
    "GFLOP/s by the height of the roof above its FLOPs per byte"
  );
  const columns = [intensity, part];
  const refresh = () => {
    for (const point of points) {
      intensity.cells[point.row] = point.intensity;
      part.cells[point.row] = point.rate / heightAt(roof(), point.intensity);
    }
  };
  refresh();
  return {
    columns,
    refresh,
    cell(key, row) {
      const own = columns.find((other) => other.key === key);
      return own && element("span", null, shown(own.cells[row], own.unit));
    }
  };
}

// source/views/recording/shares_chart.js
var SMALLEST2 = 4e-3;
var ROW_HEIGHT3 = 34;
function sharesChart(report) {
  const types = report.table("operator_types");
  if ((report.table("operators")?.rows ?? 0) === 0) return null;
  const hasTime = types?.hasNumbers("share");
  const hasFlops = types?.hasNumbers("flops_share");
  if (!hasTime && !hasFlops) return null;
  const isSeen = (row) => ["share", "flops_share"].some((key) => types.number(key, row) >= SMALLEST2);
  const rows = Array.from({ length: types.rows }, (_, row) => row).filter(isSeen);
  if (rows.length === 0) return null;
  const series = [
    ["time", "share"],
    ["FLOPs", "flops_share"]
  ].filter(([, key]) => types.hasNumbers(key));
  const said = (row, [name, key]) => {
    const cell = types.cell(key, row);
    return cell === false ? null : `${shown(cell, "share")} of the ${name}`;
  };
  const isUnknown2 = (row) => ["share", "flops_share"].every((key) => types.number(key, row) === void 0);
  const unknown = types.column("type").cells.filter((_, row) => isUnknown2(row)).length;
  const left = types.rows - rows.length - unknown;
  const small = left > 0 ? ` ${left === 1 ? "One type" : `${left} types`} with less than ${shown(SMALLEST2, "share")} of either ${left === 1 ? "is" : "are"} left out.` : "";
  const without = hasFlops ? "" : " Shares of FLOPs are left out: some operators' FLOPs are unknown.";
  const chart = drawChart({
    title: "Where the time goes, and where the FLOPs are",
    shows: `Each type's share ${measured(types, timeColumn(types)).whole}${hasFlops ? " beside its share of the model's FLOPs" : ""}.${small}${unknown > 0 ? ` The shares of ${unknown === 1 ? "one type" : `${unknown} types`} are unknown.` : ""}${without}`,
    marks: rows.length * series.length,
    height: rows.length * ROW_HEIGHT3 + 60,
    option: (theme) => ({
      legend: { top: 0, left: 0, textStyle: { color: theme.text }, itemHeight: 10 },
      grid: { left: 8, right: 24, top: 30, bottom: 4, containLabel: true },
      yAxis: {
        type: "category",
        inverse: true,
        data: rows.map((row) => types.text("type", row)),
        axisLabel: { formatter: (name) => chartLabel(name, 20) },
        axisTick: { show: false }
      },
      xAxis: { type: "value", axisLabel: { formatter: (value) => `${value} %` } },
      series: series.map(([name, key], at) => ({
        type: "bar",
        name,
        barGap: "10%",
        barCategoryGap: "25%",
        itemStyle: { color: theme.series[at], decal: pattern(at, theme) },
        data: rows.map((row) => {
          const share2 = types.number(key, row);
          return share2 === void 0 ? "-" : share2 * 100;
        })
      }))
    }),
    readout: {
      length: rows.length,
      text: (i) => {
        const parts2 = series.map((of) => said(rows[i], of)).filter(Boolean);
        return [nameInWords(types.text("type", rows[i])), `: ${parts2.join(", ")}`];
      },
      near: (x, y) => Math.round(y),
      locate: (i) => ({ seriesIndex: 0, dataIndex: i })
    },
    table: () => dataTable({ table: types, columns: knownColumns(types), caption: types.title }).node
  });
  return chart.node;
}

// source/views/recording/summary.js
var FACTS = [
  ..."model batch_size dimensions generation threads instances isa vector_registers".split(" "),
  ..."engine engine_options profile cpu".split(" ")
];
var COST = "flops flops_unknown bytes bytes_unknown parameters gflops_per_second".split(" ");
var THROUGHPUT = [
  "instances_throughput_items_per_second",
  "throughput_items_per_second",
  "throughput_iterations_per_second"
];
var WITHOUT_LATENCY = [
  ["operators_mean_ms", "ms of operators per iteration, mean"],
  ["operators_total_ms", "ms of operators in the whole trace"]
];
var BESIDE = [
  ..."latency_p90_ms operators_mean_ms overhead_mean_ms overhead_share_percent".split(" "),
  ..."recording_overhead_interval launches iterations".split(" ")
];
var TABLES = ["profiles", "phases", "launches", "resources"];
function summary(report) {
  const model = report.figures("model");
  if (!model) {
    return { node: element("p", { class: "nothing" }, "This page has no figures of the model.") };
  }
  const details = element(
    "details",
    { class: "all-figures" },
    element("summary", null, "All figures"),
    figuresList(model)
  );
  const tables = TABLES.map((key) => report.table(key)).filter((table) => table?.rows > 0);
  const node = element(
    "div",
    { class: "view summary" },
    doubts(report),
    element(
      "div",
      { class: "cards" },
      card("What ran", figuresList(model, { only: FACTS.filter((key) => model.figure(key)) })),
      card("Measured", measured2(model)),
      card("Estimated, with the plan", estimated(report)),
      card("FLOPS profile", flopsProfile(report, model))
    ),
    sharesChart(report),
    tables.map(
      (table) => dataTable({ table, columns: knownColumns(table), caption: table.title }).node
    ),
    details
  );
  return {
    node,
    prepare() {
      details.open = true;
    }
  };
}
function doubts(report) {
  if (report.notes.length === 0) return null;
  const warnings = report.notes.filter((note) => note.kind === "warning");
  const notes2 = report.notes.filter((note) => note.kind !== "warning");
  const item = (note) => element(
    "li",
    { class: note.kind, dataset: { value: note.text } },
    element("bdi", null, note.text)
  );
  return element(
    "section",
    { class: "doubts", aria: { label: "Doubts" } },
    element("h3", null, "To be read with care"),
    element("ul", null, [...warnings, ...notes2].map(item))
  );
}
var card = (title2, ...content) => element("section", { class: "card" }, element("h3", null, title2), content);
function headline(value, unit, ...beside) {
  return element(
    "p",
    { class: "large" },
    element("span", { class: "large-value" }, value),
    element("span", { class: "large-unit" }, unit),
    beside.filter(Boolean).map((text) => element("span", { class: "beside" }, text))
  );
}
function figureValue(model, key) {
  const figure = model.figure(key);
  const value = valueElement(figure.value, figure.unit);
  value.dataset.key = key;
  value.title = [value.title, figure.meaning].filter(Boolean).join(": ");
  return value;
}
function measured2(model) {
  const [latency, interval] = ["latency_median_ms", "latency_median_interval"];
  const throughput = THROUGHPUT.find((key) => model.number(key) !== void 0);
  const isProfiled = !model.figure("profiled_latency_median_ms");
  const items = throughput?.includes("items");
  const parts2 = [];
  if (model.number(latency) === void 0) parts2.push(...withoutLatency(model));
  else {
    const batch = model.number("batch_size") === void 0 ? "ms per iteration" : "ms per batch";
    const between = model.figure(interval) && figureValue(model, interval);
    parts2.push(headline(figureValue(model, latency), batch, between));
  }
  if (throughput) {
    parts2.push(headline(figureValue(model, throughput), items ? "items/s" : "iterations/s"));
  }
  const source = isProfiled ? "Median of the profiled latency: of iterations with a profiler at work." : "Median latency, of iterations without a profiler.";
  if (model.number(latency) !== void 0) parts2.push(element("p", { class: "remark" }, source));
  const headlines = parts2.flatMap(
    (part) => [...part.querySelectorAll("[data-key]")].map((value) => value.dataset.key)
  );
  const rest = BESIDE.filter((key) => !isUnknown(model.value(key)) && !headlines.includes(key));
  parts2.push(figuresList(model, { only: rest }));
  return element("div", { dataset: { figures: model.key } }, parts2);
}
function withoutLatency(model) {
  const [key, words2] = WITHOUT_LATENCY.find(([figure]) => model.number(figure) !== void 0) ?? [];
  const why = element(
    "p",
    { class: "nothing" },
    "The latency is unknown: the trace does not tell of iterations."
  );
  return key ? [headline(figureValue(model, key), words2), why] : [why];
}
function estimated(report) {
  const plan = report.table("plan");
  const row = (key) => plan?.column("figure")?.cells.findIndex((cell2) => Array.isArray(cell2) && cell2[0] === key) ?? -1;
  const latency = row("total_latency_ms");
  if (latency < 0) return element("p", { class: "nothing" }, "This page has no plan.");
  const cell = (at, key, unit) => {
    const value = valueElement(plan.cell(key, at), unit ?? plan.column(key)?.unit);
    value.dataset.column = key;
    return value;
  };
  if (plan.number("planned", latency) === void 0) {
    return element(
      "p",
      { class: "nothing" },
      "Unknown: the trace has no weights or no times, so nothing can be said of pruning them."
    );
  }
  const items = row("items_per_second");
  const others = [row("flops"), row("parameters")].filter(
    (at) => at >= 0 && plan.number("gain", at) !== void 0
  );
  return [
    element(
      "div",
      { dataset: { table: plan.key, row: latency } },
      headline(cell(latency, "planned", "milliseconds"), "ms per batch", [
        cell(latency, "low", "milliseconds"),
        " to ",
        cell(latency, "high", "milliseconds"),
        " ms"
      ]),
      headline(cell(latency, "gain"), "times as fast", [
        "as the mean of ",
        cell(latency, "before", "milliseconds"),
        " ms that was recorded"
      ]),
      element(
        "p",
        { class: "remark" },
        "Its perf ratios are: ",
        origin(cell(latency, "origin")),
        "."
      )
    ),
    items >= 0 && element(
      "p",
      { dataset: { table: plan.key, row: items } },
      cell(items, "planned"),
      " items/s instead of ",
      cell(items, "before"),
      "."
    ),
    others.map(
      (at) => element(
        "p",
        { dataset: { table: plan.key, row: at } },
        cell(at, "figure"),
        ": ",
        cell(at, "planned", "quantity"),
        " instead of ",
        cell(at, "before", "quantity"),
        "."
      )
    )
  ];
}
function origin(value) {
  if (value.dataset.value.includes("default")) value.classList.add("tone-doubtful");
  return value;
}
function flopsProfile(report, model) {
  if (!model.figure("flops") || (report.table("operators")?.rows ?? 0) === 0) {
    return element("p", { class: "nothing" }, "Unknown: the trace tells nothing of its operators.");
  }
  const value = figureValue(model, "flops");
  const correlation = model.number("flops_time_rank_correlation");
  const words2 = correlation === void 0 ? null : element(
    "p",
    { class: "remark" },
    foretells(correlation),
    " (rank correlation ",
    figureValue(model, "flops_time_rank_correlation"),
    ")."
  );
  return element(
    "div",
    { dataset: { figures: model.key } },
    headline(value, "FLOPs per iteration"),
    figuresList(model, { only: COST.filter((key) => key !== "flops") }),
    words2
  );
}
function foretells(correlation) {
  if (correlation >= 0.8) return "Operators with more FLOPs mostly take more time";
  if (correlation >= 0.5) return "Operators with more FLOPs often take more time";
  return "FLOPs say little about which operator takes more time";
}

// source/views/recording/lanes.js
function lanesOf({ threads, spans }) {
  const lanes = /* @__PURE__ */ new Map();
  for (let span = 0; span < spans.start_ms.length; span += 1) {
    const [thread, depth] = [spans.thread[span], spans.depth[span]];
    const key = `${thread}/${depth}`;
    if (!lanes.has(key)) {
      const name = String(threads[thread] ?? `thread ${thread}`);
      lanes.set(key, { thread, name, depth, spans: [] });
    }
    lanes.get(key).spans.push(span);
  }
  const sorted = [...lanes.values()].sort((a, b) => a.thread - b.thread || a.depth - b.depth);
  for (const lane of sorted) {
    lane.spans.sort((a, b) => spans.start_ms[a] - spans.start_ms[b] || a - b);
    let latest = -Infinity;
    lane.reach = Float64Array.from(
      lane.spans,
      (span) => latest = Math.max(latest, endOf(spans, span))
    );
  }
  return sorted;
}
var endOf = (spans, span) => spans.start_ms[span] + spans.duration_ms[span];
function firstBeyond(lane, time) {
  let [low, high] = [0, lane.reach.length];
  while (low < high) {
    const middle = low + high >> 1;
    if (lane.reach[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
function nearestIn(lane, spans, time) {
  const place = firstBeyond(lane, time);
  const distance = (at) => {
    const span = lane.spans[at];
    return Math.max(spans.start_ms[span] - time, time - endOf(spans, span), 0);
  };
  const candidates = [place - 1, place, place + 1].filter((at) => lane.spans[at] !== void 0);
  return candidates.reduce(
    (best, at) => distance(at) < distance(best) ? at : best,
    candidates[0]
  );
}
var SHADES = 8;
function marksIn(lane, spans, [from, to], width, isFound = () => false) {
  const scale = width / (to - from);
  const found = { spans: [], runs: [] };
  let pixel = null;
  const flush = () => {
    if (pixel) addPixel(found.runs, pixel, spans);
    pixel = null;
  };
  const cover = (at, share2, span) => {
    if (at < 0 || at >= width) return;
    if (pixel?.at !== at) {
      flush();
      pixel = { at, covered: 0, span, found: false };
    }
    pixel.covered += share2;
    pixel.found ||= isFound(span);
    if (spans.duration_ms[span] > spans.duration_ms[pixel.span]) pixel.span = span;
  };
  for (let at = firstBeyond(lane, from); at < lane.spans.length; at += 1) {
    const span = lane.spans[at];
    if (spans.start_ms[span] >= to) break;
    const left = (spans.start_ms[span] - from) * scale;
    const right = (endOf(spans, span) - from) * scale;
    if (right - left >= 1) {
      found.spans.push(span);
      continue;
    }
    const [first, last] = [Math.floor(left), Math.floor(right)];
    cover(first, Math.min(right, first + 1) - left, span);
    if (last > first && right > last) cover(last, right - last, span);
  }
  flush();
  return found;
}
function addPixel(runs, { at, covered, span, found }, spans) {
  const cover = Math.min(Math.max(Math.ceil(covered * SHADES), 1), SHADES) / SHADES;
  const last = runs.at(-1);
  const looksAlike = last?.cover === cover && last.found === found && spans.type[last.span] === spans.type[span];
  if (looksAlike && last.right === at) last.right = at + 1;
  else runs.push({ left: at, right: at + 1, cover, span, found });
}
function gapsOf({ spans, latency_ms: latency }) {
  const order = Array.from(spans.start_ms.keys()).sort(
    (a, b) => spans.start_ms[a] - spans.start_ms[b]
  );
  const gaps = [];
  let covered = 0;
  for (const span of order) {
    if (spans.start_ms[span] > covered)
      gaps.push([covered, Math.min(spans.start_ms[span], latency)]);
    covered = Math.max(covered, endOf(spans, span));
    if (covered >= latency) break;
  }
  if (covered < latency) gaps.push([covered, latency]);
  return gaps;
}

// source/views/recording/span_marks.js
var HEIGHT4 = 0.78;
var LABELLED = 34;
var LETTER = 6.4;
var FEWEST_LETTERS = 7;
var FAINT2 = 0.2;
var PALEST = 0.35;
var PARTED = 4;
function spanRow({ lanes, gaps, spans, latency, nameOf, typeOf, isFound: search, theme }) {
  const colours2 = /* @__PURE__ */ new Map();
  const colourOf = (span) => {
    const type = typeOf(span);
    if (!colours2.has(type)) colours2.set(type, typeColour(String(type), theme));
    return colours2.get(type);
  };
  return (params, api) => {
    const at = params.dataIndex;
    const stretch = stretchOf(params, api, [0, latency || 1], at);
    const middle = api.coord([0, at])[1];
    const height = api.size([0, 1])[1] * HEIGHT4;
    const place = { y: middle - height / 2, height };
    const right = stretch.left + stretch.width;
    const box = (from, to) => ({
      ...place,
      x: Math.max(from, stretch.left),
      width: Math.min(to, right) - Math.max(from, stretch.left)
    });
    if (at === 0) return { type: "group", children: gapMarks(gaps, stretch, box, theme) };
    const seen = [stretch.from, stretch.to];
    const isFound = search.isFound;
    const isFaint = (found) => isFound !== void 0 && !found;
    const { spans: wide, runs } = marksIn(lanes[at - 1], spans, seen, stretch.width, isFound);
    const thin = runs.map(({ left, right: end, cover, span, found }) => ({
      type: "rect",
      shape: box(stretch.left + left, stretch.left + end),
      style: { fill: colourOf(span), opacity: (isFaint(found) ? FAINT2 : 1) * cover }
    }));
    const [boxes, labels] = [[], []];
    for (const span of wide) {
      const end = spans.start_ms[span] + spans.duration_ms[span];
      const shape = box(stretch.pixel(spans.start_ms[span]), stretch.pixel(end));
      const faint = isFaint(isFound?.(span));
      boxes.push(spanMark(shape, colourOf(span), faint, theme));
      if (faint || shape.width < LABELLED) continue;
      labels.push(labelMark(shape, nameOf(span), inkOn(colourOf(span)), api));
    }
    const groups = [thin, boxes, labels].map((children) => ({ type: "group", children }));
    return { type: "group", children: groups };
  };
}
function spanMark(shape, fill, isFaint, theme) {
  const isParted = shape.width >= PARTED;
  const line = { stroke: theme.background, lineWidth: isParted ? 1 : 0 };
  return { type: "rect", shape, style: { fill, opacity: isFaint ? FAINT2 : 1, ...line } };
}
function labelMark({ x, y, width, height }, name, fill, api) {
  const text = labelIn(String(name), Math.floor((width - 8) / LETTER));
  return {
    type: "text",
    silent: true,
    x: x + 4,
    y: y + height / 2,
    style: { text, fill, font: api.font({ fontSize: 11 }), verticalAlign: "middle" }
  };
}
function labelIn(name, letters) {
  let label = name;
  while (label.length > letters && label.includes("/")) label = label.slice(label.indexOf("/") + 1);
  return label.length <= letters || letters >= FEWEST_LETTERS ? chartLabel(label, letters) : "";
}
function gapMarks(gaps, { from, to, left, width, pixel }, box, theme) {
  const children = [];
  const pale = /* @__PURE__ */ new Map();
  for (const [start2, end] of gaps) {
    if (end <= from || start2 >= to) continue;
    const [x, last] = [pixel(start2), pixel(end)];
    if (last - x >= 1) children.push(gapMark(box(x, last), 1, theme));
    else pale.set(Math.floor(x - left), (pale.get(Math.floor(x - left)) ?? 0) + last - x);
  }
  for (const [at, cover] of pale) {
    if (at >= 0 && at < width)
      children.push(gapMark(box(left + at, left + at + 1), Math.max(cover, PALEST), theme));
  }
  return children;
}
var gapMark = (shape, opacity, theme) => ({
  type: "rect",
  shape,
  style: { fill: theme.bad, opacity },
  silent: true
});
function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map(
    (at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.18 ? "#000000" : "#ffffff";
}

// source/views/recording/span_search.js
function spanSearch({ matches, show, changed }) {
  let found = [];
  let at = -1;
  const count2 = element("span", { class: "found", role: "status" });
  const input = element("input", {
    type: "search",
    placeholder: "Search",
    aria: { label: "Search the timeline by name or type" },
    on: { input: look, keydown: (event) => event.key === "Enter" && go2(event.shiftKey ? -1 : 1) }
  });
  const button = (text, label, direction) => element(
    "button",
    {
      type: "button",
      class: "quiet",
      title: label,
      aria: { label },
      on: { click: () => go2(direction) }
    },
    text
  );
  function look() {
    const text = input.value.trim();
    found = text === "" ? [] : matches(text);
    at = -1;
    const set = new Set(found);
    say(text);
    changed(text === "" ? void 0 : (span) => set.has(span));
  }
  function go2(direction) {
    if (found.length === 0) return;
    at = at < 0 && direction < 0 ? found.length - 1 : (at + direction + found.length) % found.length;
    say(input.value);
    show(found[at]);
  }
  function say(text) {
    if (text === "") replace(count2);
    else replace(count2, at < 0 ? `${found.length} found` : `${at + 1} of ${found.length}`);
  }
  return {
    look,
    node: element(
      "div",
      { class: "span-search" },
      input,
      button("‹", "The one before (Shift and Enter)", -1),
      button("›", "The next (Enter)", 1),
      count2
    )
  };
}

// source/views/recording/span_table.js
function spanTable(block, iteration, show) {
  const { spans, threads } = iteration;
  const order = [...spans.start_ms.keys()].sort(
    (a, b) => spans.start_ms[a] - spans.start_ms[b] || spans.depth[a] - spans.depth[b]
  );
  const column = (key, heading, unit, meaning, cell) => ({
    key,
    heading,
    unit,
    meaning,
    importance: "shown",
    cells: order.map(cell)
  });
  const table = new Table({
    key: "timeline",
    rows: order.length,
    columns: [
      column(
        "name",
        "Operator",
        "text",
        "name of the operator",
        (span) => block.names[spans.name[span]]
      ),
      column("type", "Type", "text", "operator type", (span) => block.types[spans.type[span]]),
      column(
        "thread",
        "Thread",
        "text",
        "where it ran",
        (span) => String(threads[spans.thread[span]])
      ),
      column(
        "depth",
        "Depth",
        "count",
        "spans of the thread that enclose it",
        (span) => spans.depth[span]
      ),
      column(
        "start_ms",
        "Start ms",
        "milliseconds",
        "from the start of the iteration",
        (span) => spans.start_ms[span]
      ),
      column(
        "duration_ms",
        "Time ms",
        "milliseconds",
        "from its start to its end",
        (span) => spans.duration_ms[span]
      ),
      column(
        "exclusive_ms",
        "Own ms",
        "milliseconds",
        "without the spans that it encloses",
        (span) => spans.exclusive_ms[span]
      )
    ]
  });
  const { node } = dataTable({
    table,
    columns: "shown",
    caption: "Spans",
    rowKey: "name",
    search: ["name", "type"],
    filters: true,
    open: (row) => show(order[row])
  });
  node.dataset.computed = "spans";
  return node;
}

// source/views/recording/timeline.js
var ROW_HEIGHTS = [26, 52];
var ALL_ROWS = 220;
var BELOW = 74;
var AROUND = 12;
function timeline(report) {
  const block = report.block("timeline");
  const iterations2 = (block?.iterations ?? []).filter(({ spans }) => spans.start_ms.length > 0);
  if (iterations2.length === 0) {
    return { node: element("p", { class: "nothing" }, whyNone2(report)), show: () => false };
  }
  const holder = element("div");
  const words2 = element("p", { class: "iteration-words" });
  let shownNow;
  function choose2(index) {
    shownNow = drawIteration(report, block, iterations2[index], state);
    replace(words2, wordsOn(report, iterations2[index]));
    replace(holder, shownNow.chart.node);
    search.look();
  }
  const state = { isFound: void 0 };
  const search = spanSearch({
    matches: (text) => shownNow.matches(text),
    show: (span) => shownNow.show(span),
    changed: (isFound) => {
      state.isFound = isFound;
      shownNow.chart.refresh();
    }
  });
  const which = selector(
    "Iteration",
    iterations2.map((iteration, index) => [String(index), titleOf(iteration)]),
    (index) => choose2(Number(index))
  );
  const node = element(
    "div",
    { class: "view timeline" },
    element("div", { class: "selectors" }, which, search.node),
    words2,
    typeLegend(report),
    holder
  );
  choose2(0);
  return {
    node,
    show(name) {
      const row = rowOf(report, name);
      const span = row === void 0 ? -1 : shownNow.spanOf(row);
      if (row === void 0) return false;
      if (span >= 0) shownNow.show(span);
      openOperator(report, row);
      return true;
    }
  };
}
var titleOf = ({ launch, iteration, why, latency_ms: latency }) => `${why}: launch ${launch}, iteration ${iteration}, ${shown(latency, "milliseconds")} ms`;
function whyNone2(report) {
  if ((report.table("iterations")?.rows ?? 0) === 0) {
    return "There is no timeline: the trace has no single iterations, only averages or sums.";
  }
  return "There is no timeline: the trace tells when iterations ran, but not their operators.";
}
function wordsOn(report, { launch, iteration, latency_ms: latency }) {
  const table = report.table("iterations");
  const numbers2 = ["launch", "iteration"].map((key) => table?.column(key)?.cells);
  const row = numbers2[0]?.findIndex(
    (cell, at) => cell === launch && numbers2[1][at] === iteration && table.text("kind", at) === "measured"
  ) ?? -1;
  if (row < 0 || table.number("overhead_ms", row) === void 0) return null;
  const value = (key) => {
    const shownValue = valueElement(table.cell(key, row), "milliseconds");
    shownValue.dataset.column = key;
    return shownValue;
  };
  const share2 = table.number("overhead_ms", row) / latency;
  return element(
    "span",
    { dataset: { table: table.key, row } },
    value("latency_ms"),
    " ms; operators ",
    value("operators_ms"),
    " ms, overhead ",
    value("overhead_ms"),
    ` ms (${shown(share2, "share")}): the gaps in the first row.`
  );
}
function drawIteration(report, block, iteration, state) {
  const { spans, latency_ms: latency } = iteration;
  const lanes = lanesOf(iteration);
  const gaps = gapsOf(iteration);
  const places3 = lanes.flatMap((lane) => lane.spans);
  const placeOf2 = new Map(places3.map((span, place) => [span, place]));
  const firstPlace = [];
  lanes.reduce((place, lane) => (firstPlace.push(place), place + lane.spans.length), 0);
  const laneOf = new Map(lanes.flatMap((lane, at) => lane.spans.map((span) => [span, at])));
  const rowHeight = Math.min(
    Math.max(ALL_ROWS / (lanes.length + 1), ROW_HEIGHTS[0]),
    ROW_HEIGHTS[1]
  );
  const threads = new Set(lanes.map(({ thread }) => thread)).size;
  const middle = (span) => spans.start_ms[span] + spans.duration_ms[span] / 2;
  const nameOf = (span) => block.names[spans.name[span]];
  const typeOf = (span) => block.types[spans.type[span]];
  const inLane = (at, time) => firstPlace[at] + nearestIn(lanes[at], spans, time);
  function step(place, key) {
    const direction = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (direction === void 0) return void 0;
    const at = laneOf.get(places3[place]) + direction;
    return lanes[at] ? inLane(at, middle(places3[place])) : place;
  }
  const chart = drawChart({
    title: "Timeline (ms from the iteration's start)",
    shows: `${places3.length} executions of operators on ${threads === 1 ? "one thread" : `${threads} threads`}: a row for each thread and depth, coloured by type; the first row marks the time that no operator covers. Left and right go along a row, up and down between rows.`,
    marks: places3.length,
    height: (lanes.length + 1) * rowHeight + BELOW,
    zoom: "x",
    option: (theme) => ({
      grid: { left: 8, right: 16, top: 4, bottom: BELOW - 24, containLabel: true },
      xAxis: {
        type: "value",
        min: 0,
        max: latency,
        splitLine: { show: false },
        axisLabel: {
          hideOverlap: true,
          showMaxLabel: false,
          formatter: (time, place) => place === 0 && time !== 0 ? "" : String(Number(time.toPrecision(7)))
        }
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: ["overhead", ...lanes.map((_, at) => String(at))],
        axisTick: { show: false },
        axisLabel: {
          interval: 0,
          formatter: (text, at) => at === 0 ? text : laneTitle(lanes, at - 1)
        }
      },
      series: [
        {
          type: "custom",
          clip: true,
          // One mark draws a row.
          data: [-1, ...lanes.keys()].map((at) => [0, at + 1]),
          renderItem: spanRow({
            lanes,
            gaps,
            spans,
            latency,
            nameOf,
            typeOf,
            isFound: state,
            theme
          })
        }
      ]
    }),
    readout: {
      length: places3.length,
      text: (place) => spoken4(places3[place]),
      near: (time, row) => lanes[row - 1] ? inLane(row - 1, time) : void 0,
      step,
      point: (place) => [middle(places3[place]), laneOf.get(places3[place]) + 1],
      reach: (place) => reachOf(places3[place])
    },
    open: (place) => openSpan(places3[place]),
    table: () => spanTable(block, iteration, show)
  });
  function openSpan(span) {
    const row = spans.operator[span];
    if (row >= 0) openOperator(report, row);
  }
  function show(span) {
    const width = Math.max(spans.duration_ms[span] * AROUND, latency / 200);
    const from = Math.max(0, Math.min(middle(span) - width / 2, latency - width));
    chart.setZoom(from, Math.min(from + width, latency));
    chart.show(placeOf2.get(span));
  }
  function reachOf(span) {
    const row = laneOf.get(span) + 1;
    return { x: [spans.start_ms[span], endOf(spans, span)], y: [row - 0.5, row + 0.5] };
  }
  function spoken4(span) {
    const ms = (value) => `${shown(value, "milliseconds")} ms`;
    const lane = lanes[laneOf.get(span)];
    const [duration, exclusive] = [spans.duration_ms[span], spans.exclusive_ms[span]];
    const own = exclusive === duration ? "" : `, ${ms(exclusive)} of it its own`;
    return [
      nameInWords(nameOf(span)),
      " (",
      nameInWords(typeOf(span)),
      `): ${ms(duration)}${own}, from ${ms(spans.start_ms[span])} to ${ms(endOf(spans, span))}; `,
      nameInWords(lane.name),
      lane.depth > 0 ? `, depth ${lane.depth}` : ""
    ];
  }
  return {
    chart,
    spanOf: (row) => spans.operator.indexOf(row),
    matches(text) {
      const wanted = text.toLowerCase();
      const found = block.names.map((name) => String(name).toLowerCase().includes(wanted));
      const types = block.types.map((type) => String(type).toLowerCase().includes(wanted));
      return [...spans.start_ms.keys()].filter((span) => found[spans.name[span]] || types[spans.type[span]]).sort((a, b) => spans.start_ms[a] - spans.start_ms[b]);
    },
    show
  };
}
function laneTitle(lanes, at) {
  const { name, depth } = lanes[at];
  const line = depth === 0 || lanes[at - 1]?.name !== name ? name : `depth ${depth}`;
  const short = line.length > 18 ? `${line.slice(0, 8)}…${line.slice(-9)}` : line;
  return short.replaceAll(/[\u0000-\u001f\u2028\u2029]/g, " ");
}

// source/views/recording/index.js
var recordingViews = /* @__PURE__ */ new Map([
  ["summary", summary],
  ["layer-summaries", layerSummaries],
  ["layer-results", layerResults],
  ["iterations", iterations],
  ["timeline", timeline],
  ["roofline", roofline]
]);

// source/pages/recording.js
start(recordingViews);
})();
