// Everything can be done with a pointer alone: views, tables, charts, details, files.
import assert from 'node:assert/strict';
import { drawn, inPage, open } from '../browser.mjs';
import { download, isSafe } from '../downloads.mjs';
import { dataOf, tablesOf } from '../content.mjs';
import { viewsOf } from '../shown.mjs';

export const question = 'views, charts, details and downloads can be used with a pointer alone';

/** Readouts of a chart that differ, of which a few are enough. */
const ENOUGH = 2;

/** Moves over a chart, from left to right at some heights, and collects what its readout says. */
async function readouts(page, chart) {
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.locator('svg, canvas').first().boundingBox();
  const texts = new Set();
  if (!box) return texts;
  for (let y = 0.1; y < 1; y += 0.2) {
    for (let x = 0.05; x < 1; x += 0.05) {
      await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
      texts.add(await chart.locator('[data-readout]').innerText());
      if (texts.size > ENOUGH) return texts;
    }
  }
  return texts;
}

async function charts(page, made) {
  let read = 0;
  for (const view of await viewsOf(page)) {
    await page.locator(`[role=tab][data-view="${view}"]`).click();
    await drawn(page, view);
    for (const chart of await page.locator('[role=tabpanel]:visible figure[data-chart]:visible').all()) {
      const marks = Number(await chart.getAttribute('data-marks'));
      if (!(marks > 1)) continue;
      const texts = await readouts(page, chart);
      assert.ok(texts.size > 1, `${made.name}#${view}: ${await chart.getAttribute('data-chart')} says ${[...texts]}`);
      assert.notEqual((await chart.locator('[data-shows]').innerText()).trim(), '', `${made.name}#${view}: a sentence says what it shows`);
      read += 1;
    }
  }
  return read;
}

async function details(page, made) {
  await page.locator('[role=tab][data-view=layer-results]').click();
  await drawn(page, 'layer-results');
  const names = tablesOf(dataOf(made.file)).get('operators').columns.find((column) => column.key === 'name').cells;
  const row = page.locator('[role=tabpanel]:visible [data-table=operators] [data-row="2"]').first();
  await row.locator('[data-column=name]').click();
  const panel = page.locator('[role=dialog][data-details]');
  await panel.waitFor();
  assert.ok((await panel.innerText()).includes(names[2].slice(-20)), 'details of what was clicked');
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
}

async function files(page, made) {
  const names = [];
  for (const view of await viewsOf(page)) {
    await page.locator(`[role=tab][data-view="${view}"]`).click();
    await drawn(page, view);
    for (const button of await page.locator('[role=tabpanel]:visible [data-download]:visible').all()) {
      const { name, content } = await download(page, button);
      assert.ok(isSafe(name) && content.length > 0, `${made.name}#${view}: ${name}, ${content.length} bytes`);
      names.push(name);
    }
  }
  return names;
}

async function used(page, made) {
  await open(page, made.file);
  const read = await charts(page, made);
  if (made.kind === 'recording') await details(page, made);
  const names = await files(page, made);
  await page.locator('[data-action=about]').click();
  assert.match(await page.locator('[role=dialog][data-details]').innerText(), /Apache License/, 'licences of what is bundled');
  return `${made.name}: ${read} charts; files: ${names.join(', ')}`;
}

export default async function ({ browser, pages, say }) {
  const named = ['report-guide', 'project-guide', 'compare-guide', 'sweep', 'loss-encoder'].map((name) => pages.find((page) => page.name === name));
  const said = await Promise.all(named.map((made) => inPage(browser, { name: made.name, acceptDownloads: true }, (page) => used(page, made))));
  said.forEach(say);
}
