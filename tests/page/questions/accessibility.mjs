// axe finds nothing serious in any view of any kind of page, however it looks.
import { readFileSync } from 'node:fs';
import { axeFile } from '../environment.mjs';
import { go, inPage, open } from '../browser.mjs';
import { expectNone } from '../expect_none.mjs';
import { viewsOf } from '../shown.mjs';

export const question = 'axe finds nothing serious or critical in any view, light and dark, narrow and wide';

const SERIOUS = new Set(['serious', 'critical']);
const NAMES = ['report-guide', 'project-guide', 'compare-guide', 'sweep', 'loss-encoder'];
/** How pages look: all rules in one theme of each width; in the other what depends on colours. */
const LOOKS = [
  { width: 400, height: 800, themes: [['light'], ['dark', 'color-contrast']] },
  { width: 3840, height: 2000, themes: [['dark'], ['light', 'color-contrast']] },
];

async function findings(page, made, { width, themes }) {
  await open(page, made.file);
  await page.evaluate(readFileSync(axeFile(), 'utf8'));
  const found = [];
  const views = await viewsOf(page);
  for (const view of views) {
    await go(page, view);
    for (const [colorScheme, ...rules] of themes) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violations(page, rules)).map((text) => `${made.name}#${view}, ${colorScheme}, ${width} px: ${text}`));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (overflow > 0) found.push(`${made.name}#${view}, ${width} px: ${overflow} px wider than the window`);
    }
  }
  return { found, views: views.length * themes.length };
}

/** What axe calls serious or critical in the view that is open. */
async function violations(page, rules) {
  const options = { resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) };
  const { violations } = await page.evaluate((options) => globalThis.axe.run(options), options);
  return violations
    .filter(({ impact }) => SERIOUS.has(impact))
    .map(({ id, impact, help, nodes }) => {
      const at = nodes.slice(0, 2).map((node) => `${node.target} ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`);
      return `${impact}: ${id}: ${help} (${nodes.length})\n    ${at.join('\n    ')}`;
    });
}

export default async function ({ browser, pages, say }) {
  const named = NAMES.map((name) => pages.find((page) => page.name === name));
  const results = await Promise.all(
    named.flatMap((made) =>
      LOOKS.map((look) => {
        const viewport = { width: look.width, height: look.height };
        return inPage(browser, { name: made.name, viewport }, (page) => findings(page, made, look));
      }),
    ),
  );
  say(`${results.reduce((sum, result) => sum + result.views, 0)} views`);
  expectNone(results.flatMap((result) => result.found));
}
