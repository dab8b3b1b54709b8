import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** Tells the ids of this process from those of all others. */
const processId = randomBytes(4).toString("hex");
let last = 0;

/** An id that no other request of any node has. */
export function newRequestId(): string {
  last += 1;
  return `${processId}-${last.toString(36)}`;
}

const current = new AsyncLocalStorage<string>();

/** Runs `work` for a request: the jobs it enqueues, and what they log and send, have its id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** The request that this runs for, also in its jobs; undefined in the program's own work. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
