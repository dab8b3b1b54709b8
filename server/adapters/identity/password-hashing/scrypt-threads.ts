import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ScryptCost } from "../../../config.ts";
import { Overloaded } from "../../../errors.ts";
import { FairQueue } from "../../../fair-queue.ts";
import { RunningCounts } from "../../../running-counts.ts";
import { signInLimit } from "../port.ts";

export type ScryptJob = {
  password: string;
  salt: string | Uint8Array;
  length: number;
  cost: ScryptCost;
};

export type ScryptThreads = ReturnType<typeof openScryptThreads>;

/** Uses its own threads: in libuv's pool, hashing would delay file access and compression. */
export function openScryptThreads({ threads = 2, maxWaiting = 40 } = {}) {
  const queue = new FairQueue({ concurrency: threads, maxWaiting, refusal: tooManySignIns });
  const idle: Worker[] = [];
  const started = new Set<Worker>();
  const closing = new AbortController();
  const running = new RunningCounts();
  return {
    /** `client`: an IPv4 address or IPv6 network. Throws `UNAVAILABLE` if too many jobs wait. */
    derive(job: ScryptJob, client: string): Promise<Buffer> {
      if (running.of(client) >= signInLimit.max) throw tooManySignIns();
      const derived = queue.run(client, () => deriveIn(idle.pop() ?? startThread(), job));
      return derived.finally(running.begin(client));
    },
    async close() {
      closing.abort();
      await Promise.all([...started].map((worker) => worker.terminate()));
    },
  };

  async function deriveIn(worker: Worker, job: ScryptJob): Promise<Buffer> {
    try {
      worker.postMessage(job);
      const [key] = await once(worker, "message", { signal: closing.signal });
      idle.push(worker);
      return Buffer.from(key as Uint8Array);
    } catch (error) {
      started.delete(worker);
      void worker.terminate();
      throw error;
    }
  }

  function startThread(): Worker {
    const worker = new Worker(new URL("./scrypt-thread.ts", import.meta.url));
    worker.unref();
    started.add(worker);
    return worker;
  }
}

function tooManySignIns(): Overloaded {
  return new Overloaded(signInLimit.message, signInLimit.retryAfter);
}
