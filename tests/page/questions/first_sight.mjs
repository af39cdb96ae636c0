// What a page begins with, what of its tables a narrow window shows, and where a layer's details lead.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { go, inPage, oneByOne, open } from '../browser.mjs';
import { dataOf, tablesOf } from '../content.mjs';
import { viewsOf } from '../shown.mjs';
import { recording } from '../traces/recording.mjs';

export const question = 'a page begins with the answer, a narrow window shows it, and details lead to neighbours';

/** Operators of a recording whose page opens in part. */
const LONG = 5001;

/** Parts of the first view of a recording, in their order. */
const PARTS = ['.headline', '.measured', 'figure[data-chart]', '[data-table="slowest_operators"]', '.caveats', '.card', '.all-figures'];

/** Which of the parts there are, in the order in which they stand in the page. */
const partsOf = (page) =>
  page.evaluate((parts) => {
    const found = parts.map((part) => document.querySelector(`.banner ${part}, [role=tabpanel]:not([hidden]) ${part}`));
    const there = parts.filter((_, at) => found[at] !== null);
    const behind = Node.DOCUMENT_POSITION_FOLLOWING;
    const isBefore = (one, other) => (found[parts.indexOf(one)].compareDocumentPosition(found[parts.indexOf(other)]) & behind) !== 0;
    return there.sort((one, other) => (one === other ? 0 : isBefore(one, other) ? -1 : 1));
  }, PARTS);

async function begins(page, made) {
  const data = dataOf(made.file);
  await open(page, made.file);
  const parts = await partsOf(page);
  assert.deepEqual(parts, PARTS.filter((part) => parts.includes(part)), made.name);
  if (made.name === 'report-guide') assert.ok(['.headline', '.measured', 'figure[data-chart]', '[data-table="slowest_operators"]'].every((part) => parts.includes(part)));
  const isProjected = made.name === 'report-projected';
  assert.equal(data.blocks.some(({ block, key }) => block === 'projection' || key === 'plan'), isProjected, made.name);
  for (const view of await viewsOf(page)) {
    await go(page, view);
    const text = await page.locator('[role=tabpanel]:visible').innerText();
    assert.equal(/estimated|pruned/i.test(text.replaceAll(/\S*\/\S*/g, '')) && !isProjected, false, `${made.name}, ${view}: a projection that nobody asked for`);
  }
}

/** The slowest operators of the first view are those of a plain search. */
async function slowest(page, made) {
  await open(page, made.file);
  const operators = tablesOf(dataOf(made.file)).get('operators');
  const times = operators.columns.find(({ key }) => key === 'time_ms').cells;
  const shown = await page.locator('[role=tabpanel]:visible [data-table="slowest_operators"] td[data-column="time_ms"]').evaluateAll((all) => all.map((cell) => Number(cell.dataset.value)));
  assert.ok(shown.length > 0);
  await oneByOne(page);
  assert.deepEqual(shown, [...times].sort((one, other) => other - one).slice(0, shown.length));
  // One of them leads to itself among all.
  const name = await page.locator('[role=tabpanel]:visible [data-table="slowest_operators"] td.row-name').nth(1).getAttribute('data-value');
  await page.locator('[role=tabpanel]:visible [data-table="slowest_operators"] tr[data-row]').nth(1).click();
  await page.waitForFunction((text) => document.querySelector('#details-title')?.textContent === text, name);
}

/** Columns that a window of 700 pixels shows whole, and names that differ and look alike in it. */
async function narrow(page, made, view, key, columns) {
  await open(page, made.file, view);
  await oneByOne(page);
  const seen = await page.evaluate((key) => {
    const table = document.querySelector(`[role=tabpanel]:not([hidden]) [data-table="${key}"]`);
    const { left, right } = table.closest('.table-scroll').getBoundingClientRect();
    const headings = [...table.querySelectorAll('th[data-column]')];
    const isWhole = (heading) => heading.getBoundingClientRect().left >= left && heading.getBoundingClientRect().right <= right;
    const names = [...table.querySelectorAll('td.row-name')].map((name) => [name.textContent, name.dataset.value]);
    return { columns: headings.filter(isWhole).map((heading) => heading.dataset.column), names };
  }, key);
  const hidden = columns.filter((column) => !seen.columns.includes(column));
  assert.deepEqual(hidden, [], `${made.name}: not seen in a narrow window`);
  const looks = new Map();
  for (const [text, name] of seen.names) {
    assert.ok(!looks.has(text) || looks.get(text) === name, `${made.name}: ${looks.get(text)} and ${name} look alike`);
    looks.set(text, name);
  }
}

