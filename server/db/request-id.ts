import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

const processId = randomBytes(4).toString("hex");
let last = 0;

/** Unique across nodes, because of the random part. */
export function newRequestId(): string {
  last += 1;
  return `${processId}-${last.toString(36)}`;
}

const current = new AsyncLocalStorage<string>();

/** Runs `work` with a request id, which the jobs that `work` enqueues also get. */
export function withRequestId<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** In a job, the id of the request that enqueued the job or, without one, the job's own id. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
