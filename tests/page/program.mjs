// The program, run as its users run it.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { limited } from './limited.mjs';

/** `onnxray`, in a folder; as many at once as there are cores. */
export class Program {
  #file;
  #atOnce = limited(availableParallelism());

  constructor(file, folder) {
    this.#file = file;
    this.folder = folder;
  }

  /** Runs it, and says how it ended. */
  run(parameters) {
    const options = { cwd: this.folder, encoding: 'utf8', maxBuffer: 1 << 30 };
    return this.#atOnce(
      () => new Promise((done) => void execFile(this.#file, parameters, options, (error, out, err) => done({ code: codeOf(error), out, err }))),
    );
  }

  /** Runs it, which must succeed, and returns what it prints. */
  async succeed(parameters) {
    const { code, out, err } = await this.run(parameters);
    if (code !== 0) throw new Error(`onnxray ${parameters.join(' ')}: exit code ${code}\n${err}`);
    return out;
  }

  /** What it prints as JSON. */
  async json(parameters) {
    return JSON.parse(await this.succeed([...parameters, '--format', 'json']));
  }
}

/** An exit code, or what ended the program in place of itself. */
function codeOf(error) {
  return error ? (error.code ?? error.signal) : 0;
}
