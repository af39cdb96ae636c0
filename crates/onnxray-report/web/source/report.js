// What the page's data says, by key. Keys and names come from data: they are looked up in
// maps, never in plain objects.

import { numberOf, textOf } from "./cells.js";

/**
 * @typedef {import("./cells.js").Cell} Cell
 * @typedef {{key: string, heading: string, unit: string, meaning: string, importance: string,
 *   wraps?: boolean, cells: Cell[]}} Column
 * @typedef {{key: string, heading: string, unit: string, meaning: string, value: Cell}} Figure
 */

/** A table of columns; rows are numbered from 0. */
export class Table {
  #byKey;

  /**
   * @param {{key: string, title?: string|null, caveat?: string|null, rows?: number,
   *   columns: Column[], folded?: boolean}} table as in the data
   */
  constructor({ key, title = null, caveat = null, rows, columns, folded = false }) {
    this.key = key;
    this.title = title;
    this.caveat = caveat;
    this.folded = folded;
    /** In order. @type {Column[]} */
    this.columns = columns;
    this.rows = rows ?? columns[0]?.cells.length ?? 0;
    /** @type {Map<string, Column>} */
    this.#byKey = new Map(columns.map((column) => [column.key, column]));
  }

  /** Takes further columns. @param {Column[]} columns */
  add(columns) {
    this.columns.push(...columns);
    for (const column of columns) this.#byKey.set(column.key, column);
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
    return row < 0 ? undefined : row;
  }
}

/** Figures by key, in order. */
export class Figures {
  #byKey;

  constructor({ key, title = null, figures }) {
    this.key = key;
    this.title = title;
    /** @type {Figure[]} */
    this.figures = figures;
    /** @type {Map<string, Figure>} */
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
}

/** All that the page says. */
export class Report {
  #blocks;
  #tables;
  #figures;
  #more;
  #completing;

  /** @param {any} data @param {() => Promise<any[]>} [more] reads blocks that the first view does not need */
  constructor(data, more) {
    this.#more = more;
    this.page = data.page;
    this.title = data.title;
    this.producer = data.producer;
    this.headline = data.headline ?? [];
    /** What was measured, of each recording. @type {{side: string, parts: string[]}[]} */
    this.measured = data.measured ?? [];
    this.views = data.views;
    this.#blocks = data.blocks;
    const of = (kind) => data.blocks.filter((block) => block.block === kind);
    this.#tables = new Map(of("table").map((block) => [block.key, new Table(block)]));
    this.#figures = new Map(of("figures").map((block) => [block.key, new Figures(block)]));
    /** `[{kind: "note" | "warning", text}]` of the whole page. */
    this.notes = of("notes").flatMap((block) => block.notes);
  }

  /** Whether everything is there, and not only what the first view needs. */
  get isWhole() {
    return this.#more === undefined;
  }

  /** Reads the rest, once. */
  complete() {
    this.#completing ??= this.#more?.().then((blocks) => {
      for (const block of blocks) this.#add(block);
      this.#more = undefined;
    });
    return this.#completing ?? Promise.resolve();
  }

  /** A block, or further columns of a table. */
  #add(block) {
    const known = block.block === "table" ? this.#tables.get(block.key) : undefined;
    if (known) known.add(block.columns);
    else this.#blocks.push(block);
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
    return this.blocks(kind).find((block) => key === undefined || block.key === key);
  }

  /** All blocks of a kind, or all, as they are in the data. */
  blocks(kind) {
    return this.#blocks.filter((block) => kind === undefined || block.block === kind);
  }

  /** The chart that is declared for a table. */
  chart(tableKey) {
    return this.blocks("chart").find((chart) => chart.table === tableKey);
  }
}
