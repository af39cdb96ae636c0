// What lies packed in the page: base64 of gzip of a text, in a block of its own whose elements part it.

/** Why something of the page cannot be read, in a sentence for its reader. */
export class PackedError extends Error {}

/**
 * The text of a block, of which the page is then rid.
 * @param {string} name how messages call it @param {Element|null} [block] by default the one with this id
 */
export async function unpacked(name, block = document.getElementById(name)) {
  if (typeof DecompressionStream !== "function") {
    throw new PackedError(
      "This browser cannot unpack the report's data (it has no DecompressionStream).",
    );
  }
  if (!block) throw new PackedError(`The report's ${name} is missing from this file.`);
  const letters = block.textContent.trim();
  block.remove();
  return unpack(letters).catch(() => {
    throw new PackedError(`The report's ${name} in this file is damaged or cut off.`);
  });
}

async function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  // Not by a Blob: its stream is five times slower.
  const packed = /** @type {ReadableStream<BufferSource>} */ (new Response(bytes).body);
  return new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
}
