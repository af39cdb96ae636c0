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
var onlyEmpty = (text2) => text2 === "" ? text2 : null;
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
var typeColour = (type, theme) => theme.series[placeOf(type) % theme.series.length];
var typePattern = (type, theme) => pattern(Math.floor(placeOf(type) / theme.series.length) + (placeOf(type) % 2 ? 1 : 0), theme);
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
      for (const [key, text2] of Object.entries(value)) node.dataset[key] = String(text2);
      break;
    case "on":
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
      break;
    case "style":
      for (const [key, text2] of Object.entries(value)) node.style.setProperty(key, String(text2));
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
var isUnknown = (cell2) => cell2 === null || cell2 === void 0;
var isNone = (cell2) => cell2 === false;
var numberOf = (cell2) => typeof cell2 === "number" ? cell2 : void 0;
function textOf(cell2) {
  if (isUnknown(cell2)) return "unknown";
  if (isNone(cell2)) return "";
  return Array.isArray(cell2) ? cell2[1] : String(cell2);
}
function shown(cell2, unit, { decimals, most: most2 } = {}) {
  if (typeof cell2 === "number") return shownNumber(cell2, unit, decimals);
  return shorten(textOf(cell2), most2);
}
function decimalsOf({ unit, cells: cells2 }) {
  if (unit !== "milliseconds" || !cells2) return void 0;
  const sizes = [];
  const step = Math.ceil(cells2.length / MEASURED_CELLS) || 1;
  for (let row = 0; row < cells2.length; row += step) {
    if (typeof cells2[row] === "number" && cells2[row] !== 0) sizes.push(Math.abs(cells2[row]));
  }
  if (sizes.length === 0) return void 0;
  const typical = sizes.sort((one, other) => one - other)[sizes.length >> 1];
  const magnitude = Math.floor(Math.log10(typical));
  return magnitude >= 0 ? Math.max(1, 3 - magnitude) : Math.min(MOST_DECIMALS, 2 - magnitude);
}
function exact(cell2) {
  if (isUnknown(cell2)) return "unknown";
  if (isNone(cell2)) return "";
  if (typeof cell2 === "number") return JSON.stringify(cell2);
  return Array.isArray(cell2) ? cell2[0] : cell2;
}
var toneOf = (cell2) => Array.isArray(cell2) ? cell2[2] : "plain";
function valueElement(cell2, unit, tag = "span", how = {}) {
  const text2 = shown(cell2, unit, how);
  const whole = typeof cell2 === "number" ? exact(cell2) : textOf(cell2);
  const isName = typeof cell2 === "string";
  const tone = toneOf(cell2);
  return element(
    tag,
    {
      class: isUnknown(cell2) ? "unknown" : tone === "plain" ? void 0 : `tone-${tone}`,
      dataset: { value: exact(cell2) },
      title: whole === text2 ? void 0 : whole.slice(0, MOST_TITLE_CHARACTERS)
    },
    isName ? element("bdi", null, text2) : text2
  );
}
var nameElement = (name) => valueElement(name, "text");
function shorten(text2, most2 = MOST_CHARACTERS) {
  if (text2.length <= most2) return text2;
  const letters = [...text2];
  if (letters.length <= most2) return text2;
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
  const text2 = value.toFixed(decimals);
  return Number(text2) === 0 ? 0 .toFixed(decimals) : text2;
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
async function unpack(text2) {
  const letters = atob(text2);
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
    return this.#byKey.get(key)?.cells.some((cell2) => typeof cell2 === "number") ?? false;
  }
  /** The first row whose text in a column is this; undefined if there is none. */
  find(key, text2) {
    const row = this.#byKey.get(key)?.cells.findIndex((cell2) => textOf(cell2) === text2) ?? -1;
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
  const of = (text2) => encodeURIComponent(text2.toWellFormed());
  return name === void 0 ? `#${of(view)}` : `#${of(view)}/${of(name)}`;
}
function go(view, name, { replace: replace2 = false } = {}) {
  if (replace2) window.location.replace(hrefOf(view, name));
  else window.location.hash = hrefOf(view, name);
}
function onChange(listener) {
  window.addEventListener("hashchange", () => listener(current()));
}
function decoded(text2) {
  try {
    return text2 === "" ? void 0 : decodeURIComponent(text2);
  } catch {
    return text2;
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
function createTab({ key, title }, make, go2) {
  const panel = element("section", {
    id: `panel-${key}`,
    role: "tabpanel",
    tabindex: "0",
    hidden: true,
    dataset: { view: key },
    aria: { labelledby: `tab-${key}` }
  });
  const button2 = element(
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
    button2.setAttribute("aria-selected", String(is));
    button2.tabIndex = is ? 0 : -1;
    if (is) button2.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  return {
    key,
    title,
    panel,
    button: button2,
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
    announce: (text2) => replace(status, text2),
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
function quietButton(action, click, text2) {
  return element(
    "button",
    { type: "button", class: "quiet", dataset: { action }, on: { click } },
    text2
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
  const { heading, unit, cells: cells2, width } = column;
  if (width !== void 0) return width;
  if (!cells2) return heading.length + 2;
  const decimals = decimalsOf(column);
  let longest = Math.max(NARROWEST, heading.length + 2);
  const step = Math.max(1, Math.floor(cells2.length / MEASURED_ROWS));
  for (let row = 0; row < cells2.length && longest < WIDEST; row += step) {
    longest = Math.max(longest, shown(cells2[row], unit, { decimals }).length);
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
  ["contains", (typed) => (cell2) => isKnown(cell2) && lower(textOf(cell2)).includes(lower(typed))],
  ["is", (typed) => (cell2) => isKnown(cell2) && textOf(cell2) === typed],
  ["is not", (typed) => (cell2) => isKnown(cell2) && textOf(cell2) !== typed]
]);
var ON_NUMBERS = /* @__PURE__ */ new Map([
  [
    "=",
    (typed, unit) => (number2) => number2 === typed || shown(number2, unit) === shown(typed, unit)
  ],
  [
    "≠",
    (typed, unit) => (number2) => number2 !== typed && shown(number2, unit) !== shown(typed, unit)
  ],
  ["<", (typed) => (number2) => number2 < typed],
  ["≤", (typed) => (number2) => number2 <= typed],
  [">", (typed) => (number2) => number2 > typed],
  ["≥", (typed) => (number2) => number2 >= typed]
]);
var ON_KNOWLEDGE = /* @__PURE__ */ new Map([
  ["unknown", (cell2) => isUnknown(cell2)],
  ["known", (cell2) => isKnown(cell2)]
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
function typedNumber(text2, unit) {
  const [, digits2, size, percent2] = text2.trim().match(/^(.*?)\s*([kMGT]?)\s*(%?)$/) ?? [];
  if (!digits2 || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(digits2)) return void 0;
  const number2 = Number(digits2) * (SIZES.get(size) ?? 1);
  return percent2 || unit === "share" ? number2 / 100 : number2;
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
  const number2 = typedNumber(typed, unit);
  if (number2 === void 0) return void 0;
  const test = ON_NUMBERS.get(condition)(number2, unit);
  return (cell2) => numberOf(cell2) !== void 0 && test(cell2);
}
var isKnown = (cell2) => !isUnknown(cell2) && cell2 !== false;
var lower = (text2) => text2.toLowerCase();

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
  const { cells: cells2 } = column;
  const sign = descending ? -1 : 1;
  const numbers2 = [];
  const others = [];
  const last = [];
  for (const row of rows) {
    const cell2 = cells2[row];
    if (numberOf(cell2) !== void 0) numbers2.push(row);
    else if (typeof cell2 === "string" || Array.isArray(cell2)) others.push(row);
    else last.push(row);
  }
  numbers2.sort((one, other) => sign * (cells2[one] - cells2[other]));
  others.sort((one, other) => sign * texts.compare(textOf(cells2[one]), textOf(cells2[other])));
  return [...numbers2, ...others, ...last];
}

// source/table_head.js
var isSortable = ({ cells: cells2 }) => cells2 !== void 0;
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
    const cell2 = column.cells[row];
    const isName = typeof cell2 === "string" && cell2.length > letters[place];
    return {
      column,
      cell: cell2,
      decimals: decimals[place],
      most: isName ? letters[place] : void 0
    };
  }
  function elementOf(content) {
    const { column, made, cell: cell2 } = content;
    const node = made ? element("td", null, made) : valueElement(cell2, column.unit, "td", content);
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
  cell: cell2,
  rowClass,
  height,
  rows,
  changed
}) {
  const menu = columnMenu(table, chosenColumns(table, columns), drawHead);
  const state = { sort, all: [], order: [], active: selectedRow };
  const id = uniqueId("table");
  const cells2 = createCells({ rowKey, own: cell2 });
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
      aria: { label: caption, readonly: cell2 ? void 0 : true },
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
    cells2.choose(columns2);
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
    if (!cells2.fit(lettersThatFit(grid, [...head.querySelectorAll("th")]))) return;
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
    const isFound = (row) => wanted === "" || sought.some(({ cells: cells3 }) => textOf(cells3[row]).toLowerCase().includes(wanted));
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
    cells2.update(node2, row);
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
      cells2.fit([]);
      sight.stale();
      const missing3 = state.order.length - MOST_PRINTED_ROWS;
      leftOut.hidden = missing3 <= 0;
      replace(leftOut, `${missing3} more rows are not printed.`);
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
      cells2.choose(columnsNow());
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

// source/chart_theme.js
var FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
function chartTheme(colours2) {
  const text2 = { color: colours2.text, fontFamily: FONT, fontSize: 12 };
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
    textStyle: text2,
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: axis,
    logAxis: { ...axis, minorSplitLine: { show: false } },
    timeAxis: axis,
    legend: { textStyle: text2, inactiveColor: colours2.muted, itemGap: 16, itemWidth: 18 },
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
function createZoom(chartOf, changed) {
  let percent2 = { start: 0, end: 100 };
  let pending;
  function shown2() {
    const axis = chartOf()?.getModel().getComponent("xAxis", 0)?.axis;
    return axis?.scale.getExtent() ?? [0, 0];
  }
  function zoomTo(range) {
    const chart = chartOf();
    if (chart) chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, ...range });
    else pending = range;
  }
  function read2() {
    const [start2, end] = chartOf().getModel().getComponent("dataZoom", 0).getPercentRange();
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
  function scale(factor, around) {
    const fraction = fractionOf(around);
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
  function press({ key, shiftKey }, around) {
    if (key === "+" || key === "=") scale(STEP, around());
    else if (key === "-" || key === "_") scale(1 / STEP, around());
    else if (key === "0") set();
    else if (shiftKey && key === "ArrowLeft") pan(-PAN);
    else if (shiftKey && key === "ArrowRight") pan(PAN);
    else return false;
    return true;
  }
  const button2 = (text2, label, click) => element("button", { type: "button", title: label, aria: { label }, on: { click } }, text2);
  return {
    buttons: element(
      "div",
      { class: "chart-zoom", role: "group", aria: { label: "Zoom" } },
      button2("+", "Zoom in (+)", () => scale(STEP)),
      button2("−", "Zoom out (-)", () => scale(1 / STEP)),
      button2("◂", "Go left (Shift and Left)", () => pan(-PAN)),
      button2("▸", "Go right (Shift and Right)", () => pan(PAN)),
      button2("Whole", "Show the whole (0)", () => set())
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
    listen: (chart) => chart.on("datazoom", read2),
    /** The chart has been drawn with the option. */
    drawn() {
      if (!pending) return;
      pending = void 0;
      read2();
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

// source/views/projection/charts.js
var FILLED = 0.72;
var CAP = 3;
var LEGEND_GAP = 46;
var LEGEND_LETTER = 7.5;
var LEGEND_LETTERS = 24;
var sidesOf = (theme) => [
  { name: "before", fill: theme.axis, ink: theme.text },
  { name: "projected", fill: theme.accent, ink: theme.text }
];
var rowsHeight = (rows, sides) => 60 + rows * (8 + 10 * sides);
function legendHeight(names, width) {
  const lines = names.reduce(
    ({ count: count2, used }, name) => {
      const more = LEGEND_GAP + LEGEND_LETTER * chartLabel(name, LEGEND_LETTERS).length;
      return used + more > width ? { count: count2 + 1, used: more } : { count: count2, used: used + more };
    },
    { count: 1, used: 0 }
  );
  return 12 + 22 * lines.count;
}
function endBars({ names, sides }, theme, width) {
  return {
    grid: { left: 8, right: 24, top: sides.length > 1 ? 30 : 8, bottom: 8, containLabel: true },
    legend: sides.length > 1 ? { top: 0, left: 0, data: sides.map(({ name }) => name), selectedMode: false } : void 0,
    xAxis: { type: "value", min: 0, position: "bottom", axisLabel: { hideOverlap: true } },
    yAxis: {
      type: "category",
      inverse: true,
      data: names.map((_, row) => row),
      axisLabel: { interval: 0, formatter: (row) => chartLabel(names[row], width) },
      axisTick: { show: false }
    },
    series: sides.map((side, place) => ({
      type: "custom",
      name: side.name,
      itemStyle: { color: side.fill },
      dimensions: ["row", "value", "low", "high"],
      encode: { x: [1, 2, 3], y: 0 },
      data: side.estimates.map((estimate, row) => [
        row,
        estimate?.value ?? NaN,
        estimate?.low ?? NaN,
        estimate?.high ?? NaN
      ]),
      renderItem: (_, api) => endBar(api, side, place, sides.length, theme)
    }))
  };
}
function endBar(api, side, place, sides, theme) {
  const row = api.value(0);
  const estimate = side.estimates[row];
  const [left, middle] = api.coord([0, row]);
  const height = api.size([0, 1])[1] * FILLED / sides;
  const top = middle - height * sides / 2 + place * height;
  const center = top + height / 2;
  if (!estimate) {
    const style = {
      text: "unknown",
      x: left + 6,
      y: center,
      fill: theme.unknown,
      verticalAlign: "middle",
      fontSize: 11
    };
    return { type: "text", style };
  }
  const at = (value2) => api.coord([value2, row])[0];
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map(at);
  const bar = {
    type: "rect",
    shape: { x: left, y: top + 1, width: Math.max(0, value - left), height: height - 2 },
    style: { fill: side.fillOf?.(row) ?? side.fill }
  };
  if (low === high) return { type: "group", children: [bar] };
  const line = (x1, y1, x2, y2) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: side.ink, lineWidth: 1.5 }
  });
  const ends2 = [low, high].map((x) => line(x, center - CAP, x, center + CAP));
  return { type: "group", children: [bar, line(low, center, high, center), ...ends2] };
}
function estimateText(estimate, unit, suffix = "") {
  if (!estimate) return "unknown";
  const { value, low, high } = estimate;
  const ends2 = low === high ? "" : ` (${shown(low, unit)} to ${shown(high, unit)})`;
  return `${shown(value, unit)}${suffix}${ends2}`;
}
function beforeAndAfter(before, after, side = "projected") {
  const of = (estimate) => estimateText(estimate, "milliseconds", " ms");
  return `${of(before)} before, ${of(after)} ${side}`;
}
function estimateAt(table, [value, low, high], row) {
  const number2 = table.number(value, row);
  if (number2 === void 0) return null;
  return {
    value: number2,
    low: table.number(low, row) ?? number2,
    high: table.number(high, row) ?? number2
  };
}

// source/download.js
var MOST_CHARACTERS2 = 120;
function download(fileName, mimeType, text2) {
  const url = URL.createObjectURL(new Blob([text2], { type: `${mimeType};charset=utf-8` }));
  const link = element("a", { href: url, download: safeFileName(fileName) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 6e4);
}
var DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
function safeFileName(name) {
  const safe = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^[._-]+/, "").replace(DEVICE, "$1_");
  const dot = safe.lastIndexOf(".");
  const end = dot > 0 && safe.length - dot <= 10 ? safe.slice(dot) : "";
  const stem = end === "" ? safe : safe.slice(0, dot);
  return `${[...stem].slice(0, MOST_CHARACTERS2).join("") || "onnxray"}${end}`;
}

// source/projection.js
var SAME_LEVEL = 1e-9;
function project(inputs, settings) {
  const lookups = new Lookups(settings.ratios);
  const targets = targetsOf(inputs, settings.targets);
  const measured = asMeasured(inputs);
  const operators2 = operatorsAt(inputs, measured, targets, lookups);
  const levels3 = allLevels(settings);
  return {
    levels: levels3,
    operators: operators2,
    types: typesOf(inputs, operators2, targets),
    totals: totalsOf(inputs, operators2),
    origin: allOrigins(operators2),
    atLevels: levels3.map((level) => atLevel(inputs, measured, level, lookups)),
    plan: planOf(inputs, measured, settings, lookups)
  };
}
function allLevels(settings) {
  const levels3 = [...settings.levels];
  for (const row of settings.ratios) {
    for (const { level } of row.points) {
      if (!levels3.some((known) => Math.abs(known - level) < SAME_LEVEL)) levels3.push(level);
    }
  }
  return levels3;
}
var GIVEN = 1;
var DEFAULT = 2;
var ORIGINS = ["measured", "given", "default, not measured", "given and default"];
var originText = (origins) => ORIGINS[origins];
var allOrigins = ({ origins }) => originText(origins.reduce((all, more) => all | more, 0));
var bitOf = (origin) => origin === "given" ? GIVEN : DEFAULT;
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
  const known = ({ level: level2, origin: origin2 }) => `${percent(level2)} % (${origin2})`;
  const at = Math.abs(level - below.level) < SAME_LEVEL;
  const between = !at && next !== void 0;
  let origins = bitOf(below.origin), origin = originText(origins);
  if (between) {
    origins |= bitOf(next.origin);
    origin = `between ${known(below)} and ${known(next)}`;
  } else if (!at) {
    origin = `as at ${known(below)}`;
  }
  if (next === void 0) {
    const { value: value2, low, high } = below;
    return { value: value2, low, high, origins, origin };
  }
  const way = (level - below.level) / (next.level - below.level);
  const on = (from, to) => from + way * (to - from);
  const value = on(below.value, next.value);
  return { value, low: on(below.low, next.low), high: on(below.high, next.high), origins, origin };
}
var Lookups = class {
  constructor(rows) {
    this.rows = rows.map((row) => ({ row, known: /* @__PURE__ */ new Map() }));
  }
  at(number2, level) {
    const { row, known } = this.rows[number2];
    if (!known.has(level)) known.set(level, perfRatio(row, level));
    return known.get(level);
  }
  /** What a target does to an operator that it can change, and the perf ratio that follows. */
  ofOperator({ row, sparseRatio }, operator, target) {
    if (target <= 0) return { outcome: "no target", by: EXACTLY_1 };
    if (target <= sparseRatio[operator]) return { outcome: "already at the target", by: EXACTLY_1 };
    const number2 = row[operator];
    const isEmpty = this.rows[number2].row.points.length === 0;
    return { outcome: isEmpty ? "no perf ratio" : "projected", by: this.at(number2, target) };
  }
};
function byPosition(named2, length) {
  const levels3 = new Float64Array(length).fill(NaN);
  for (const { at, level } of named2) if (at >= 0) levels3[at] = level;
  return levels3;
}
function targetsOf(inputs, { model, types: types2, operators: operators2 }) {
  const own = byPosition(operators2, inputs.operators.type.length);
  const ofTypes = byPosition(types2, inputs.types.name.length);
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
function setRatio({ ratio, projected, origin, origins }, n, latency, at, by) {
  ratio.value[n] = by.value;
  ratio.low[n] = by.low;
  ratio.high[n] = by.high;
  projected.value[n] = latency.value[at] / by.value;
  projected.low[n] = latency.low[at] / by.high;
  projected.high[n] = latency.high[at] / by.low;
  origin[n] = by.origin;
  origins[n] = by.origins;
}
function asMeasured({ operators: { latency, weightUnknown } }) {
  const found = ratiosOf(weightUnknown.length);
  weightUnknown.forEach((unknown, n) => setRatio(found, n, latency, n, unknown ? UNKNOWN : EXACTLY_1));
  return found;
}
var copyOf = ({ value, low, high }) => ({ value: value.slice(), low: low.slice(), high: high.slice() });
var copyOfAll = ({ ratio, projected, origin, origins }) => ({
  ratio: copyOf(ratio),
  projected: copyOf(projected),
  origin: origin.slice(),
  origins: origins.slice()
});
function operatorsAt(inputs, measured, targets, lookups) {
  const { latency, fixed: fixed2 } = inputs.operators;
  const length = fixed2.length;
  const found = {
    ...copyOfAll(measured),
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
function sumsByType(inputs, column, isKnown2) {
  const sums = new Array(inputs.types.name.length).fill(null);
  inputs.operators.type.forEach((type, n) => {
    if (!isKnown2(n)) return;
    sums[type] ??= zero();
    add(sums[type], column, n);
  });
  return sums;
}
function typesAt(inputs, { projected, origins }) {
  const { known, weightUnknown, type } = inputs.operators;
  const sums = sumsByType(inputs, projected, (n) => known[n] && !weightUnknown[n]);
  const ofTypes = new Uint8Array(sums.length);
  type.forEach((at, n) => {
    ofTypes[at] |= origins[n];
    if (weightUnknown[n]) sums[at] = null;
  });
  return { projected: sums, origin: Array.from(ofTypes, originText) };
}
function typesOf(inputs, operators2, targets) {
  const inheriting = new Int32Array(inputs.types.name.length);
  inputs.operators.type.forEach((type, n) => {
    const from = operators2.targetFrom[n];
    if (from !== null && from !== "operator") inheriting[type] += 1;
  });
  const { latency, known } = inputs.operators;
  return {
    ...typesAt(inputs, operators2),
    target: Float64Array.from(targets.byType, (target) => target.level),
    inheriting,
    latency: sumsByType(inputs, latency, (n) => known[n])
  };
}
function sumsOf({ latency, known, supported, weightUnknown }, sparse, end) {
  const dense = latency[end], after = sparse[end];
  let all = 0, projected = 0, support = 0, projectedSupport = 0;
  for (let n = 0; n < known.length; n += 1) {
    if (!known[n]) continue;
    all += dense[n];
    projected += weightUnknown[n] ? dense[n] : after[n];
    if (weightUnknown[n] || !supported[n]) continue;
    support += dense[n];
    projectedSupport += after[n];
  }
  return { all, projected, support, projectedSupport };
}
function cornersOf({ latency, known, supported, weightUnknown }, ratio) {
  const corners = [0, 0, 0, 0];
  for (let n = 0; n < known.length; n += 1) {
    if (!known[n] || weightUnknown[n] || !supported[n]) continue;
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
function share(operators2, covered, whole) {
  if (!(whole.value > 0)) return null;
  const rest = minus(whole, times(operators2, covered));
  const end = (part, others) => part / (part * covered + others);
  return withFiniteEnds({
    value: operators2.value / whole.value,
    low: end(operators2.low, rest.high),
    high: end(operators2.high, rest.low)
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
function everyWeightAt(inputs, measured, level, lookups) {
  const { latency, sparseRatio, row } = inputs.operators;
  const found = copyOfAll(measured);
  const ratios2 = lookups.rows.map((_, number2) => lookups.at(number2, level));
  row.forEach((number2, n) => {
    const isUnchanged = number2 < 0 || level <= 0 || level <= sparseRatio[n];
    if (!isUnchanged) setRatio(found, n, latency, n, ratios2[number2]);
  });
  return found;
}
function atLevel(inputs, measured, level, lookups) {
  const found = everyWeightAt(inputs, measured, level, lookups);
  return { level, totals: totalsOf(inputs, found), types: typesAt(inputs, found), origin: allOrigins(found) };
}
function agreed(inputs, overrides) {
  const { fixed: unsettable, sameName } = inputs.operators;
  const { operator, sameWeight, exclusion } = inputs.layers;
  const named2 = byPosition(overrides, sameName.length);
  const own = Float64Array.from(operator, (at) => unsettable[at] === null ? named2[sameName[at]] : NaN);
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
function planOf(inputs, measured, settings, lookups) {
  const { latency, flops } = inputs.operators;
  const { operator, parameters, planned } = inputs.layers;
  const length = operator.length;
  const whole = copyOfAll(measured), plannedFlops = flops.slice();
  const agreement = agreed(inputs, settings.plan.overrides);
  const layers2 = {
    ...ratiosOf(length),
    level: new Float64Array(length),
    flops: new Float64Array(length),
    why: [],
    fixed: Float64Array.from(agreement, (layer) => layer.fixed)
  };
  let weights = 0, prunable = 0, pruned = 0;
  agreement.forEach(({ fixed: fixed2, exclusion }, n) => {
    const at = operator[n];
    const isFixed = !Number.isNaN(fixed2);
    const level = exclusion !== null ? 0 : isFixed ? fixed2 : planned[n];
    const isFree = exclusion === null;
    const by = isFree ? lookups.ofOperator(inputs.operators, at, level).by : EXACTLY_1;
    setRatio(layers2, n, latency, at, by);
    setRatio(whole, at, latency, at, by);
    if (isFree) plannedFlops[at] = flops[at] * (1 - level);
    layers2.level[n] = level;
    layers2.why[n] = exclusion ?? (isFixed ? "fixed" : level > 0 ? "planned" : "left dense by the budget");
    layers2.flops[n] = plannedFlops[at];
    weights += parameters[n];
    if (isFree) prunable += parameters[n];
    pruned += parameters[n] * level;
  });
  const totals2 = totalsOf(inputs, whole);
  const known = weightsAreKnown(inputs);
  const after = (value) => known && value !== null ? exact2(value) : null;
  const all = inputs.parameters ?? (known ? weights : null);
  return {
    layers: layers2,
    totals: totals2,
    pruned,
    origin: allOrigins(layers2),
    figures: {
      latency: change(totals2.total, totals2.projectedTotal),
      itemsPerSecond: change(totals2.itemsPerSecond, totals2.projectedItemsPerSecond, true),
      flops: change(exact2(sumOfKnown(flops)), after(sumOfKnown(plannedFlops))),
      parameters: change(all === null ? null : exact2(all), after(all === null ? null : all - pruned)),
      prunableParameters: change(after(prunable), after(prunable - pruned))
    }
  };
}
var sumOfKnown = (column) => column.reduce((sum, value) => Number.isNaN(value) ? sum : sum + value, 0);
function change(before, planned, rises = false) {
  const isKnown2 = before !== null && planned !== null && before.value > 0 && planned.value > 0;
  const gain = () => rises ? planned.value / before.value : before.value / planned.value;
  return { before, planned, gain: isKnown2 ? gain() : null };
}

// source/settings_files.js
function settingsJson(settings) {
  const { targets, plan: plan3 } = settings;
  const levels3 = (list2) => members(list2.map(({ name, level }) => [name, number(level)]));
  const document2 = [
    ["format", text("onnxray sparse settings")],
    ["version", "1"],
    ["block", text(settings.block)],
    ["levels", elements(allLevels(settings).map(number))],
    ["targets", members([
      ...targets.model === null ? [] : [["model", number(targets.model)]],
      ["types", levels3(targets.types)],
      ["operators", levels3(targets.operators)]
    ])],
    ["default_ratios", String(settings.defaultRatios)],
    ["ratios", elements(settings.ratios.map(rowJson))],
    ["plan", members([
      ...["budget", "minimum", "maximum", "balance"].map((bound) => [bound, number(plan3[bound])]),
      ...["first", "grouped"].map((choice) => [choice, String(plan3[choice])]),
      ["overrides", levels3(plan3.overrides)],
      ["sensitivities", elements(plan3.sensitivities.map(({ layer, points }) => members([["layer", text(layer)], ["points", elements(points.map((pair) => elements(pair.map(number))))]])))]
    ])]
  ];
  return `${members(document2)}
`;
}
function rowJson({ weightShape, operatorType, dataType, block, others, points }) {
  return members([
    ["weight_shape", text(weightShape)],
    ...operatorType === null ? [] : [["operator_type", text(operatorType)]],
    ...dataType === null ? [] : [["data_type", text(dataType)]],
    ["block", text(block)],
    ["others", number(others)],
    ["points", elements(points.map(({ level, value, low, high, origin }) => members([
      ["sparse_ratio", number(level)],
      ["perf_ratio", number(value)],
      ...low === value ? [] : [["low", number(low)]],
      ...high === value ? [] : [["high", number(high)]],
      ["origin", text(origin)]
    ])))]
  ]);
}
var text = (words) => JSON.stringify(words);
var number = (value) => String(value);
var indented = (lines) => lines.join(",\n").replaceAll("\n", "\n  ");
var members = (pairs) => pairs.length === 0 ? "{}" : `{
  ${indented(pairs.map(([name, value]) => `${text(name)}: ${value}`))}
}`;
var elements = (values) => values.length === 0 ? "[]" : `[
  ${indented(values)}
]`;
var COLUMNS = [
  "setting",
  "name",
  "weight shape",
  "data type",
  "block",
  "sparse ratio",
  "value",
  "low",
  "high",
  "origin"
];
function settingsCsv(settings) {
  const { targets, plan: plan3 } = settings;
  const lines = [COLUMNS];
  const put = (setting, fields) => {
    const filled = new Map(Object.entries({ setting, ...fields }));
    lines.push(COLUMNS.map((column) => filled.get(column) ?? ""));
  };
  const named2 = (setting, list2) => {
    for (const { name, level } of list2) put(setting, { name: marked(name), "sparse ratio": level });
  };
  put("block", { block: settings.block });
  const levels3 = allLevels(settings);
  if (levels3.length === 0) put("level", {});
  for (const level of levels3) put("level", { "sparse ratio": level });
  if (targets.model !== null) put("target", { "sparse ratio": targets.model });
  named2("target type", targets.types);
  named2("target operator", targets.operators);
  put("default ratios", { value: truth(settings.defaultRatios) });
  for (const row of settings.ratios) {
    const key = {
      name: row.operatorType === null ? "" : marked(row.operatorType),
      "weight shape": row.weightShape,
      "data type": row.dataType ?? "",
      block: row.block
    };
    put("others", { ...key, value: row.others });
    for (const { level, value, low, high, origin } of row.points) {
      const ends2 = { low: low === value ? "" : low, high: high === value ? "" : high };
      put("ratio", { ...key, "sparse ratio": level, value, ...ends2, origin });
    }
  }
  for (const bound of ["budget", "minimum", "maximum", "balance"]) {
    put("plan", { name: bound, value: plan3[bound] });
  }
  for (const choice of ["first", "grouped"]) put("plan", { name: choice, value: truth(plan3[choice]) });
  named2("plan override", plan3.overrides);
  for (const { layer, points } of plan3.sensitivities) {
    if (points.length === 0) put("sensitivity", { name: marked(layer) });
    for (const [level, loss] of points) {
      put("sensitivity", { name: marked(layer), "sparse ratio": level, value: loss });
    }
  }
  return lines.map((fields) => `${fields.map(quoted).join(",")}
`).join("");
}
var truth = (value) => value ? "TRUE" : "FALSE";
function quoted(field) {
  const words = String(field);
  return /[,";\t|\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}
var FORMULA = /^'*[\p{White_Space}\p{Cc}"\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠\u2212]/u;
var PIECES = /[^;\t|\n\r]*[;\t|\n\r]|[^;\t|\n\r]+/g;
function marked(name) {
  if (/^'*\p{White_Space}*$/u.test(name)) return `'${name}`;
  return name.replace(PIECES, (piece) => FORMULA.test(piece) ? `'${piece}` : piece);
}

// source/views/projection/entries.js
var NUMBER = /^[0-9.,+\-eE]*$/;
var MOST_QUOTED = 60;
function readSparseRatio(text2) {
  return read(text2, {
    of: (number2) => number2 > 1 && number2 <= 100 ? number2 / 100 : number2,
    ofPercent: (number2) => number2 >= 0 && number2 <= 100 ? number2 / 100 : NaN,
    holds: (value) => value >= 0 && value <= 1,
    expected: "a sparse ratio from 0 to 1, or from 0% to 100%"
  });
}
function readPerfRatio(text2) {
  return read(text2, {
    of: (number2) => number2,
    ofPercent: (number2) => number2 / 100,
    holds: (value) => Number.isFinite(value) && value > 0,
    expected: "a perf ratio above 0, as a finite number"
  });
}
function readRange(text2) {
  const stated = /^([^(]*)\(([^()]*\.\.[^()]*)\)\s*$/.exec(text2);
  const range = stated ? stated[2] : text2;
  const at = range.indexOf("..");
  if (at < 0) {
    const read2 = readPerfRatio(range);
    return "value" in read2 ? { value: { value: read2.value, low: read2.value, high: read2.value } } : read2;
  }
  const ends2 = [range.slice(0, at), range.slice(at + 2)].map(readPerfRatio);
  const wrong = ends2.find((end) => !("value" in end));
  if (wrong)
    return "problem" in wrong ? wrong : { problem: "expected both ends of a range, such as 3..4" };
  const [low, high] = ends2.map((end) => end.value);
  if (low > high) return { problem: `the low end ${low} is above the high end ${high}` };
  if (!stated) return { value: { value: (low + high) / 2, low, high } };
  const middle = readPerfRatio(stated[1]);
  if (!("value" in middle))
    return "problem" in middle ? middle : { problem: "expected a perf ratio before its range" };
  const { value } = middle;
  if (low > value)
    return { problem: `expected at most the perf ratio itself, ${value}, found ${low}` };
  if (high < value)
    return { problem: `expected at least the perf ratio itself, ${value}, found ${high}` };
  return { value: { value, low, high } };
}
function sparseRatioText(level) {
  return percent(level) / 100 === level ? levelText(level) : `${level}`;
}
var levelText = (level) => `${percent(level)} %`;
function rangeText({ value, low, high }) {
  if (low === value && high === value) return `${value}`;
  return (low + high) / 2 === value ? `${low}..${high}` : `${value} (${low}..${high})`;
}
function read(text2, quantity2) {
  const bare = text2.trim().replace(/\(settable\)$/, "").trimEnd();
  if (bare === "") return { blank: true };
  const isPercent = bare.endsWith("%");
  const { number: number2, problem } = readNumber(isPercent ? bare.slice(0, -1).trimEnd() : bare, text2);
  if (problem) return { problem };
  const value = isPercent ? quantity2.ofPercent(number2) : quantity2.of(number2);
  if (quantity2.holds(value)) return { value };
  return { problem: `expected ${quantity2.expected}, found ${isPercent ? quoted2(text2) : number2}` };
}
function readNumber(digits2, text2) {
  const none = { problem: `expected a number, found ${quoted2(text2)}` };
  if (!NUMBER.test(digits2) || !/[0-9]/.test(digits2)) return none;
  const parts2 = digits2.split(",");
  if (parts2.length === 1) {
    const number3 = Number(digits2);
    return Number.isNaN(number3) ? none : { number: number3 };
  }
  const [whole, fraction] = parts2;
  if (parts2.length > 2 || fraction === "" || `${whole}${fraction}`.includes(".")) return none;
  const wholeDigits = whole.replace(/^[+-]+/, "");
  if (/^[^0].{0,2}$/.test(wholeDigits) && fraction.length === 3) {
    const both = "which is one number with a decimal comma and another with a separator of thousands";
    return { problem: `${none.problem}, ${both}` };
  }
  const number2 = Number(`${whole}.${fraction}`);
  return Number.isNaN(number2) ? none : { number: number2 };
}
function quoted2(text2) {
  const characters = [...text2];
  return `"${characters.slice(0, MOST_QUOTED).join("")}${characters.length > MOST_QUOTED ? "…" : ""}"`;
}

// source/views/projection/desk.js
var FILES = [
  { name: "json", title: "JSON", type: "application/json", text: settingsJson },
  { name: "csv", title: "CSV", type: "text/csv", text: settingsCsv }
];
function desk(session, { figures, origin, isPlan = false }) {
  const { store, report, check } = session;
  const strip = element("div", {
    class: "desk-figures",
    role: "group",
    aria: { label: "What the settings come to" }
  });
  const undo = button("Undo", "undo", () => store.undo());
  const redo = button("Redo", "redo", () => store.redo());
  const reset = button("Reset", "reset", () => store.reset("Reset"));
  const bad = element("div", { class: "desk-bad", role: "alert", dataset: { bad: "" } });
  const stem = report.title.replace(/\.onnx$/i, "") || "projection";
  const fileName = (extension) => safeFileName(`${stem}-settings.${extension}`);
  const said = element("p", { class: "only-heard", role: "status" });
  const files = FILES.map((file) => ({
    ...file,
    button: button(`Download ${file.title}`, void 0, () => save(file), { download: file.name })
  }));
  const commands = element("div", { class: "desk-commands" });
  const isKnown2 = () => figures().every(({ after }) => after !== null);
  function save({ name, type, text: text2 }) {
    download(fileName(name), type, text2(session.settings));
  }
  function refresh() {
    const { state, undoes, redoes } = store;
    replace(
      strip,
      figures().map(figureOf),
      isKnown2() && element("span", { class: "desk-origin" }, origin())
    );
    replace(said, session.said);
    offer(undo, "Undo", undoes);
    offer(redo, "Redo", redoes);
    turnOff(reset, undoes === void 0);
    for (const file of files) turnOff(file.button, state.bad.size > 0);
    replace(bad, state.bad.size > 0 && badEntries(state.bad));
    bad.hidden = state.bad.size === 0;
    replace(commands, commandsOf());
  }
  function badEntries(entries) {
    const [one, many] = [
      "An entry cannot be used. All figures are those of the last good one, and there is nothing to download until it is right.",
      `${entries.size} entries cannot be used. All figures are those of the last good ones, and there is nothing to download until they are right.`
    ];
    return [
      element("p", null, entries.size === 1 ? one : many),
      element(
        "ul",
        null,
        [...entries].map(([key, { reason }]) => element("li", null, goTo(key), ` ${reason}`))
      )
    ];
  }
  function goTo(key) {
    return element(
      "button",
      { type: "button", class: "quiet", on: { click: () => session.goTo(key) } },
      element("bdi", null, session.labelOf(key))
    );
  }
  function commandsOf() {
    const out = safeFileName(`${stem}.html`);
    const command = (more) => element(
      "code",
      null,
      `onnxray project RECORDING --ratios ${fileName("json")}${more} -o ${out}`
    );
    const { budget } = session.settings.plan;
    const again = `This page does not spread the budget again. To have ${sparseRatioText(budget)} spread with these ratios and levels: `;
    return [
      element("p", null, "Read the file again with ", command(""), "; the CSV in the same way."),
      isPlan && element("p", null, again, command(` --budget ${budget}`))
    ];
  }
  const node = element(
    "section",
    { class: "desk", aria: { label: "Settings" } },
    checkLine(check),
    element(
      "div",
      { class: "desk-bar" },
      strip,
      element("div", { class: "desk-buttons" }, undo, redo, reset),
      bad,
      said
    ),
    element(
      "div",
      { class: "desk-files" },
      element(
        "div",
        { class: "desk-buttons" },
        files.map((file) => file.button)
      ),
      commands
    )
  );
  refresh();
  return { node, refresh };
}
function button(text2, action, click, dataset = {}) {
  const node = element(
    "button",
    { type: "button", dataset: action ? { action, ...dataset } : dataset },
    text2
  );
  node.addEventListener("click", () => node.getAttribute("aria-disabled") !== "true" && click());
  return node;
}
function turnOff(node, isOff) {
  node.setAttribute("aria-disabled", String(isOff));
}
function offer(node, verb, what) {
  turnOff(node, what === void 0);
  node.title = what === void 0 ? "" : `${verb}: ${what}`;
}
function figureOf({ heading, before, after, unit, suffix = "" }) {
  const value = (estimate) => valueOf(estimate, unit, suffix);
  return element(
    "span",
    { class: "desk-figure" },
    element("span", { class: "desk-heading" }, heading),
    before !== void 0 && [element("span", { class: "desk-before" }, value(before)), " → "],
    element("strong", null, value(after)),
    after && after.low !== after.high && element(
      "span",
      { class: "desk-ends" },
      `${shown(after.low, unit)} to ${shown(after.high, unit)}`
    )
  );
}
function valueOf(estimate, unit, suffix) {
  if (!estimate) return element("span", { class: "unknown" }, "unknown");
  return element(
    "span",
    { title: String(estimate.value) },
    `${shown(estimate.value, unit)}${suffix}`
  );
}
function checkLine({ compared, different }) {
  if (different.length === 0) {
    return element(
      "p",
      { class: "desk-check", dataset: { selfCheck: "equal" }, hidden: true },
      `${compared} figures computed here equal the analyzer's.`
    );
  }
  const places2 = different.slice(0, 5).map(({ table, heading, row }) => `${table}, ${heading}, row ${row + 1}`);
  const more = different.length > 5 ? ` and ${different.length - 5} more columns` : "";
  return element(
    "p",
    { class: "desk-warning", role: "alert", dataset: { selfCheck: "different" } },
    `This page computes other figures than the analyzer did (${places2.join("; ")}${more}). Do not rely on what follows an edit: run onnxray project with the settings instead.`
  );
}

// source/views/projection/frame.js
function listenForUndo(session, isShown) {
  document.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
    if (!(ctrlKey || metaKey) || altKey || !isShown()) return;
    const again = key === "y" || shiftKey && key.toLowerCase() === "z";
    if (!again && key !== "z") return;
    if (isTyping(target)) return;
    event.preventDefault();
    if (again) session.store.redo();
    else session.store.undo();
  });
  function isTyping(target) {
    if (!target.matches("input, textarea")) return false;
    const field = session.fieldAt(target);
    return field ? field.isTyped() : true;
  }
}
function withoutData() {
  const words = "This page has no data to project from: it was written without the latencies and weights of operators.";
  return { node: element("div", { class: "view" }, element("p", { class: "missing" }, words)) };
}

// source/views/projection/level_rows.js
var BASELINE = "baseline";
function levelRows({ projection: projection2 }) {
  const dense = {
    name: BASELINE,
    total: projection2.totals.total,
    types: projection2.types.latency,
    origin: "measured"
  };
  return [
    dense,
    ...projection2.atLevels.map(({ level, totals: totals2, types: types2, origin }) => ({
      name: levelText(level),
      level,
      total: totals2.projectedTotal,
      speedup: totals2.speedup,
      types: types2.projected,
      origin
    }))
  ];
}
function bestLevel(session) {
  const [dense, ...others] = levelRows(session);
  const known = others.filter(({ total }) => total !== null).sort((one, other) => one.level - other.level);
  const least2 = known.reduce(
    (one, other) => other.total.value < one.total.value ? other : one,
    known[0]
  );
  const latency = {
    before: dense.total,
    after: least2?.total ?? null,
    unit: "milliseconds",
    suffix: " ms"
  };
  if (!least2) return { figures: [{ ...latency, heading: "Total latency" }], origin: dense.origin };
  const speedup2 = { heading: "Speedup", after: least2.speedup, unit: "number", suffix: "×" };
  return {
    figures: [{ ...latency, heading: `All weights at ${least2.name}` }, speedup2],
    origin: least2.origin
  };
}
function baselineIn(table) {
  const words = /* @__PURE__ */ new Map();
  return (key, row) => {
    if (key !== "sparse_ratio" || table.cell(key, row) !== false) return void 0;
    if (!words.has(row)) words.set(row, element("span", { dataset: { value: "" } }, BASELINE));
    return words.get(row);
  };
}

// source/views/projection/seen.js
var MARGIN = "300px";
var waiting = /* @__PURE__ */ new WeakMap();
var observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const chart = waiting.get(target);
      chart.isSeen = isIntersecting;
      if (isIntersecting && chart.isBehind) chart.draw();
    }
  },
  { rootMargin: MARGIN }
);
function drawnWhenSeen({ node, refresh }) {
  const chart = {
    isSeen: false,
    isBehind: false,
    draw() {
      chart.isBehind = false;
      refresh();
    }
  };
  waiting.set(node, chart);
  observer.observe(node);
  return {
    node,
    refresh() {
      if (chart.isSeen) chart.draw();
      else chart.isBehind = true;
    }
  };
}

// source/views/projection/level_types_part.js
var MOST_TYPES = 8;
var SHOWS = "It shows which operator types get faster at which level, and what stays. Times of operators, without concurrent time and overhead.";
function levelTypesPart(session) {
  const table = session.tables.get("level_types");
  const type = element("select", {
    dataset: { action: "summary-type" },
    on: { change: () => grid.refresh() }
  });
  const rowsAt = (level) => {
    const cells2 = table.column("sparse_ratio")?.cells ?? [];
    return cells2.flatMap((cell2, row) => level === "" || String(cell2) === level ? [row] : []);
  };
  const grid = dataTable({
    table,
    columns: "shown",
    caption: table.title,
    search: ["type"],
    filters: true,
    rows: () => rowsAt(type.value),
    cell: baselineIn(table),
    height: "60vh"
  });
  const chart = typesChart(session);
  function offer2() {
    const chosen2 = type.value;
    const option = (value, text2) => element("option", { value }, text2);
    const levels3 = levelRows(session).slice(1).map(({ level, name }) => option(level, `all weights at ${name}`));
    replace(type, option("", "every level"), option("false", BASELINE), levels3);
    type.value = chosen2;
    if (type.selectedIndex < 0) type.value = "";
  }
  offer2();
  return {
    node: element(
      "section",
      { class: "part" },
      chart?.node,
      element("label", { class: "choice" }, "Summary type ", type),
      grid.node
    ),
    refresh() {
      offer2();
      grid.refresh({ sort: false });
      chart?.refresh();
    }
  };
}
function typesChart(session) {
  const { name: names } = session.inputs.types;
  if (names.length === 0) return void 0;
  const own = names.slice(0, MOST_TYPES);
  const rest = names.length - own.length;
  let rows = levelRows(session);
  const latency = (row, type) => {
    const of = (at) => rows[row].types[at]?.value ?? NaN;
    if (type < own.length) return of(type);
    return names.reduce((sum, _, at) => at < own.length ? sum : sum + of(at), 0);
  };
  const series = [...own, ...rest > 0 ? [`${rest} other types`] : []];
  const unknown = (row) => series.filter((_, type) => Number.isNaN(latency(row, type)));
  const text2 = (row) => {
    const time = (ms) => Number.isNaN(ms) ? "unknown" : `${shown(ms, "milliseconds")} ms`;
    const parts2 = series.map((name, type) => `${shorten(name)} ${time(latency(row, type))}`);
    return `${rows[row].name}: ${parts2.join(", ")}`;
  };
  const chart = drawnWhenSeen(
    drawChart({
      title: "Latency by operator type at each level (ms)",
      shows: SHOWS,
      marks: () => rows.length * series.length,
      height: () => rowsHeight(rows.length, 1.4) + 60,
      option: (theme, { width }) => ({
        grid: {
          left: 8,
          right: 24,
          top: legendHeight(series, width),
          bottom: 8,
          containLabel: true
        },
        legend: {
          top: 0,
          left: 0,
          selectedMode: false,
          data: series.map((_, type) => `${type}`),
          formatter: (type) => chartLabel(series[type], LEGEND_LETTERS)
        },
        xAxis: { type: "value", min: 0 },
        yAxis: {
          type: "category",
          inverse: true,
          data: rows.map(({ name }) => name),
          axisTick: { show: false }
        },
        series: [
          ...series.map((name, type) => ({
            type: "bar",
            // Not by its name: two may have the same one.
            name: `${type}`,
            stack: "types",
            barWidth: "66%",
            itemStyle: styleOf(name, type < own.length, theme),
            data: rows.map(
              (_, row) => Number.isNaN(latency(row, type)) ? "-" : latency(row, type)
            )
          })),
          // What is missing is said where the bar ends too early.
          {
            type: "bar",
            stack: "types",
            silent: true,
            label: { show: true, position: "right", color: theme.unknown },
            data: rows.map((_, row) => {
              const words = unknownText(unknown(row));
              return { value: 0, label: { formatter: () => words } };
            })
          }
        ]
      }),
      readout: { length: () => rows.length, text: text2, at: ({ dataIndex }) => dataIndex }
    })
  );
  return {
    node: chart.node,
    refresh() {
      rows = levelRows(session);
      chart.refresh();
    }
  };
}
function unknownText(types2) {
  if (types2.length === 0) return "";
  return types2.length > 2 ? `+ ${types2.length} types that are unknown` : `+ ${types2.map((type) => chartLabel(type, 24)).join(", ")}: unknown`;
}
function styleOf(type, isOwn, theme) {
  const line = { borderColor: theme.background, borderWidth: 1 };
  if (!isOwn) return { ...line, color: theme.unknown };
  return { ...line, color: typeColour(type, theme), decal: typePattern(type, theme) };
}

// source/projected_tables.js
function projectedTables(inputs, settings, projection2) {
  return {
    projection: totals(projection2),
    projected_types: types(projection2),
    projected_operators: operators(projection2),
    perf_ratios: ratios(settings),
    levels: levels(projection2),
    level_types: levelTypes(inputs, projection2),
    plan: plan(projection2.plan),
    planned_layers: layers(projection2.plan)
  };
}
var MEASURED = "measured";
var cell = (value) => Number.isFinite(value) ? value : null;
var cells = (values) => Array.from(values, cell);
var ends = (key, estimates, [low, high]) => ({
  [key]: estimates.map((estimate) => cell(estimate?.value)),
  [low]: estimates.map((estimate) => cell(estimate?.low)),
  [high]: estimates.map((estimate) => cell(estimate?.high))
});
var quotient = (part, whole) => part && whole && whole.value > 0 ? cell(part.value / whole.value) : null;
function totals({ totals: found, origin }) {
  const isConcurrent = found.concurrent !== null && found.concurrent.value > 0;
  const concurrent = [[found.concurrent, MEASURED], [found.projectedConcurrent, origin]];
  const rows = [
    [found.total, MEASURED],
    [found.projectedTotal, origin],
    [found.support, MEASURED],
    [found.projectedSupport, origin],
    [found.supportShare, MEASURED],
    [found.projectedSupportShare, origin],
    [found.speedup, origin],
    [found.itemsPerSecond, MEASURED],
    [found.projectedItemsPerSecond, origin],
    [found.operators, MEASURED],
    [found.projectedOperators, origin],
    ...isConcurrent ? concurrent : [],
    [found.overhead, MEASURED]
  ];
  return {
    ...ends("value", rows.map(([estimate]) => estimate), ["low", "high"]),
    origin: rows.map(([estimate, rests]) => estimate === null ? null : rests)
  };
}
function types({ types: found, totals: { total } }) {
  const { target, inheriting, latency, projected, origin } = found;
  return {
    target: Array.from(target, (level, n) => inheriting[n] > 0 ? cell(level) : false),
    share: latency.map((dense) => quotient(dense, total)),
    ...ends("projected_ms", projected, ["projected_low_ms", "projected_high_ms"]),
    speedup: latency.map((dense, n) => quotient(dense, projected[n])),
    origin: origin.map((rests, n) => projected[n] === null ? null : rests)
  };
}
function operators({ operators: { target, targetFrom, ratio, projected, outcome, origin } }) {
  return {
    target: Array.from(target, (level, n) => targetFrom[n] === null ? false : cell(level)),
    perf_ratio: cells(ratio.value),
    projected_ms: cells(projected.value),
    projected_low_ms: cells(projected.low),
    projected_high_ms: cells(projected.high),
    projection: outcome,
    origin
  };
}
function ratios(settings) {
  const rows = settings.ratios.flatMap((row) => {
    const { others: value, points } = row;
    const key = value === 1 ? "default" : "given";
    const below = { row, level: false, value, low: value, high: value, origin: `below all levels (${key})` };
    const word = (origin) => origin === "given" ? "given" : "default, not measured";
    return [below, ...points.map((point) => ({ ...point, row, origin: word(point.origin) }))];
  });
  const column = (value) => rows.map(value);
  return {
    weight_shape: column(({ row }) => row.weightShape),
    type: column(({ row }) => row.operatorType ?? false),
    data_type: column(({ row }) => row.dataType ?? false),
    block: column(({ row }) => row.block),
    sparse_ratio: column(({ level }) => level),
    perf_ratio: column(({ value }) => value),
    low: column(({ low }) => low),
    high: column(({ high }) => high),
    operators: column(({ row }) => row.operators),
    origin: column(({ origin }) => origin)
  };
}
var latencyEnds = ["latency_low_ms", "latency_high_ms"];
function levels({ totals: found, atLevels }) {
  const { total, itemsPerSecond } = found;
  const baseline = { level: false, total, speedup: total && { value: 1 }, itemsPerSecond, origin: MEASURED };
  const rows = [baseline, ...atLevels.map(({ level, totals: at, origin }) => ({
    level,
    total: at.projectedTotal,
    speedup: at.speedup,
    itemsPerSecond: at.projectedItemsPerSecond,
    origin
  }))];
  return {
    sparse_ratio: rows.map(({ level }) => level),
    ...ends("latency_ms", rows.map((row) => row.total), latencyEnds),
    speedup: rows.map(({ speedup: speedup2 }) => cell(speedup2?.value)),
    items_per_second: rows.map((row) => cell(row.itemsPerSecond?.value)),
    origin: rows.map((row) => row.total === null ? null : row.origin)
  };
}
function levelTypes(inputs, { types: baseline, totals: { total }, atLevels }) {
  const { name, flops } = inputs.types;
  const origin = name.map(() => MEASURED);
  const parts2 = [
    { level: false, total, latency: baseline.latency, origin },
    ...atLevels.map(({ level, totals: at, types: found }) => ({ level, total: at.projectedTotal, latency: found.projected, origin: found.origin }))
  ];
  const column = (value) => parts2.flatMap((part) => name.map((_, n) => value(part, n)));
  return {
    sparse_ratio: column(({ level }) => level),
    type: column((_, n) => name[n]),
    ...ends("latency_ms", column(({ latency }, n) => latency[n]), latencyEnds),
    share: column((part, n) => quotient(part.latency[n], part.total)),
    flops: column((_, n) => cell(flops[n])),
    origin: column((part, n) => part.latency[n] === null ? null : part.origin[n])
  };
}
function plan({ figures, origin }) {
  const { latency, itemsPerSecond, flops, parameters, prunableParameters } = figures;
  const rows = [latency, itemsPerSecond, flops, parameters, prunableParameters];
  const rests = ({ planned }, n) => n > 1 ? false : planned === null ? null : origin;
  return {
    before: rows.map(({ before }) => cell(before?.value)),
    ...ends("planned", rows.map(({ planned }) => planned), ["low", "high"]),
    gain: rows.map(({ gain }) => cell(gain)),
    // Only the first two rest on perf ratios.
    origin: rows.map(rests)
  };
}
function layers({ layers: { level, why, ratio, projected, flops, origin } }) {
  return {
    level: cells(level),
    planned_level: cells(level),
    why,
    perf_ratio: cells(ratio.value),
    planned_ms: cells(projected.value),
    planned_low_ms: cells(projected.low),
    planned_high_ms: cells(projected.high),
    planned_flops: cells(flops),
    origin
  };
}

// source/projection_inputs.js
var numbers = (values) => Float64Array.from(values, (value) => value ?? NaN);
function readInputs(block) {
  const outcomes = block.outcomes;
  const { operators: operators2, types: types2, layers: layers2 } = block;
  const fixed2 = operators2.fixed.map((outcome) => outcome < 0 ? null : outcomes[outcome].text);
  const type = Int32Array.from(operators2.type);
  const settable = new Int32Array(types2.name.length);
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
        value: numbers(operators2.latency_ms),
        low: numbers(operators2.latency_low_ms),
        high: numbers(operators2.latency_high_ms)
      },
      known: Uint8Array.from(operators2.latency_ms, (value) => Number(value !== null)),
      supported: Uint8Array.from(operators2.sparse_support),
      weightUnknown: Uint8Array.from(fixed2, (outcome) => Number(outcome === "weight unknown")),
      sparseRatio: numbers(operators2.sparse_ratio),
      fixed: fixed2,
      type,
      row: Int32Array.from(operators2.row),
      sameName: Int32Array.from(operators2.same_name),
      flops: numbers(operators2.flops)
    },
    types: {
      name: types2.name,
      operators: Int32Array.from(types2.operators),
      settable,
      sameName: Int32Array.from(types2.same_name),
      flops: numbers(types2.flops)
    },
    layers: {
      operator: Int32Array.from(layers2.operator),
      parameters: numbers(layers2.parameters),
      sameWeight: Int32Array.from(layers2.same_weight),
      exclusion: layers2.exclusion,
      planned: numbers(layers2.planned)
    },
    settings: settingsOf(block.settings)
  };
}
function settingsOf({ block, levels: levels3, default_ratios: defaultRatios, ratios: ratios2, targets, plan: plan3 }) {
  const named2 = ({ name, at, level }) => name.map((text2, n) => ({ name: text2, at: at[n], level: level[n] }));
  const row = (known) => ({
    weightShape: known.weight_shape,
    operatorType: known.operator_type,
    dataType: known.data_type,
    block: known.block,
    operators: known.operators,
    others: known.others,
    points: known.points.map(([level, value, low, high, origin]) => ({ level, value, low, high, origin }))
  });
  const { model, types: types2, operators: operators2 } = targets;
  return {
    block,
    levels: levels3,
    defaultRatios,
    ratios: ratios2.map(row),
    targets: { model, types: named2(types2), operators: named2(operators2) },
    plan: { ...plan3, overrides: named2(plan3.overrides) }
  };
}

// source/views/projection/field.js
function createField({ kind, label, look, take, restore, move }) {
  const markId = uniqueId("mark");
  const reasonId = uniqueId("reason");
  let before = "";
  let drawn;
  const input = element("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    dataset: { edit: kind },
    aria: { label, describedby: `${markId} ${reasonId}` },
    on: { focus: () => input.select(), blur: () => commit(), keydown: onKey }
  });
  const mark = element("span", { class: "entry-mark", id: markId });
  const reason = element("span", { class: "entry-reason", id: reasonId, hidden: true });
  const node = element("span", { class: "entry" }, input, mark, reason);
  function commit() {
    if (input.value === before) return true;
    return take(input.value);
  }
  function onKey(event) {
    const direction = directionOf(event, input);
    if (direction) {
      event.preventDefault();
      if (commit()) move(direction);
      else input.select();
    } else if (event.key === "Escape" && (input.value !== before || look().bad)) {
      event.preventDefault();
      event.stopPropagation();
      input.value = before;
      restore();
      input.select();
    }
  }
  function update() {
    const now = look();
    const {
      text: text2,
      inherited = "",
      mark: origin = "",
      placeholder,
      edited,
      recent,
      value,
      bad
    } = now;
    before = bad ? bad.text : text2;
    const wanted = JSON.stringify(now);
    if (wanted === drawn && input.value === before) return;
    drawn = wanted;
    if (input.value !== before) input.value = before;
    input.placeholder = inherited;
    input.dataset.value = value ?? "";
    if (bad) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    mark.textContent = origin;
    node.classList.toggle("is-placeholder", placeholder === true);
    node.classList.toggle("is-edited", edited === true);
    node.classList.toggle("is-recent", recent === true);
    reason.hidden = !bad;
    reason.textContent = bad ? bad.reason : "";
  }
  update();
  return {
    node,
    input,
    label,
    update,
    focus: () => input.focus(),
    isTyped: () => input.value !== before
  };
}
function directionOf(event, input) {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return void 0;
  if (key === "Enter") return shiftKey ? "up" : "down";
  if (shiftKey) return void 0;
  if (key === "ArrowDown") return "down";
  if (key === "ArrowUp") return "up";
  const { selectionStart, selectionEnd, value } = input;
  const isWhole = selectionStart === 0 && selectionEnd === value.length;
  const caret = selectionStart === selectionEnd ? selectionStart : void 0;
  if (key === "ArrowLeft" && (isWhole || caret === 0)) return "left";
  if (key === "ArrowRight" && (isWhole || caret === value.length)) return "right";
  return void 0;
}

// source/views/projection/self_check.js
function compareWithAnalyzer(report, cells2) {
  const different = [];
  let compared = 0;
  for (const [key, columns] of Object.entries(cells2)) {
    const table = report.table(key);
    for (const [name, computed] of Object.entries(columns)) {
      const column = table?.column(name);
      if (!column) continue;
      compared += column.cells.length;
      const row = firstDifference(column.cells, computed);
      if (row >= 0) different.push({ table: table.title, heading: column.heading, row });
    }
  }
  return { compared, different };
}
function firstDifference(cells2, computed) {
  const length = Math.max(cells2.length, computed.length);
  for (let row = 0; row < length; row += 1) if (cells2[row] !== computed[row]) return row;
  return -1;
}

// source/views/projection/store.js
function createStore(settings) {
  const first = { settings, bad: /* @__PURE__ */ new Map(), edited: /* @__PURE__ */ new Set(), label: "", cell: "" };
  let states = [first];
  let at = 0;
  const listeners2 = /* @__PURE__ */ new Set();
  const tell = (change2) => listeners2.forEach((listener) => listener(states[at], change2));
  const push = (state) => {
    states = [...states.slice(0, at + 1), state];
    at += 1;
    tell({ kind: "edit", label: state.label, cell: state.cell });
  };
  const without = (bad, cell2) => new Map([...bad].filter(([key]) => key !== cell2));
  return {
    /** @returns {State} */
    get state() {
      return states[at];
    },
    /** What an undo takes back and a redo does again, in words; `undefined` if there is nothing. */
    get undoes() {
      return at > 0 ? states[at].label : void 0;
    },
    get redoes() {
      return states[at + 1]?.label;
    },
    /**
     * New settings from an entry that was understood; the entry before it in that cell may
     * have been bad. `isGone` says of which cells there is nothing left to be bad.
     */
    set(cell2, label, changed, isGone = () => false) {
      const { bad, edited } = states[at];
      push({
        settings: changed,
        bad: new Map([...bad].filter(([key]) => key !== cell2 && !isGone(key))),
        edited: new Set(edited).add(cell2),
        label,
        cell: cell2
      });
    },
    /** An entry that was not understood: the settings stay as they are. */
    refuse(cell2, label, text2, reason) {
      const { settings: good, bad, edited } = states[at];
      push({ settings: good, bad: new Map(bad).set(cell2, { text: text2, reason }), edited, label, cell: cell2 });
    },
    /**
     * The last good entry of a cell takes the place of a bad one; of the latest, as if it
     * had never been.
     */
    restore(cell2, label) {
      const { settings: good, bad, edited } = states[at];
      if (!bad.has(cell2)) return;
      if (states[at].cell !== cell2 || states[at - 1].bad.has(cell2)) {
        push({ settings: good, bad: without(bad, cell2), edited, label, cell: cell2 });
        return;
      }
      at -= 1;
      states = states.slice(0, at + 1);
      tell({ kind: "edit", label, cell: cell2 });
    },
    undo() {
      if (at === 0) return;
      const { label, cell: cell2 } = states[at];
      at -= 1;
      tell({ kind: "undo", label, cell: cell2 });
    },
    redo() {
      if (at === states.length - 1) return;
      at += 1;
      tell({ kind: "redo", label: states[at].label, cell: states[at].cell });
    },
    /** The settings of the start. It can be undone as well. */
    reset(label) {
      if (states[at].settings !== settings || states[at].bad.size > 0) push({ ...first, label });
    },
    /**
     * @param {(state: State, change: {kind: 'edit'|'undo'|'redo', label: string, cell: string}) =>
     *   void} listener
     * @returns {() => void} ends it
     */
    subscribe(listener) {
      listeners2.add(listener);
      return () => listeners2.delete(listener);
    }
  };
}

// source/views/projection/tables.js
var KEYS = [
  "projection",
  "projected_types",
  "projected_operators",
  "perf_ratios",
  "levels",
  "level_types",
  "plan",
  "planned_layers"
];
function ownTables(report) {
  const own = (column) => ({ ...column });
  const found = (key) => report.table(key) ?? { key, title: "", rows: 0, columns: [] };
  return new Map(
    KEYS.map((key) => [key, new Table({ ...found(key), columns: found(key).columns.map(own) })])
  );
}
function fillTables(tables, cells2) {
  for (const [key, table] of tables) {
    for (const [name, of] of Object.entries(cells2[key])) {
      const column = table.column(name);
      if (!column) continue;
      column.cells = of;
      table.rows = of.length;
    }
  }
}

// source/views/projection/session.js
var sessions = /* @__PURE__ */ new WeakMap();
function sessionOf(report, context) {
  if (!sessions.has(report)) {
    const block = report.block("projection");
    sessions.set(report, block && openSession(report, readInputs(block), context));
  }
  return sessions.get(report);
}
function openSession(report, inputs, context) {
  const store = createStore(inputs.settings);
  const compute = (settings) => {
    const projection2 = project(inputs, settings);
    return { settings, projection: projection2, cells: projectedTables(inputs, settings, projection2) };
  };
  let computed = compute(inputs.settings);
  let latest = "";
  const tables = ownTables(report);
  const fields = /* @__PURE__ */ new Map();
  const ways = /* @__PURE__ */ new Map();
  const views = /* @__PURE__ */ new Set();
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) catchUp(target);
  });
  const session = {
    report,
    inputs,
    store,
    tables,
    /** What the check at the start found. */
    check: compareWithAnalyzer(report, computed.cells),
    /** All figures at the settings. */
    get projection() {
      return computed.projection;
    },
    /** The settings that all figures are computed from. */
    get settings() {
      return store.state.settings;
    },
    /** A cell to edit; `cell` is one of those in settables.js. There is one field for each. */
    field(cell2, move) {
      if (!fields.has(cell2.key)) fields.set(cell2.key, fieldOf(cell2, move));
      const field = fields.get(cell2.key);
      field.update();
      return field;
    },
    /** Has a part of the page follow edits; at once if it is seen, or else when it is. */
    follow(node, refresh) {
      views.add({ node, refresh, isBehind: false });
      seen.observe(node);
    },
    /** What a cell is called. */
    labelOf: (key) => fields.get(key)?.label ?? key,
    /** How one gets to the cells of a kind: `way` is given the number in their keys. */
    reach(kind, view, way) {
      ways.set(kind, { view, way });
    },
    /** Goes to a cell, in whatever view it is. */
    goTo(key) {
      const [kind, number2] = key.split("/");
      const { view, way } = ways.get(kind) ?? {};
      if (view) context.go(view);
      setTimeout(() => way ? way(Number(number2)) : fields.get(key)?.focus());
    },
    /** What was done last, in words, for who does not see it. */
    said: "",
    /** The field that an input belongs to. */
    fieldAt: (input) => [...fields.values()].find((field) => field.input === input),
    /** Brings all parts up to date, seen or not. */
    catchUpAll() {
      for (const view of views) catchUp(view.node);
    }
  };
  function fieldOf(cell2, move) {
    const look = () => {
      const { bad, edited } = store.state;
      return {
        ...cell2.look(),
        bad: bad.get(cell2.key),
        edited: edited.has(cell2.key),
        recent: latest === cell2.key
      };
    };
    const take = (text2) => {
      const found = cell2.take(text2);
      if (found.problem) store.refuse(cell2.key, `${cell2.label}: ${text2}`, text2, found.problem);
      else if (found.settings === store.state.settings) restore();
      else store.set(cell2.key, `${cell2.label}: ${found.words}`, found.settings);
      return !found.problem;
    };
    const restore = () => {
      store.restore(cell2.key, `${cell2.label}: as it was`);
      fields.get(cell2.key).update();
    };
    return createField({ kind: cell2.kind, label: cell2.label, look, take, restore, move });
  }
  function catchUp(node) {
    for (const view of views) {
      if (view.node !== node || !view.isBehind) continue;
      view.isBehind = false;
      view.refresh();
    }
  }
  store.subscribe((state, { kind, label, cell: cell2 }) => {
    latest = kind === "edit" ? "" : cell2;
    session.said = { edit: label, undo: `Undone: ${label}`, redo: `Done again: ${label}` }[kind];
    if (computed.settings !== state.settings) {
      computed = compute(state.settings);
      fillTables(tables, computed.cells);
    }
    const inSight = [...views].filter(({ node }) => node.checkVisibility());
    for (const view of views) view.isBehind = true;
    for (const field of fields.values()) if (field.node.isConnected) field.update();
    for (const { node } of inSight) catchUp(node);
  });
  listenForUndo(session, () => [...views].some(({ node }) => node.checkVisibility()));
  return session;
}

// source/views/projection/levels.js
var ENDS = "Lines across the ends of bars run from the low to the high end.";
function levels2(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = desk(session, {
    figures: () => bestLevel(session).figures,
    origin: () => bestLevel(session).origin
  });
  const parts2 = [top, wholePart(session), levelTypesPart(session)];
  const node = element(
    "div",
    { class: "view projection" },
    parts2.map((part) => part.node)
  );
  session.follow(node, () => parts2.forEach((part) => part.refresh()));
  return { node, prepare: () => session.catchUpAll() };
}
function wholePart(session) {
  const table = session.tables.get("levels");
  const declared = session.report.chart("levels");
  const grid = dataTable({
    table,
    columns: "shown",
    caption: table.title,
    cell: baselineIn(table)
  });
  let rows = levelRows(session);
  const chart = drawnWhenSeen(
    drawChart({
      title: declared?.title ?? "Latency of the whole model (ms)",
      shows: `It shows ${declared?.shows ?? "what every level would bring"}. ${ENDS}`,
      marks: () => rows.length * 4,
      height: () => rowsHeight(rows.length, 1.4),
      option: (theme) => {
        const [before, after] = sidesOf(theme);
        const estimates = rows.map(({ total }) => total);
        const side = {
          ...after,
          fillOf: (row) => row === 0 ? before.fill : after.fill,
          estimates
        };
        return endBars({ names: rows.map(({ name }) => name), sides: [side] }, theme, 20);
      },
      readout: {
        length: () => rows.length,
        text: (row) => textOf2(rows[row]),
        at: ({ dataIndex }) => dataIndex
      }
    })
  );
  return {
    node: element(
      "section",
      { class: "part" },
      missing(session),
      element("div", { class: "beside" }, grid.node, chart.node)
    ),
    refresh() {
      rows = levelRows(session);
      grid.refresh({ sort: false });
      chart.refresh();
    }
  };
}
function textOf2({ name, total, speedup: speedup2 }) {
  const faster = speedup2 ? `, ${estimateText(speedup2, "number", "×")} as fast` : "";
  return `${name}: ${estimateText(total, "milliseconds", " ms")}${faster}`;
}
function missing({ projection: projection2, inputs }) {
  const say = (text2) => element("p", { class: "missing" }, text2);
  if (inputs.operators.fixed.length === 0)
    return say("The recording has no operators, so there is nothing to prune.");
  if (projection2.totals.projectedTotal !== null) return null;
  return say(
    "It is not known of any operator whether it has a weight: what levels would bring is unknown, and no speedup is claimed."
  );
}

// source/views/projection/editing.js
function byRoom({ narrow, medium, wide }) {
  if (window.matchMedia("(max-width: 700px)").matches) return narrow;
  return window.matchMedia("(max-width: 1500px)").matches ? medium : wide;
}
function setWidths(table, widths) {
  for (const [key, width] of Object.entries(widths)) {
    const column = table.column(key);
    if (column) column.width = width;
  }
}
function moveIn(grid, fieldOf) {
  return (direction, from) => {
    const step = { up: -1, down: 1 }[direction];
    if (step === void 0) return;
    const rows = grid.visible();
    for (let at = rows.indexOf(from) + step; at >= 0 && at < rows.length; at += step) {
      const field = fieldOf(rows[at]);
      if (!field) continue;
      goToField(grid, rows[at], fieldOf);
      return;
    }
  };
}
function goToField(grid, row, fieldOf) {
  grid.reveal(row);
  fieldOf(row)?.focus();
}
function settableCells(fieldOf, fixedOf) {
  const fixed2 = /* @__PURE__ */ new Map();
  return (row) => {
    const field = fieldOf(row);
    if (field) return field.node;
    if (!fixed2.has(row)) fixed2.set(row, fixedOf(row));
    return fixed2.get(row);
  };
}
function fixedCell(reasons2, value = "") {
  const words = reasons2.map(({ text: text2 }) => text2).join(", ") || "no operators";
  const meaning = reasons2.map(({ text: text2, meaning: why }) => `${text2}: ${why}`).join("; ");
  return element(
    "span",
    {
      class: "not-settable",
      title: meaning,
      aria: { description: meaning },
      dataset: value === null ? { editReason: words } : { editReason: words, value }
    },
    words
  );
}

// source/settings.js
var MOST_LEVELS = 100;
var isAt = (level) => (known) => Math.abs(known - level) < SAME_LEVEL;
function withRow(settings, number2, change2) {
  const ratios2 = settings.ratios.map((row, at) => at === number2 ? { ...row, ...change2(row) } : row);
  return { ...settings, ratios: ratios2 };
}
function setRatio2(settings, row, level, { value, low = value, high = value }) {
  const point = { level, value, low, high, origin: "given" };
  const replace2 = ({ points }) => {
    const others = points.filter((known) => !isAt(level)(known.level));
    return { points: [...others, point].sort((one, other) => one.level - other.level) };
  };
  return addLevel(withRow(settings, row, replace2), level);
}
function removeRatio(settings, row, level) {
  const without = ({ points }) => ({ points: points.filter((known) => !isAt(level)(known.level)) });
  return withRow(settings, row, without);
}
function setOthers(settings, row, others) {
  return withRow(settings, row, () => ({ others }));
}
function addLevel(settings, level) {
  if (settings.levels.some(isAt(level))) return settings;
  return { ...settings, levels: [...settings.levels, level] };
}
function removeLevel(settings, level) {
  const levels3 = settings.levels.filter((known) => !isAt(level)(known));
  const ratios2 = settings.ratios.map((row) => removeRatio({ ratios: [row] }, 0, level).ratios[0]);
  return { ...settings, levels: levels3, ratios: ratios2 };
}
function named(list2, name, at, level) {
  const others = list2.filter((known) => known.at !== at);
  return level === null ? others : [...others, { name, at, level }];
}
function setModelTarget(settings, model) {
  return { ...settings, targets: { ...settings.targets, model } };
}
function setTypeTarget(inputs, settings, type, level) {
  const { name, sameName } = inputs.types;
  const types2 = named(settings.targets.types, name[type], sameName[type], level);
  return { ...settings, targets: { ...settings.targets, types: types2 } };
}
function setOperatorTarget(inputs, settings, operator, name, level) {
  const at = inputs.operators.sameName[operator];
  const operators2 = named(settings.targets.operators, name, at, level);
  return { ...settings, targets: { ...settings.targets, operators: operators2 } };
}
function setOverride(inputs, settings, layer, name, level) {
  const at = inputs.operators.sameName[inputs.layers.operator[layer]];
  const overrides = named(settings.plan.overrides, name, at, level);
  return { ...settings, plan: { ...settings.plan, overrides } };
}

// source/views/projection/settables.js
var digits = (value) => JSON.stringify(value);
var isAt2 = (level) => (known) => Math.abs(known - level) < SAME_LEVEL;
var setFor = (list2, at) => list2.findLast((known) => known.at === at)?.level ?? null;
var BUDGETED = /* @__PURE__ */ new Set(["planned", "left dense by the budget"]);
var rowName = ({ weightShape, operatorType, dataType }) => shorten([operatorType, weightShape, dataType].filter((part) => part !== null).join(" "));
function ratioCell(session, row, level) {
  const rowNow = () => session.settings.ratios[row];
  const pointNow = () => rowNow().points.find((point) => isAt2(level)(point.level));
  return {
    key: `ratio/${row}/${level}`,
    kind: "ratio",
    label: `${rowName(rowNow())} at ${levelText(level)}`,
    look() {
      const point = pointNow();
      if (point) {
        const isDefault = point.origin === "default";
        return {
          text: rangeText(point),
          mark: point.origin,
          placeholder: isDefault,
          value: digits(point.value)
        };
      }
      const { value, origin } = perfRatio(rowNow(), level);
      return {
        text: "",
        inherited: shown(value, "number"),
        mark: origin === "measured" ? "no ratio" : origin
      };
    },
    take(text2) {
      const read2 = readRange(text2);
      if (read2.problem) return read2;
      const { settings } = session;
      const [was, is] = [pointNow(), read2.value];
      if (read2.blank && !was) return { settings };
      if (read2.blank) return { settings: removeRatio(settings, row, level), words: "none" };
      if (was && ["value", "low", "high"].every((end) => was[end] === is[end])) return { settings };
      return { settings: setRatio2(settings, row, level, is), words: rangeText(is) };
    }
  };
}
function othersCell(session, row) {
  const rowNow = () => session.settings.ratios[row];
  return {
    key: `others/${row}`,
    kind: "others",
    label: `${rowName(rowNow())} below all levels`,
    look() {
      const { others } = rowNow();
      if (others === 1) return { text: "", inherited: "1", mark: "default", value: "1" };
      return { text: `${others}`, mark: "given", value: digits(others) };
    },
    take(text2) {
      const read2 = readPerfRatio(text2);
      if (read2.problem) return read2;
      const others = read2.blank ? 1 : read2.value;
      if (others === rowNow().others) return { settings: session.settings };
      return { settings: setOthers(session.settings, row, others), words: `${others}` };
    }
  };
}
function levelCell(session) {
  return {
    key: "level",
    kind: "level",
    label: "Another level",
    look: () => ({ text: "", inherited: "95 %" }),
    take(text2) {
      const read2 = readSparseRatio(text2);
      if (read2.problem) return read2;
      const { settings } = session;
      if (read2.blank) return { settings };
      const known = allLevels(settings);
      if (known.some(isAt2(read2.value)))
        return { problem: `${sparseRatioText(read2.value)} has a column already` };
      if (known.length >= MOST_LEVELS)
        return { problem: `there is room for ${MOST_LEVELS} levels` };
      return { settings: addLevel(settings, read2.value), words: sparseRatioText(read2.value) };
    }
  };
}
function modelTargetCell(session) {
  const own = () => session.settings.targets.model;
  const standing = session.inputs.defaultTarget;
  return targetCell(session, {
    key: "target",
    kind: "target",
    label: "Target of the model",
    own,
    inherited: () => [standing, "default"],
    set: (level) => setModelTarget(session.settings, level)
  });
}
function typeTargetCell(session, type) {
  const { inputs } = session;
  return targetCell(session, {
    key: `target-type/${type}`,
    kind: "target-type",
    label: `Target of ${shorten(inputs.types.name[type])}`,
    own: () => typeTarget(session, type),
    inherited: () => modelTarget(session),
    set: (level) => setTypeTarget(inputs, session.settings, type, level),
    // Where all operators have a target of their own, that of the type is for none.
    holds: (level) => session.projection.types.inheriting[type] > 0 ? level : null
  });
}
function operatorTargetCell(session, operator, name) {
  const { inputs } = session;
  return targetCell(session, {
    key: `target-operator/${operator}`,
    kind: "target-operator",
    label: `Target of ${shorten(name)}`,
    own: () => setFor(session.settings.targets.operators, inputs.operators.sameName[operator]),
    inherited() {
      const ofType = typeTarget(session, inputs.operators.type[operator]);
      return ofType === null ? modelTarget(session) : [ofType, "type"];
    },
    set: (level) => setOperatorTarget(inputs, session.settings, operator, name, level)
  });
}
function planLevelCell(session, layer, name) {
  const { inputs } = session;
  const at = inputs.operators.sameName[inputs.layers.operator[layer]];
  return targetCell(session, {
    key: `plan-level/${layer}`,
    kind: "plan-level",
    label: `Level of ${shorten(name)} in the plan`,
    own: () => setFor(session.settings.plan.overrides, at),
    inherited() {
      const { level, why } = session.projection.plan.layers;
      if (why[layer] === "fixed") return [level[layer], "shared"];
      return [level[layer], BUDGETED.has(why[layer]) ? "budget" : "dense"];
    },
    set: (level) => setOverride(inputs, session.settings, layer, name, level),
    // Of layers of one weight the first that is fixed decides.
    holds: () => session.projection.plan.layers.level[layer]
  });
}
var typeTarget = ({ settings, inputs }, type) => setFor(settings.targets.types, inputs.types.sameName[type]);
var modelTarget = ({ settings, inputs }) => settings.targets.model === null ? [inputs.defaultTarget, "default"] : [settings.targets.model, "model"];
function targetCell(session, { key, kind, label, own, inherited, set, holds = (level) => level }) {
  return {
    key,
    kind,
    label,
    look() {
      const level = own();
      const [other, from] = level === null ? inherited() : [level, "own"];
      const counts = holds(other);
      const value = counts === null ? "" : digits(counts);
      if (level !== null) return { text: sparseRatioText(level), mark: from, value };
      return { text: "", inherited: sparseRatioText(other), mark: from, value };
    },
    take(text2) {
      const read2 = readSparseRatio(text2);
      if (read2.problem) return read2;
      if (read2.blank && own() === null) return { settings: session.settings };
      if (!read2.blank && read2.value === own()) return { settings: session.settings };
      return {
        settings: set(read2.blank ? null : read2.value),
        words: read2.blank ? "none of its own" : sparseRatioText(read2.value)
      };
    }
  };
}
function whyFixed({ inputs }, operator) {
  const outcome = inputs.operators.fixed[operator];
  return outcome === null ? void 0 : inputs.outcomes.find(({ text: text2 }) => text2 === outcome);
}
function whyTypeFixed({ inputs }, type) {
  if (inputs.types.settable[type] > 0) return void 0;
  const found = new Set(inputs.operators.fixed.filter((_, n) => inputs.operators.type[n] === type));
  return inputs.outcomes.filter(({ text: text2 }) => found.has(text2));
}
var reasonsOf = ({ inputs }) => inputs.outcomes.filter(({ text: text2 }) => inputs.operators.fixed.includes(text2));

// source/views/projection/plan.js
var KEY = ["number", "name", "weight_shape"];
var OF_LAYERS = {
  narrow: "name level planned_ms latency_ms why perf_ratio weight_shape origin".split(" "),
  medium: [...KEY, "level", "why", "latency_ms", "planned_ms", "origin"],
  wide: [...KEY, "parameters", "level", "why", "latency_ms", "planned_ms", "perf_ratio", "origin"]
};
var WIDTHS = {
  level: 16,
  weight_shape: 13,
  latency_ms: 10,
  planned_ms: 11,
  perf_ratio: 9,
  why: 24,
  origin: 20
};
var LATENCY = ["latency_ms", "latency_ms", "latency_ms"];
var PLANNED = ["planned_ms", "planned_low_ms", "planned_high_ms"];
function plan2(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = desk(session, {
    isPlan: true,
    figures() {
      const { figures, totals: totals2 } = session.projection.plan;
      return [
        {
          heading: "Total latency",
          before: figures.latency.before,
          after: figures.latency.planned,
          unit: "milliseconds",
          suffix: " ms"
        },
        { heading: "Speedup", after: totals2.speedup, unit: "number", suffix: "×" }
      ];
    },
    origin: () => session.projection.plan.origin
  });
  const layers2 = layersPart(session);
  const parts2 = [top, wholePart2(session), layers2];
  const node = element(
    "div",
    { class: "view projection" },
    parts2.map((part) => part.node)
  );
  session.follow(node, () => parts2.forEach((part) => part.refresh()));
  return { node, show: layers2.show, prepare: () => session.catchUpAll() };
}
function wholePart2(session) {
  const table = session.tables.get("plan");
  const grid = dataTable({ table, columns: "shown", caption: table.title });
  const { plan: bounds } = session.inputs.settings;
  const allowed = (is) => is ? "may be pruned" : "left dense";
  const of = (heading, text2) => element("div", null, element("dt", null, heading), element("dd", null, text2));
  const boundsList = element(
    "dl",
    { class: "figures" },
    of("Budget", `${sparseRatioText(bounds.budget)} of the prunable parameters`),
    of("Least level of a pruned layer", sparseRatioText(bounds.minimum)),
    of("Highest level", sparseRatioText(bounds.maximum)),
    of("Balance of loss against latency", `${bounds.balance}`),
    of("First layer", allowed(bounds.first)),
    of("Convolutions with groups", allowed(bounds.grouped))
  );
  const loss = session.report.figures("planned_loss");
  const stale = element(
    "p",
    { class: "caveat", hidden: true },
    "These are of the levels as the analyzer spread them: what the fixed ones lose is not known here."
  );
  return {
    node: element(
      "section",
      { class: "part" },
      element(
        "div",
        { class: "beside" },
        grid.node,
        element("div", null, element("h3", null, "Spread with"), boundsList)
      ),
      loss && [element("h3", null, loss.title), figuresList(loss), stale]
    ),
    refresh() {
      grid.refresh({ sort: false });
      stale.hidden = session.settings.plan.overrides === bounds.overrides;
    }
  };
}
function layersPart(session) {
  const table = session.tables.get("planned_layers");
  const { operator } = session.inputs.layers;
  setWidths(table, { ...WIDTHS, name: byRoom({ narrow: 18, medium: 24, wide: 30 }) });
  const levelCell2 = settableCells(
    fieldOf,
    (row) => fixedCell([whyFixed(session, operator[row])], "0")
  );
  const grid = dataTable({
    table,
    columns: byRoom(OF_LAYERS),
    caption: table.title,
    rowKey: "name",
    search: ["name", "weight_shape", "why"],
    filters: true,
    cell: (key, row) => key === "level" ? levelCell2(row) : void 0
  });
  const move = moveIn(grid, (row) => fieldOf(row));
  function fieldOf(row) {
    if (whyFixed(session, operator[row])) return void 0;
    return session.field(
      planLevelCell(session, row, table.cell("name", row)),
      (direction) => move(direction, row)
    );
  }
  session.reach("plan-level", "plan", (row) => goToField(grid, row, fieldOf));
  const chart = table.rows > 0 && levelsChart(session, table, (row) => grid.reveal(row));
  return {
    node: element(
      "section",
      { class: "part" },
      table.rows > 0 ? [
        chart.node,
        element(
          "p",
          { class: "lead" },
          "A level that you type fixes its layer, and every layer of the same weight; it counts at once. A blank cell stays where the budget put it. 0 leaves dense."
        ),
        grid.node
      ] : element("p", { class: "missing" }, noLayers(session))
    ),
    refresh() {
      grid.refresh({ sort: false });
      if (chart) chart.refresh();
    },
    /** Brings a layer into sight; false if there is none of this name. */
    show(name) {
      const row = table.find("name", name);
      return row !== void 0 && grid.reveal(row);
    }
  };
}
function noLayers({ inputs: { operators: operators2 } }) {
  if (operators2.fixed.length === 0)
    return "The recording has no operators, so there are no layers to plan for.";
  const isUnknown2 = operators2.weightUnknown.includes(1);
  return isUnknown2 ? "The trace has no weights, so there are no layers to plan for; add them with --model MODEL.onnx." : "No operator of this model has a constant weight, so there is nothing to prune.";
}
function levelsChart(session, table, open2) {
  const levels3 = () => session.projection.plan.layers;
  const text2 = (row) => {
    const times2 = [LATENCY, PLANNED].map((keys) => estimateAt(table, keys, row));
    const level = sparseRatioText(table.number("level", row));
    const name = shorten(table.text("name", row));
    return `${name}: ${level}, ${table.text("why", row)}; ${beforeAndAfter(...times2, "planned")}`;
  };
  return drawnWhenSeen(
    drawChart({
      title: "Level of each layer, in order of execution",
      shows: "It shows how far the plan prunes each layer. Layers without a bar are left dense; striped ones are fixed.",
      marks: () => table.rows,
      height: 220,
      zoom: "x",
      open: open2,
      option: (theme) => {
        const [, after] = sidesOf(theme);
        const { level, fixed: fixed2 } = levels3();
        return {
          grid: { left: 8, right: 16, top: 12, bottom: 32, containLabel: true },
          xAxis: {
            type: "category",
            data: table.column("number").cells,
            axisTick: { alignWithLabel: true }
          },
          yAxis: {
            type: "value",
            min: 0,
            max: 1,
            axisLabel: { formatter: (value) => `${Math.round(value * 100)} %` }
          },
          aria: { enabled: true, decal: { show: false } },
          series: [
            {
              type: "bar",
              data: Array.from(level, (value, layer) => ({
                value,
                itemStyle: {
                  color: after.fill,
                  decal: Number.isNaN(fixed2[layer]) ? void 0 : pattern(1, theme)
                }
              }))
            }
          ]
        };
      },
      readout: {
        length: () => table.rows,
        text: text2,
        at: ({ dataIndex }) => dataIndex,
        locate: (row) => ({ seriesIndex: 0, dataIndex: row })
      }
    })
  );
}

// source/views/projection/operators_chart.js
var LATENCY2 = ["latency_ms", "latency_low_ms", "latency_high_ms"];
var PROJECTED = ["projected_ms", "projected_low_ms", "projected_high_ms"];
function operatorsChart({ report }, table, open2) {
  const declared = report.chart("projected_operators");
  if (table.rows === 0) return void 0;
  const steps = (key) => {
    const { cells: cells2 } = table.column(key);
    const data = new Float64Array(4 * cells2.length);
    cells2.forEach(
      (cell2, row) => data.set([row - 0.5, cell2 ?? NaN, row + 0.5, cell2 ?? NaN], 4 * row)
    );
    return data;
  };
  const line = (key, fill, area) => ({
    type: "line",
    symbol: "none",
    sampling: "max",
    connectNulls: false,
    dimensions: ["operator", "ms"],
    data: steps(key),
    lineStyle: { width: 1, color: fill },
    itemStyle: { color: fill },
    areaStyle: { color: fill, opacity: area, origin: "start" }
  });
  const text2 = (row) => {
    const times2 = [LATENCY2, PROJECTED].map((keys) => estimateAt(table, keys, row));
    const name = shorten(table.text("name", row));
    return `${name}: ${beforeAndAfter(...times2)}; ${table.text("projection", row)}`;
  };
  return drawnWhenSeen(
    drawChart({
      title: declared?.title ?? "Latency of each operator (ms), in order of execution",
      shows: `It shows ${declared?.shows ?? "where in the model the time goes"}.`,
      marks: () => table.rows * 2,
      height: 240,
      zoom: "x",
      open: open2,
      option: (theme) => {
        const [before, after] = sidesOf(theme);
        return {
          grid: { left: 8, right: 16, top: 30, bottom: 32, containLabel: true },
          legend: { top: 0, left: 0, selectedMode: false, icon: "roundRect" },
          xAxis: {
            type: "value",
            min: -0.5,
            max: table.rows - 0.5,
            minInterval: 1,
            axisLabel: {
              formatter: (row) => Number.isInteger(row) ? chartLabel(table.text("number", row)) : ""
            }
          },
          yAxis: { type: "value", min: 0, axisLine: { onZero: false } },
          series: [
            { ...line("latency_ms", before.fill, 0.5), name: before.name },
            { ...line("projected_ms", after.fill, 0.7), name: after.name }
          ]
        };
      },
      readout: {
        length: () => table.rows,
        text: text2,
        near: (x) => x >= -0.5 && x < table.rows - 0.5 ? Math.round(x) : void 0,
        point: (row) => [row, table.number("projected_ms", row) ?? 0]
      }
    })
  );
}

// source/views/projection/operators_part.js
var KEY2 = ["number", "name", "type", "weight_shape"];
var COLUMNS2 = {
  narrow: "name target latency_ms projected_ms perf_ratio origin type weight_shape".split(" "),
  medium: [...KEY2, "latency_ms", "target", "projected_ms", "perf_ratio", "origin"],
  wide: [...KEY2, "latency_ms", "target", "projected_ms", "perf_ratio", "projection", "origin"]
};
var WIDTHS2 = {
  target: 16,
  latency_ms: 10,
  projected_ms: 12,
  perf_ratio: 9,
  weight_shape: 13,
  projection: 18,
  origin: 20
};
function operatorsPart(session) {
  const table = session.tables.get("projected_operators");
  setWidths(table, {
    ...WIDTHS2,
    ...byRoom({
      narrow: { name: 18 },
      medium: { name: 22, type: 16 },
      wide: { name: 32, type: 18 }
    })
  });
  const targetCell2 = settableCells(fieldOf, (row) => fixedCell([whyFixed(session, row)]));
  const grid = dataTable({
    table,
    columns: byRoom(COLUMNS2),
    caption: table.title,
    rowKey: "name",
    search: ["name", "type", "weight_shape", "projection"],
    filters: true,
    open: (row) => details.open(row),
    cell: (key, row) => key === "target" ? targetCell2(row) : void 0
  });
  const move = moveIn(grid, (row) => fieldOf(row));
  function fieldOf(row) {
    if (whyFixed(session, row)) return void 0;
    return session.field(
      operatorTargetCell(session, row, table.cell("name", row)),
      (direction) => move(direction, row)
    );
  }
  const details = operatorDetails(session, table);
  session.reach("target-operator", "projection", (row) => goToField(grid, row, fieldOf));
  const chart = operatorsChart(session, table, (row) => grid.reveal(row));
  return {
    node: element("section", { class: "part" }, chart?.node, grid.node, reasons(session)),
    refresh() {
      grid.refresh({ sort: false });
      chart?.refresh();
      details.refresh();
    },
    /** Brings an operator into sight; false if there is none of this name. */
    show(name) {
      const row = table.find("name", name);
      return row !== void 0 && grid.reveal(row);
    }
  };
}
function operatorDetails({ inputs }, table) {
  const body = element("div");
  let row;
  function refresh() {
    if (row === void 0 || !body.isConnected) return;
    const outcome = inputs.outcomes.find(({ text: text2 }) => text2 === table.cell("projection", row));
    const isFixed = inputs.operators.fixed[row] !== null;
    replace(
      body,
      outcome && element(
        "p",
        null,
        `${isFixed ? "No target can change it" : outcome.text}: ${outcome.meaning}.`
      ),
      element(
        "dl",
        { class: "figures" },
        table.columns.filter(({ key }) => key !== "name").map(figureOf2)
      )
    );
  }
  function figureOf2({ key, heading, meaning, unit }) {
    const value = valueElement(table.cell(key, row), unit, "dd");
    return element("div", { title: meaning }, element("dt", null, heading), value);
  }
  return {
    open(of) {
      row = of;
      openDetails({ title: nameElement(table.cell("name", row)), body: [body] });
      refresh();
    },
    refresh
  };
}
function reasons(session) {
  const found = reasonsOf(session);
  if (found.length === 0) return null;
  const count2 = (text2) => session.inputs.operators.fixed.filter((outcome) => outcome === text2).length;
  return element(
    "dl",
    { class: "reasons" },
    found.map(({ text: text2, meaning }) => [
      element("dt", null, `${text2} (${count2(text2)})`),
      element("dd", null, meaning)
    ])
  );
}

// source/views/projection/setting_part.js
var KEYS2 = ["weight_shape", "type", "data_type", "operators"];
var MOST_ROWS = 50;
function settingPart(session) {
  const table = session.tables.get("perf_ratios");
  const grid = element("table", {
    class: "setting",
    dataset: { table: "perf_ratios" },
    aria: { label: table.title }
  });
  let drawn = [];
  let most2 = MOST_ROWS;
  let fields = [];
  function draw() {
    const { ratios: ratios2 } = session.settings;
    drawn = allLevels(session.settings).sort((one, other) => other - one);
    const rows = ratios2.slice(0, most2);
    fields = rows.map((_, row) => [
      ...drawn.map(
        (level) => session.field(ratioCell(session, row, level), (direction) => move(direction, row, level))
      ),
      session.field(othersCell(session, row), (direction) => move(direction, row, void 0))
    ]);
    const more = ratios2.length - rows.length;
    const focused = grid.contains(document.activeElement) ? document.activeElement : void 0;
    replace(
      grid,
      element("thead", null, headings()),
      element("tbody", null, rows.map(rowOf)),
      more > 0 && element(
        "tfoot",
        null,
        element("tr", null, element("td", { colspan: KEYS2.length }, moreButton(more)))
      )
    );
    number2();
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }
  function headings() {
    const heading = (key) => {
      const { heading: text2, meaning, unit } = table.column(key);
      const classes = [key === "weight_shape" ? "" : "is-spread", unit === "text" ? "" : "number"];
      return element("th", { scope: "col", title: meaning, class: classes.join(" ") }, text2);
    };
    return element(
      "tr",
      null,
      KEYS2.map(heading),
      drawn.map(
        (level) => element("th", { scope: "col", class: "level" }, levelText(level), removing(level))
      ),
      element(
        "th",
        {
          scope: "col",
          class: "level",
          title: "perf ratio at sparse ratios below the lowest level"
        },
        "Below all"
      ),
      element(
        "th",
        { scope: "col", class: "level" },
        element(
          "label",
          { class: "adding" },
          "Add level ",
          session.field(levelCell(session), () => {
          }).node
        )
      )
    );
  }
  function removing(level) {
    const label = `Remove ${levelText(level)}`;
    const isGone = (key) => fields.some((cells2, row) => key === ratioCell(session, row, level).key);
    const remove = () => session.store.set("", label, removeLevel(session.settings, level), isGone);
    return element(
      "button",
      {
        type: "button",
        class: "quiet",
        title: `${label} with its perf ratios`,
        aria: { label },
        on: { click: remove }
      },
      "×"
    );
  }
  function rowOf(row, at) {
    const { weightShape, operatorType, dataType, block, operators: operators2 } = row;
    const unused = operators2 === 0 && element("small", null, "applies to no weight of this model");
    const blocks = block !== session.settings.block && element("small", null, ` in blocks of ${block}`);
    const all = () => element("span", { class: "unknown", dataset: { value: "" } }, "all");
    const key = (column, shown2, more = "") => element("td", { class: `is-spread ${more}`, dataset: { column } }, shown2);
    return element(
      "tr",
      { class: operators2 === 0 ? "is-unused" : void 0 },
      element(
        "th",
        { scope: "row", aria: { label: rowName(row) }, dataset: { column: "weight_shape" } },
        valueElement(weightShape, "text"),
        // Where there is no room for columns of their own.
        element(
          "small",
          { class: "is-folded" },
          `${operatorType ?? "all types"} ${dataType ?? ""}`
        ),
        blocks,
        unused
      ),
      key("type", operatorType === null ? all() : nameElement(operatorType)),
      key("data_type", dataType === null ? all() : valueElement(dataType, "text")),
      key("operators", valueElement(operators2, "count"), "number"),
      fields[at].map(({ node }) => element("td", { class: "level" }, node)),
      element("td")
    );
  }
  function moreButton(more) {
    const show = () => {
      most2 = Infinity;
      draw();
    };
    return element("button", { type: "button", on: { click: show } }, `Show ${more} more rows`);
  }
  function number2() {
    let first = 0;
    for (const [row, cells2] of fields.entries()) {
      const { points } = session.settings.ratios[row];
      const place = ({ node }, at) => {
        const { dataset } = node.parentElement;
        if (at === void 0) {
          delete dataset.column;
          delete dataset.row;
        } else Object.assign(dataset, { column: "perf_ratio", row: first + at });
      };
      drawn.forEach((level, column) => {
        const at = points.findIndex((point) => Math.abs(point.level - level) < SAME_LEVEL);
        place(cells2[column], at < 0 ? void 0 : at + 1);
      });
      place(cells2.at(-1), 0);
      cells2[0].node.closest("tr").dataset.row = first;
      first += points.length + 1;
    }
  }
  function move(direction, row, level) {
    const column = level === void 0 ? drawn.length : drawn.indexOf(level);
    const [down, right] = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] }[direction];
    fields[row + down]?.[column + right]?.focus();
  }
  const list2 = element("details", { class: "behind" }, element("summary", null, "As a list"));
  let behind;
  whenUnfolded(list2, () => {
    behind = dataTable({ table, columns: "shown", caption: "" });
    list2.append(behind.node);
  });
  for (const kind of ["ratio", "others", "level"]) session.reach(kind, "projection");
  draw();
  return {
    node: element(
      "section",
      { class: "part" },
      element("h3", null, table.title),
      session.settings.ratios.length > 0 && element(
        "p",
        { class: "lead" },
        "Perf ratio = dense latency / sparse latency. Type a number, or a range such as ",
        element("kbd", null, "3..4"),
        ". A blank cell lies between the levels beside it. Ratios in italics are defaults that nobody measured."
      ),
      session.settings.ratios.length === 0 ? nothing(session) : [element("div", { class: "table-scroll" }, grid), list2]
    ),
    refresh() {
      const levels3 = allLevels(session.settings).sort((one, other) => other - one);
      if (levels3.length !== drawn.length || levels3.some((level, at) => level !== drawn[at])) draw();
      else number2();
      behind?.refresh({ sort: false });
    }
  };
}
function nothing({ inputs: { operators: operators2 } }) {
  if (operators2.fixed.length === 0)
    return element(
      "p",
      { class: "missing" },
      "The recording has no operators, so there are no weights to make sparse."
    );
  const isUnknown2 = operators2.weightUnknown.includes(1);
  return element(
    "p",
    { class: "missing" },
    isUnknown2 ? [
      "The trace has no weights, so there is no weight shape to set a ratio for, and no speedup is claimed. Add them: ",
      element("code", null, "onnxray project RECORDING --model MODEL.onnx")
    ] : "No operator of this model has a weight that a target could make sparser, so there is nothing to set."
  );
}

// source/views/projection/totals_part.js
var ROWS = [
  { name: "total latency", before: "total", after: "projectedTotal" },
  { name: "operators", before: "operators", after: "projectedOperators" },
  { name: "with sparse support", before: "support", after: "projectedSupport" },
  { name: "concurrent", before: "concurrent", after: "projectedConcurrent" },
  { name: "framework overhead", before: "overhead", after: "overhead" }
];
var SHOWS2 = "One inference before and after. Lines across the ends of bars run from the low to the high end. Total latency = operators − concurrent + framework overhead.";
function totalsPart(session) {
  const source = session.tables.get("projection");
  const grid = dataTable({ table: source, columns: "shown", caption: "" });
  const rows = ROWS.filter(({ name }) => name !== "concurrent" || session.inputs.concurrent > 0);
  const estimates = (side) => rows.map((row) => session.projection.totals[row[side]]);
  const chart = drawnWhenSeen(
    drawChart({
      title: "Before and after (ms)",
      shows: SHOWS2,
      marks: rows.length * 6,
      height: rowsHeight(rows.length, 2),
      option: (theme) => {
        const [before, after] = sidesOf(theme);
        const sides = [
          { ...before, estimates: estimates("before") },
          { ...after, estimates: estimates("after") }
        ];
        return endBars({ names: rows.map(({ name }) => name), sides }, theme, 20);
      },
      readout: {
        length: rows.length,
        text: (row) => `${rows[row].name}: ${beforeAndAfter(estimates("before")[row], estimates("after")[row])}`,
        at: ({ dataIndex }) => dataIndex
      }
    })
  );
  return {
    node: element(
      "section",
      { class: "part" },
      element("h3", null, source.title),
      missing2(session),
      element("div", { class: "beside" }, grid.node, session.projection.totals.total && chart.node)
    ),
    refresh() {
      grid.refresh({ sort: false });
      chart.refresh();
    }
  };
}
function missing2({ inputs, projection: { totals: totals2 } }) {
  const say = (text2) => element("p", { class: "missing" }, text2);
  if (totals2.total === null) return say("No operator's latency is known, so there are no totals.");
  return [
    totals2.projectedTotal === null && say(
      "It is not known of any operator whether it has a weight: no projected latency and no speedup is claimed."
    ),
    inputs.overhead === null && say("The framework overhead is unknown: totals are of operators only."),
    !inputs.latencyEnds && say(
      "How far the latencies may be off is unknown: low and high ends come from ranges of perf ratios alone."
    )
  ];
}

// source/views/projection/types_part.js
var MOST_TYPES2 = 16;
var COLUMNS3 = {
  narrow: "type target latency_ms projected_ms speedup share operators origin".split(" "),
  medium: "type operators latency_ms share target projected_ms speedup origin".split(" "),
  wide: "type latency_ms share target projected_ms speedup origin".split(" ")
};
var WIDTHS3 = { target: 16, latency_ms: 10, projected_ms: 12, speedup: 8, share: 7, origin: 20 };
var LEAD = "The sparse ratio that operators aim at. That of an operator stands before that of its type, and that before the model's; a blank cell inherits. 0 leaves dense.";
function typesPart(session) {
  const table = session.tables.get("projected_types");
  setWidths(table, { ...WIDTHS3, type: byRoom({ narrow: 13, medium: 18, wide: 18 }) });
  const isSettable = session.inputs.operators.fixed.includes(null);
  const model = isSettable ? session.field(modelTargetCell(session), () => {
  }).node : fixedCell(reasonsOf(session), null);
  const targetCell2 = settableCells(fieldOf, (row) => fixedCell(whyTypeFixed(session, row)));
  const grid = dataTable({
    table,
    columns: byRoom(COLUMNS3),
    caption: table.title,
    rowKey: "type",
    cell: (key, row) => key === "target" ? targetCell2(row) : void 0
  });
  const move = moveIn(grid, (row) => fieldOf(row));
  function fieldOf(row) {
    if (whyTypeFixed(session, row)) return void 0;
    return session.field(typeTargetCell(session, row), (direction) => move(direction, row));
  }
  session.reach("target", "projection", () => session.field(modelTargetCell(session)).focus());
  session.reach("target-type", "projection", (row) => goToField(grid, row, fieldOf));
  const chart = typesChart2(session, table);
  return {
    node: element(
      "section",
      { class: "part" },
      element("h3", null, "Targets"),
      isSettable && element("p", { class: "lead" }, LEAD),
      element("label", { class: "model-target" }, "Target of the model ", model),
      element("div", { class: "beside is-wide" }, grid.node, chart?.node)
    ),
    refresh() {
      grid.refresh({ sort: false });
      chart?.refresh();
    }
  };
}
function typesChart2(session, table) {
  const declared = session.report.chart("projected_types");
  if (table.rows === 0) return void 0;
  const rows = Array.from({ length: Math.min(MOST_TYPES2, table.rows) }, (_, row) => row);
  const left = table.rows - rows.length;
  const others = left > 0 ? ` The ${left} types with least time are in the table only.` : "";
  const names = rows.map((row) => table.text("type", row));
  const estimates = () => [session.projection.types.latency, session.projection.types.projected];
  const sides = (theme) => sidesOf(theme).map((side, place) => ({ ...side, estimates: estimates()[place] }));
  return drawnWhenSeen(
    drawChart({
      title: declared?.title ?? "Latency by operator type (ms)",
      shows: `It shows ${declared?.shows ?? "which operator types take the time"}.${others}`,
      marks: rows.length * 6,
      height: rowsHeight(rows.length, 2),
      option: (theme) => endBars({ names, sides: sides(theme) }, theme, 24),
      readout: {
        length: rows.length,
        text: (row) => `${shorten(names[row])}: ${beforeAndAfter(...estimates().map((side) => side[row]))}`,
        at: ({ dataIndex }) => dataIndex
      }
    })
  );
}

// source/views/projection/projection.js
function projection(report, context) {
  const session = sessionOf(report, context);
  if (!session) return withoutData();
  const top = desk(session, {
    figures() {
      const { total, projectedTotal, speedup: speedup2 } = session.projection.totals;
      return [
        {
          heading: "Total latency",
          before: total,
          after: projectedTotal,
          unit: "milliseconds",
          suffix: " ms"
        },
        { heading: "Speedup", after: speedup2, unit: "number", suffix: "×" }
      ];
    },
    origin: () => session.projection.origin
  });
  const operators2 = operatorsPart(session);
  const parts2 = [top, settingPart(session), typesPart(session), operators2, totalsPart(session)];
  const node = element(
    "div",
    { class: "view projection" },
    parts2.map((part) => part.node)
  );
  session.follow(node, () => parts2.forEach((part) => part.refresh()));
  return { node, show: operators2.show, prepare: () => session.catchUpAll() };
}

// source/views/projection/index.js
var projectionViews = /* @__PURE__ */ new Map([
  ["projection", projection],
  ["levels", levels2],
  ["plan", plan2]
]);

// source/pages/projection.js
start(projectionViews);
})();
