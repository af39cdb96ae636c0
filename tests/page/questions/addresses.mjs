// Tabs are links: each view and each operator has an address, which the browser's history knows.
import assert from 'node:assert/strict';
import { address, drawn, go, open, watched } from '../browser.mjs';
import { dataOf, tablesOf } from '../content.mjs';
import { messages, viewsOf } from '../shown.mjs';

export const question = 'tabs, links to views and operators, back and forward lead where they say';

const selected = (page) => page.locator('[role=tab][aria-selected=true]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.view));
const panel = (page) => page.locator('[role=tabpanel]:visible').evaluateAll((panels) => panels.map((panel) => panel.dataset.view));

async function isAt(page, view) {
  await drawn(page, view);
  assert.deepEqual(await selected(page), [view]);
  assert.deepEqual(await panel(page), [view]);
}

export default async function ({ browser, pages, say }) {
  for (const kind of ['recording', 'projection', 'comparison', 'sweep', 'loss']) {
    const made = pages.find((page) => page.kind === kind);
    const { page, faults, close } = await watched(browser);
    await open(page, made.file);
    const views = await viewsOf(page);
    await isAt(page, views[0]);
    for (const view of views.slice(1)) {
      await page.locator(`[role=tab][data-view="${view}"]`).click();
      await isAt(page, view);
      assert.equal(new URL(page.url()).hash.split('/')[0], `#${view}`);
    }
    for (const view of views.slice(0, -1).reverse()) {
      await page.goBack();
      await isAt(page, view);
    }
    for (const view of views.slice(1)) {
      await page.goForward();
      await isAt(page, view);
    }
    for (const hash of ['#no-such-view', '#', '#/', '#%', '#%E0%A4%A', '#__proto__', '#constructor/name']) {
      await page.goto('about:blank');
      await page.goto(address(made.file, hash));
      await isAt(page, views[0]);
      const said = await messages(page);
      assert.equal(said.length, ['#', '#/'].includes(hash) ? 0 : 1, `${made.name}${hash}: ${said.join('; ')}`);
    }
    assert.deepEqual(faults, [], made.name);
    await close();
  }
  const made = pages.find((page) => page.name === 'report-hostile');
  const names = tablesOf(dataOf(made.file)).get('operators').columns.find((column) => column.key === 'name').cells;
  const { page, faults, close } = await watched(browser);
  await open(page, made.file);
  for (const name of new Set(names.filter((name) => typeof name === 'string' && name.trim() !== ''))) {
    await go(page, 'layer-results', name);
    await page.locator('[role=dialog][data-details]').waitFor();
    assert.deepEqual(await messages(page), [], `a link to ${name.slice(0, 50)}`);
  }
  await page.evaluate(() => void (location.hash = 'layer-results/no such operator'));
  await page.getByText('no such operator').waitFor();
  assert.equal((await messages(page)).length, 1);
  assert.deepEqual(faults, []);
  await close();
  say(`${new Set(names).size} operators by their names`);
}
