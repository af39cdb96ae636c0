// Pictures of every view in both themes, for people to look at; nothing compares them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { go, inPage, open } from '../browser.mjs';
import { viewsOf } from '../shown.mjs';

export const question = 'screenshots of every view, if ONNXRAY_SCREENSHOTS names a folder';

const NAMES = ['report-guide', 'report-large', 'report-openvino-averages', 'project-guide', 'compare-guide', 'compare-onnxruntime-several', 'sweep', 'loss-encoder'];
const WIDTHS = [400, 1280];

async function pictures(page, made, what, folder) {
  await open(page, made.file);
  const views = await viewsOf(page);
  for (const view of views) {
    await go(page, view);
    await page.screenshot({ path: join(folder, `${made.name}-${view}-${what}.png`), fullPage: true });
  }
  return views.length;
}

export default async function ({ browser, pages, say }) {
  const folder = process.env.ONNXRAY_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const looks = ['light', 'dark'].flatMap((colorScheme) => WIDTHS.map((width) => ({ colorScheme, width })));
  const named = NAMES.map((name) => pages.find((page) => page.name === name));
  const counts = named.flatMap((made) =>
    looks.map(({ colorScheme, width }) =>
      inPage(browser, { name: made.name, colorScheme, viewport: { width, height: 900 } }, (page) => pictures(page, made, `${colorScheme}-${width}`, folder)),
    ),
  );
  say(`${(await Promise.all(counts)).reduce((sum, count) => sum + count, 0)} pictures`);
}
