// The page's data: base64 of gzip of JSON in a block of its own.

/** Why the data cannot be read, in a sentence for the reader of the page. */
export class DataError extends Error {}

/** Reads the page's data. */
export async function readData() {
  if (typeof DecompressionStream !== "function") {
    throw new DataError(
      "This browser cannot unpack the report's data (it has no DecompressionStream).",
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
  // The text of a large report is no longer needed.
  block.remove();
  return data;
}

async function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
