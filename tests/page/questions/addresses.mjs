// Tabs are links: each view and each operator has an address, which the browser's history knows.
import assert from 'node:assert/strict';
import { address, drawn, follow, go, inPage, open } from '../browser.mjs';
import { dataOf, tablesOf } from '../content.mjs';
import { messages, viewsOf } from '../shown.mjs';

export const question = 'tabs, links to views and operators, back and forward lead where they say';

/** What leads nowhere, and how many sentences say so. */
const NOWHERE = [
  ['#no-such-view', 1],
  ['#', 0],
  ['#/', 0],
  ['#%', 1],
  ['#%E0%A4%A', 1],
  ['#__proto__', 1],
  ['#constructor/name', 1],
];

const selected = (page) => page.locator('[role=tab][aria-selected=true]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.view));
const panel = (page) => page.locator('[role=tabpanel]:visible').evaluateAll((panels) => panels.map((panel) => panel.dataset.view));

async function isAt(page, view) {
  await drawn(page, view);
  assert.deepEqual(await selected(page), [view]);
  assert.deepEqual(await panel(page), [view]);
}

async function views(page, made) {
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
  // A tab is found by its title, too.
  const last = page.locator(`[role=tab][data-view="${views.at(-1)}"]`);
  const title = (await last.innerText()).toUpperCase().replaceAll(' ', '-');
  await page.goto('about:blank');
  await page.goto(address(made.file, `#${title}`));
  await isAt(page, views.at(-1));
  for (const [hash, sentences] of NOWHERE) {
    // What follows addresses is the same in all kinds of pages, one of which is opened at each.
    const isOpened = made.kind === 'recording' || hash === NOWHERE[0][0];
    if (isOpened) await page.goto('about:blank');
    if (isOpened) await page.goto(address(made.file, hash));
    else await follow(page, hash);
    await isAt(page, views[0]);
    const said = await messages(page);
    assert.equal(said.length, sentences, `${made.name}${hash}: ${said.join('; ')}`);
  }
}

async function operators(page, made, names) {
  await open(page, made.file);
  for (const name of names) {
    await go(page, 'layer-results', name);
    await page.locator('[role=dialog][data-details]').waitFor();
    assert.deepEqual(await messages(page), [], `a link to ${name.slice(0, 50)}`);
  }
  await page.evaluate(() => void (location.hash = 'layer-results/no such operator'));
  await page.getByText('no such operator').waitFor();
  assert.equal((await messages(page)).length, 1);
}

export default async function ({ browser, pages, say }) {
  const kinds = ['recording', 'projection', 'comparison', 'sweep', 'loss'].map((kind) => pages.find((page) => page.kind === kind));
  const hostile = pages.find((page) => page.name === 'report-hostile');
  const names = tablesOf(dataOf(hostile.file)).get('operators').columns.find((column) => column.key === 'name').cells;
  const named = new Set(names.filter((name) => typeof name === 'string' && name.trim() !== ''));
  await Promise.all([
    ...kinds.map((made) => inPage(browser, { name: made.name }, (page) => views(page, made))),
    inPage(browser, { name: hostile.name }, (page) => operators(page, hostile, named)),
  ]);
  say(`${new Set(names).size} operators by their names`);
}
