// The sweet spot of a sweep is what a plain search finds, for any points and any threshold.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { web } from '../environment.mjs';
import { Random } from '../random.mjs';

export const question = 'the sweet spot within a threshold is the one of a plain search';

const CASES = 5_000;

const isKnown = (interval) => interval.low !== undefined && interval.high !== undefined;

/**
 * Whether `a` is better, in the words of docs/statistics.md: one whose throughput has an interval,
 * then throughput, then latency, then place.
 */
function isBetter(points, a, b) {
  const known = isKnown(points[a].throughput);
  if (known !== isKnown(points[b].throughput)) return known;
  if (points[a].perSecond !== points[b].perSecond) return points[a].perSecond > points[b].perSecond;
  if (points[a].latencyMs !== points[b].latencyMs) return points[a].latencyMs < points[b].latencyMs;
  return a < b;
}

function plainSearch(points, threshold) {
  const known = points.map((_, at) => at).filter((at) => points[at].latencyMs !== undefined && points[at].perSecond !== undefined);
  const within = known.filter((at) => threshold === undefined || points[at].latencyMs <= threshold);
  return within.find((at) => within.every((other) => other === at || isBetter(points, at, other)));
}

export default async function ({ say }) {
  const file = pathToFileURL(join(web, 'source/views/sweep/sweet_spot.js'));
  const { sweetSpot, bestLatency, attainable, mayBeSweetSpot } = await import(file);
  for (let seed = 1; seed <= CASES; seed += 1) {
    const random = new Random(seed);
    // Few values, so that many are equal; some unknown.
    const figure = () => (random.below(8) === 0 ? undefined : random.of([random.below(5), random.between(0, 5), 1e-9, 1e300]));
    const interval = () => random.of([{ low: undefined, high: undefined }, { low: 1, high: 2 }]);
    const points = Array.from({ length: random.below(12) }, () => ({ latencyMs: figure(), perSecond: figure(), latency: interval(), throughput: interval() }));
    const latencies = points.map((point) => point.latencyMs);
    const thresholds = [undefined, 0, Infinity, ...latencies, ...latencies.filter(Boolean).map((latency) => latency - 1e-12)];
    const what = `seed ${seed}: ${JSON.stringify(points)}`;
    for (const threshold of thresholds) assert.equal(sweetSpot(points, threshold), plainSearch(points, threshold), `${what} within ${threshold}`);
    const spot = sweetSpot(points, undefined);
    if (spot !== undefined) {
      const low = points[spot].throughput.low ?? points[spot].perSecond;
      const rivals = mayBeSweetSpot(points, spot, 2, (point) => points.indexOf(point) % 2 === 0);
      const plain = points.map((_, at) => at).filter((at) => {
        const { latencyMs, latency, perSecond, throughput } = points[at];
        if (at === spot || at % 2 === 1 || latencyMs === undefined || perSecond === undefined) return false;
        return !((latency.low ?? latencyMs) > 2) && !((throughput.high ?? perSecond) < low);
      });
      assert.deepEqual(rivals, plain, what);
    }
    const known = points.filter((point) => point.latencyMs !== undefined && point.perSecond !== undefined);
    const sure = known.filter((point) => isKnown(point.latency));
    const lowest = Math.min(...(sure.length > 0 ? sure : known).map((point) => point.latencyMs));
    const best = bestLatency(points);
    assert.equal(best === undefined ? Infinity : points[best].latencyMs, lowest, what);
    // The last step within any latency is the sweet spot there.
    const steps = attainable(points);
    for (const { latencyMs } of known) {
      const last = steps.filter((at) => points[at].latencyMs <= latencyMs).at(-1);
      assert.equal(last, plainSearch(points, latencyMs), what);
    }
  }
  say(`${CASES} sweeps`);
}
