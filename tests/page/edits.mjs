// Random edits of a projection, typed into the inputs of its page.
import { Random } from './random.mjs';

/** What can be typed into inputs of a kind: texts that the analyzer understands as well. */
const ENTRIES = new Map([
  ['ratio', (random) => random.of([ratio, range, wideRange, () => ''])(random)],
  ['others', (random) => random.of([ratio, () => ''])(random)],
  ['target', sparseRatio],
  ['target-type', (random) => random.of([sparseRatio, sparseRatio, () => ''])(random)],
  ['target-operator', (random) => random.of([sparseRatio, sparseRatio, () => ''])(random)],
  ['plan-level', (random) => random.of([sparseRatio, () => ''])(random)],
  ['level', sparseRatio],
]);
/** Columns of levels that a table has room for in a test. */
const MOST_LEVELS = 8;

function ratio(random) {
  return String(random.of([random.between(0.2, 9), random.between(1, 5, 1), 1, 0.5, 1e-3]));
}

function range(random) {
  const low = random.between(0.3, 4);
  return `${low}..${low + random.between(0, 3)}`;
}

function wideRange(random) {
  const low = random.between(0.3, 4);
  const [middle, high] = [low + random.between(0, 1), low + random.between(1, 3)];
  return `${middle} (${low}..${high})`;
}

/** Also the ends, levels that are all but equal, and percent. */
function sparseRatio(random) {
  const percent = `${random.between(2, 100, 2)} %`;
  return String(random.of([random.between(0, 1, 3), random.between(0, 1), random.of([0, 1, 0.9, 0.9 + 1e-9, 0.5]), percent]));
}

/** The inputs that can be edited now, as `{ kind, level, at }`: the place among all of the view. */
function inputs(page) {
  return page.locator('[role=tabpanel]:not([hidden]) input[data-edit]').evaluateAll((all) =>
    all
      .map((input, at) => ({ kind: input.dataset.edit, level: input.dataset.level, at, isFree: !input.disabled && !input.readOnly && input.checkVisibility() }))
      .filter((input) => input.isFree),
  );
}

/**
 * Makes some edits that follow from a seed, in the view that is open, and returns them in words.
 */
export async function makeEdits(page, seed, count) {
  const random = new Random(seed);
  const made = [];
  for (let edit = 0; edit < count; edit += 1) {
    const free = await inputs(page);
    const levels = new Set(free.filter((input) => input.kind === 'ratio').map((input) => input.level)).size;
    const kinds = [...new Set(free.map((input) => input.kind))].filter((kind) => kind !== 'level' || levels < MOST_LEVELS);
    const kind = random.of(kinds);
    const { at } = random.of(free.filter((input) => input.kind === kind));
    const entry = ENTRIES.get(kind)(random);
    const input = page.locator('[role=tabpanel]:not([hidden]) input[data-edit]').nth(at);
    await input.fill(entry);
    await input.press('Enter');
    made.push(`${kind} ${at}: ${JSON.stringify(entry)}`);
    // A level that is there already, say: nothing can be downloaded until that is gone.
    if ((await page.locator('[data-bad]:visible').count()) > 0) await page.locator('[data-action=undo]:visible').first().click();
  }
  return made;
}
