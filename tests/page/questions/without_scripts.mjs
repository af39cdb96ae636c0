// Where scripts do not run, or the data cannot be read, the page is still a report.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, inPage } from '../browser.mjs';
import { dataOf, notesOf, plain, tablesOf } from '../content.mjs';
import { bare } from '../texts.mjs';

export const question = 'a page without scripts, cut off or in an old browser still is a report';

/** Layers of a recording that stand without scripts. */
const MOST_LAYERS = 50;

/** Letters of a long name that are there in any case. */
const MOST_LETTERS = 30;

/** `noscript` is bare. */
function expectText(noscript, text, what) {
  assert.ok(noscript.includes(bare(text)), `${what}: ${text.slice(0, 200)} is not there`);
}

/** Headline, tables and notes that stand in the part without scripts. */
function expectReport(noscript, data, name) {
  data.headline.forEach((line) => expectText(noscript, line, name));
  (data.measured ?? []).flatMap(({ parts }) => parts).forEach((part) => expectText(noscript, part, name));
  notesOf(data).forEach((note) => expectText(noscript, note.text, name));
  const tables = tablesOf(data);
  const types = tables.get('operator_types');
  types?.columns.find((column) => column.key === 'type').cells.forEach((type) => expectText(noscript, plain(type ?? 'unknown').slice(0, MOST_LETTERS), `${name}, types`));
  if (data.page !== 'recording' || !tables.get('operators')) return;
  const of = (key) => tables.get('operators').columns.find((column) => column.key === key)?.cells ?? [];
  const times = of('time_ms').length ? of('time_ms') : of('total_ms');
  const order = [...times.keys()].filter((row) => typeof times[row] === 'number').sort((a, b) => times[b] - times[a]);
  order.slice(0, MOST_LAYERS).forEach((row) => expectText(noscript, plain(of('name')[row]).slice(0, MOST_LETTERS), `${name}, layers`));
}

const noscriptText = async (page) => {
  const noscript = page.locator('#noscript');
  assert.ok(await noscript.isVisible());
  return bare(await noscript.innerText());
};

/** Of each kind: full, with hostile names, and of traces that tell little. */
const WITHOUT = /-(guide|hostile|several|tensorrt|openvino-averages|neural-engine-averages)$|^(sweep|sweep-cut|loss)$/;

function scriptsOff(browser, made) {
  return inPage(browser, { name: made.name, javaScriptEnabled: false }, async (page) => {
    await page.goto(address(made.file));
    expectReport(await noscriptText(page), dataOf(made.file), made.name);
  });
}

/** A page whose scripts run, but cannot have the data: the same, and one sentence on top. */
function unreadable(browser, made, file, what, prepare) {
  return inPage(browser, { name: what }, async (page, context) => {
    if (prepare) await context.addInitScript(prepare);
    // What stands without scripts comes into sight only when scripts could have run.
    const session = await context.newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 1000 });
    await page.goto(address(file));
    await page.locator('[data-message]').waitFor();
    assert.equal(await page.locator('[data-message]').count(), 1, what);
    const sentence = await page.locator('[data-message]').innerText();
    assert.match(sentence, /^[A-Z].{20,300}\.$/s, what);
    expectReport(await noscriptText(page), dataOf(made.file), what);
    return `${what}: ${sentence}`;
  });
}

/** A page of which a piece is missing at the end has no script: it is what stands without. */
function cutOff(browser, made, file) {
  return inPage(browser, { name: `${made.name}, cut off` }, async (page) => {
    await page.goto(address(file));
    expectReport(await noscriptText(page), dataOf(made.file), `${made.name}, cut off`);
  });
}

/** A page whose data or script is damaged in the ways that there are; returns what is said of each. */
function damaged(browser, folder, made) {
  const html = readFileSync(made.file, 'utf8');
  const around = (id) => {
    const start = html.indexOf(`id="${id}">`) + `id="${id}">`.length;
    const end = html.indexOf('</div>', start);
    return { start, end, middle: Math.floor((start + end) / 2) };
  };
  const { start, end, middle } = around('data');
  const script = around('script').middle;
  const changed = (at, letter) => html.slice(0, at) + letter + html.slice(at + 1);
  const other = (at) => changed(at, html[at] === 'A' ? 'B' : 'A');
  const ways = [
    ['cut off', html.slice(0, middle)],
    ['cut off in the data, the rest whole', html.slice(0, middle) + html.slice(end)],
    ['another byte in the data', other(middle)],
    ['another byte in the script', other(script)],
    ['no base64', changed(middle, '*')],
    ['no data', html.slice(0, start) + html.slice(end)],
  ];
  // What reads them is the same in all kinds of pages.
  const wanted = made.kind === 'recording' ? ways : ways.slice(0, 2);
  return wanted.map(([what, text], at) => {
    const file = join(folder, `damaged-${made.kind}-${at}.html`);
    writeFileSync(file, text);
    return what === 'cut off' ? cutOff(browser, made, file) : unreadable(browser, made, file, `${made.kind}, ${what}`);
  });
}

export default async function ({ browser, folder, pages, say }) {
  const whole = pages.filter(({ name }) => WITHOUT.test(name)).map((made) => scriptsOff(browser, made));
  const kinds = ['recording', 'projection', 'comparison', 'sweep', 'loss'].map((kind) => pages.find((page) => page.kind === kind));
  const unread = kinds.flatMap((made) => [
    ...damaged(browser, folder, made),
    unreadable(browser, made, made.file, `${made.kind}, no DecompressionStream`, () => delete globalThis.DecompressionStream),
  ]);
  const said = await Promise.all([...whole, ...unread]);
  said.filter((line) => line !== undefined).forEach(say);
}
