// From the time of A to that of B, cause by cause: where each bar of the waterfall begins and
// ends. Imports nothing.

/**
 * Steps of a waterfall. `causes` are differences in milliseconds; one that is unknown adds
 * nothing that could be drawn, and is counted.
 *
 * Returns `{ steps: [{ from, to }], end, unknown }` with a step for each cause (`undefined` for
 * an unknown one); `end` is where the last one arrives.
 */
export function waterfall(startMs, differencesMs) {
  let at = startMs;
  let unknown = 0;
  const steps = differencesMs.map((difference) => {
    if (difference === undefined) {
      unknown += 1;
      return undefined;
    }
    const from = at;
    at += difference;
    return { from, to: at };
  });
  return { steps, end: at, unknown };
}

/**
 * Whether what the causes add up to is what the whole differs by, to what rounding of sums of
 * that many terms leaves.
 */
export function addsUp(end, wholeMs, terms) {
  const scale = Math.max(Math.abs(end), Math.abs(wholeMs), Number.MIN_VALUE);
  return Math.abs(end - wholeMs) <= scale * Number.EPSILON * 8 * (terms + 1) + 1e-9;
}
