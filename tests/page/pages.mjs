// Which pages the questions are about: every kind, of the fixtures of every producer.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Missing, root } from './environment.mjs';
import { recorded, slowed } from './recordings.mjs';
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
  ['pytorch-devices', fixtures('pytorch/2.5.1', 'cuda.json')],
  ['pytorch-ranks', fixtures('pytorch/2.5.1', 'rank-0.json', 'rank-1.json', 'rank-2.json')],
  ['tensorrt', fixtures('tensorrt/10.0', 'profile.json', 'layers.json', 'times.json')],
  ['tflite', fixtures('tflite/2.9', 'plain.csv')],
  ['tflite-delegate', fixtures('tflite/2.19', 'delegate.csv')],
  ['tract', fixtures('tract/0.23.9', 'cnn.json')],
]);

/** Comparisons by name: baseline, versions, options. */
const COMPARISONS = new Map([
  ['chrome-trace', [...fixtures('chrome-trace', 'object/iterations.json', 'array/open.json'), '--allow-model-mismatch']],
  ['guide', fixtures('guide', 'encoder', 'encoder-int8')],
  ['neural-engine', fixtures('neural-engine', '2022-08/profiling_0.csv', '2022-08/no-percent.csv')],
  ['onnxray', [...fixtures('onnxray/0.1.0', 'scan.json', 'lstm-full-args.json'), '--allow-model-mismatch']],
  ['onnxruntime', fixtures('onnxruntime/1.31.1', 'encoder.json.gz', 'encoder-int8.json.gz')],
  ['onnxruntime-several', fixtures('onnxruntime', '1.31.1/chain.json', '1.29.0/chain.json', '1.20.1/chain.json')],
  ['openvino', fixtures('openvino/2026.4.1', 'benchmark_detailed_counters_report.json', 'execution_graph.xml')],
  ['pytorch', fixtures('pytorch/2.5.1', 'rank-0.json', 'rank-1.json')],
  ['tensorrt', fixtures('tensorrt', '8.6/profile.json', '10.0/profile.json')],
  ['tflite', [...fixtures('tflite', '2.9/plain.csv', '2.19/delegate.csv'), '--allow-model-mismatch']],
  ['tract', [...fixtures('tract/0.23.9', 'cnn.json', 'scan.json'), '--allow-model-mismatch']],
]);

/**
 * Sweeps by name: which recording, and how many times as slow some of its points are made, so that
 * larger batches have both more throughput and more latency. One was cut: two points are missing.
 */
const SWEEPS = new Map([
  ['sweep', ['sweep-models']],
  ['sweep-slowed', ['sweep-models', ['cnn-b1-t1-i1', 4], ['cnn-int8-b1-t1-i1', 2], ['cnn-int8-b4-t1-i1', 0.5]]],
  ['sweep-cut', ['sweep-cut']],
]);

/** Loss profiles: at several levels, and at one. */
const LOSSES = ['loss-encoder', 'loss-cnn'];

const LEVELS = 'model,launch,iteration,type,operator,resource';

/**
 * A page: its file, which kind it is, and what is printed as JSON, by the command that writes it
 * in the same run, or by another one.
 */
async function page(program, name, kind, command, other) {
  const file = join(program.folder, `${name}.html`);
  const writing = [...command, '--force', '-o', file];
  if (other) await program.succeed(writing);
  return { name, kind, file, printed: await program.json(other ?? writing) };
}

/** The pages of a recording, and of its projection. */
async function ofRecording(program, name, files) {
  const summary = ['summary', ...files, '--all', '--sort', 'execution', '--level', LEVELS];
  const project = ['project', ...files, '--all', '--sparsity-table'];
  const projection = page(program, `project-${name}`, 'projection', project);
  return [await page(program, `report-${name}`, 'recording', ['report', ...files], summary), { ...(await projection), files }];
}

/** The page of a recording whose reader asked for a projection. */
async function projected(program) {
  const files = RECORDINGS.get('guide');
  await program.succeed(['project', ...files, '--force', '--save-settings', 'asked.json']);
  const summary = ['summary', ...files, '--all', '--sort', 'execution', '--level', LEVELS];
  return page(program, 'report-projected', 'recording', ['report', ...files, '--ratios', 'asked.json'], summary);
}

/** The page of a sweep that is committed. */
function ofSweep(program, name, recording, slower) {
  const folder = join(program.folder, name);
  recorded(recording, folder);
  for (const [point, times] of slower) slowed(join(folder, point), times);
  return page(program, name, 'sweep', ['sweep', '--profiles', name]);
}

/** The page of a loss profile, and what is printed, which `tests/offline/page.rs` writes. */
function ofLoss(program, name) {
  const [file, json] = ['html', 'json'].map((ending) => join(program.folder, `${name}.${ending}`));
  if (!existsSync(file) || !existsSync(json)) {
    throw new Missing(
      `${file} is missing, a page that only a test can write without measuring: run ` +
        `\`ONNXRAY_PAGES=${program.folder} cargo test --locked --release -p onnxray --test offline page\``,
    );
  }
  return { name, kind: 'loss', file, printed: JSON.parse(readFileSync(json, 'utf8')) };
}

/** Writes all pages, and says what there is. */
export async function makePages(program) {
  const losses = LOSSES.map((name) => ofLoss(program, name));
  const large = await recording(join(program.folder, 'large.json'), { operators: 600, iterations: 40 });
  const hostile = await hostileTrace(program.folder);
  const recordings = [...RECORDINGS, ['large', [large]], ['hostile', [hostile]]];
  const comparisons = [...COMPARISONS, ['hostile', [hostile, hostile]]];
  const pages = await Promise.all([
    ...recordings.map(([name, files]) => ofRecording(program, name, files)),
    ...comparisons.map(([name, sides]) => page(program, `compare-${name}`, 'comparison', ['compare', ...sides, '--all'])),
    projected(program),
    ...[...SWEEPS].map(([name, [recording, ...slower]]) => ofSweep(program, name, recording, slower)),
  ]);
  return [...pages.flat(), ...losses];
}
