import { tooManyUploads } from "./upload-semaphore.ts";

type Waiting = { owner: string; start: () => void };

export type QueueLimits = { maxWaiting: number; maxWaitMs: number };

/**
 * Runs one task at a time, round robin by owner: many tasks of one owner delay another's by at most one.
 * Refuses `UNAVAILABLE` when the queue is full or a task has waited `maxWaitMs`.
 */
export function createFairQueue({ maxWaiting, maxWaitMs }: QueueLimits) {
  const waiting: Waiting[] = [];
  /** Owners by their latest turn, the most recent last. */
  const served = new Set<string>();
  let running = false;

  return async <T>(owner: string, task: () => Promise<T>): Promise<T> => {
    if (running) {
      if (waiting.length >= maxWaiting) throw tooManyUploads();
      await waitForTurn(owner);
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

  async function waitForTurn(owner: string): Promise<void> {
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
      if (!waiting.some((task) => task.owner === owner)) served.delete(owner);
    }
    const owners = [...served];
    const lastTurn = ({ owner }: Waiting) => owners.indexOf(owner);
    const [next] = waiting.toSorted((a, b) => lastTurn(a) - lastTurn(b));
    if (next === undefined) {
      running = false;
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    next.start();
  }
}
