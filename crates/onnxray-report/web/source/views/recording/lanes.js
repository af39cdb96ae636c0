// The spans of one iteration as lanes: a lane for each thread and depth, spans in the order
// in which they start. Answers what lies in a stretch of time, and what lies at a point.

/**
 * @typedef {object} Lane
 * @property {number} thread number of the thread
 * @property {string} name of the thread
 * @property {string} [title] the name made short
 * @property {number} depth 0 for spans that no other span of the thread encloses
 * @property {number[]} spans indexes of its spans, by start
 * @property {Float64Array} reach the latest end of all spans up to each
 */

/** The lanes of an iteration, by thread and then by depth. */
export function lanesOf({ threads, spans }) {
  const lanes = new Map();
  for (let span = 0; span < spans.start_ms.length; span += 1) {
    const [thread, depth] = [spans.thread[span], spans.depth[span]];
    const key = `${thread}/${depth}`;
    if (!lanes.has(key)) {
      const name = String(threads[thread] ?? `thread ${thread}`);
      lanes.set(key, { thread, name, depth, spans: [] });
    }
    lanes.get(key).spans.push(span);
  }
  const sorted = [...lanes.values()].sort((a, b) => a.thread - b.thread || a.depth - b.depth);
  return sorted.map((lane) => withReach(lane, spans));
}

/** A lane with its spans by their start, and how far they reach. */
export function withReach(lane, spans) {
  lane.spans.sort((a, b) => spans.start_ms[a] - spans.start_ms[b] || a - b);
  let latest = -Infinity;
  lane.reach = Float64Array.from(
    lane.spans,
    (span) => (latest = Math.max(latest, endOf(spans, span))),
  );
  return lane;
}

/** When a span ends. */
export const endOf = (spans, span) => spans.start_ms[span] + spans.duration_ms[span];

/** Place in a lane of the first span that reaches beyond `time`. */
export function firstBeyond(lane, time) {
  let [low, high] = [0, lane.reach.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.reach[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Place in a lane of the span that is nearest to `time`; spans around it are nearest. */
export function nearestIn(lane, spans, time) {
  const place = firstBeyond(lane, time);
  const distance = (at) => {
    const span = lane.spans[at];
    return Math.max(spans.start_ms[span] - time, time - endOf(spans, span), 0);
  };
  const candidates = [place - 1, place, place + 1].filter((at) => lane.spans[at] !== undefined);
  return candidates.reduce(
    (best, at) => (distance(at) < distance(best) ? at : best),
    candidates[0],
  );
}

/** How many shades tell apart how much of a pixel is covered. */
const SHADES = 8;

/**
 * What to draw of a lane between two times on `width` pixels: spans of a pixel or more as
 * they are; thinner ones together, pixel by pixel, with how much of each pixel they cover.
 * So a lane of any number of spans has at most this many marks as it has pixels, and gaps
 * between spans that nobody could see apart still make it paler.
 *
 * @param {(span: number) => boolean} isFound whether a search found the span: runs with such
 *   a span stand apart from those without
 * @typedef {{left: number, right: number, cover: number, span: number, found: boolean}} Run from
 *   where to where in pixels, the part of them that it covers, the longest of its spans, and
 *   whether one of them was found
 * @returns {{spans: number[], runs: Run[]}}
 */
export function marksIn(lane, spans, [from, to], width, isFound = () => false) {
  const scale = width / (to - from);
  /** @type {{spans: number[], runs: Run[]}} */
  const found = { spans: [], runs: [] };
  /** @type {{at: number, covered: number, span: number, found: boolean}|undefined} */
  let pixel;
  const flush = () => {
    if (pixel) addPixel(found.runs, pixel, spans);
    pixel = undefined;
  };
  const cover = (at, share, span) => {
    if (at < 0 || at >= width) return;
    if (!pixel || pixel.at !== at) {
      flush();
      pixel = { at, covered: 0, span, found: false };
    }
    pixel.covered += share;
    pixel.found ||= isFound(span);
    if (spans.duration_ms[span] > spans.duration_ms[pixel.span]) pixel.span = span;
  };
  for (let at = firstBeyond(lane, from); at < lane.spans.length; at += 1) {
    const span = lane.spans[at];
    if (spans.start_ms[span] >= to) break;
    const left = (spans.start_ms[span] - from) * scale;
    const right = (endOf(spans, span) - from) * scale;
    if (right - left >= 1) {
      found.spans.push(span);
      continue;
    }
    const [first, last] = [Math.floor(left), Math.floor(right)];
    cover(first, Math.min(right, first + 1) - left, span);
    if (last > first && right > last) cover(last, right - last, span);
  }
  flush();
  return found;
}

/** Adds a pixel to the runs: to the last one if it looks the same and touches it. */
function addPixel(runs, { at, covered, span, found }, spans) {
  const cover = Math.min(Math.max(Math.ceil(covered * SHADES), 1), SHADES) / SHADES;
  const last = runs.at(-1);
  const looksAlike =
    last?.cover === cover && last.found === found && spans.type[last.span] === spans.type[span];
  if (looksAlike && last.right === at) last.right = at + 1;
  else runs.push({ left: at, right: at + 1, cover, span, found });
}

/** The stretches of an iteration in which no span of any thread runs: its overhead. */
export function gapsOf({ spans, latency_ms: latency }) {
  const order = Array.from(spans.start_ms.keys()).sort(
    (a, b) => spans.start_ms[a] - spans.start_ms[b],
  );
  const gaps = [];
  let covered = 0;
  for (const span of order) {
    if (spans.start_ms[span] > covered)
      gaps.push([covered, Math.min(spans.start_ms[span], latency)]);
    covered = Math.max(covered, endOf(spans, span));
    if (covered >= latency) break;
  }
  if (covered < latency) gaps.push([covered, latency]);
  return gaps;
}
