import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** Makes the ids of this process unique among all processes. */
const processId = randomBytes(4).toString("hex");
let last = 0;

/** Returns an id that is unique across all nodes. */
export function newRequestId(): string {
  last += 1;
  return `${processId}-${last.toString(36)}`;
}

const current = new AsyncLocalStorage<string>();

/** Runs `work` for a request. Jobs that it enqueues log and send the request's id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** The id of the current request or of a job's request. Undefined in the program's own work. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
