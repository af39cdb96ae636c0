// What a page's file holds, read without a browser: what lies packed in it, and the cells of its data.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The text of a packed block of a page. */
export function unpacked(file, id) {
  const html = readFileSync(file, 'utf8');
  const [, elements] = new RegExp(`<div hidden id="${id}">(.*?)</div>`).exec(html);
  return gunzipSync(Buffer.from(elements.replaceAll(/<[^>]*>/g, ''), 'base64')).toString('utf8');
}

/** The data of a page. */
export function dataOf(file) {
  return JSON.parse(unpacked(file, 'data'));
}

/** The tables of a page's data by their keys. */
export function tablesOf(data) {
  return new Map(data.blocks.filter((block) => block.block === 'table').map((table) => [table.key, table]));
}

/** Figures of a page's data by their keys. */
export function figuresOf(data) {
  return new Map(data.blocks.filter((block) => block.block === 'figures').map((block) => [block.key, block]));
}

/** All notes of a page's data. */
export function notesOf(data) {
  return data.blocks.filter((block) => block.block === 'notes').flatMap((block) => block.notes);
}

/** Whether a cell has a time that is too small to tell. */
const isBelow = (cell) => Array.isArray(cell) && cell[0] === 'below';

/** A cell as JSON for programs has it: a word of ours by its key, nothing as nothing. */
export function plain(cell) {
  if (cell === false) return undefined;
  if (isBelow(cell)) return null;
  return Array.isArray(cell) ? cell[0] : cell;
}

/** The attribute `data-value` of an element that shows a cell. */
export function valueOf(cell) {
  if (isBelow(cell)) return cell[0];
  const value = plain(cell);
  if (value === undefined) return '';
  return value === null ? 'unknown' : String(value);
}

/** Whether a `data-value` is that of a cell, digit for digit: any way of writing the same number. */
export function isValueOf(text, cell) {
  const value = plain(cell);
  if (typeof value === 'number') return text !== '' && Number(text) === value;
  return text === valueOf(cell);
}

/** A table as JSON for programs has it: an object for each row. */
export function rowsOf(table) {
  return Array.from({ length: table.rows }, (_, row) =>
    objectOf(table.columns.map((column) => [column.key, column.cells[row]])),
  );
}

/** Keys and cells as JSON for programs has them. */
export function objectOf(cells) {
  const known = cells.map(([key, cell]) => [key, plain(cell)]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
}
