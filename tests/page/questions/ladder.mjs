// The graph's ladder: sums, unfolding by keys, colours, arcs, and the table behind it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { go, inPage, open } from '../browser.mjs';
import { dataOf, tablesOf } from '../content.mjs';
import { recording } from '../traces/recording.mjs';

export const question = 'blocks of the graph add up, unfold by keys down to operators, and have time, or what is faster or slower, as colour';

/** Most children of a block. */
const MOST_CHILDREN = 100;
/** Rows of a timeline by what repeats. */
const MOST_ROWS = 20;
/** Fewer blocks than this are in a page that has many operators. */
const FEW = 300;
const MANY = 4000;

const shownRungs = (page) =>
  page.locator('[role=tabpanel]:visible [data-rung]').evaluateAll((all) =>
    all.map((one) => ({
      rung: Number(one.dataset.rung),
      level: Number(one.getAttribute('aria-level')),
      expanded: one.getAttribute('aria-expanded'),
      heat: parseFloat(one.style.getPropertyValue('--heat')),
      colour: getComputedStyle(one.querySelector('.rung-block')).backgroundColor,
      bar: one.querySelector('.rung-bar span')?.style.width,
    })),
  );

const activeRung = (page) => page.locator('[role=tabpanel]:visible [data-rung][aria-selected=true]').evaluateAll((all) => all.map((one) => Number(one.dataset.rung)));

/** Every block is the sum of its children, and all are that of the operators, each of which is there once. */
function addsUp(made) {
  const data = dataOf(made.file);
  const operators = tablesOf(data).get('operators');
  const ladders = data.blocks.filter(({ block }) => block === 'ladder');
  for (const { parent, rung, row, copies, operators: counts, value, share, value_key: key, share_key: shareKey } of ladders) {
    const roots = parent.flatMap((of, at) => (of === null ? [at] : []));
    const children = parent.map(() => []);
    parent.forEach((of, at) => of !== null && children[of].push(at));
    const sum = (of, cells) => of.reduce((all, at) => (all === null || cells[at] === null ? null : all + cells[at]), 0);
    assert.ok(roots.length <= MOST_CHILDREN);
    for (const [at, of] of children.entries()) {
      assert.equal(of.length === 0, rung[at] === 'operator', made.name);
      assert.ok(of.length <= MOST_CHILDREN && copies[at] >= 1);
      if (of.length === 0) continue;
      for (const cells of [value, share, counts]) assert.equal(cells[at], sum(of, cells), `${made.name}: block ${at}`);
    }
    const rows = row.filter((one) => one !== null).sort((one, other) => one - other);
    assert.deepEqual(rows, [...Array(operators.rows).keys()], made.name);
    for (const [cells, column] of [[value, key], [share, shareKey]]) {
      const own = operators.columns.find((one) => one.key === column)?.cells;
      const all = own && sum([...own.keys()], own.map((cell) => (typeof cell === 'number' ? cell : null)));
      if (typeof all === 'number') assert.ok(Math.abs(sum(roots, cells) - all) <= 1e-9 * Math.abs(all), `${made.name}: ${column}`);
    }
  }
  return ladders.length;
}

/** Keys fold and unfold, and lead to an operator. */
async function keyed(page, made) {
  const block = dataOf(made.file).blocks.find(({ block }) => block === 'ladder');
  await open(page, made.file, 'graph');
  const tree = page.locator('[role=tabpanel]:visible [role=tree]');
  await tree.focus();
  await page.keyboard.press('Home');
  let rungs = await shownRungs(page);
  const root = rungs.findIndex(({ expanded }) => expanded !== null);
  assert.ok(root >= 0, 'no block unfolds');
  for (let at = 0; at < root; at += 1) await page.keyboard.press('ArrowDown');
  if (rungs[root].expanded === 'true') await page.keyboard.press('ArrowLeft');
  const { rung } = rungs[root];
  assert.deepEqual(await activeRung(page), [rung]);
  const folded = (await shownRungs(page)).length;
  await page.keyboard.press(' ');
  const children = block.parent.flatMap((of, at) => (of === rung ? [at] : []));
  rungs = await shownRungs(page);
  // Children may be unfolded already.
  const below = rungs.filter(({ level }, at) => at > root && level === rungs[root].level + 1 && block.parent[rungs[at].rung] === rung);
  assert.deepEqual(below.map((one) => one.rung), children);
  assert.equal(rungs[root].expanded, 'true');
  await page.keyboard.press('Enter');
  assert.equal((await shownRungs(page)).length, folded);
  // Down to an operator, whose details open.
  for (let presses = 0; presses < 40; presses += 1) {
    const [active] = await activeRung(page);
    if (block.rung[active] === 'operator') break;
    await page.keyboard.press('ArrowRight');
  }
  const [leaf] = await activeRung(page);
  assert.equal(block.rung[leaf], 'operator');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await activeRung(page), [block.parent[leaf]]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog][data-details]').waitFor();
  await page.keyboard.press('Escape');
  const text = await page.locator('[role=tabpanel]:visible .ladder [data-readout]').innerText();
  const operators = tablesOf(dataOf(made.file)).get('operators');
  const name = operators.columns.find(({ key }) => key === 'name').cells[block.row[leaf]];
  assert.ok(text.includes(name.slice(-12)), text);
}

