// What a page shows is what its data has, and that is what the program prints as JSON.
import { dataOf, figuresOf, isValueOf, notesOf, objectOf, rowsOf, tablesOf } from '../content.mjs';
import { expectNone } from '../expect_none.mjs';
import { place } from '../shown.mjs';
import { visits } from '../visits.mjs';

export const question = 'every figure of a page stands in JSON, and the other way round, digit for digit';

/** Members of the printed JSON that are not block. */
const ABOUT = new Set(['schema_version', 'report', 'headline', 'verdict', 'passed', 'notes']);
/** Differences that are said of a page. */
const MOST_SAID = 8;

export default async function (context) {
  const wrong = [];
  let compared = 0;
  let shown = 0;
  for (const visit of await visits(context)) {
    const data = dataOf(visit.file);
    const of = [
      ...printedDifferences(data, visit),
      ...shownDifferences(data, visit),
      ...brokenSums(visit),
    ];
    wrong.push(...of.slice(0, MOST_SAID).map((text) => `${visit.name}: ${text}`));
    if (of.length > MOST_SAID) wrong.push(`${visit.name}: and ${of.length - MOST_SAID} more`);
    compared += data.blocks.reduce((sum, block) => sum + (block.columns?.length ?? 0) * (block.rows ?? 0), 0);
    shown += visit.views.reduce((sum, view) => sum + view.values.length, 0);
  }
  context.say(`${compared} cells of data, ${shown} values shown`);
  expectNone(wrong);
}

/** Charts whose parts do not come to their whole: A and the causes are B. */
function brokenSums({ views }) {
  const broken = views.filter(({ text }) => text.includes('is in none of them'));
  return broken.map(({ view, text }) => `${view}: ${text.match(/A and .*in none of them/)[0]}`);
}

/** How the data of a page differs from what the program prints. */
function printedDifferences(data, { printed, kind }) {
  const [tables, figures] = [tablesOf(data), figuresOf(data)];
  const wrong = [];
  // What is set in the page of a projection changes what it says.
  if (kind !== 'projection' && printed.headline && printed.headline.join('\n') !== data.headline.join('\n')) wrong.push('another headline');
  for (const note of printed.notes ?? []) {
    const has = notesOf(data).some(({ kind, text }) => kind === note.kind && text === note.text);
    if (!has) wrong.push(`no note ${JSON.stringify(note.text)}`);
  }
  for (const [key, content] of Object.entries(printed)) {
    if (ABOUT.has(key)) continue;
    if (Array.isArray(content)) wrong.push(...rowDifferences(key, content, tables.get(key)));
    else wrong.push(...figureDifferences(key, content, figures.get(key)));
  }
  return wrong;
}

function figureDifferences(key, printed, block) {
  if (!block) return [`no figures ${key}`];
  const own = objectOf(block.figures.map((figure) => [figure.key, figure.value]));
  const keys = new Set([...Object.keys(printed), ...Object.keys(own)]);
  const differ = [...keys].filter((name) => !Object.is(own[name], printed[name]));
  return differ.map((name) => `${key}/${name}: ${own[name]} in the page, ${printed[name]} printed`);
}

/** Rows may be in another order, but each must be there. */
function rowDifferences(key, printed, table) {
  if (!table) return printed.length ? [`no table ${key}`] : [];
  // Columns that only a page needs are not printed.
  const columns = new Set(printed.flatMap((row) => Object.keys(row)));
  const text = (row) => JSON.stringify(Object.entries(row).filter(([name]) => columns.has(name)).sort());
  const count = (rows) => {
    const counts = new Map();
    rows.forEach((row) => counts.set(text(row), (counts.get(text(row)) ?? 0) + 1));
    return counts;
  };
  const [own, theirs] = [count(rowsOf(table)), count(printed)];
  const missing = (from, there, where) =>
    [...from].filter(([row, times]) => there.get(row) !== times).map(([row]) => `${key}: only ${where}: ${row.slice(0, 600)}`);
  return [...missing(theirs, own, 'printed'), ...missing(own, theirs, 'in the page')];
}

/** How what views show differs from the data. */
function shownDifferences(data, { views }) {
  const [tables, figures] = [tablesOf(data), figuresOf(data)];
  const sentences = new Set([data.title, ...data.headline, ...notesOf(data).map((note) => note.text)]);
  const wrong = [];
  for (const { view, values } of views) {
    for (const value of values) {
      const isSentence = value.table === undefined && value.figures === undefined && sentences.has(value.value);
      // What inputs hold are settings; their downloads are compared elsewhere.
      const isSetting = value.edit !== undefined && value.row === undefined;
      if (value.computed !== undefined || isSentence || isSetting) continue;
      const cell = value.table === undefined
        ? figures.get(value.figures)?.figures.find((figure) => figure.key === value.key)?.value
        : cellOf(tables, value);
      if (cell === undefined) wrong.push(`${view}: ${place(value)} is not a place in the data: ${value.value}`);
      else if (!isValueOf(value.value, cell)) wrong.push(`${view}: ${place(value)}: ${value.value}, not ${JSON.stringify(cell)}`);
      else if (isUnknownWithDigits(value, cell)) wrong.push(`${view}: ${place(value)} is unknown, and shown as ${value.text}`);
    }
  }
  return [...new Set(wrong)];
}

/** A cell of the data. Rows behind those of operators are patterns; what these do not have is blank. */
function cellOf(tables, { table, column, row }) {
  const cellsOf = (of, key) => of?.columns.find((one) => one.key === key)?.cells;
  const own = tables.get(table);
  if (table !== 'operators' || !own || row < own.rows) return cellsOf(own, column)?.[row];
  const [patterns, at] = [tables.get('patterns'), row - own.rows];
  const cell = cellsOf(patterns, column)?.[at] ?? (cellsOf(patterns, column) ? null : false);
  return column === 'name' ? `${cell} x${cellsOf(patterns, 'members')[at]}` : cell;
}

function isUnknownWithDigits(value, cell) {
  return cell === null && /\d/.test(value.text);
}
