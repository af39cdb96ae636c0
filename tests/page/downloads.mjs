// Files that a page offers, as the browser would store them.
import { readFileSync } from 'node:fs';

/** Clicks a button and returns the file that it gives: the proposed name, and the content. */
export async function download(page, button) {
  const [given] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const content = readFileSync(await given.path());
  const name = given.suggestedFilename();
  await given.delete();
  return { name, content };
}

/** Whether a name is one that no system minds, and that leads nowhere else. */
export function isSafe(name) {
  const hasBad = /[/\\:*?"<>|\u0000-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/.test(name);
  return !hasBad && name.length <= 120 && !/^[.\s-]|[.\s]$/.test(name) && !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name);
}
