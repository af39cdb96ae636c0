// A browser without a network, and pages in it that are watched: whatever they ask for, say
// on the console, throw, or are refused by their policy is a fault.
import { pathToFileURL } from 'node:url';
import { chromiumFile, playwright } from './environment.mjs';

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
const FOREVER_MS = Number(process.env.ONNXRAY_PAGE_PATIENCE_MS ?? 120_000);

/** Starts the browser. */
export function start() {
  return playwright().chromium.launch({ executablePath: chromiumFile(), args: OPTIONS });
}

/** The address of a file, whatever its name has. */
export function address(file, hash = '') {
  return pathToFileURL(file).href + hash;
}

/**
 * A page of its own. `faults` has what went wrong so far; `allowed` says which of it is none.
 */
export async function watched(browser, options = {}, allowed = () => false) {
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
  const fault = (text) => void (allowed(text) || faults.push(text));
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
  return { page, context, faults, close: () => context.close() };
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
  const hash = name === undefined ? view : `${view}/${encodeURIComponent(name)}`;
  await page.evaluate((hash) => void (location.hash = hash), hash);
  await drawn(page, view);
}
