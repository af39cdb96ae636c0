// Everything can be done without a pointer: views, tables, charts, details, edits.
import assert from 'node:assert/strict';
import { drawn, go, inPage, oneByOne, open } from '../browser.mjs';
import { shownValues, viewsOf } from '../shown.mjs';

export const question = 'views, tables, charts, details and edits can be reached and used by keys alone';

/** Presses Tab until an element that a selector means has the focus. */
async function tabTo(page, selector, most = 400) {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** What has the focus can be seen to have it. */
async function hasMark(page, what) {
  const seen = await page.evaluate(() => {
    const style = getComputedStyle(document.activeElement);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  });
  assert.ok(seen, `no mark of the focus on ${what}`);
}

async function tabs(page) {
  const views = await viewsOf(page);
  await tabTo(page, '[role=tab]');
  await hasMark(page, 'a tab');
  for (const view of views.slice(1)) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await drawn(page, view);
  }
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await drawn(page, views[0]);
}

/** The readout of a chart follows the arrow keys. */
async function charts(page, view) {
  await go(page, view);
  const count = await page.locator('[role=tabpanel]:visible figure[data-chart]:visible').count();
  let read = 0;
  for (let at = 0; at < count; at += 1) {
    const chart = page.locator('[role=tabpanel]:visible figure[data-chart]:visible').nth(at);
    const keyed = chart.locator('[tabindex="0"]').first();
    if ((await keyed.count()) === 0) continue;
    await keyed.focus();
    const texts = new Set();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'End', 'ArrowLeft']) {
      await page.keyboard.press(key);
      texts.add(await chart.locator('[data-readout]').innerText());
    }
    assert.ok(texts.size > 1, `${view}: the readout of chart ${at + 1} says ${[...texts]}`);
    read += 1;
  }
  return read;
}

async function details(page) {
  await go(page, 'layer-results');
  await oneByOne(page);
  await tabTo(page, '[data-table=operators] [data-row], [data-table=operators] [data-row] *, [data-table=operators]', 200);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog][data-details]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[role=dialog][data-details]').waitFor({ state: 'detached' });
  const isBack = await page.evaluate(() => document.activeElement.closest('[data-table=operators]') !== null);
  assert.ok(isBack, 'the focus returns to the table');
}

async function edits(page) {
  await tabTo(page, 'input[data-edit=target]');
  await hasMark(page, 'an input');
  const before = await shownValues(page);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('0.77');
  await page.keyboard.press('Enter');
  const after = await shownValues(page);
  assert.notDeepEqual(after, before, 'an edit by keys');
  await tabTo(page, '[data-action=undo]');
  await page.keyboard.press('Enter');
  assert.deepEqual(await shownValues(page), before, 'undone by keys');
}

async function used(page, made) {
  await open(page, made.file);
  await tabs(page);
  let read = 0;
  for (const view of await viewsOf(page)) read += await charts(page, view);
  assert.ok(read > 0, `${made.name}: no chart that keys can read`);
  if (made.kind === 'recording') await details(page);
  if (made.kind === 'projection') {
    await go(page, 'projection');
    await edits(page);
  }
  return `${made.kind}: ${read} charts`;
}

export default async function ({ browser, pages, say }) {
  const named = ['report-guide', 'project-guide', 'compare-guide', 'sweep', 'loss-encoder'].map((name) => pages.find((page) => page.name === name));
  const said = await Promise.all(named.map((made) => inPage(browser, { name: made.name }, (page) => used(page, made))));
  said.forEach(say);
}
