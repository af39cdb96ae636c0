// Writes recordings of models that nobody has: as many operators and iterations as wanted,
// of every kind that a page has to draw, under any names.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { Random } from '../random.mjs';

const TYPES = ['MatMul', 'Conv', 'Gemm', 'Add', 'Softmax', 'Gelu', 'LayerNormalization'];
const WEIGHTED = new Set(['MatMul', 'Conv', 'Gemm']);
const SIDES = [64, 128, 256];
const BLOCKS = ['1x1', '4x1', '1x4', '1x16', '4x16'];

/** What is known of an operator; a third has no weight, a seventh no known cost. */
function factsOf(number, { name, type, tensor }, random) {
  const [outputs, inputs] = [random.of(SIDES), random.of(SIDES)];
  const facts = {
    name,
    type,
    number,
    nodes: [name],
    kernel: `Opt${type}`,
    executions: 1,
    parameters: 0,
    sparse_support: false,
    inputs: [{ name: tensor, shape: [1, inputs], type: 'fp32' }],
    outputs: [{ name: `${tensor}:out`, shape: [1, outputs], type: 'fp32' }],
  };
  if (number % 7 !== 3) Object.assign(facts, { flops: 2 * inputs * outputs, bytes: 4 * inputs * outputs });
  if (WEIGHTED.has(type) || number % 5 === 0) {
    const sparseRatios = BLOCKS.map((block) => ({ block, ratio: 0 }));
    const weight = { name: `${tensor}.weight`, inputs, outputs, type: 'fp32', stored_shape: [inputs, outputs], sparse_ratios: sparseRatios };
    Object.assign(facts, { sparse_support: true, parameters: inputs * outputs, weight });
  }
  return facts;
}

function named(number) {
  const type = TYPES[number % TYPES.length];
  return { name: `/layer.${number}/${type}`, type, tensor: `tensor.${number}` };
}

/**
 * Writes a recording into a file, and returns its name. `names` says what operators are called
 * by their numbers: `{ name, type, tensor }`.
 */
export async function recording(file, { operators, iterations, names = named, model = 'model.onnx', seed = 1 }) {
  const random = new Random(seed);
  const out = createWriteStream(file);
  const write = async (text) => void (out.write(text) || (await once(out, 'drain')));
  const run = {
    batch_size: 4, clock: 'monotonic', clock_resolution: 32, cpu: 'none', engine: 'tract', engine_version: '0',
    folded_nodes: [], format_version: 1, host: 'none', inputs: 'random, seed 1', isa: 'AVX2', launch: 0,
    launches_planned: 1, model, parameters: 1000, process: 1, producer: 'onnxray 0.1.0', profile: 'baseline',
    recording: 'made', threads: 1, warmup_iterations: 1,
  };
  const list = Array.from({ length: operators }, (_, number) => factsOf(number, names(number), random));
  const typical = list.map(() => 1 + random.unit() ** 6 * 500);
  await write(`${JSON.stringify({ displayTimeUnit: 'ns', otherData: run }).slice(0, -1)},"traceEvents":[\n`);
  const event = (name, category, start, duration, parameters) =>
    `{"name":${JSON.stringify(name)},"cat":${JSON.stringify(category)},"ph":"X","pid":1,"tid":1,` +
    `"ts":${start.toFixed(3)},"dur":${duration.toFixed(3)},"args":${JSON.stringify(parameters)}},\n`;
  let clock = 1000;
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const begin = clock;
    let text = '';
    for (const [number, facts] of list.entries()) {
      const duration = typical[number] * (0.9 + 0.2 * random.unit());
      text += event(facts.name, facts.type, clock + 0.1, duration, iteration === 0 ? { op: number, facts } : { op: number });
      clock += duration + 0.3;
    }
    clock += 5 + random.below(10);
    text += event(`Iteration${iteration}`, 'iteration', begin, clock - begin, { iteration });
    await write(text);
    clock += 20;
  }
  await write(event('model_inference', 'inference', 900, clock - 900, {}).slice(0, -2));
  out.end(`\n],"idleOperators":[],"completed":{"iterations":${iterations},"events":${operators * iterations}}}\n`);
  await once(out, 'close');
  return file;
}
