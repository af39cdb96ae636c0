// What lies packed in the page: base64 of gzip of a text, in a block of its own.

/** Why something of the page cannot be read, in a sentence for its reader. */
export class PackedError extends Error {}

/** The text of the block with an id, of which the page is then rid. */
export async function unpacked(id) {
  if (typeof DecompressionStream !== "function") {
    throw new PackedError(
      "This browser cannot unpack the report's data (it has no DecompressionStream).",
    );
  }
  const block = document.getElementById(id);
  if (!block) throw new PackedError(`The report's ${id} is missing from this file.`);
  const text = await unpack(block.textContent.trim()).catch(() => {
    throw new PackedError(`The report's ${id} in this file is damaged or cut off.`);
  });
  block.remove();
  return text;
}

async function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  // Not by a Blob: its stream is five times slower.
  const packed = /** @type {ReadableStream<BufferSource>} */ (new Response(bytes).body);
  return new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
}
