// Names that try to be something else are shown as they are, and nothing else happens.
import assert from 'node:assert/strict';
import { download, isSafe } from '../downloads.mjs';
import { go, inPage, open } from '../browser.mjs';
import { viewsOf } from '../shown.mjs';
import { bare } from '../texts.mjs';
import { NAMES } from '../traces/hostile.mjs';

export const question = 'hostile names are shown as they are, never executed, and safe in file names';

/** Names of the files that a page offers; whatever it shows is looked for the names. */
async function filesOf(page, made) {
  const names = [];
  await open(page, made.file);
  const texts = [];
  for (const view of await viewsOf(page)) {
    await go(page, view);
    texts.push(await page.locator('body').innerText());
    const wholes = await page.locator('[title], [data-value]').evaluateAll((all) => all.flatMap((node) => [node.title, node.dataset.value ?? '']));
    texts.push(...wholes);
    for (const button of await page.locator('[data-download]:visible').all()) {
      const { name } = await download(page, button);
      assert.ok(isSafe(name), `${made.name}#${view}: the file name ${JSON.stringify(name)}`);
      names.push(name);
    }
  }
  const all = new Set(texts.map(bare));
  const shown = bare(texts.join('\n'));
  for (const name of NAMES.map(bare).filter((name) => name !== '')) {
    assert.ok(all.has(name) || shown.includes(name), `${made.name}: ${name.slice(0, 60)} is not shown`);
  }
  assert.equal(await page.evaluate(() => globalThis.broken), undefined, made.name);
  const injected = await page.locator('img, iframe, [onload], [onerror], [onmouseover], b[style], main script').count();
  assert.equal(injected, 0, `${made.name}: elements from names`);
  const polluted = await page.evaluate(() => Object.keys(Object.prototype).concat(Object.keys({}.constructor)));
  assert.deepEqual(polluted, [], made.name);
  return names;
}

export default async function ({ browser, pages, say }) {
  const hostile = pages.filter((page) => page.name.endsWith('-hostile'));
  const look = { acceptDownloads: true, viewport: { width: 1600, height: 6000 } };
  const names = await Promise.all(hostile.map((made) => inPage(browser, { name: made.name, ...look }, (page) => filesOf(page, made))));
  say(`${NAMES.length} names, files ${[...new Set(names.flat())].join(', ')}`);
}
