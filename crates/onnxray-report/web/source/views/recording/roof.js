// The roofline of a machine over the operators of a model: which of them have a place in it,
// and how high the roof is.

/**
 * @typedef {object} Point an operator of which FLOPs, bytes and time are known
 * @property {number} row
 * @property {number} intensity FLOPs per byte
 * @property {number} rate GFLOP/s
 */

/**
 * The operators that have a place in a roofline, those with most time first, and why the
 * others have none.
 *
 * @returns {{points: Point[], absent: [number, string][]}}
 */
export function pointsOf(operators, timeKey) {
  const points = [];
  const reasons = new Map();
  for (let row = 0; row < operators.rows; row += 1) {
    const [flops, bytes, rate] = ["flops", "bytes", "gflops_per_second"].map((key) =>
      operators.number(key, row),
    );
    const reason = reasonOf(flops, bytes, rate);
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else points.push({ row, intensity: flops / bytes, rate });
  }
  const time = ({ row }) => operators.number(timeKey, row) ?? 0;
  points.sort((a, b) => time(b) - time(a) || a.row - b.row);
  return { points, absent: [...reasons].map(([reason, number]) => [number, reason]) };
}

/** Why an operator has no place on two logarithmic axes; `undefined` if it has one. */
function reasonOf(flops, bytes, rate) {
  if (flops === undefined) return "unknown FLOPs";
  if (flops <= 0) return "no FLOPs, and 0 has no place on a logarithmic scale";
  if (bytes === undefined) return "unknown bytes";
  if (bytes <= 0) return "no bytes";
  return rate > 0 ? undefined : "unknown time";
}

/**
 * The roof: what was typed in, or else the best of what was measured.
 *
 * @param {Point[]} points
 * @param {{compute?: number, memory?: number}} typed GFLOP/s and GB/s
 * @returns {{compute: number, memory: number, ridge: number, best: {compute: Point, memory: Point}}}
 */
export function roofOf(points, typed) {
  const bandwidth = ({ rate, intensity }) => rate / intensity;
  const best = (of) =>
    points.reduce((highest, point) => (of(point) > of(highest) ? point : highest));
  const fastest = best(({ rate }) => rate);
  const widest = best(bandwidth);
  const compute = typed.compute ?? fastest.rate;
  const memory = typed.memory ?? bandwidth(widest);
  return { compute, memory, ridge: compute / memory, best: { compute: fastest, memory: widest } };
}

/** How high the roof is above an intensity, in GFLOP/s. */
export const heightAt = ({ compute, memory }, intensity) => Math.min(compute, memory * intensity);
