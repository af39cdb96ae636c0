// Which point of a sweep is best within a latency threshold, as docs/statistics.md#sweet-spot
// defines it. Imports nothing and touches no page, so that a test can hold it to a plain search.
//
// A point is `{ latencyMs, perSecond }`; a figure that is unknown is `undefined`, and a point
// without one of the two is never chosen.

/**
 * Position of the point of the highest throughput among those whose latency is at most the
 * threshold; `undefined` for none. Of several with the same throughput, the one with the lower
 * latency, then the first. Without a threshold (`undefined`) all points are within it.
 */
export function sweetSpot(points, thresholdMs) {
  const isWithin = (point) => thresholdMs === undefined || point.latencyMs <= thresholdMs;
  return first(points, isWithin, hasMoreThroughput);
}

/**
 * Position of the point of the lowest latency; of several the one with the higher throughput,
 * then the first. It is the nearest one where no point is within a threshold.
 */
export function bestLatency(points) {
  return first(points, () => true, hasLessLatency);
}

/**
 * The highest throughput within each latency, as steps from the lowest latency on: positions of
 * the points at which it rises.
 */
export function attainable(points) {
  const byLatency = positions(points).sort((a, b) => {
    if (hasLessLatency(points[a], points[b])) return -1;
    return hasLessLatency(points[b], points[a]) ? 1 : a - b;
  });
  let most = -Infinity;
  return byLatency.filter((position) => {
    const rises = points[position].perSecond > most;
    if (rises) most = points[position].perSecond;
    return rises;
  });
}

/** Positions of the points whose figures are both known. */
function positions(points) {
  const isKnown = (value) => typeof value === "number" && !Number.isNaN(value);
  return [...points.keys()].filter(
    (position) => isKnown(points[position].latencyMs) && isKnown(points[position].perSecond),
  );
}

/** The first that no other one goes before. */
function first(points, isMeant, goesBefore) {
  let best;
  for (const position of positions(points)) {
    if (!isMeant(points[position])) continue;
    if (best === undefined || goesBefore(points[position], points[best])) best = position;
  }
  return best;
}

function hasMoreThroughput(a, b) {
  return a.perSecond > b.perSecond || (a.perSecond === b.perSecond && a.latencyMs < b.latencyMs);
}

function hasLessLatency(a, b) {
  return a.latencyMs < b.latencyMs || (a.latencyMs === b.latencyMs && a.perSecond > b.perSecond);
}
