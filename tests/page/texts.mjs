// Texts as people see them, compared: without what is not seen, or seen only as an escape.

/** Letters that do something else than to be seen, and the escapes that stand for them. */
const HIDDEN = /\\u\{[0-9a-f]+\}|\\[nrt]|[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** What is left of a text without them and without white space, which lines end with. */
export function bare(text) {
  return text.replace(HIDDEN, '').replace(/\s+/g, '');
}
