// Which pages the questions are about: every kind, of the fixtures of every producer.
import { join } from 'node:path';
import { root } from './environment.mjs';
import { hostileTrace } from './traces/hostile.mjs';
import { recording } from './traces/recording.mjs';

const fixture = (name) => join(root, 'fixtures', name);
const fixtures = (folder, ...names) => names.map((name) => fixture(`${folder}/${name}`));

/** Recordings by name: their files and options. */
const RECORDINGS = new Map([
  ['chrome-trace', fixtures('chrome-trace/object', 'iterations.json')],
  ['chrome-trace-open', fixtures('chrome-trace/array', 'open.json')],
  ['guide', fixtures('guide', 'encoder')],
  ['guide-int8', fixtures('guide', 'encoder-int8')],
  ['neural-engine', fixtures('neural-engine/2023-09', 'profiling_2023-09-04_10-00-00_0.json')],
  ['neural-engine-long', fixtures('neural-engine/2023-09', 'long.json')],
  ['neural-engine-averages', fixtures('neural-engine/2022-08', 'profiling_0.csv')],
  ['neural-engine-operators', fixtures('neural-engine/spreadsheet', 'operators-only.csv')],
  ['onnxray', fixtures('onnxray/0.1.0', 'lstm-full-args.json')],
  ['onnxray-scan', fixtures('onnxray/0.1.0', 'scan.json')],
  ['onnxruntime-concurrent', fixtures('onnxruntime/1.31.1', 'concurrent.json')],
  [
    'onnxruntime',
    [...fixtures('onnxruntime/1.31.1', 'cnn.json'), '--model', fixture('models/cnn.onnx')],
  ],
  [
    'onnxruntime-int8',
    [...fixtures('onnxruntime/1.31.1', 'cnn-int8.json.gz'), '--model', fixture('models/cnn-int8.onnx')],
  ],
  ['onnxruntime-old', fixtures('onnxruntime/0.4', 'chain.json')],
  ['openvino', fixtures('openvino/2026.4.1', 'benchmark_detailed_counters_report.json')],
  ['openvino-averages', fixtures('openvino/2026.4.1', 'benchmark_average_counters_report.csv')],
  ['openvino-graph', fixtures('openvino/2026.4.1', 'execution_graph.xml')],
  ['pytorch', fixtures('pytorch/2.5.1', 'steps.json')],
  ['pytorch-ranks', fixtures('pytorch/2.5.1', 'rank-0.json', 'rank-1.json', 'rank-2.json')],
  ['tensorrt', fixtures('tensorrt/10.0', 'profile.json', 'layers.json', 'times.json')],
  ['tflite', fixtures('tflite/2.9', 'plain.csv')],
  ['tflite-delegate', fixtures('tflite/2.19', 'delegate.csv')],
  ['tract', fixtures('tract/0.23.9', 'cnn.json')],
]);

/** Comparisons by name: baseline, versions, options. */
const COMPARISONS = new Map([
  ['chrome-trace', [...fixtures('chrome-trace', 'object/iterations.json', 'array/open.json'), '--anyway']],
  ['guide', fixtures('guide', 'encoder', 'encoder-int8')],
  ['neural-engine', fixtures('neural-engine', '2022-08/profiling_0.csv', '2022-08/no-percent.csv')],
  ['onnxray', [...fixtures('onnxray/0.1.0', 'scan.json', 'lstm-full-args.json'), '--anyway']],
  ['onnxruntime', fixtures('onnxruntime/1.31.1', 'encoder.json.gz', 'encoder-int8.json.gz')],
  ['onnxruntime-several', fixtures('onnxruntime', '1.31.1/chain.json', '1.29.0/chain.json', '1.20.1/chain.json')],
  ['openvino', fixtures('openvino/2026.4.1', 'benchmark_detailed_counters_report.json', 'execution_graph.xml')],
  ['pytorch', fixtures('pytorch/2.5.1', 'rank-0.json', 'rank-1.json')],
  ['tensorrt', fixtures('tensorrt', '8.6/profile.json', '10.0/profile.json')],
  ['tflite', [...fixtures('tflite', '2.9/plain.csv', '2.19/delegate.csv'), '--anyway']],
  ['tract', [...fixtures('tract/0.23.9', 'cnn.json', 'scan.json'), '--anyway']],
]);

const LEVELS = 'model,launch,iteration,type,operator,resource';

/** A page: its file, which kind it is, and what JSON the same command prints. */
async function page(program, name, kind, write, ...print) {
  const file = join(program.folder, `${name}.html`);
  await program.succeed([...write, '--force', '-o', file]);
  const printed = [];
  for (const parameters of print) printed.push(await program.json(parameters));
  return { name, kind, file, printed };
}

/** The pages of a recording, and of its projection. */
function ofRecording(program, name, files) {
  const summary = ['summary', ...files, '--all', '--sort', 'execution', '--level', LEVELS];
  const project = ['project', ...files];
  const tables = ['--all', '--levels-table'];
  return [
    page(program, `report-${name}`, 'recording', ['report', ...files], summary),
    page(program, `project-${name}`, 'projection', project, [...project, ...tables]).then((page) => ({ ...page, files })),
  ];
}

/** A sweep and its page. */
async function ofSweep(program) {
  const models = ['cnn', 'cnn-int8'].map((name) => fixture(`models/${name}.onnx`));
  const axes = ['--batch-sizes', '1,2,4', '--iterations', '10', '--budget', '3s'];
  await program.succeed(['sweep', ...models, ...axes, '--project', 'swept', '--force']);
  const again = ['sweep', '--project', 'swept'];
  return page(program, 'sweep', 'sweep', again, again);
}

/** What pruning costs, and its page: printed and written by one command. */
async function ofLoss(program) {
  const file = join(program.folder, 'loss.html');
  const options = ['--levels', '0.5,0.9', '--save', 'loss.json', '--force', '-o', file];
  const printed = [await program.json(['loss', fixture('models/cnn.onnx'), ...options])];
  return { name: 'loss', kind: 'loss', file, printed };
}

/** Writes all pages, and says what there is. */
export async function makePages(program) {
  const large = await recording(join(program.folder, 'large.json'), { operators: 600, iterations: 40 });
  const hostile = await hostileTrace(program.folder);
  const recordings = [...RECORDINGS, ['large', [large]], ['hostile', [hostile]]];
  const compare = (name, sides) => page(program, `compare-${name}`, 'comparison', ['compare', ...sides], ['compare', ...sides, '--all']);
  return Promise.all([
    ...recordings.flatMap(([name, files]) => ofRecording(program, name, files)),
    ...[...COMPARISONS, ['hostile', [hostile, hostile]]].map(([name, sides]) => compare(name, sides)),
    ofSweep(program),
    ofLoss(program),
  ]);
}
