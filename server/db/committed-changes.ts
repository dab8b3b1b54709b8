import { channel } from "node:diagnostics_channel";

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

/** Call this after the commit. */
export function publishCommitted(tx: object): void {
  for (const change of pending.get(tx) ?? []) committedChanges.publish(change);
  if (enqueuing.has(tx)) committedJobs.publish({});
}
