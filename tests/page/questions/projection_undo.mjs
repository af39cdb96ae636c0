// Edits are undone one by one and done again; what is not understood is said and changes nothing.
import assert from 'node:assert/strict';
import { inPage, open } from '../browser.mjs';
import { makeEdits } from '../edits.mjs';
import { shownValues } from '../shown.mjs';

export const question = 'edits of a projection are undone one by one, and bad entries change nothing';

const EDITS = 12;
const BAD = ['abc', '-1', '4..3', 'NaN', 'Infinity', '=1+1', '<b>', '1,234'];

const state = async (page) => (await shownValues(page)).map((value) => [value.table, value.row, value.column, value.value].join('/'));

export default async function ({ browser, pages, say }) {
  const made = pages.find((page) => page.name === 'project-guide');
  say(await inPage(browser, { name: made.name }, (page) => undone(page, made)));
}

async function undone(page, made) {
  await open(page, made.file, 'projection');
  const states = [await state(page)];
  for (let seed = 1; seed <= EDITS; seed += 1) {
    await makeEdits(page, seed, 1);
    states.push(await state(page));
  }
  const [undo, redo] = ['undo', 'redo'].map((action) => page.locator(`[data-action=${action}]:visible`).first());
  const different = states.filter((one, at) => at === 0 || one.join() !== states[at - 1].join());
  for (const expected of different.slice(0, -1).reverse()) {
    await undoTo(page, undo, expected);
  }
  assert.ok(await undo.isDisabled(), 'nothing is left to undo');
  for (const expected of different.slice(1)) await undoTo(page, redo, expected);
  const last = await state(page);
  const input = page.locator('[role=tabpanel]:not([hidden]) input[data-edit=ratio]:visible').first();
  for (const entry of BAD) {
    await input.fill(entry);
    await input.press('Enter');
    assert.equal(await input.getAttribute('aria-invalid'), 'true', entry);
    assert.ok((await page.locator('[data-bad]:visible').count()) > 0, `${entry}: a line says so`);
    assert.deepEqual(await state(page), last, entry);
  }
  return `${different.length - 1} edits that changed a figure, ${BAD.length} bad entries`;
}

/** Some edits change no figure: as many clicks as it takes, each by one step. */
async function undoTo(page, button, expected) {
  for (let clicks = 0; clicks <= EDITS; clicks += 1) {
    await button.click();
    const now = await state(page);
    if (now.join() === expected.join()) return;
  }
  assert.fail('an undo leads to no state that there was');
}
