// A browser without a network, and pages in it that are watched: whatever they ask for, say
// on the console, throw, or are refused by their policy is a fault.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { chromiumFile, playwright } from './environment.mjs';
import { limited } from './limited.mjs';

const OPTIONS = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // A container's user is root, whom the sandbox does not serve. The pages are our own.
  '--no-sandbox',
];

/** What hangs is ended at some time; no test is about how long something takes. */
const FOREVER_MS = Number(process.env.ONNXRAY_PAGE_PATIENCE_MS ?? 600_000);

/** Pages at once, over all questions: one for each core, and one while others wait for a frame. */
const atOnce = limited(availableParallelism() + 1);

/** Starts the browser. */
export function start() {
  return playwright().chromium.launch({ executablePath: chromiumFile(), args: OPTIONS, timeout: FOREVER_MS });
}

/** The address of a file, whatever its name has. */
export function address(file, hash = '') {
  return pathToFileURL(file).href + hash;
}

/**
 * Does something in a page of its own, as soon as it is its turn; nothing may go wrong in it.
 * `options` are those of the browser's contexts, and a `name` for failures.
 */
export function inPage(browser, { name, ...options }, work) {
  return inWatchedPage(browser, options, async (page, faults, context) => {
    const result = await work(page, context).catch((error) => Promise.reject(withFaults(error, faults)));
    assert.deepEqual(faults, [], name);
    return result;
  });
}

/** The same, with the faults so far, which are the caller's to judge. */
export function inWatchedPage(browser, options, work) {
  return atOnce(async () => {
    const { page, faults, context } = await watched(browser, options);
    try {
      return await work(page, faults, context);
    } finally {
      await context.close();
    }
  });
}

/** What failed may follow from what went wrong before. */
function withFaults(error, faults) {
  if (faults.length > 0) {
    const text = `\nfaults before: ${faults.join('; ')}`;
    error.message += text;
    error.stack += text;
  }
  return error;
}

/** A page of its own, and what has gone wrong in it so far. */
async function watched(browser, options) {
  const context = await browser.newContext({
    offline: true,
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(FOREVER_MS);
  const faults = [];
  const fault = (text) => void faults.push(text);
  await context.exposeBinding('reportViolation', (_, text) => fault(text));
  await context.addInitScript(() => {
    const report = globalThis.reportViolation;
    delete globalThis.reportViolation;
    addEventListener('securitypolicyviolation', (event) =>
      report(`policy: ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
    );
  });
  const page = await context.newPage();
  page.on('console', (message) => fault(`console: ${message.text()}`));
  page.on('pageerror', (error) => fault(`error: ${error.stack ?? error}`));
  page.on('request', (request) => {
    const asked = request.url().split('#')[0];
    const own = request.isNavigationRequest() && asked.startsWith('file://');
    // A download is an object of the page itself.
    if (!own && !asked.startsWith('blob:')) fault(`request: ${asked.slice(0, 200)}`);
  });
  return { page, context, faults };
}

/** Waits until a view is drawn: the one that is named, or any. */
export async function drawn(page, view) {
  await page.waitForFunction((view) => {
    const ready = document.documentElement.dataset.ready;
    return view === undefined ? ready !== undefined : ready === view;
  }, view);
}

/** Opens a page's file, at a view if one is named. */
export async function open(page, file, view) {
  await page.goto(address(file, view === undefined ? '' : `#${view}`));
  await drawn(page, view);
}

/** Goes to another view of the page that is open. */
export async function go(page, view, name) {
  await follow(page, name === undefined ? view : `${view}/${encodeURIComponent(name)}`);
  await drawn(page, view);
}

/** Has the page that is open follow an address, and waits until it begins to. */
export async function follow(page, hash) {
  await page.evaluate(async (hash) => {
    const before = location.href;
    // Behind the page's own listener, or what is drawn could be what was there before.
    const followed = new Promise((resume) => addEventListener('hashchange', resume, { once: true }));
    location.hash = hash;
    if (location.href !== before) await followed;
  }, hash);
}

/** Shows operators that repeat one by one in the view that is open, where they are together at first. */
export async function oneByOne(page) {
  const choice = page.locator('[role=tabpanel]:visible fieldset.choice input:is([value="operators"], [value="layers"])');
  if ((await choice.count()) > 0) await choice.check();
}
