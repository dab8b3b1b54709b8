import { tooManyUploads } from "./upload-semaphore.ts";

type Waiting = { owner: string; start: () => void };

export type QueueLimits = { maxWaiting: number; maxWaitMs: number };

/**
 * Runs one task at a time. While owners wait, they take turns, so that many tasks of one owner delay another
 * owner's by one task at most. Refuses `UNAVAILABLE` when too many tasks wait, or one has waited too long.
 */
export function createFairQueue({ maxWaiting, maxWaitMs }: QueueLimits) {
  const waiting: Waiting[] = [];
  /** Those who had a turn and wait for another, the most recent turn last. */
  const served = new Set<string>();
  let running = false;

  return async <T>(owner: string, task: () => Promise<T>): Promise<T> => {
    if (running) {
      if (waiting.length >= maxWaiting) throw tooManyUploads();
      await turn(owner);
    }
    running = true;
    served.delete(owner);
    served.add(owner);
    try {
      return await task();
    } finally {
      startNext();
    }
  };

  async function turn(owner: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry = { owner, start: resolve };
    waiting.push(entry);
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1);
      reject(tooManyUploads());
    }, maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  function startNext(): void {
    for (const owner of served) {
      if (!waiting.some((one) => one.owner === owner)) served.delete(owner);
    }
    const owners = [...served];
    const lastTurn = ({ owner }: Waiting) => owners.indexOf(owner);
    const [next] = waiting.toSorted((one, other) => lastTurn(one) - lastTurn(other));
    if (next === undefined) {
      running = false;
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    next.start();
  }
}
