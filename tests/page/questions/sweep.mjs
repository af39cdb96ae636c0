// A sweep's threshold moves the sweet spot, and two points can be chosen for a comparison.
import assert from 'node:assert/strict';
import { dataOf, tablesOf } from '../content.mjs';
import { inPage, open } from '../browser.mjs';

export const question = 'a latency threshold moves the sweet spot of a sweep, and A and B can be chosen';

/** The points of the sweep in their order, and the one that a sweep which was cut has. */
const POINTS = ['cnn-b1-t1-i1', 'cnn-b2-t1-i1', 'cnn-b4-t1-i1', 'cnn-int8-b1-t1-i1', 'cnn-int8-b2-t1-i1', 'cnn-int8-b4-t1-i1'];
const CUT = ['cnn-b1-t1-i1'];

/** The points of a sweep, as the data has them. */
function pointsOf(file) {
  const table = tablesOf(dataOf(file)).get('points');
  const cells = (key) => table.columns.find((column) => column.key === key).cells;
  const row = (at) => ({ name: cells('name')[at], model: cells('model')[at], latencyMs: cells('latency_ms')[at], perSecond: cells('throughput_per_second')[at], isKnown: typeof cells('throughput_high_per_second')[at] === 'number' });
  return Array.from({ length: table.rows }, (_, at) => row(at));
}

/** The most throughput within a threshold, of points with an interval if one has, by a plain search. */
function sweetSpot(points, threshold) {
  const within = points.filter((point) => point.latencyMs <= threshold);
  return within.sort((a, b) => b.isKnown - a.isKnown || b.perSecond - a.perSecond || a.latencyMs - b.latencyMs)[0];
}

/** Types thresholds in, and returns how many sweet spots there were. */
async function thresholds(page, points) {
  const input = page.locator('input[data-input=latency-threshold]');
  const models = [...new Set(points.map((point) => point.model))];
  const latencies = points.map((point) => point.latencyMs);
  const spots = new Set();
  for (const threshold of [...latencies, Math.min(...latencies) / 2, Math.max(...latencies) * 2]) {
    await input.fill(String(threshold));
    await input.press('Enter');
    const said = await page.locator('.spots').innerText();
    for (const model of models) {
      const best = sweetSpot(points.filter((point) => point.model === model), threshold);
      if (best) spots.add(best.name);
      assert.ok(said.includes(best?.name ?? 'No point'), `within ${threshold} ms: ${best?.name ?? 'no point'} is not in ${said}`);
    }
  }
  const before = await page.locator('.spots').innerText();
  await input.fill('not a number');
  await input.press('Enter');
  assert.equal(await input.getAttribute('aria-invalid'), 'true');
  assert.equal(await page.locator('.spots').innerText(), before, 'the last threshold stays');
  return spots.size;
}

/** By the buttons in the table of points, and by the lists above it. */
async function choices(page, points) {
  const command = page.locator('code[data-command=compare]').first();
  for (const [a, b] of [[1, 5], [2, 0]]) {
    for (const [side, at] of [['A', a], ['B', b]]) {
      await page.locator(`[role=tabpanel]:visible [data-table=points] [data-row="${at}"] button[data-pick=${side}]`).first().click();
    }
    const words = (await command.innerText()).split(/\s+/);
    assert.deepEqual(words.slice(0, 2), ['onnxray', 'compare']);
    assert.ok(words[2].endsWith(points[a].name) && words[3].endsWith(points[b].name), words.join(' '));
  }
  for (const [side, at] of [['A', 3], ['B', 4]]) {
    await page.locator(`select[data-pick=${side}]:visible`).first().selectOption(points[at].name);
    assert.ok((await command.innerText()).includes(points[at].name), `${side} by its list`);
  }
  return command.innerText();
}

