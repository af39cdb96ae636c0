// Words that several views say alike.

import { shown } from "../cells.js";

/** `1 note`, `3 notes`. */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** A difference with its sign: `+0.216`, `−3.84`; what is 0 has none. */
export function signed(value, unit = "milliseconds") {
  if (value === 0) return "0";
  return `${value < 0 ? "−" : "+"}${shown(Math.abs(value), unit)}`;
}

/** `slower` at the begin of a sentence: `Slower`. */
export const sentenceCase = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
