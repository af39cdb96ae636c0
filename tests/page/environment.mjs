// Where the tools are that the tests need, and what to install where one is missing.
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Sources of the pages' scripts. */
export const web = join(root, 'crates/onnxray-report/web');

const modules = process.env.ONNXRAY_NODE_MODULES ?? web;

/** A tool that is missing: a message for people, without a trace of calls. */
export class Missing extends Error {}

function moduleFile(name) {
  try {
    return createRequire(join(modules, 'any.js')).resolve(name);
  } catch {
    throw new Missing(
      `${name} is missing: run \`npm ci\` in crates/onnxray-report/web, or name the folder that has ` +
        'its node_modules by ONNXRAY_NODE_MODULES',
    );
  }
}

/** The folder `node_modules` that has a package. */
export function nodeModules(name) {
  moduleFile(`${name}/package.json`);
  return join(modules, 'node_modules');
}

/** Drives the browser. */
export function playwright() {
  return createRequire(import.meta.url)(moduleFile('playwright-core'));
}

/** The file of the program that looks for what keeps people out. */
export function axeFile() {
  return moduleFile('axe-core/axe.min.js');
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The browser. */
export function chromiumFile() {
  const file = process.env.ONNXRAY_CHROMIUM ?? onPath('chromium-headless-shell') ?? onPath('chromium');
  if (!file) {
    throw new Missing(
      'Chromium is missing: install chromium-headless-shell (Debian), or name the program by ONNXRAY_CHROMIUM',
    );
  }
  return file;
}

/** The text of a PDF. */
export function textOfPdf(file) {
  if (!onPath('pdftotext')) throw new Missing('pdftotext is missing: install poppler-utils');
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 });
}
