/** Throws beyond `max` calls of a provider at a time, so that a slow one can't hold all connections and memory. */
export function limitCalls(max: number) {
  let running = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (running >= max) throw new TooManyCalls(`${max} calls already wait for an answer.`);
    running += 1;
    try {
      return await call();
    } finally {
      running -= 1;
    }
  };
}

export class TooManyCalls extends Error {}
