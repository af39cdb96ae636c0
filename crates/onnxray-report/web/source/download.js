// Files that the page hands out; nothing leaves the machine.

import { element } from "./dom.js";

/** Characters of a file name, which every file system takes. */
const MOST_CHARACTERS = 120;

/**
 * Has the browser save a text as a file.
 * @param {string} fileName any text: what file systems refuse is replaced
 */
export function download(fileName, mimeType, text) {
  const url = URL.createObjectURL(new Blob([text], { type: `${mimeType};charset=utf-8` }));
  const link = element("a", { href: url, download: safeFileName(fileName) });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the file after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Names that Windows keeps for devices, whatever follows the first dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name that every file system takes, and no shell reads anything into. */
export function safeFileName(name) {
  const safe = name
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^[._-]+/, "")
    .replace(DEVICE, "$1_");
  const dot = safe.lastIndexOf(".");
  const end = dot > 0 && safe.length - dot <= 10 ? safe.slice(dot) : "";
  const stem = end === "" ? safe : safe.slice(0, dot);
  return `${[...stem].slice(0, MOST_CHARACTERS).join("") || "onnxray"}${end}`;
}
