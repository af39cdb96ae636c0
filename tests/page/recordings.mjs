// Committed recordings, as if they had just been made.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from './environment.mjs';

/** Copies a recording, a project or a sweep of `fixtures/recordings`, with its traces unpacked. */
export function recorded(name, folder) {
  copy(join(root, 'fixtures/recordings', name), folder);
}

function copy(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [file, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copy(file, target);
    else if (entry.name.endsWith('.gz')) writeFileSync(target.slice(0, -'.gz'.length), gunzipSync(readFileSync(file)));
    else cpSync(file, target);
  }
}

/** Makes a recording that was copied as many times as slow, in all that its traces measured. */
export function slowed(folder, times) {
  const traces = join(folder, 'profiling_trace');
  for (const file of readdirSync(traces).map((name) => join(traces, name))) {
    const measured = readFileSync(file, 'utf8');
    writeFileSync(file, measured.replace(/"(ts|dur)":([\d.]+)/g, (_, key, time) => `"${key}":${(time * times).toFixed(3)}`));
  }
}