/** What comes before and behind each operator, by comparing all names of tensors. */
function bruteForce(operators) {
  const names = (key) => operators.columns.find((column) => column.key === key).cells.map((cell) => (typeof cell === 'string' ? cell.split('; ') : []));
  const [inputs, outputs] = [names('inputs'), names('outputs')];
  const leads = (one, other) => one !== other && outputs[one].some((tensor) => tensor !== '' && inputs[other].includes(tensor));
  const rows = [...inputs.keys()];
  return rows.map((row) => ({ reads: rows.filter((other) => leads(other, row)), 'read-by': rows.filter((other) => leads(row, other)) }));
}

async function leads(page, made) {
  await open(page, made.file, 'layer-results');
  const operators = tablesOf(dataOf(made.file)).get('operators');
  const names = operators.columns.find(({ key }) => key === 'name').cells;
  const expected = bruteForce(operators);
  let edges = 0;
  for (const [row, name] of names.entries()) {
    await go(page, 'layer-results', name);
    for (const side of ['reads', 'read-by']) {
      const list = page.locator(`[data-neighbours="${side}"] [data-operator]`);
      const shown = await list.evaluateAll((all) => all.map((one) => Number(one.dataset.operator)));
      assert.deepEqual(shown.sort((a, b) => a - b), expected[row][side].slice(0, 12), `${name}: ${side}`);
      edges += shown.length;
    }
  }
  assert.ok(edges > 0, 'no operator has neighbours');
  const row = expected.findIndex((of) => of.reads.length > 0);
  await go(page, 'layer-results', names[row]);
  await page.locator('[data-neighbours="reads"] a').first().click();
  const expectedTitle = names[expected[row].reads[0]];
  await page.waitForFunction((text) => document.querySelector('#details-title')?.textContent === text, expectedTitle);
  // A module leads to its operators, and to no others.
  const deep = names.findIndex((name) => name.split('/').length > 3);
  await go(page, 'layer-results', names[deep]);
  const module = names[deep].split('/').slice(0, 3).join('/') + '/';
  await page.locator('[data-modules] a').nth(1).click();
  await page.waitForFunction(() => document.querySelector('[data-details]') === null);
  const count = await page.locator('[role=tabpanel]:visible [data-table="operators"]').getAttribute('aria-rowcount');
  assert.equal(Number(count) - 1, names.filter((name) => name.includes(module)).length);
  return edges;
}

/** Every view of a page that opens in part, which is then whole. */
async function longPage(browser, program, folder) {
  const trace = await recording(join(folder, 'long.json'), { operators: LONG, iterations: 3 });
  const file = join(folder, 'long.html');
  await program.succeed(['report', trace, '--force', '-o', file]);
  assert.equal(dataOf(file).has_more, true);
  await inPage(browser, { name: 'long' }, async (page) => {
    await open(page, file);
    for (const view of await viewsOf(page)) {
      await go(page, view);
      assert.notEqual((await page.locator('[role=tabpanel]:visible').innerText()).trim(), '', view);
    }
    // The first view leads, to an operator of which it knows no more than the number.
    await page.goto('about:blank');
    await open(page, file);
    await oneByOne(page);
    const slowest = page.locator('[role=tabpanel]:visible [data-table="slowest_operators"]');
    const name = await slowest.locator('td.row-name').first().getAttribute('data-value');
    await slowest.locator('tr[data-row]').first().click();
    await page.waitForFunction((text) => document.querySelector('#details-title')?.textContent === text, name);
    // An address of another view leads there at once.
    await page.goto('about:blank');
    await open(page, file, 'timeline');
  });
}

export default async function ({ browser, folder, program, pages, say }) {
  const recordings = pages.filter(({ kind }) => kind === 'recording');
  const named = (name) => pages.find((page) => page.name === name);
  const viewport = { width: 700, height: 900 };
  const small = (name, ...what) => inPage(browser, { name, viewport }, (page) => narrow(page, named(name), ...what));
  const [edges] = await Promise.all([
    inPage(browser, { name: 'neighbours' }, (page) => leads(page, named('report-guide'))),
    inPage(browser, { name: 'slowest' }, (page) => slowest(page, named('report-guide'))),
    ...recordings.map((made) => inPage(browser, { name: made.name }, (page) => begins(page, made))),
    small('report-guide', 'layer-results', 'operators', ['name', 'time_ms', 'share']),
    small('report-guide', 'summary', 'slowest_operators', ['name', 'time_ms', 'share']),
    small('report-pytorch-devices', 'summary', 'slowest_operators', ['name', 'time_ms', 'share', 'device_ms']),
    small('report-pytorch-devices', 'layer-results', 'operators', ['name', 'time_ms', 'share', 'device_ms']),
    small('compare-guide', 'layers', 'layers', ['layer', 'ratio', 'verdict']),
    longPage(browser, program, folder),
  ]);
  say(`${recordings.length} recordings, ${edges} edges`);
}
