// The program, run as its users run it.
import { execFile } from 'node:child_process';

/** Programs at once. */
const AT_ONCE = 2;

/** `onnxray`, in a folder. */
export class Program {
  #file;
  #running = 0;
  #waiting = [];

  constructor(file, folder) {
    this.#file = file;
    this.folder = folder;
  }

  /** Runs it, and says how it ended. */
  async run(parameters) {
    if (this.#running === AT_ONCE) await new Promise((resume) => this.#waiting.push(resume));
    else this.#running += 1;
    try {
      return await new Promise((done) => {
        const options = { cwd: this.folder, encoding: 'utf8', maxBuffer: 1 << 30 };
        execFile(this.#file, parameters, options, (error, out, err) => done({ code: error?.code ?? 0, out, err }));
      });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
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
