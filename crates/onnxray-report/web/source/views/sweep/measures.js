// What a chart of a sweep draws upwards, by latency: throughput, of which more is better, or CPU
// time, of which less is.

import { oneOf } from "./points.js";
import { attainable, sweetSpot } from "./sweet_spot.js";

/**
 * @typedef {import("./points.js").Point} Point
 * @typedef {object} Measure
 * @property {(point: Point) => number | undefined} value
 * @property {(point: Point) => {low?: number, high?: number}} interval
 * @property {(point: Point) => boolean} isOnFront
 * @property {(points: Point[]) => number | undefined} best position of the best of a line
 * @property {(points: Point[]) => number[]} steps where the sweet spot goes with the threshold
 * @property {boolean} hasSpots whether sweet spots are marked
 * @property {string} title @property {string} axis @property {string} better
 */

/** @param {string} counted items or iterations @returns {Measure} */
export const throughput = (counted) => ({
  value: (point) => point.perSecond,
  interval: (point) => point.throughput,
  isOnFront: (point) => point.isOnFront,
  best: (points) => sweetSpot(points),
  steps: attainable,
  hasSpots: true,
  title: `Throughput (${counted}/s) by latency (ms)`,
  axis: `throughput, ${counted}/s`,
  better: "further up and further left is better",
});

/** @param {string} counted items or iterations @returns {Measure} */
export const cpuTime = (counted) => ({
  value: (point) => point.cpuTimeMs,
  interval: (point) => point.cpuTime,
  isOnFront: (point) => point.isOnCpuFront,
  best: leastCpuTime,
  steps: () => [],
  hasSpots: false,
  title: `CPU time of an ${oneOf(counted)} (ms) by latency (ms)`,
  axis: `CPU time, ms per ${oneOf(counted)}`,
  better: "further down and further left is better",
});

/** Of several, the first. */
function leastCpuTime(points) {
  let best;
  points.forEach((point, position) => {
    const isLess = best === undefined || point.cpuTimeMs < points[best].cpuTimeMs;
    if (point.cpuTimeMs !== undefined && isLess) best = position;
  });
  return best;
}
