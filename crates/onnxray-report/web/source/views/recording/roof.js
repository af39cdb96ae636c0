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
 * The peak rates that were measured when the model was recorded.
 *
 * @returns {{compute?: number, memory?: number, levels: {name: string, rate: number}[]}} of fp32 in
 *   GFLOP/s; of memory, and of each cache, in GB/s
 */
export function recordedOf(report) {
  const table = report.table("roofs");
  /** @type {{compute?: number, memory?: number, levels: {name: string, rate: number}[]}} */
  const recorded = { levels: [] };
  for (let row = 0; row < (table?.rows ?? 0); row += 1) {
    const [name, rate] = [table.text("roof", row), table.number("rate", row)];
    if (!(rate > 0)) continue;
    if (table.text("unit", row) === "GB/s") recorded.levels.push({ name, rate });
    else if (name === "fp32") recorded.compute = rate;
  }
  recorded.memory = recorded.levels.find(({ name }) => name === "memory")?.rate;
  recorded.levels = recorded.levels.filter(({ name }) => name !== "memory");
  return recorded;
}

/**
 * The roof: what was typed in, what was measured when the model was recorded, or else the best of
 * the operators.
 *
 * @param {Point[]} points
 * @param {{compute?: number, memory?: number}} typed GFLOP/s and GB/s
 * @param {{compute?: number, memory?: number}} recorded as of `recordedOf`
 * @returns {{compute: number, memory: number, ridge: number, best: {compute: Point, memory: Point}}}
 */
export function roofOf(points, typed, recorded) {
  const bandwidth = ({ rate, intensity }) => rate / intensity;
  const best = (of) =>
    points.reduce((highest, point) => (of(point) > of(highest) ? point : highest));
  const fastest = best(({ rate }) => rate);
  const widest = best(bandwidth);
  const compute = typed.compute ?? recorded.compute ?? fastest.rate;
  const memory = typed.memory ?? recorded.memory ?? bandwidth(widest);
  return { compute, memory, ridge: compute / memory, best: { compute: fastest, memory: widest } };
}

/** The share of its roof that an operator reaches: as recorded, unless a peak was typed in. */
export function shareOf(operators, { row, rate, intensity }, roof, typed) {
  const recorded = operators.number("roof_share", row);
  const isRecorded = recorded !== undefined && !typed.compute && !typed.memory;
  return isRecorded ? recorded : rate / heightAt(roof, intensity);
}

/** How high the roof is above an intensity, in GFLOP/s. */
export const heightAt = ({ compute, memory }, intensity) => Math.min(compute, memory * intensity);
