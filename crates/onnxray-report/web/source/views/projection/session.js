// One projection that is edited, whatever views of it are open: settings, what follows from
// them, and the cells that edit them. Every edit is computed once; views that are seen follow at
// once, the others when they are opened.

import { project } from "../../projection.js";
import { projectedTables } from "../../projected_tables.js";
import { readInputs } from "../../projection_inputs.js";
import { createField } from "./field.js";
import { listenForUndo } from "./frame.js";
import { compareWithAnalyzer } from "./self_check.js";
import { createStore } from "./store.js";
import { fillTables, ownTables } from "./tables.js";

/** @typedef {ReturnType<typeof openSession>} Session */

/** @type {WeakMap<import("../../report.js").Report, Session|undefined>} */
const sessions = new WeakMap();

/**
 * The session of a report; undefined if its data says nothing of a projection.
 * @param {import("../../report.js").Report} report
 * @param {{go: (view: string) => void}} context
 */
export function sessionOf(report, context) {
  if (!sessions.has(report)) {
    const block = report.block("projection");
    sessions.set(report, block && openSession(report, readInputs(block), context));
  }
  return sessions.get(report);
}

function openSession(report, inputs, context) {
  const store = createStore(inputs.settings);
  const compute = (settings) => {
    const projection = project(inputs, settings);
    return { settings, projection, cells: projectedTables(inputs, settings, projection) };
  };
  let computed = compute(inputs.settings);
  /** Key of the cell that was changed last. */
  let latest = "";
  const tables = ownTables(report);
  const fields = new Map();
  const ways = new Map();
  const views = new Set();
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
    field(cell, move) {
      if (!fields.has(cell.key)) fields.set(cell.key, fieldOf(cell, move));
      const field = fields.get(cell.key);
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
      const [kind, number] = key.split("/");
      const { view, way } = ways.get(kind) ?? {};
      if (view) context.go(view);
      // The view is opened when the address has changed.
      setTimeout(() => (way ? way(Number(number)) : fields.get(key)?.focus()));
    },

    /** What was done last, in words, for who does not see it. */
    said: "",

    /** The field that an input belongs to. */
    fieldAt: (input) => [...fields.values()].find((field) => field.input === input),

    /** Brings all parts up to date, seen or not. */
    catchUpAll() {
      for (const view of views) catchUp(view.node);
    },
  };

  function fieldOf(cell, move) {
    const look = () => {
      const { bad, edited } = store.state;
      return {
        ...cell.look(),
        bad: bad.get(cell.key),
        edited: edited.has(cell.key),
        recent: latest === cell.key,
      };
    };
    const take = (text) => {
      const found = cell.take(text);
      if (found.problem !== undefined) store.refuse(cell.key, `${cell.label}: ${text}`, text, found.problem);
      else if (found.settings === store.state.settings) restore();
      else store.set(cell.key, `${cell.label}: ${found.words}`, found.settings);
      return found.problem === undefined;
    };
    const restore = () => {
      store.restore(cell.key, `${cell.label}: as it was`);
      fields.get(cell.key).update();
    };
    return createField({ kind: cell.kind, label: cell.label, look, take, restore, move });
  }

  function catchUp(node) {
    for (const view of views) {
      if (view.node !== node || !view.isBehind) continue;
      view.isBehind = false;
      view.refresh();
    }
  }

  store.subscribe((state, { kind, label, cell }) => {
    latest = kind === "edit" ? "" : cell;
    session.said = { edit: label, undo: `Undone: ${label}`, redo: `Done again: ${label}` }[kind];
    if (computed.settings !== state.settings) {
      computed = compute(state.settings);
      fillTables(tables, computed.cells);
    }
    // Asked first: afterwards the page would have to be laid out for it.
    const inSight = [...views].filter(({ node }) => node.checkVisibility());
    for (const view of views) view.isBehind = true;
    for (const field of fields.values()) if (field.node.isConnected) field.update();
    for (const { node } of inSight) catchUp(node);
  });
  listenForUndo(session, () => [...views].some(({ node }) => node.checkVisibility()));
  return session;
}
