// Which iterations lie far from the rest: beyond Tukey's far fences, as in
// docs/statistics.md#typical-time.

/** Fewer values have no quartiles worth the name. */
const FEWEST = 4;
/** Distances between the quartiles from the nearer quartile to a far fence. */
const FAR = 3;

/** The far fences of some values, `undefined` with fewer than four. */
export function tukeyFences(values) {
  if (values.length < FEWEST) return undefined;
  const sorted = Float64Array.from(values).sort();
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = FAR * (upper - lower);
  return [lower - reach, upper + reach];
}

/** A quantile of sorted values, interpolated linearly. */
export function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.min(Math.floor(place) + 1, sorted.length - 1)];
  return below + (above - below) * (place - Math.floor(place));
}
