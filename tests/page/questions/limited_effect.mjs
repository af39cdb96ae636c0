// A plan under a loss says what it is estimated at, as long as nobody has fixed another sparsity.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inPage, open } from '../browser.mjs';
import { root } from '../environment.mjs';

export const question = 'a plan under a loss says its speedup, until a sparsity is fixed';

const SAID = /^Estimated speedup with limited effect on the loss: \d/;

export default async function ({ browser, folder, program }) {
  const [recording, loss] = ['encoder', 'loss-encoder/loss.json'].map((name) => join(root, 'fixtures/recordings', name));
  const file = join(folder, 'project-limited.html');
  const written = (...plan) => program.succeed(['project', recording, ...plan, '--sensitivity', loss, '--force', '-o', file]);
  const lead = (page) => page.locator('[role=tabpanel]:not([hidden]) .lead', { hasText: SAID });
  await written('--max-loss', '5');
  await inPage(browser, {}, async (page) => {
    await open(page, file, 'plan');
    assert.ok(await lead(page).isVisible());
    const input = page.locator('[role=tabpanel]:not([hidden]) input[data-edit=plan-level]:visible').first();
    await input.fill('0.9');
    await input.press('Enter');
    assert.equal(await lead(page).isVisible(), false, 'what is fixed may lose more');
    await page.locator('[data-action=undo]:visible').first().click();
    assert.ok(await lead(page).isVisible());
  });
  await written('--budget', '0.5');
  await inPage(browser, {}, async (page) => {
    await open(page, file, 'plan');
    assert.equal(await lead(page).isVisible(), false, 'a budget limits no loss');
  });
  return 'said, taken back and said again';
}
