// Makes the pictures of pages that the documents show, from the fixtures:
//
//     node tests/page/pictures.mjs target/release/onnxray
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inPage, open, start } from './browser.mjs';
import { root } from './environment.mjs';
import { Program } from './program.mjs';

const [encoder, int8] = ['encoder', 'encoder-int8'].map((name) => join(root, 'fixtures/guide', name));

/** A picture: the command that writes the page, the view, and how much of it is seen. */
const PICTURES = [
  { name: 'page-recording', command: ['report', encoder], view: 'summary', height: 620 },
  { name: 'page-layers', command: ['compare', encoder, int8], view: 'layers', height: 620 },
  { name: 'page-projection', command: ['project', encoder], view: 'projection', height: 840 },
];
const WIDTH = 1400;

const folder = mkdtempSync(join(tmpdir(), 'onnxray-pictures-'));
const browser = await start();
try {
  const program = new Program(resolve(process.argv[2]), folder);
  for (const { name, command, view, height } of PICTURES) {
    const file = join(folder, `${name}.html`);
    await program.succeed([...command, '-o', file]);
    await inPage(browser, { name, viewport: { width: WIDTH, height }, colorScheme: 'light' }, async (page) => {
      await open(page, file, view);
      await page.screenshot({ path: join(root, 'docs/images', `${name}.png`) });
    });
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
