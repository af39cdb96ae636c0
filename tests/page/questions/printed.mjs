// Printed, a page has all its views, as texts that can be selected and charts as vectors.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inPage, open } from '../browser.mjs';
import { dataOf, notesOf } from '../content.mjs';
import { textOfPdf } from '../environment.mjs';
import { bare } from '../texts.mjs';

export const question = 'a printed page has every view and note, texts that can be selected, and no canvas';

async function printed(page, folder, made) {
  await open(page, made.file);
  await page.evaluate(() => {
    // What stands there while the browser prints, which nothing else can see.
    addEventListener('afterprint', () => delete document.documentElement.dataset.canvases, { once: true });
    addEventListener('beforeprint', () => {
      const shown = [...document.querySelectorAll('canvas')].filter((canvas) => canvas.checkVisibility());
      globalThis.canvasesAtPrint = shown.length;
    });
  });
  const pdf = await page.pdf({ format: 'A4', printBackground: true });
  assert.equal(await page.evaluate(() => globalThis.canvasesAtPrint), 0, `${made.name}: a canvas is printed`);
  const file = join(folder, `${made.name}.pdf`);
  writeFileSync(file, pdf);
  const text = bare(textOfPdf(file));
  const data = dataOf(made.file);
  for (const view of data.views) assert.ok(text.includes(bare(view.title)), `${made.name}: no ${view.title} in print`);
  for (const note of notesOf(data)) assert.ok(text.includes(bare(note.text)), `${made.name}: no note ${note.text}`);
  for (const line of data.headline) assert.ok(text.includes(bare(line)), `${made.name}: no headline ${line}`);
  return `${made.name}: ${(pdf.length / 1000).toFixed(0)} kB`;
}

export default async function ({ browser, folder, pages, say }) {
  const named = ['report-guide', 'report-large', 'project-guide', 'compare-guide', 'sweep', 'loss-encoder', 'report-openvino-averages'].map((name) => pages.find((page) => page.name === name));
  const said = await Promise.all(named.map((made) => inPage(browser, { name: made.name }, (page) => printed(page, folder, made))));
  said.forEach(say);
}
