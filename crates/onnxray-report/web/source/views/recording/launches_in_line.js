// Where iterations stand along the axis of a chart: launches one after the other, each with
// its own clock, and what lies far from the rest.

import { tukeyFences } from "./tukey_fences.js";

/** Part of a launch's length that stays free behind it. */
const GAP = 0.04;

/**
 * @typedef {object} Launch
 * @property {number} launch its number
 * @property {number} from where it begins on the axis
 * @property {number} to where it ends
 * @property {number[] | undefined} fences of the latencies of its measured iterations
 * @property {number[]} recorded rows of its warm-up and measured iterations, as they ran
 */

/**
 * Puts the rows of the table of iterations in line.
 *
 * @returns {{launches: Launch[], rows: number[], places: Float64Array, latencies: Float64Array,
 *   unplaced: number}}
 *   `rows` from left to right, `places` by row; iterations without a start or a latency have
 *   no place and are counted
 */
export function launchesInLine(table) {
  const known = [];
  const [starts, latencies] = ["start_ms", "latency_ms"].map((key) => numbersOf(table, key));
  for (let row = 0; row < table.rows; row += 1) {
    if (Number.isFinite(starts[row]) && Number.isFinite(latencies[row])) known.push(row);
  }
  const groups = new Map();
  for (const row of known) {
    const launch = table.number("launch", row) ?? 0;
    if (!groups.has(launch)) groups.set(launch, []);
    groups.get(launch).push(row);
  }
  const sorted = [...groups].sort(([a], [b]) => a - b);
  for (const [, rows] of sorted) rows.sort((a, b) => starts[a] - starts[b]);
  const lengths = sorted.map(
    ([, rows]) => starts[rows.at(-1)] + latencies[rows.at(-1)] - starts[rows[0]],
  );
  const round = roundStep(Math.max(...lengths, 0));
  const places = new Float64Array(table.rows).fill(NaN);
  const rows = [];
  let next = 0;
  const launches = sorted.map(([launch, own], at) => {
    const offset = next - starts[own[0]];
    for (const row of own) {
      places[row] = starts[row] + offset;
      rows.push(row);
    }
    const recorded = own.filter((row) => table.text("kind", row) !== "plain");
    const measured = recorded.filter((row) => table.text("kind", row) === "measured");
    const fences = tukeyFences(measured.map((row) => latencies[row]));
    const [from, to] = [next, next + lengths[at]];
    // A whole number of round steps, so that round numbers on the axis are round in each launch.
    next = Math.ceil((to + lengths[at] * GAP) / round) * round;
    return { launch, from, to, fences, recorded };
  });
  return { launches, rows, places, latencies, unplaced: table.rows - known.length };
}

/** The launch at a place of the axis: the last one that has begun there. */
export function launchAt(launches, place) {
  return launches.findLast((launch) => launch.from <= place) ?? launches[0];
}

/** A power of ten of which a length holds ten or more. */
function roundStep(length) {
  return length > 0 ? 10 ** Math.floor(Math.log10(length / 10)) : 1;
}

function numbersOf(table, key) {
  return Float64Array.from({ length: table.rows }, (_, row) => table.number(key, row) ?? NaN);
}
