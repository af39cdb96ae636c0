// A cell that people edit, as they know it from a spreadsheet: Enter and the arrow keys take the
// entry and go on to the next cell, Tab and a click elsewhere take it, Escape brings back what
// was there. What is not understood stays as it was typed, marked, with the reason beside it.
// Knows nothing of what it edits.

import { element, uniqueId } from "../../dom.js";

/**
 * What a cell shows.
 * @typedef {object} Look
 * @property {string} text of its own setting; empty if it has none
 * @property {string} [inherited] what holds in place of a setting of its own
 * @property {string} [mark] where that comes from, in a word or two
 * @property {boolean} [placeholder] whether it is a default that nobody set or measured
 * @property {boolean} [edited] whether it was set in this page
 * @property {boolean} [recent] whether undoing or redoing changed it just now
 * @property {string} [value] the setting with all digits, for programs
 * @property {{text: string, reason: string}} [bad] an entry that is not understood
 */

/**
 * @param {object} of
 * @param {string} of.kind what is edited, for programs: `ratio`, `target-type`…
 * @param {string} of.label its name for who cannot see where it stands
 * @param {() => Look} of.look
 * @param {(text: string) => boolean} of.take takes an entry; false if it is not understood
 * @param {() => void} of.restore gives up an entry that is not understood
 * @param {(direction: "up"|"down"|"left"|"right") => void} of.move goes to the cell beside this one
 * @returns {{node: HTMLElement, input: HTMLInputElement, label: string, update: () => void,
 *   focus: () => void, isTyped: () => boolean}} `isTyped`: what stands there was not taken yet
 */
export function createField({ kind, label, look, take, restore, move }) {
  const markId = uniqueId("mark");
  const reasonId = uniqueId("reason");
  /** The text that was put into the cell, and all that it shows. */
  let before = "";
  let drawn;

  const input = element("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    dataset: { edit: kind },
    aria: { label, describedby: `${markId} ${reasonId}` },
    on: { focus: () => input.select(), blur: () => commit(), keydown: onKey },
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
      text,
      inherited = "",
      mark: origin = "",
      placeholder,
      edited,
      recent,
      value,
      bad,
    } = now;
    before = bad ? bad.text : text;
    // Most cells are as they were: there may be thousands.
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
    isTyped: () => input.value !== before,
  };
}

/** Where a key leads from a cell; undefined if it edits the text. */
function directionOf(event, input) {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === "Enter") return shiftKey ? "up" : "down";
  if (shiftKey) return undefined;
  if (key === "ArrowDown") return "down";
  if (key === "ArrowUp") return "up";
  const { selectionStart, selectionEnd, value } = input;
  const isWhole = selectionStart === 0 && selectionEnd === value.length;
  const caret = selectionStart === selectionEnd ? selectionStart : undefined;
  if (key === "ArrowLeft" && (isWhole || caret === 0)) return "left";
  if (key === "ArrowRight" && (isWhole || caret === value.length)) return "right";
  return undefined;
}
