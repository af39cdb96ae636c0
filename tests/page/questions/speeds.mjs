// How large pages are, what memory they take and how quickly they follow: figures for people, no limits.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { go, inPage, open, start } from '../browser.mjs';
import { recording } from '../traces/recording.mjs';

export const question = 'sizes of pages, and with ONNXRAY_PAGE_FIGURES how quickly large ones follow';

/** What is measured is measured so often; the median counts. */
const TIMES = 9;

const LARGE = [
  { name: '5,000 operators, 1,000 iterations', operators: 5_000, iterations: 1_000 },
  { name: '100,000 operators', operators: 100_000, iterations: 3 },
  { name: '1,000,000 iterations', operators: 1, iterations: 1_000_000 },
];

const megabytes = (file) => `${(statSync(file).size / 1e6).toFixed(2)} MB`;

/** Opens a page, and returns the milliseconds until a view of it is drawn. */
async function firstDrawing(page, context, file, view) {
  await context.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (document.documentElement.dataset.ready === undefined) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => void (globalThis.drawnAt = performance.now())));
    });
    // A long page is drawn before it is read to its end.
    seen.observe(document, { attributes: true, subtree: true });
  });
  await open(page, file, view);
  await page.waitForFunction(() => globalThis.drawnAt !== undefined);
  return page.evaluate(() => globalThis.drawnAt);
}

/** What memory a page's process has when its first view is drawn, in a browser of its own. */
async function memory(name, file) {
  const browser = await start();
  try {
    return await inPage(browser, { name }, async (page, context) => {
      await firstDrawing(page, context, file);
      const session = await browser.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id));
      return `${(Math.max(...sizes) / 1e6).toFixed(0)} MB`;
    });
  } finally {
    await browser.close();
  }
}

function residentBytes(process) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${process}/status`, 'utf8'));
  return 1024 * kilobytes;
}

/** The median of milliseconds from something that a reader does to the frame that shows it. */
function median(page, what) {
  return page.evaluate(
    async ({ what, times }) => {
      const panel = document.querySelector('[role=tabpanel]:not([hidden])');
      const chart = () => panel.querySelector('figure[data-chart] [tabindex="0"]');
      const key = (name) => chart()?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
      const type = (input, text) => {
        input.value = text;
        for (const event of ['input', 'change']) input.dispatchEvent(new Event(event, { bubbles: true }));
      };
      const actions = {
        zoom: () => key('+'),
        sort: () => panel.querySelector('th[data-column=flops] button').click(),
        search: (time) => type(panel.querySelector('input[type=search]'), `layer.${time}`),
        edit: (time) => {
          const input = panel.querySelector('input[data-edit=target]');
          type(input, `0.${50 + time}`);
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        },
      };
      const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const all = [];
      for (let time = 0; time < times; time += 1) {
        await frame();
        const from = performance.now();
        actions[what](time);
        await frame();
        all.push(performance.now() - from);
      }
      return all.sort((a, b) => a - b)[Math.floor(times / 2)];
    },
    { what, times: TIMES },
  );
}

async function measured(context, { name, operators, iterations }) {
  const { browser, folder, program, say } = context;
  const trace = await recording(join(folder, 'figures.json'), { operators, iterations });
  const [report, projection] = ['figures-report.html', 'figures-project.html'].map((file) => join(folder, file));
  const from = performance.now();
  await program.succeed(['report', trace, '--force', '-o', report]);
  say(`${name}: page ${megabytes(report)} of a trace of ${megabytes(trace)}, read and written in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  say(`${name}: ${await memory(name, report)} at its first drawing`);
  await inPage(browser, { name }, async (page, context) => {
    say(`${name}: first drawing ${(await firstDrawing(page, context, report)).toFixed(0)} ms`);
    for (const [view, what] of [['timeline', 'zoom'], ['iterations', 'zoom'], ['layer-results', 'sort'], ['layer-results', 'search']]) {
      const start = performance.now();
      await go(page, view);
      const toView = performance.now() - start;
      say(`${name}: ${view} ${toView.toFixed(0)} ms, ${what} ${(await median(page, what)).toFixed(0)} ms`);
    }
  });
  if (operators === 5_000) {
    const levels = '0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.85,0.95';
    await program.succeed(['project', trace, '--sparsities', levels, '--force', '-o', projection]);
    await inPage(browser, { name }, async (page, context) => {
      const drawing = await firstDrawing(page, context, projection, 'projection');
      say(`${name}: projection ${megabytes(projection)}, first drawing ${drawing.toFixed(0)} ms, edit ${(await median(page, 'edit')).toFixed(0)} ms`);
    });
  }
  rmSync(trace);
}

export default async function (context) {
  const sizes = context.pages.map(({ name, file }) => `${name} ${megabytes(file)}`);
  context.say(sizes.join(', '));
  if (!process.env.ONNXRAY_PAGE_FIGURES) return;
  for (const large of LARGE) await measured(context, large);
}
