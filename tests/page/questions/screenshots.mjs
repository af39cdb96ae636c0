// Pictures of every view in both themes, for people to look at; nothing compares them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { go, open, watched } from '../browser.mjs';
import { viewsOf } from '../shown.mjs';

export const question = 'screenshots of every view, if ONNXRAY_SCREENSHOTS names a folder';

const NAMES = ['report-guide', 'report-large', 'report-openvino-averages', 'project-guide', 'compare-guide', 'compare-onnxruntime-several', 'sweep', 'loss'];
const WIDTHS = [400, 1280];

export default async function ({ browser, pages, say }) {
  const folder = process.env.ONNXRAY_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const made of NAMES.map((name) => pages.find((page) => page.name === name))) {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of WIDTHS) {
        const { page, close } = await watched(browser, { colorScheme, viewport: { width, height: 900 } });
        await open(page, made.file);
        for (const view of await viewsOf(page)) {
          await go(page, view);
          await page.screenshot({ path: join(folder, `${made.name}-${view}-${colorScheme}-${width}.png`), fullPage: true });
          count += 1;
        }
        await close();
      }
    }
  }
  say(`${count} pictures`);
}
