// Each page has all its views, and asks for nothing, says nothing, and breaks no rule of its policy.
import { dataOf } from '../content.mjs';
import { expectNone } from '../expect_none.mjs';
import { visits } from '../visits.mjs';

export const question = 'every page opens from a file, wherever that lies, and shows every view';

export default async function (context) {
  const wrong = [];
  for (const { name, file, faults, views } of await visits(context)) {
    const expected = dataOf(file).views.map((view) => view.key);
    const shown = views.map(({ view }) => view);
    if (shown.join() !== expected.join()) faults.push(`views ${shown.join()} of ${expected.join()}`);
    views.filter(({ text }) => text.trim() === '').forEach(({ view }) => faults.push(`${view} is empty`));
    wrong.push(...new Set(faults.map((fault) => `${name}: ${fault}`)));
  }
  context.say(`${context.pages.length} pages`);
  expectNone(wrong);
}
