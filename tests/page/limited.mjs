// Work of which only some is done at the same time.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Who the work is for: `{ seconds }`, to which the time is added that it takes. */
export const account = new AsyncLocalStorage();

/** Returns what does a work that it is given, at most `most` of them at once; others wait. */
export function limited(most) {
  let running = 0;
  const waiting = [];
  return async (work) => {
    if (running === most) await new Promise((resume) => waiting.push(resume));
    else running += 1;
    const started = performance.now();
    try {
      // What it waits for in turn is in its own time.
      return await account.run(undefined, work);
    } finally {
      const payer = account.getStore();
      if (payer) payer.seconds += (performance.now() - started) / 1000;
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
