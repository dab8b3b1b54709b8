import { Refusal } from "../../errors.ts";
import { tooManyUploads } from "./upload-places.ts";

type Waiting = { owner: string; start: () => void };

/**
 * Runs one task at a time. While owners wait, they take turns, so that many tasks of one owner delay another
 * owner's by one task at most. Refuses `UNAVAILABLE` when `maxWaiting` tasks wait already.
 */
export function fairQueue({ maxWaiting }: { maxWaiting: number }) {
  const waiting: Waiting[] = [];
  /** Those who had a turn and wait for another, the most recent turn last. */
  const served = new Set<string>();
  let running = false;

  return async <T>(owner: string, task: () => Promise<T>): Promise<T> => {
    if (running) {
      if (waiting.length >= maxWaiting) throw new Refusal("UNAVAILABLE", tooManyUploads);
      await new Promise<void>((start) => waiting.push({ owner, start }));
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
