// axe finds nothing serious in any view of any kind of page, however it looks.
import { readFileSync } from 'node:fs';
import { axeFile } from '../environment.mjs';
import { go, open, watched } from '../browser.mjs';
import { expectNone } from '../expect_none.mjs';
import { viewsOf } from '../shown.mjs';

export const question = 'axe finds nothing serious or critical in any view, light and dark, narrow and wide';

const SERIOUS = new Set(['serious', 'critical']);
const NAMES = ['report-guide', 'project-guide', 'compare-guide', 'sweep', 'loss'];
/** How pages look: all rules on two of them; in the others what depends on colours. */
const LOOKS = [
  { colorScheme: 'light', width: 400 },
  { colorScheme: 'dark', width: 3840 },
  { colorScheme: 'dark', width: 400, rules: ['color-contrast'] },
  { colorScheme: 'light', width: 3840, rules: ['color-contrast'] },
];

async function findings(browser, made, { colorScheme, width, rules }) {
  const { page, close } = await watched(browser, { colorScheme, viewport: { width, height: width === 400 ? 800 : 2000 } });
  await open(page, made.file);
  await page.evaluate(readFileSync(axeFile(), 'utf8'));
  const found = [];
  const views = await viewsOf(page);
  for (const view of views) {
    await go(page, view);
    const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
    const { violations } = await page.evaluate((options) => globalThis.axe.run(options), options);
    for (const { id, impact, help, nodes } of violations.filter((one) => SERIOUS.has(one.impact))) {
      const at = nodes.slice(0, 2).map((node) => `${node.target} ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`);
      found.push(`${made.name}#${view}, ${colorScheme}, ${width} px: ${impact}: ${id}: ${help} (${nodes.length})\n    ${at.join('\n    ')}`);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (overflow > 0) found.push(`${made.name}#${view}, ${width} px: ${overflow} px wider than the window`);
  }
  await close();
  return { found, views: views.length };
}

export default async function ({ browser, pages, say }) {
  const waiting = NAMES.flatMap((name) => LOOKS.map((look) => [name, look]));
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, look] = next;
      results.push(await findings(browser, pages.find((page) => page.name === name), look));
    }
  };
  await Promise.all([worker(), worker()]);
  say(`${results.reduce((sum, result) => sum + result.views, 0)} views`);
  expectNone(results.flatMap((result) => result.found));
}