/** What takes more has more colour, and has a longer bar; the table has every block. */
async function coloured(page, made) {
  const block = dataOf(made.file).blocks.find(({ block }) => block === 'ladder');
  await open(page, made.file, 'graph');
  const rungs = (await shownRungs(page)).sort((one, other) => block.value[one.rung] - block.value[other.rung]);
  assert.ok(new Set(rungs.map(({ colour }) => colour)).size > 2);
  for (const [at, { heat, bar }] of rungs.entries()) {
    if (at === 0) continue;
    assert.ok(heat >= rungs[at - 1].heat && heat <= 100);
    assert.ok(parseFloat(bar) >= parseFloat(rungs[at - 1].bar));
  }
  await page.locator('[role=tabpanel]:visible .ladder summary').click();
  const count = await page.locator('[role=tabpanel]:visible [data-table=modules]').getAttribute('aria-rowcount');
  assert.equal(Number(count) - 1, block.name.length);
}

/** Arcs of edges that skip a block; one that is read is marked. */
async function arcs(page, made) {
  await open(page, made.file, 'graph');
  assert.ok((await page.locator('[role=tabpanel]:visible .ladder-arcs path').count()) > 0);
  const [from] = await page.locator('[role=tabpanel]:visible .ladder-arcs path').evaluateAll((all) => all.map((one) => one.dataset.from));
  await go(page, 'graph');
  await page.locator('[role=tabpanel]:visible [role=tree]').focus();
  await page.keyboard.press('Home');
  for (let presses = 0; String((await activeRung(page))[0]) !== from; presses += 1) {
    assert.ok(presses < 100);
    await page.keyboard.press('ArrowDown');
  }
  assert.ok((await page.locator('[role=tabpanel]:visible .ladder-arcs path.near').count()) > 0);
  assert.match(await page.locator('[role=tabpanel]:visible .ladder [data-readout]').innerText(), /read by /);
}

/** Every block of a comparison has the figures and the verdict of its row in the tables; all layers are there once. */
function agrees(made) {
  const data = dataOf(made.file);
  const tables = tablesOf(data);
  const rowsOf = (key, version) => {
    const table = tables.get(key);
    const cells = new Map((table?.columns ?? []).map((column) => [column.key, column.cells]));
    const own = [...Array(table?.rows ?? 0).keys()].filter((row) => !cells.has('version') || cells.get('version')[row] === version);
    return new Map(own.map((row) => [cells.get('number')[row], (of) => cells.get(of)?.[row]]));
  };
  const ladders = data.blocks.filter(({ block }) => block === 'ladder');
  for (const ladder of ladders) {
    const { parent, rung, row, operators: counts, version, folded } = ladder;
    const [layers, patterns] = ['layers', 'patterns'].map((key) => rowsOf(key, version));
    const of = row.filter((one) => one !== null).sort((one, other) => one - other);
    assert.deepEqual(of, [...layers.keys()].sort((one, other) => one - other), made.name);
    const first = (at) => row[at] ?? Math.min(...parent.flatMap((above, child) => (above === at ? [first(child)] : [])));
    for (const [at, kind] of rung.entries()) {
      if (kind === 'module' || kind === 'part') continue;
      const isMember = kind === 'operator' && (!folded || insidePattern(ladder, at));
      const cell = (isMember ? layers : patterns).get(first(at));
      assert.ok(cell, `${made.name}: no row of block ${at}`);
      for (const [own, column] of AGREEING) {
        const [drawn, shown] = [ladder[own][at], cell(column)];
        if (typeof drawn === 'number' || typeof shown === 'number') assert.equal(drawn, shown, `${made.name}: ${column} of block ${at}`);
      }
      assert.deepEqual(ladder.verdict[at], cell('verdict'), `${made.name}: verdict of block ${at}`);
      if (kind === 'pattern') assert.equal(counts[at], cell('count'), made.name);
    }
  }
  return ladders.length;
}

/** Figures of blocks, and columns of the tables. */
const AGREEING = [['a', 'a_ms'], ['b', 'b_ms'], ['difference', 'difference_ms'], ['ratio', 'ratio'], ['ratio_low', 'ratio_low'], ['ratio_high', 'ratio_high']];

function insidePattern({ parent, rung }, at) {
  for (let above = parent[at]; above !== null; above = parent[above]) if (rung[above] === 'pattern') return true;
  return false;
}

