// The settings that are edited in the page, every state that they were in, and entries that are
// not understood. Knows neither the page nor the arithmetic. States are never changed: an edit
// makes a new one, so that going back is to show an old one again.

/**
 * @typedef {object} State
 * @property {import("../../projection_inputs.js").Settings} settings the last good ones where
 *   entries are bad
 * @property {Map<string, {text: string, reason: string}>} bad entries that are not understood, by
 *   the key of their cell
 * @property {Set<string>} edited keys of cells that were set since the start
 * @property {string} label what led here, in words; of the first state empty
 * @property {string} cell key of the cell that was edited; empty if it was none
 */

/**
 * @param {import("../../projection_inputs.js").Settings} settings as they are at the start
 */
export function createStore(settings) {
  const first = { settings, bad: new Map(), edited: new Set(), label: "", cell: "" };
  let states = [first];
  let at = 0;
  const listeners = new Set();

  const tell = (change) => listeners.forEach((listener) => listener(states[at], change));
  const push = (state) => {
    states = [...states.slice(0, at + 1), state];
    at += 1;
    tell({ kind: "edit", label: state.label, cell: state.cell });
  };
  const without = (bad, cell) => new Map([...bad].filter(([key]) => key !== cell));

  return {
    /** @returns {State} */
    get state() {
      return states[at];
    },

    /** What an undo takes back and a redo does again, in words; `undefined` if there is nothing. */
    get undoes() {
      return at > 0 ? states[at].label : undefined;
    },
    get redoes() {
      return states[at + 1]?.label;
    },

    /**
     * New settings from an entry that was understood; the entry before it in that cell may
     * have been bad. `isGone` says of which cells there is nothing left to be bad.
     */
    set(cell, label, changed, isGone = (/** @type {string} */ _key) => false) {
      const { bad, edited } = states[at];
      push({
        settings: changed,
        bad: new Map([...bad].filter(([key]) => key !== cell && !isGone(key))),
        edited: new Set(edited).add(cell),
        label,
        cell,
      });
    },

    /** An entry that was not understood: the settings stay as they are. */
    refuse(cell, label, text, reason) {
      const { settings: good, bad, edited } = states[at];
      push({ settings: good, bad: new Map(bad).set(cell, { text, reason }), edited, label, cell });
    },

    /**
     * The last good entry of a cell takes the place of a bad one; of the latest, as if it
     * had never been.
     */
    restore(cell, label) {
      const { settings: good, bad, edited } = states[at];
      if (!bad.has(cell)) return;
      if (states[at].cell !== cell || states[at - 1].bad.has(cell)) {
        push({ settings: good, bad: without(bad, cell), edited, label, cell });
        return;
      }
      at -= 1;
      states = states.slice(0, at + 1);
      tell({ kind: "edit", label, cell });
    },

    undo() {
      if (at === 0) return;
      const { label, cell } = states[at];
      at -= 1;
      tell({ kind: "undo", label, cell });
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
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
