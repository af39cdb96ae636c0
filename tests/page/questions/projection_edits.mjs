// A projection that is edited in the page is the analyzer's with the settings that the page gives.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { go, inPage, open } from '../browser.mjs';
import { download } from '../downloads.mjs';
import { makeEdits } from '../edits.mjs';
import { expectNone } from '../expect_none.mjs';
import { place, shownValues } from '../shown.mjs';

export const question = 'edits in a projection give what the analyzer computes with the settings that are downloaded';

/** Series of edits, over all pages. */
const SERIES = Number(process.env.ONNXRAY_PAGE_EDITS ?? 48);
/** The seed of the first series: another one each time. */
const FIRST = Number(process.env.ONNXRAY_PAGE_SEED ?? 1 + Math.floor(Math.random() * 1e6));
/** Edits of one series, at most. */
const MOST_EDITS = 4;
/** Recordings with known and unknown weights, of averages, and under hostile names. */
const NAMES = ['guide', 'onnxruntime', 'onnxruntime-int8', 'neural-engine-averages', 'hostile', 'large'];
/** Tables that follow edits; those of a plan are another command's. */
const TABLES = new Set(['projection', 'projected_types', 'projected_operators', 'perf_ratios', 'levels', 'level_types']);

/** The figures that follow edits, as the page shows them now. */
async function computed(page) {
  return (await shownValues(page)).filter((value) => TABLES.has(value.table) && value.row !== undefined);
}

async function series(context, page, made, seed) {
  const edits = await makeEdits(page, seed, 1 + (seed % MOST_EDITS));
  const what = `${made.name}, seed ${seed}: ${edits.join('; ')}`;
  const values = await computed(page);
  await go(page, 'levels');
  values.push(...(await computed(page)));
  await go(page, 'projection');
  assert.ok(values.length > 0, `${what}: no figures`);
  const { content } = await download(page, page.locator('[data-download="json"]:visible').first());
  const file = join(context.folder, `settings-${made.name}-${seed}.json`);
  writeFileSync(file, content);
  const document = await context.program.json(['project', ...made.files, '--ratios', file, '--all', '--sparsity-table']);
  const wrong = values.filter((value) => !isPrinted(value, document)).map((value) => `${place(value)}: ${value.value}, not ${JSON.stringify(printed(value, document))}`);
  assert.equal([...new Set(wrong)].slice(0, 10).join('\n'), '', what);
  return { edits: edits.length, values: values.length };
}

const printed = (value, document) => document[value.table]?.[value.row]?.[value.column];

function isPrinted(value, document) {
  const cell = printed(value, document);
  if (cell === undefined) return value.value === '';
  if (cell === null) return value.value === 'unknown';
  if (typeof cell === 'number') return value.value !== '' && Object.is(Number(value.value), cell);
  return value.value === cell;
}

async function ofPage(context, page, made, seeds) {
  const sum = { edits: 0, values: 0 };
  await open(page, made.file, 'projection');
  for (const seed of seeds) {
    const { edits, values } = await series(context, page, made, seed).catch((error) => {
      throw new Error(`${made.name}, seed ${seed}: ${error.message}`);
    });
    sum.edits += edits;
    sum.values += values;
    // Series go on from where the last one ended; some begin anew.
    const reset = page.locator('[data-action=reset]:not([aria-disabled=true]):visible');
    if (seed % 3 === 0 && (await reset.count()) > 0) await reset.first().click();
  }
  return sum;
}

export default async function (context) {
  const seeds = Array.from({ length: SERIES }, (_, series) => FIRST + series);
  const of = (at) => seeds.filter((seed) => (seed - FIRST) % NAMES.length === at);
  context.say(`ONNXRAY_PAGE_SEED=${FIRST} ONNXRAY_PAGE_EDITS=${SERIES} make the same edits again`);
  const ended = await Promise.allSettled(
    NAMES.map((name, at) => {
      const made = context.pages.find((page) => page.name === `project-${name}`);
      return inPage(context.browser, { name: made.name, acceptDownloads: true }, (page) => ofPage(context, page, made, of(at)));
    }),
  );
  expectNone(ended.filter((one) => one.status === 'rejected').map((one) => one.reason.message));
  const sums = ended.map((one) => one.value);
  const total = (key) => sums.reduce((sum, one) => sum + one[key], 0);
  context.say(`${SERIES} series, ${total('edits')} edits, ${total('values')} values`);
}