/** Faster and slower blocks have their colours, others none; keys lead to a layer's details. */
async function compared(page, made) {
  const block = dataOf(made.file).blocks.find(({ block }) => block === 'ladder');
  await open(page, made.file, 'graph');
  const tree = page.locator('[role=tabpanel]:visible [role=tree]');
  const colours = await page.locator('[role=tabpanel]:visible [data-rung]').evaluateAll((all) =>
    all.map((one) => [Number(one.dataset.rung), one.style.getPropertyValue('--heat-colour'), parseFloat(one.style.getPropertyValue('--heat'))]),
  );
  const words = { 'var(--diverging-good)': 'faster', 'var(--diverging-bad)': 'slower' };
  const verdictOf = (rung) => [block.verdict[rung]].flat()[0];
  for (const [rung, colour, heat] of colours) {
    const verdict = verdictOf(rung);
    const isSure = verdict === 'faster' || verdict === 'slower';
    assert.equal(words[colour], isSure ? verdict : undefined, `${made.name}: ${verdict} is ${colour}`);
    if (isSure) assert.ok(heat > 0 && heat <= 100);
    else assert.ok(!(heat > 0));
  }
  assert.ok(colours.some(([, colour]) => colour in words), 'no block has a colour');
  await tree.focus();
  await page.keyboard.press('Home');
  for (let presses = 0; presses < 40; presses += 1) {
    const [active] = await activeRung(page);
    if (block.rung[active] === 'operator') break;
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog][data-details]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[role=tabpanel]:visible .ladder summary').click();
  const count = await page.locator('[role=tabpanel]:visible [data-table=modules]').getAttribute('aria-rowcount');
  assert.equal(Number(count) - 1, block.name.length);
}

/** A timeline's rows are threads, or what repeats: of these, the longest first. */
async function repeats(page, made) {
  const data = dataOf(made.file);
  const patterns = tablesOf(data).get('patterns');
  const names = patterns.columns.find(({ key }) => key === 'name').cells;
  await open(page, made.file, 'timeline');
  const chart = page.locator('[role=tabpanel]:visible .chart').first();
  assert.deepEqual(await labelsOf(chart), []);
  const shows = await chart.locator('.chart-shows').innerText();
  await page.getByRole('radio', { name: 'operators, together where they repeat' }).check();
  const together = page.locator('[role=tabpanel]:visible .chart').first();
  await together.locator('svg text', { hasText: / x\d+$/ }).first().waitFor();
  const count = (text) => Number(/^(\d+) executions/.exec(text)[1]);
  const shown = await together.locator('.chart-shows').innerText();
  assert.equal(count(shown), count(shows), 'executions are missing');
  const lines = await labelsOf(together);
  assert.ok(lines.length > 0 && lines.length <= Math.min(names.length, MOST_ROWS), `${lines}`);
  await page.getByRole('radio', { name: 'threads' }).check();
  await page.waitForFunction(() => ![...document.querySelectorAll('[role=tabpanel]:not([hidden]) .chart svg text')].some((one) => / x\d+$/.test(one.textContent)));
}

/** What stands before rows that are more than one operator. */
const labelsOf = async (chart) =>
  (await chart.locator('svg text').allTextContents()).map((text) => text.trim()).filter((text) => / x\d+$|^\d+ others$/.test(text));

/** Many operators are few blocks. */
async function many(browser, program, folder) {
  const trace = await recording(join(folder, 'ladder-many.json'), { operators: MANY, iterations: 2 });
  const file = join(folder, 'ladder-many.html');
  await program.succeed(['report', trace, '--force', '-o', file]);
  addsUp({ name: 'many', file });
  await inPage(browser, { name: 'many' }, async (page) => {
    await open(page, file, 'graph');
    const { length } = await shownRungs(page);
    assert.ok(length > 0 && length < FEW, `${length} blocks`);
  });
}

export default async function ({ browser, folder, program, pages, say }) {
  const recordings = pages.filter(({ kind }) => kind === 'recording');
  const ladders = recordings.map(addsUp).reduce((sum, count) => sum + count, 0);
  assert.ok(ladders > recordings.length / 2);
  const comparisons = pages.filter(({ kind }) => kind === 'comparison');
  const differences = comparisons.map(agrees).reduce((sum, count) => sum + count, 0);
  assert.ok(differences >= comparisons.length / 2);
  const [guide, large, both] = ['report-guide', 'report-large', 'compare-guide'].map((wanted) => pages.find(({ name }) => name === wanted));
  await Promise.all([
    inPage(browser, { name: 'keys' }, (page) => keyed(page, guide)),
    inPage(browser, { name: 'colours' }, (page) => coloured(page, guide)),
    inPage(browser, { name: 'arcs' }, (page) => arcs(page, guide)),
    inPage(browser, { name: 'differences' }, (page) => compared(page, both)),
    inPage(browser, { name: 'timeline' }, (page) => repeats(page, large)),
    many(browser, program, folder),
  ]);
  say(`${ladders} ladders of ${recordings.length} recordings, ${differences} of ${comparisons.length} comparisons`);
}
