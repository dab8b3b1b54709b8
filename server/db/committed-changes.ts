import { type Channel, channel } from "node:diagnostics_channel";

/** `actor` is null if the program acted by itself. */
export type Change = { actor: string | null; verb: string; object: string; objectId: string };

export const committedChanges = channel("secondlap.changes");

export const committedJobs = channel("secondlap.jobs");

const pending = new WeakMap<object, Change[]>();
const enqueuing = new WeakSet<object>();

export function addPendingChange(tx: object, change: Change): void {
  pending.set(tx, [...(pending.get(tx) ?? []), change]);
}

export function addPendingJobs(tx: object): void {
  enqueuing.add(tx);
}

/** Publishes a committed transaction's changes, and a signal if it enqueued jobs. */
export function publishCommitted(tx: object): void {
  for (const change of pending.get(tx) ?? []) committedChanges.publish(change);
  if (enqueuing.has(tx)) committedJobs.publish({});
}

/** Commits within this time share one run. */
const batchMs = 25;

type Follower<T> = {
  /** The result includes everything committed before this call. */
  run(): Promise<T>;
  stop(): void;
};

/**
 * Runs `work` every `pollMs`, which finds other processes' commits, and soon after this process
 * publishes commits on the channel. Runs never overlap. `work` must not reject.
 */
export function followCommits<T>(
  channel: Channel,
  work: () => Promise<T>,
  pollMs: number,
): Follower<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  let soon: NodeJS.Timeout | undefined;

  function begin(): Promise<T> {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** The current run may have missed the latest commits, so calls during it share the next run. */
  function run(): Promise<T> {
    if (running) next ??= running.then(begin);
    return next ?? begin();
  }

  const onCommit = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      void run();
    }, batchMs).unref();
  };
  channel.subscribe(onCommit);
  const polling = setInterval(() => void run(), pollMs).unref();
  return {
    run,
    stop() {
      channel.unsubscribe(onCommit);
      clearInterval(polling);
      clearTimeout(soon);
    },
  };
}
