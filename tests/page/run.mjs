// Asks every question of the folder `questions` about pages that the program makes of the
// fixtures, in one browser, and prints an answer for each:
//
//     node tests/page/run.mjs PROGRAM FOLDER [QUESTION…]
//
// PROGRAM is `onnxray`; pages are left in FOLDER; a QUESTION is the name of a file without `.mjs`.
import { mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Missing, axeFile } from './environment.mjs';
import { start } from './browser.mjs';
import { makePages } from './pages.mjs';
import { Program } from './program.mjs';

/** Questions at once: browsers and programs take what cores there are. */
const AT_ONCE = 2;

async function ask(name, context) {
  const { question, default: answer } = await import(`./questions/${name}.mjs`);
  const said = [];
  const started = performance.now();
  let failure;
  try {
    await answer({ ...context, say: (line) => said.push(line) });
  } catch (error) {
    if (error instanceof Missing) throw error;
    failure = error;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${failure ? 'FAILED' : 'ok'}: ${question} (${name}, ${seconds} s)`);
  said.forEach((line) => console.log(`    ${line}`));
  if (failure) console.log(String(failure.stack ?? failure).replace(/^/gm, '    '));
  return !failure;
}

async function main([programFile, folderName, ...chosen]) {
  if (!folderName) throw new Missing('node tests/page/run.mjs PROGRAM FOLDER [QUESTION…]');
  axeFile(); // what is missing is said before the long work
  const folder = resolve(folderName);
  mkdirSync(folder, { recursive: true });
  const program = new Program(resolve(programFile), folder);
  const pages = makePages(program);
  const files = readdirSync(new URL('questions/', import.meta.url)).filter((file) => file.endsWith('.mjs'));
  const names = files.map((file) => file.slice(0, -'.mjs'.length)).sort();
  const unknown = chosen.filter((name) => !names.includes(name));
  if (unknown.length) throw new Missing(`no question ${unknown}; there are ${names}`);
  const browser = await start();
  const context = { browser, folder, program, pages: await pages };
  const waiting = chosen.length ? chosen : names;
  const answers = [];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) answers.push(await ask(name, context));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await browser.close();
  if (!answers.every(Boolean)) throw new Missing(`${answers.filter((is) => !is).length} of ${answers.length} failed`);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Missing ? error.message : error);
  process.exitCode = 1;
});
