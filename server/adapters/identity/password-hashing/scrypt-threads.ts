import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Overloaded } from "../../../errors.ts";
import type { ScryptCost } from "../../../settings/scrypt-cost.ts";
import { FairQueue } from "./fair-queue.ts";

export type ScryptJob = {
  password: string;
  salt: string | Uint8Array;
  length: number;
  cost: ScryptCost;
};

export type ScryptThreads = {
  /** Derives a key for a client (a network address). Throws `UNAVAILABLE` if the queue is full. */
  derive(job: ScryptJob, client: string): Promise<Buffer>;
  close(): Promise<void>;
};

type Task = { job: ScryptJob; settle: PromiseWithResolvers<Buffer> };

/**
 * `routes.ts` admits ten concurrent requests per client. All ten must fit, because both threads may
 * be working for others.
 */
const maxWaitingPerClient = 10;

/** Seconds that a client's full queue takes, approximately. */
const retryAfter = 5;

/** Worker threads only for scrypt, so that files and compression never wait for libuv's threads. */
export function openScryptThreads({ threads = 2, maxWaiting = 40 } = {}): ScryptThreads {
  const queue = new FairQueue<Task>({ max: maxWaiting, maxPerClient: maxWaitingPerClient });
  const idle: Worker[] = [];
  const started = new Set<Worker>();
  const closing = new AbortController();
  let busy = 0;
  return {
    derive(job, client) {
      const settle = Promise.withResolvers<Buffer>();
      if (!queue.add(client, { job, settle })) throw tooManySignIns();
      startNext();
      return settle.promise;
    },
    async close() {
      closing.abort();
      await Promise.all([...started].map((worker) => worker.terminate()));
    },
  };

  function startNext(): void {
    if (busy >= threads) return;
    const task = queue.next();
    if (task) void run(task);
  }

  async function run({ job, settle }: Task): Promise<void> {
    busy += 1;
    const worker = idle.pop() ?? startThread();
    try {
      worker.postMessage(job);
      const [key] = await once(worker, "message", { signal: closing.signal });
      idle.push(worker);
      settle.resolve(Buffer.from(key as Uint8Array));
    } catch (error) {
      started.delete(worker);
      void worker.terminate();
      settle.reject(error);
    }
    busy -= 1;
    startNext();
  }

  function startThread(): Worker {
    const worker = new Worker(new URL("./scrypt-thread.ts", import.meta.url));
    worker.unref();
    started.add(worker);
    return worker;
  }
}

function tooManySignIns(): Overloaded {
  return new Overloaded(
    "Too many people are signing in from your network at the moment. Please try again in a few seconds.",
    retryAfter,
  );
}
