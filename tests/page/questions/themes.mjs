// Light and dark: by the system, and by the switch, which wins.
import assert from 'node:assert/strict';
import { inPage, open } from '../browser.mjs';

export const question = 'a page is light or dark as the system is, until the switch says otherwise';

/** How light the page's ground is, from 0 to 1. */
const ground = (page) =>
  page.evaluate(() => {
    const colour = getComputedStyle(document.documentElement).backgroundColor;
    const body = getComputedStyle(document.body).backgroundColor;
    const parts = (/^rgba\(0, 0, 0, 0\)$/.test(colour) ? body : colour).match(/[\d.]+/g).map(Number);
    return (parts[0] + parts[1] + parts[2]) / 3 / 255;
  });

async function looks(page, made) {
  await open(page, made.file);
  const isLight = async () => (await ground(page)) > 0.5;
  assert.ok(await isLight());
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.ok(!(await isLight()), 'as the system is');
  const button = page.locator('[data-action=theme]').first();
  await button.click();
  assert.ok(await isLight(), 'as the switch says');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.ok(await isLight(), 'the switch wins');
  await button.click();
  assert.ok(!(await isLight()));
}

export default async function ({ browser, pages }) {
  const made = pages.find((page) => page.kind === 'recording');
  await inPage(browser, { name: made.name, colorScheme: 'light' }, (page) => looks(page, made));
}
