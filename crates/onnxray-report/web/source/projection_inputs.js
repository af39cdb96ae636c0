// The measured side of a projection, read from the page's data into columns, and its
// settings as they were when the page was made.
//
// Unknown numbers are NaN in columns and null elsewhere.

/**
 * @typedef {{value: number, low: number, high: number}} Estimate
 *     A figure and its ends; they equal it where nothing is known of how far it is off.
 * @typedef {{value: Float64Array, low: Float64Array, high: Float64Array}} Estimates
 *     A column of them.
 *
 * @typedef {object} Settings  What can be edited. Nothing changes it: edits make another
 *     one (settings.js), and undoing takes the earlier one.
 * @property {string} block  Shape of zero blocks; not to be edited.
 * @property {number[]} levels  Sparsities with a column, from 0 to 1.
 * @property {boolean} defaultRatios
 * @property {RatioRow[]} ratios  Their number, order and keys stay as they are.
 * @property {string} measuredOn  Where measured ratios are from, as JSON; empty if there are none.
 * @property {{model: number|null, types: NamedLevel[], operators: NamedLevel[]}} targets
 * @property {{budget: number, minimum: number, maximum: number, balance: number, max_loss: number|null,
 *     first: boolean, grouped: boolean, overrides: NamedLevel[],
 *     sensitivities: {layer: string, points: [number, number][]}[]}} plan
 *
 * @typedef {object} RatioRow  Perf ratios of an operator type, weight shape and element type.
 * @property {string} weightShape
 * @property {string|null} operatorType  All if null.
 * @property {string|null} dataType
 * @property {string} block
 * @property {number} operators  How many look their ratio up here.
 * @property {number} others  The perf ratio below all levels.
 * @property {Point[]} points  In ascending order of levels, each at least 1e-9 apart.
 * @typedef {{level: number, value: number, low: number, high: number,
 *     origin: "given"|"measured"|"default"}} Point
 * @typedef {{name: string, at: number, level: number}} NamedLevel  `at` is the first type, or
 *     operator, of this name; -1 if the model has none. Of two for one name the last holds.
 *
 * @typedef {object} Inputs  What was measured, in columns by operator, type and layer.
 * @property {"iteration"|"trace"} basis  What latencies are of.
 * @property {boolean} latencyEnds  Whether it is known how far latencies may be off.
 * @property {number} concurrent  ms
 * @property {Estimate|null} overhead  ms
 * @property {number|null} batchSize
 * @property {number|null} parameters  Of the model.
 * @property {number} defaultTarget
 * @property {{text: string, meaning: string}[]} outcomes  What the words mean.
 * @property {{latency: Estimates, known: Uint8Array, supported: Uint8Array,
 *     weightUnknown: Uint8Array, sparseRatio: Float64Array, fixed: (string|null)[],
 *     notPruned: Uint8Array, elements: Float64Array, type: Int32Array, row: Int32Array,
 *     sameName: Int32Array, flops: Float64Array}} operators
 *     In order of execution, as in the table `projected_operators`. `fixed` says why no target
 *     can change an operator, and is null if one can: then it has a `row` of ratios, and `elements` of
 *     its weight. What is `notPruned` may have one for the mean sparsity of all weights.
 * @property {{name: string[], operators: Int32Array, settable: Int32Array,
 *     sameName: Int32Array, flops: Float64Array}} types  As in `projected_types`. `sameName` is the first
 *     one of its name, upper and lower case the same; so in all columns of this name.
 * @property {{operator: Int32Array, parameters: Float64Array, sameWeight: Int32Array,
 *     exclusion: (string|null)[], planned: Float64Array, reached: boolean}} layers  As in
 *     `planned_layers`; `exclusion` is why a layer is left dense unless its level is fixed, `reached`
 *     whether the plan keeps its budget or loss.
 * @property {Settings} settings  As they were when the page was made.
 */

/** Why an operator keeps its latency but for what products before it leave in the caches. */
const NOT_PRUNED = new Set(["no constant weight", "no sparse support", "multiplies by its zeros"]);

const numbers = (values) => Float64Array.from(values, (value) => value ?? NaN);

/**
 * @param {any} block  The block `projection` of the page's data.
 * @returns {Inputs}
 */
export function readInputs(block) {
  const outcomes = block.outcomes;
  const { operators, types, layers } = block;
  const fixed = operators.fixed.map((outcome) => (outcome < 0 ? null : outcomes[outcome].text));
  const type = Int32Array.from(operators.type);
  const settable = new Int32Array(types.name.length);
  type.forEach((at, n) => {
    if (fixed[n] === null) settable[at] += 1;
  });
  return {
    basis: block.basis,
    latencyEnds: block.latency_ends,
    concurrent: block.concurrent_ms,
    overhead: block.overhead_ms,
    batchSize: block.batch_size,
    parameters: block.parameters,
    defaultTarget: block.default_target,
    outcomes,
    operators: {
      latency: {
        value: numbers(operators.latency_ms),
        low: numbers(operators.latency_low_ms),
        high: numbers(operators.latency_high_ms),
      },
      known: Uint8Array.from(operators.latency_ms, (value) => Number(value !== null)),
      supported: Uint8Array.from(operators.sparse_support),
      weightUnknown: Uint8Array.from(fixed, (outcome) => Number(outcome === "weight unknown")),
      sparseRatio: numbers(operators.sparse_ratio),
      fixed,
      notPruned: Uint8Array.from(fixed, (outcome) => Number(NOT_PRUNED.has(outcome))),
      elements: Float64Array.from(operators.elements),
      type,
      row: Int32Array.from(operators.row),
      sameName: Int32Array.from(operators.same_name),
      flops: numbers(operators.flops),
    },
    types: {
      name: types.name,
      operators: Int32Array.from(types.operators),
      settable,
      sameName: Int32Array.from(types.same_name),
      flops: numbers(types.flops),
    },
    layers: {
      operator: Int32Array.from(layers.operator),
      parameters: numbers(layers.parameters),
      sameWeight: Int32Array.from(layers.same_weight),
      exclusion: layers.exclusion,
      planned: numbers(layers.planned),
      reached: layers.reached,
    },
    settings: settingsOf(block.settings),
  };
}

/** @returns {Settings} */
function settingsOf({ block, levels, default_ratios: defaultRatios, ratios, targets, plan, measured_on: measuredOn }) {
  const named = ({ name, at, level }) => name.map((text, n) => ({ name: text, at: at[n], level: level[n] }));
  const row = (known) => ({
    weightShape: known.weight_shape,
    operatorType: known.operator_type,
    dataType: known.data_type,
    block: known.block,
    operators: known.operators,
    others: known.others,
    points: known.points.map(([level, value, low, high, origin]) => ({ level, value, low, high, origin })),
  });
  const { model, types, operators } = targets;
  return {
    block,
    levels,
    defaultRatios,
    ratios: ratios.map(row),
    measuredOn,
    targets: { model, types: named(types), operators: named(operators) },
    plan: { ...plan, overrides: named(plan.overrides) },
  };
}