/** The layers of A and B: each pair that the page has, picked with the keyboard; then one that it has not. */
async function layers(page, points, file) {
  const tables = tablesOf(dataOf(file));
  const cells = (table, key) => tables.get(table).columns.find((column) => column.key === key).cells;
  const [a, b, pairs] = [cells('compared_points', 'a'), cells('compared_points', 'b'), cells('compared_layers', 'pair')];
  assert.ok(a.length >= 2, 'points of the front are compared');
  const pick = async (letter, name) => {
    const at = points.findIndex((point) => point.name === name);
    const button = page.locator(`[role=tabpanel]:visible [data-table=points] [data-row="${at}"] button[data-pick=${letter}]`).first();
    await button.focus();
    await button.press('Enter');
  };
  let shown = 0;
  for (const pair of [0, a.length - 1]) {
    await pick('A', a[pair]);
    await pick('B', b[pair]);
    const rows = pairs.flatMap((of, row) => (of === pair ? [row] : []));
    const node = page.locator(`[data-pair="${a[pair]} ${b[pair]}"]`);
    const list = node.locator('[data-table=compared_layers]').first();
    const text = (column) => list.locator(`[data-row="${rows[0]}"] [data-column=${column}]`).first().innerText();
    const name = cells('compared_layers', 'layer')[rows[0]];
    assert.equal((await text('layer')).split('/').at(-1), name.split('/').at(-1));
    for (const side of ['a_ms', 'b_ms']) {
      const time = cells('compared_layers', side)[rows[0]];
      assert.ok(Math.abs(Number(await text(side)) - time) <= 0.0005, `${name}: ${side} of ${time}`);
    }
    assert.ok((await node.innerText()).includes(`${rows.length}`), 'all layers are counted');
    shown += rows.length;
  }
  // No model is compared with a point that is not on its front, nor with itself.
  await pick('B', a.at(-1));
  assert.equal(await page.locator('[data-pair]').count(), 0, 'a point has no layers beside itself');
  return shown;
}

/** What is in the page of each pair is what `compare` says of it, in its order. */
async function equals(program, file) {
  const tables = tablesOf(dataOf(file));
  const cells = (table, key) => tables.get(table).columns.find((column) => column.key === key).cells;
  const [a, b, pairs] = [cells('compared_points', 'a'), cells('compared_points', 'b'), cells('compared_layers', 'pair')];
  for (let pair = 0; pair < a.length; pair++) {
    const { layers: expected } = await program.json(['compare', `sweep:${a[pair]}`, `sweep:${b[pair]}`]);
    const rows = pairs.flatMap((of, row) => (of === pair ? [row] : []));
    assert.equal(rows.length, expected.length, `${a[pair]} ${b[pair]}`);
    for (const key of ['layer', 'a_ms', 'b_ms', 'difference_ms', 'ratio', 'ratio_low', 'ratio_high', 'verdict']) {
      const cell = (row) => cells('compared_layers', key)[row];
      const own = rows.map((row) => (Array.isArray(cell(row)) ? cell(row)[0] : cell(row)));
      const known = (value) => (value === '' || value === undefined ? null : value);
      assert.deepEqual(own.map(known), expected.map((layer) => known(layer[key])), `${a[pair]} ${b[pair]}: ${key}`);
    }
  }
  return a.length;
}

export default async function ({ browser, pages, program, say }) {
  const inSweep = (name, names, work) => {
    const { file } = pages.find((page) => page.name === name);
    return inPage(browser, { name }, async (page) => {
      const points = pointsOf(file);
      assert.deepEqual(points.map((point) => point.name), names);
      await open(page, file);
      return work(page, points, file);
    });
  };
  const [, slowed, , command, compared] = await Promise.all([
    inSweep('sweep', POINTS, thresholds),
    inSweep('sweep-slowed', POINTS, thresholds),
    inSweep('sweep-cut', CUT, thresholds),
    inSweep('sweep', POINTS, choices),
    inSweep('sweep', POINTS, layers),
    equals(program, pages.find((page) => page.name === 'sweep').file),
  ]);
  assert.equal(slowed, POINTS.length, 'each point is the sweet spot within some latency');
  say(command);
  say(`${compared} layers of A and B`);
}
