// Every view of every page, seen once; several questions are about what was seen.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { go, inWatchedPage, open } from './browser.mjs';
import { shownValues, viewsOf } from './shown.mjs';

/** A folder that an address has to escape, and a file name that does the same. */
const ODD_FOLDER = 'half of 100% #1?';

let seen;

/** One for each page: what was wrong, and what each view showed. */
export function visits(context) {
  seen ??= visitAll(context);
  return seen;
}

function visitAll({ browser, folder, pages }) {
  const odd = join(folder, ODD_FOLDER);
  mkdirSync(odd, { recursive: true });
  return Promise.all(
    pages.map((made) => {
      const file = join(odd, `${made.name} %20#.html`);
      copyFileSync(made.file, file);
      return inWatchedPage(browser, {}, (page, faults) => visit(page, faults, made, file));
    }),
  );
}

async function visit(page, faults, made, file) {
  const views = [];
  try {
    await open(page, file);
    for (const view of await viewsOf(page)) {
      await go(page, view);
      // Long tables draw what is scrolled to; their last rows count as well.
      const atTop = await shownValues(page);
      await scrollToEnds(page);
      const text = await page.locator(`[role=tabpanel][data-view="${view}"]`).innerText();
      views.push({ view, text, values: [...atTop, ...(await shownValues(page))] });
    }
  } catch (error) {
    faults.push(`stopped after ${views.length} views: ${error.message.split('\n')[0]}`);
  }
  return { ...made, faults, views };
}

/** Scrolls whatever scrolls to its end, and lets the page draw. */
async function scrollToEnds(page) {
  await page.evaluate(async () => {
    for (const node of document.querySelectorAll('[role=tabpanel], [role=tabpanel] *')) {
      if (node.scrollHeight > node.clientHeight) node.scrollTop = node.scrollHeight;
    }
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let frames = 0; frames < 3; frames += 1) await frame();
  });
}
