// The whole model, and its operator types, with every weight at one level: a row for each level,
// in the order of the settings.

import { element } from "../../dom.js";
import { RECORDED } from "../../perf_ratios.js";
import { levelText } from "./entries.js";

/** What the model as it was recorded is called. */
export const BASELINE = "baseline";

/** The baseline and the levels, in the order of the settings. */
export function levelRows({ projection }) {
  const dense = {
    name: BASELINE,
    total: projection.totals.total,
    types: projection.types.latency,
    origin: RECORDED,
  };
  return [
    dense,
    ...projection.atLevels.map(({ level, totals, types, origin }) => ({
      name: levelText(level),
      level,
      total: totals.projectedTotal,
      speedup: totals.speedup,
      types: types.projected,
      origin,
    })),
  ];
}

/** What the level with the least latency comes to; of equal ones the lowest. */
export function bestLevel(session) {
  const [dense, ...others] = levelRows(session);
  const known = others
    .filter(({ total }) => total !== null)
    .sort((one, other) => one.level - other.level);
  const least = known.reduce(
    (one, other) => (other.total.value < one.total.value ? other : one),
    known[0],
  );
  const latency = {
    before: dense.total,
    after: least?.total ?? null,
    unit: "milliseconds",
    suffix: " ms",
  };
  if (!least) return { figures: [{ ...latency, heading: "Total latency" }], origin: dense.origin };
  const speedup = { heading: "Speedup", after: least.speedup, unit: "number", suffix: "×" };
  return {
    figures: [{ ...latency, heading: `All weights at ${least.name}` }, speedup],
    origin: least.origin,
  };
}

/** The word for rows of no level, which the analyzer leaves blank. */
export function baselineIn(table) {
  const words = new Map();
  return (key, row) => {
    if (key !== "sparse_ratio" || table.cell(key, row) !== false) return undefined;
    if (!words.has(row)) words.set(row, element("span", { dataset: { value: "" } }, BASELINE));
    return words.get(row);
  };
}
