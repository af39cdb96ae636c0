// Every view of every page, seen once; several questions are about what was seen.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { go, open, watched } from './browser.mjs';
import { shownValues, viewsOf } from './shown.mjs';

/** Pages at once. */
const AT_ONCE = 2;
/** A folder that an address has to escape, and a file name that does the same. */
const ODD_FOLDER = 'half of 100% #1?';

let seen;

/** One for each page: what was wrong, and what each view showed. */
export function visits(context) {
  seen ??= visitAll(context);
  return seen;
}

async function visitAll({ browser, folder, pages }) {
  const odd = join(folder, ODD_FOLDER);
  mkdirSync(odd, { recursive: true });
  const waiting = [...pages];
  const done = [];
  const worker = async () => {
    for (let page = waiting.shift(); page; page = waiting.shift()) {
      const file = join(odd, `${page.name} %20#.html`);
      copyFileSync(page.file, file);
      done.push(await visit(browser, page, file));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
}

async function visit(browser, made, file) {
  const tab = await watched(browser);
  const views = [];
  try {
    await open(tab.page, file);
    for (const view of await viewsOf(tab.page)) {
      await go(tab.page, view);
      // Long tables draw what is scrolled to; their last rows count as well.
      const atTop = await shownValues(tab.page);
      await scrollToEnds(tab.page);
      const text = await tab.page.locator(`[role=tabpanel][data-view="${view}"]`).innerText();
      views.push({ view, text, values: [...atTop, ...(await shownValues(tab.page))] });
    }
  } catch (error) {
    tab.faults.push(`stopped after ${views.length} views: ${error.message.split('\n')[0]}`);
  } finally {
    await tab.close();
  }
  return { ...made, faults: tab.faults, views };
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
