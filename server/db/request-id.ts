import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** Distinguishes this process's request ids from those of all other processes. */
const processId = randomBytes(4).toString("hex");
let last = 0;

/** Returns an id that is unique across all nodes. */
export function newRequestId(): string {
  last += 1;
  return `${processId}-${last.toString(36)}`;
}

const current = new AsyncLocalStorage<string>();

/** Runs `work` with a request id, which the jobs that `work` enqueues also get. */
export function withRequestId<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** The request's id or, in a job, that of the request that enqueued it, if any. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
