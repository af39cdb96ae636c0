// The spans of one iteration as lanes by what they are executions of: a lane for each pattern, or
// operator that does not repeat, the longest first; what is short shares the last one.

import { shortNames } from "../../names.js";
import { withReach } from "./lanes.js";

/** Lanes that can be told apart in one picture. */
const MOST_LANES = 20;
/** Letters of what stands before a lane. */
const LETTERS = 22;

/**
 * Whether operators repeat, so that there are such lanes.
 * @param {import("../../report.js").Report} report
 */
export const hasPatterns = (report) => (report.table("patterns")?.rows ?? 0) > 0;

/**
 * @param {import("../../report.js").Report} report @param {string[]} names of the block @param {any} iteration
 * @returns {import("./lanes.js").Lane[]}
 */
export function patternLanes(report, names, { spans }) {
  const [operators, patterns] = ["operators", "patterns"].map((key) => report.table(key));
  /** @type {Map<number|undefined, string>} */
  const titles = new Map();
  for (let row = 0; patterns && row < patterns.rows; row += 1) {
    titles.set(patterns.number("pattern", row), patterns.text("name", row));
  }
  /** @type {Map<string, {name: string, members: Set<number>, time: number, spans: number[]}>} */
  const found = new Map();
  for (let span = 0; span < spans.start_ms.length; span += 1) {
    const [operator, name] = [spans.operator[span], names[spans.name[span]]];
    const pattern = operator < 0 ? undefined : operators?.number("pattern", operator);
    const key = pattern === undefined ? `operator ${name}` : `pattern ${pattern}`;
    const title = titles.get(pattern) ?? String(name);
    const lane = found.get(key) ?? { name: title, members: new Set(), time: 0, spans: [] };
    found.set(key, lane);
    lane.members.add(operator);
    lane.time += spans.exclusive_ms[span];
    lane.spans.push(span);
  }
  const sorted = [...found.values()].sort((a, b) => b.time - a.time);
  const isCut = sorted.length > MOST_LANES;
  const own = isCut ? sorted.slice(0, MOST_LANES - 1) : sorted;
  const rest = sorted.slice(own.length);
  const short = shortNames(
    own.map(({ name }) => name),
    LETTERS,
  );
  const lanes = own.map(({ name, members, spans: ofLane }) => {
    const count = members.size > 1 ? ` x${members.size}` : "";
    return { name: name + count, title: short.get(name) + count, spans: ofLane };
  });
  if (isCut) {
    const name = `${rest.length} others`;
    lanes.push({ name, title: name, spans: rest.flatMap((lane) => lane.spans) });
  }
  return lanes.map((lane) => withReach({ ...lane, thread: 0, depth: 0 }, spans));
}
