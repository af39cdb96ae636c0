// Builds the pages' scripts and style again from their sources, and compares bytes with those
// that are committed:
//
//     node tests/page/drift.mjs
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeModules, web } from './environment.mjs';

/** What is built from; whatever else lies there is no part of it. */
const SOURCES = ['build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json', 'source', 'style'];

const place = mkdtempSync(join(tmpdir(), 'onnxray-web-'));
try {
  for (const name of SOURCES) cpSync(join(web, name), join(place, name), { recursive: true });
  symlinkSync(nodeModules('esbuild'), join(place, 'node_modules'));
  execFileSync(process.execPath, [join(place, 'build.mjs'), '--out', join(place, 'dist')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [committed, built] = [join(web, 'dist'), join(place, 'dist')];
  const names = new Set([...readdirSync(committed), ...readdirSync(built)]);
  const bytes = (folder, name) => (readdirSync(folder).includes(name) ? readFileSync(join(folder, name)) : Buffer.from('missing'));
  const differ = [...names].filter((name) => !bytes(committed, name).equals(bytes(built, name)));
  if (differ.length > 0) {
    console.error(`web/dist is not what its sources make: ${differ.join(', ')}; run \`node build.mjs\` in crates/onnxray-report/web`);
    process.exitCode = 1;
  }
} finally {
  rmSync(place, { recursive: true });
}
