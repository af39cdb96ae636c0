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
import { account } from './limited.mjs';
import { makePages } from './pages.mjs';
import { Program } from './program.mjs';

async function ask(name, context) {
  const { question, default: answer } = await import(`./questions/${name}.mjs`);
  const said = [];
  const spent = { seconds: 0 };
  let failure;
  try {
    await account.run(spent, () => answer({ ...context, say: (line) => said.push(line) }));
  } catch (error) {
    if (error instanceof Missing) throw error;
    failure = error;
  }
  // Those of its pages and programs, which take turns with those of the others.
  console.log(`${failure ? 'FAILED' : 'ok'}: ${question} (${name}, ${spent.seconds.toFixed(1)} s)`);
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
  const files = readdirSync(new URL('questions/', import.meta.url)).filter((file) => file.endsWith('.mjs'));
  const names = files.map((file) => file.slice(0, -'.mjs'.length)).sort();
  const unknown = chosen.filter((name) => !names.includes(name));
  if (unknown.length) throw new Missing(`no question ${unknown}; there are ${names}`);
  const browser = await start();
  let answers;
  try {
    const context = { browser, folder, program, pages: await makePages(program) };
    // All at once: their pages take turns in the browser.
    answers = await Promise.all((chosen.length ? chosen : names).map((name) => ask(name, context)));
  } finally {
    await browser.close();
  }
  if (!answers.every(Boolean)) throw new Missing(`${answers.filter((is) => !is).length} of ${answers.length} failed`);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Missing ? error.message : error);
  process.exitCode = 1;
});
