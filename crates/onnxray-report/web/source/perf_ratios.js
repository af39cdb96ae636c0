// Perf ratios at a level, and which cells of the setting they rest on. It imports nothing.

/** Two sparsities that differ by less are the same. */
export const SAME_LEVEL = 1e-9;

/** Bits of what a figure rests on: perf ratios that are given, defaults, or measured. */
const BITS = { given: 1, default: 2, measured: 4 };
const ORIGINS = [
  "recorded", "given", "default, not measured", "given and default",
  "measured", "measured and given", "measured and default", "measured, given and default",
];
/** What a figure rests on that no perf ratio has a part in. */
export const RECORDED = ORIGINS[0];
export const originText = (origins) => ORIGINS[origins];
/** Words for a cell that has a perf ratio. */
export const originOf = (origin) => originText(BITS[origin]);
export const EXACTLY_1 = { value: 1, low: 1, high: 1, origins: 0, origin: ORIGINS[0] };
export const UNKNOWN = { value: NaN, low: NaN, high: NaN, origins: 0, origin: null };

const belowAll = (key) => `below all levels (${key})`;
/** Of a ratio of 1 that nobody gave. */
export const BELOW_BY_DEFAULT = belowAll("default");

/**
 * Whether layers of a row were measured, and multiply by their zeros, so that no target changes
 * them: each perf ratio is 1, without an interval.
 */
export const multipliesZeros = ({ weightShape, points, others }) =>
  weightShape !== "not pruned" && others === 1 && points.length > 0 && points.every(({ value, low, high, origin }) =>
    origin === "measured" && value === 1 && low === 1 && high === 1);

/** A level in percent, without the dust of binary fractions. */
export const percent = (level) => Math.round(level * 1e8) / 1e6;

/** The perf ratio of a row at a level; `origin` says in words which cells it rests on. */
export function perfRatio({ points, others }, level) {
  let above = 0;
  while (above < points.length && points[above].level <= level + SAME_LEVEL) above += 1;
  const below = points[above - 1], next = points[above];
  if (below === undefined) {
    const exact = { value: others, low: others, high: others };
    if (next === undefined && others === 1) return EXACTLY_1;
    const key = others === 1 ? "default" : "given";
    return { ...exact, origins: BITS[key], origin: belowAll(key) };
  }
  const known = ({ level, origin }) => `${percent(level)} % (${origin})`;
  const at = Math.abs(level - below.level) < SAME_LEVEL;
  const between = !at && next !== undefined;
  let origins = BITS[below.origin], origin = originText(origins);
  if (between) {
    origins |= BITS[next.origin];
    origin = `between ${known(below)} and ${known(next)}`;
  } else if (!at) {
    origin = `as at ${known(below)}`;
  }
  if (next === undefined) {
    const { value, low, high } = below;
    return { value, low, high, origins, origin };
  }
  const fraction = (level - below.level) / (next.level - below.level);
  const on = (from, to) => from + fraction * (to - from);
  const value = on(below.value, next.value);
  return { value, low: on(below.low, next.low), high: on(below.high, next.high), origins, origin };
}
