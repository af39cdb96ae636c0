// What is wrong, all of it at once: one failure says everything that there is to do.

/** Fails with each line of what is wrong, if anything is. */
export function expectNone(wrong, most = 60) {
  const lines = [...new Set(wrong)];
  if (lines.length === 0) return;
  const more = lines.length > most ? `\nand ${lines.length - most} more` : '';
  throw new Error(`${lines.slice(0, most).join('\n')}${more}`);
}
