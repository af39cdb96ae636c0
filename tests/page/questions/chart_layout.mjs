// What charts write can be read at any width: no label lies on another, and a narrow window
// leaves room for the marks. The open tab is in sight.
import { go, inPage, open } from '../browser.mjs';
import { expectNone } from '../expect_none.mjs';
import { viewsOf } from '../shown.mjs';

export const question = 'labels of charts do not overlap, plots are wide enough, the open tab is in sight';

const NAMES = [
  'report-guide', 'report-large', 'report-pytorch-devices', 'report-onnxruntime-int8', 'project-guide', 'compare-guide',
  'compare-onnxruntime', 'sweep', 'sweep-slowed', 'loss-encoder', 'loss-cnn',
];
const WIDTHS = [400, 700, 1280];
/** Pixels that a plot has at the least, without its labels. */
const NARROWEST = 260;

/** What is wrong in the view that is open. */
function faults(narrowest) {
  const found = [];
  const tab = document.querySelector('[role=tab][aria-selected=true]')?.getBoundingClientRect();
  if (tab && (tab.left < 0 || tab.right > innerWidth)) found.push('the open tab is out of sight');
  for (const chart of document.querySelectorAll('.chart')) {
    const name = chart.dataset.chart;
    const svg = chart.querySelector('.chart-canvas svg');
    if (!svg || svg.clientWidth === 0) continue;
    const plot = Number(chart.dataset.plotWidth);
    if (!(plot >= narrowest)) found.push(`${name}: the plot has ${chart.dataset.plotWidth} px`);
    const texts = [...svg.querySelectorAll('text')]
      .map((node) => ({ node, text: node.textContent.trim(), box: node.getBoundingClientRect() }))
      // Boxes of slanted labels overlap where the labels do not.
      .filter(({ text, box, node }) => text && box.width > 0 && !(node.transform.baseVal.consolidate()?.matrix.b));
    texts.forEach((one, place) => {
      for (const other of texts.slice(place + 1)) {
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        // Boxes of letters have some room above and below.
        if (wide > 1 && high > 3) found.push(`${name}: ${one.text} lies on ${other.text}`);
      }
    });
  }
  return found;
}

async function findings(page, made, width) {
  await open(page, made.file);
  const found = [];
  let charts = 0;
  for (const view of await viewsOf(page)) {
    await go(page, view);
    charts += await page.locator('.chart:visible').count();
    for (const fault of await page.evaluate(faults, NARROWEST)) found.push(`${made.name}#${view}, ${width} px: ${fault}`);
  }
  return { found, charts };
}

export default async function ({ browser, pages, say }) {
  const named = NAMES.map((name) => pages.find((page) => page.name === name));
  const results = await Promise.all(
    named.flatMap((made) =>
      WIDTHS.map((width) =>
        inPage(browser, { name: made.name, viewport: { width, height: 900 } }, (page) => findings(page, made, width)),
      ),
    ),
  );
  say(`${results.reduce((sum, result) => sum + result.charts, 0)} charts`);
  expectNone(results.flatMap((result) => result.found));
}
