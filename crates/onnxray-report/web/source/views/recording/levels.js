// Operators at each pruned level, by the page's own projection, for the charts and details of
// operators. The levels and perf ratios are those that the analyzer wrote into the page.

import { operatorsAtLevel, project } from "../../projection.js";
import { readInputs } from "../../projection_inputs.js";

const known = new WeakMap();
/** A page has levels where a projection was asked for. */
const NOTHING = { choices: [], fixed: () => undefined };

/**
 * The pruned levels of a report's operators.
 *
 * @returns {{why?: string, choices: import("./choices.js").Choice[],
 *   fixed: (row: number) => string | undefined}}
 *   `why` there are no levels, in words; `fixed` says why no target can change an operator
 */
export function levelsOf(report) {
  if (!known.has(report)) known.set(report, read(report));
  return known.get(report);
}

function read(report) {
  const block = report.block("projection");
  if (!block) return NOTHING;
  const inputs = readInputs(block);
  const { fixed } = inputs.operators;
  const { atLevels } = project(inputs, inputs.settings);
  // What sparse weights gain is unknown at every level alike.
  if (!atLevels.some(({ totals }) => totals.projectedTotal)) {
    const why = "Pruned levels are left out: the trace has no weights, so their gain is unknown.";
    return { ...NOTHING, why };
  }
  return {
    choices: atLevels.map((at) => choiceOf(inputs, at)),
    fixed: (row) => fixed[row] ?? undefined,
  };
}

/** A level of all weights, computed when it is first asked for. */
function choiceOf(inputs, { level, totals }) {
  let found;
  const at = () => (found ??= operatorsAtLevel(inputs, inputs.settings, level));
  const whole = totals.projectedTotal?.value;
  const numberAt = (row) => finite(at().projected.value[row]);
  return {
    level,
    key: `pruned ${level}`,
    title: `Pruned ${level} ms`,
    unit: "milliseconds",
    value: numberAt,
    share: (row) => {
      const value = numberAt(row);
      return value === undefined || !(whole > 0) ? undefined : value / whole;
    },
    whole: "of the model's latency at that level",
    ends: (row) => endsOf(at().projected, row),
    origin: (row) => at().origin[row] ?? undefined,
  };
}

function endsOf({ low, high }, row) {
  const ends = [finite(low[row]), finite(high[row])];
  return ends.includes(undefined) ? undefined : ends;
}

const finite = (value) => (Number.isFinite(value) ? value : undefined);
