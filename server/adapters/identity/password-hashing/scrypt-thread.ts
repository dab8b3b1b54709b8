import { scryptSync } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { ScryptJob } from "./scrypt-threads.ts";

/** The synchronous call does not occupy libuv's thread pool. */
parentPort?.on("message", ({ password, salt, length, cost }: ScryptJob) => {
  const { N, r, p } = cost;
  const maxmem = 256 * r * (N + p);
  parentPort?.postMessage(scryptSync(password, salt, length, { N, r, p, maxmem }));
});
