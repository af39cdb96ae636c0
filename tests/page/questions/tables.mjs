// Search, sorting and filters show the rows that plain code finds in the data.
import assert from 'node:assert/strict';
import { go, inPage, oneByOne, open } from '../browser.mjs';
import { dataOf, tablesOf } from '../content.mjs';

export const question = 'search, sorting and filters of a table show what plain code finds';

/** Rows that the table has drawn, in their order, and how many it has in all. */
async function drawnRows(page, key) {
  return page.evaluate(async (key) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await frame();
    const table = document.querySelector(`[role=tabpanel]:not([hidden]) [data-table="${key}"]`);
    const grid = table.closest('[aria-rowcount]') ?? table.querySelector('[aria-rowcount]');
    const rows = [...table.querySelectorAll('[data-row]')].map((row) => Number(row.dataset.row));
    // Without the head.
    return { rows, count: Number(grid?.getAttribute('aria-rowcount') ?? rows.length + 1) - 1 };
  }, key);
}

const isNumber = (cell) => typeof cell === 'number';
const text = (cell) => (Array.isArray(cell) ? cell[1] : cell === null ? 'unknown' : cell === false ? '' : String(cell));

/** Rows in the order of a column: what has no value is last, whichever way. */
function sorted(column, rows, isDescending) {
  const sign = isDescending ? -1 : 1;
  const known = rows.filter((row) => column.cells[row] !== null && column.cells[row] !== false);
  const rest = rows.filter((row) => !known.includes(row));
  const before = (a, b) => {
    const [x, y] = [column.cells[a], column.cells[b]];
    if (isNumber(x) && isNumber(y)) return sign * (x - y);
    return 0;
  };
  return { known: known.sort(before), rest };
}

async function checkSort(page, table, column, direction) {
  const { rows } = await drawnRows(page, table.key);
  const all = Array.from({ length: table.rows }, (_, row) => row);
  const { known, rest } = sorted(column, all, direction === 'descending');
  const cells = rows.map((row) => column.cells[row]);
  const expected = [...known, ...rest].slice(0, rows.length).map((row) => column.cells[row]);
  const none = (cell) => (cell === null || cell === false ? 'none' : cell);
  assert.deepEqual(cells.map(none), expected.map(none), `${table.key} by ${column.key}, ${direction}`);
}

async function clickHeading(page, table, column) {
  const heading = page.locator(`[role=tabpanel]:visible [data-table="${table.key}"] th[data-column="${column.key}"]`);
  await heading.locator('button').first().click();
  return heading.getAttribute('aria-sort');
}

async function sorts(page, table) {
  const shown = await page.locator(`[role=tabpanel]:visible [data-table="${table.key}"] th[data-column]`).evaluateAll((all) => all.map((one) => one.dataset.column));
  let numbers = 0;
  for (const key of shown) {
    const column = table.columns.find((column) => column.key === key);
    if (!column?.cells.some(isNumber)) continue;
    const directions = new Set();
    for (let times = 0; times < 3; times += 1) {
      const direction = await clickHeading(page, table, column);
      if (direction === null || direction === 'none') continue;
      directions.add(direction);
      await checkSort(page, table, column, direction);
    }
    assert.deepEqual([...directions].sort(), ['ascending', 'descending'], `directions of ${key}`);
    numbers += 1;
  }
  return numbers;
}

async function searches(page, table, words) {
  const name = table.columns.find((column) => column.key === 'name');
  const search = page.locator(`[role=tabpanel]:visible [data-table-tools="${table.key}"] input[type=search]`);
  for (const word of words) {
    await search.fill(word);
    const { rows, count } = await drawnRows(page, table.key);
    const has = (row) => text(name.cells[row]).toLowerCase().includes(word.toLowerCase());
    const found = name.cells.filter((_, row) => has(row)).length;
    if (word === '') assert.equal(count, table.rows);
    else assert.ok(count >= found, `${word}: ${count} rows, at least ${found}`);
    if (found > 0) assert.ok(rows.length > 0, word);
  }
  await search.fill('');
}

const OPERATORS = new Map([
  ['<', (cell, value) => isNumber(cell) && cell < value],
  ['≤', (cell, value) => isNumber(cell) && cell <= value],
  ['>', (cell, value) => isNumber(cell) && cell > value],
  ['≥', (cell, value) => isNumber(cell) && cell >= value],
  ['=', (cell, value) => isNumber(cell) && cell === value],
  ['≠', (cell, value) => isNumber(cell) && cell !== value],
  ['unknown', (cell) => cell === null],
]);

async function addFilter(tools, column, operator, value) {
  await tools.locator('button[data-filter=add]').click();
  await tools.locator('select[data-filter=column]').last().selectOption(column);
  await tools.locator('select[data-filter=operator]').last().selectOption(operator);
  if (operator !== 'unknown') await tools.locator('input[data-filter=value]').last().fill(String(value));
}

async function filters(page, table, keys) {
  const tools = page.locator(`[role=tabpanel]:visible [data-table-tools="${table.key}"]`);
  let tried = 0;
  for (const key of keys) {
    const column = table.columns.find((column) => column.key === key);
    const value = column.cells.filter(isNumber).sort((a, b) => a - b)[Math.floor(table.rows / 3)];
    for (const [operator, holds] of OPERATORS) {
      await addFilter(tools, key, operator, value);
      const { count } = await drawnRows(page, table.key);
      const expected = column.cells.filter((cell) => holds(cell, value)).length;
      assert.equal(count, expected, `${key} ${operator} ${value}`);
      await tools.locator('button[data-filter=remove]').first().click();
      tried += 1;
    }
  }
  // Two are joined by "and".
  const [first, second] = keys.map((key) => table.columns.find((column) => column.key === key));
  await addFilter(tools, first.key, 'unknown');
  await addFilter(tools, second.key, '>', 0);
  const { count } = await drawnRows(page, table.key);
  assert.equal(count, first.cells.filter((cell, row) => cell === null && second.cells[row] > 0).length, 'both');
  return tried;
}

export default async function ({ browser, pages, say }) {
  const made = pages.find((page) => page.name === 'report-large');
  const table = tablesOf(dataOf(made.file)).get('operators');
  const inTable = (work) =>
    inPage(browser, { name: made.name }, async (page) => {
      await open(page, made.file, 'layer-results');
      await oneByOne(page);
      return work(page);
    });
  const [numbers, , tried] = await Promise.all([
    inTable((page) => sorts(page, table)),
    inTable((page) => searches(page, table, ['layer.59', 'GEMM', 'no such', '{a|b}', ''])),
    inTable((page) => filters(page, table, ['flops', 'number'])),
  ]);
  say(`${numbers} columns sorted, ${tried} filters`);
}
