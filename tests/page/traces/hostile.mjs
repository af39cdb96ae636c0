// A recording whose every name tries to be something else than a name.
import { join } from 'node:path';
import { recording } from './recording.mjs';

const LONG = 'n'.repeat(10_000);

/** Names that are markup, scripts, patterns of chart labels, keys of every object, or no line. */
export const NAMES = [
  '</script><script>globalThis.broken = 1</script>',
  '<!--',
  '--><script>globalThis.broken = 2</script>',
  '<img src=x onerror="globalThis.broken = 3">',
  '</title></style></textarea><svg onload="globalThis.broken = 4">',
  '"><b onmouseover=\'globalThis.broken = 5\'>x</b>',
  "'single' \"double\" `${globalThis.broken = 6}`",
  '{a|b}',
  '{b}',
  '{c} {@1} {value}',
  'javascript:globalThis.broken = 7',
  '\u202eright to left\u202c',
  'two\nlines\r\nand\tmore',
  'line\u2028and\u2029paragraph',
  LONG,
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '../../etc/passwd',
  'CON',
  '%41%2f#hash?query=1&amp;',
  '=1+1',
  'unknown',
  'null',
  '-0',
  '',
  ' ',
  'twice',
  'twice',
];

/** A file name of them, with what a file's name can have. */
export const FILE_NAME = '</script><img src=x onerror=globalThis.broken=8> {a|b} `#%41 \u202e.json'.replaceAll('/', '\u2215');

/** Writes it into a folder, and returns the file. */
export function hostileTrace(folder) {
  const name = (at) => NAMES[at % NAMES.length];
  return recording(join(folder, FILE_NAME), {
    operators: NAMES.length,
    iterations: 6,
    model: name(3),
    // Each name as that of an operator, of a type and of a tensor.
    names: (number) => ({ name: name(number), type: name(number + 3), tensor: name(number + 5) }),
  });
}
