// Says ratios with the page's module and compares each sentence with the analyzer's:
// node difference.mjs CASES.json

import { readFile } from "node:fs/promises";
import { differenceFromA } from "../../web/source/difference.js";

const cases = JSON.parse(await readFile(process.argv[2], "utf8"));
const different = cases.filter(({ said, ...of }) => differenceFromA(of) !== said);
for (const { said, ...of } of different.slice(0, 20)) {
  console.error(`${JSON.stringify(of)}: ${differenceFromA(of)}, expected ${said}`);
}
if (cases.length === 0 || different.length > 0) {
  console.error(`${different.length} differences in ${cases.length} cases`);
  process.exit(1);
}
