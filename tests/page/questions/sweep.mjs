// A sweep's threshold moves the sweet spot, and two points can be chosen for a comparison.
import assert from 'node:assert/strict';
import { dataOf, tablesOf } from '../content.mjs';
import { open, watched } from '../browser.mjs';

export const question = 'a latency threshold moves the sweet spot of a sweep, and A and B can be chosen';

/** The points of a model, as the data has them. */
function pointsOf(file) {
  const table = tablesOf(dataOf(file)).get('points');
  const cells = (key) => table.columns.find((column) => column.key === key).cells;
  const row = (at) => ({ name: cells('name')[at], model: cells('model')[at], latencyMs: cells('latency_ms')[at], perSecond: cells('throughput_per_second')[at] });
  return Array.from({ length: table.rows }, (_, at) => row(at));
}

/** The most throughput within a threshold, by a plain search. */
function sweetSpot(points, threshold) {
  const within = points.filter((point) => point.latencyMs <= threshold);
  return within.sort((a, b) => b.perSecond - a.perSecond || a.latencyMs - b.latencyMs)[0];
}

async function thresholds(page, points) {
  const input = page.locator('input[data-input=latency-threshold]');
  const models = [...new Set(points.map((point) => point.model))];
  const latencies = points.map((point) => point.latencyMs);
  for (const threshold of [...latencies, Math.min(...latencies) / 2, Math.max(...latencies) * 2]) {
    await input.fill(String(threshold));
    await input.press('Enter');
    const said = await page.locator('.spots').innerText();
    for (const model of models) {
      const best = sweetSpot(points.filter((point) => point.model === model), threshold);
      if (best) assert.ok(said.includes(best.name), `within ${threshold} ms: ${best.name} is not in ${said}`);
    }
  }
  const before = await page.locator('.spots').innerText();
  await input.fill('not a number');
  await input.press('Enter');
  assert.equal(await input.getAttribute('aria-invalid'), 'true');
  assert.equal(await page.locator('.spots').innerText(), before, 'the last threshold stays');
}

/** By the buttons in the table of points, and by the lists above it. */
async function choices(page, points) {
  const command = page.locator('code[data-command=compare]').first();
  const last = points.length - 1;
  for (const [a, b] of [[1, last], [2, 0]]) {
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

export default async function ({ browser, pages, say }) {
  const made = pages.find((page) => page.name === 'sweep');
  const points = pointsOf(made.file);
  const { page, faults, close } = await watched(browser);
  await open(page, made.file);
  await thresholds(page, points);
  say(await choices(page, points));
  assert.deepEqual(faults, []);
  await close();
}
