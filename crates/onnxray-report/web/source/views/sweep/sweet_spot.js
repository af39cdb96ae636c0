// Which point of a sweep is best within a latency threshold, as docs/statistics.md#sweet-spot
// defines it. Imports nothing and touches no page, so that a test can hold it to a plain search.
//
// A point is `{ latencyMs, perSecond, latency, throughput }`, the last two intervals `{ low, high }`;
// a figure or an end that is unknown is `undefined`, and a point without one of the two figures is
// never chosen. One without an interval of what decides comes after all that have one.

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
 * Positions of the others on the front that are not shown to be above the threshold, nor to have a
 * lower throughput than the point at `spot`.
 */
export function mayBeSweetSpot(points, spot, thresholdMs, isOnFront) {
  const lowest = points[spot].throughput?.low ?? points[spot].perSecond;
  return positions(points).filter((position) => {
    const { latencyMs, latency, perSecond, throughput } = points[position];
    const mayBeWithin = thresholdMs === undefined || (latency?.low ?? latencyMs) <= thresholdMs;
    const mayBeAsFast = (throughput?.high ?? perSecond) >= lowest;
    return position !== spot && isOnFront(points[position]) && mayBeWithin && mayBeAsFast;
  });
}

/**
 * Position of the point of the lowest latency; of several the one with the higher throughput,
 * then the first. It is the nearest one where no point is within a threshold.
 */
export function bestLatency(points) {
  return first(points, () => true, hasLessLatency);
}

/**
 * Where the sweet spot goes as the threshold rises, as steps from the lowest latency on: positions
 * of the points that it moves to.
 */
export function attainable(points) {
  const byLatency = positions(points).sort((a, b) => {
    const [one, other] = [points[a], points[b]];
    if (one.latencyMs !== other.latencyMs) return one.latencyMs - other.latencyMs;
    if (hasMoreThroughput(one, other)) return -1;
    return hasMoreThroughput(other, one) ? 1 : a - b;
  });
  let best;
  return byLatency.filter((position) => {
    const moves = best === undefined || hasMoreThroughput(points[position], points[best]);
    if (moves) best = position;
    return moves;
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

const isKnown = (interval) => interval?.low !== undefined && interval?.high !== undefined;

function hasMoreThroughput(a, b) {
  const [known, other] = [isKnown(a.throughput), isKnown(b.throughput)];
  if (known !== other) return known;
  return a.perSecond > b.perSecond || (a.perSecond === b.perSecond && a.latencyMs < b.latencyMs);
}

function hasLessLatency(a, b) {
  const [known, other] = [isKnown(a.latency), isKnown(b.latency)];
  if (known !== other) return known;
  return a.latencyMs < b.latencyMs || (a.latencyMs === b.latencyMs && a.perSecond > b.perSecond);
}
