import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** A prefix that tells this process's request ids from those of all other processes. */
const processId = randomBytes(4).toString("hex");
let last = 0;

/** Returns a request id that is unique across all nodes. */
export function newRequestId(): string {
  last += 1;
  return `${processId}-${last.toString(36)}`;
}

const current = new AsyncLocalStorage<string>();

/** Runs `work` under a request's id. Jobs that `work` enqueues get the same id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/**
 * The id of the current request, or of the request that enqueued the current job. Undefined in
 * work that no request started.
 */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
