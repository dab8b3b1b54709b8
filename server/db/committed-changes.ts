import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";

/** A state change, as in the audit log; `actor` is null if the program acts by itself. */
export type Change = { actor: string | null; verb: string; object: string; objectId: string };

/** Publishes every state change of this process after its commit. */
export const committedChanges = channel("secondlap.changes");

const pending = new WeakMap<object, Change[]>();

/** Adds a change to be published if the transaction commits. */
export function addPendingChange(tx: object, change: Change): void {
  pending.set(tx, [...(pending.get(tx) ?? []), change]);
}

export function pendingChanges(tx: object): Change[] {
  return pending.get(tx) ?? [];
}

const listeners = new AsyncLocalStorage<() => void>();
committedChanges.subscribe(() => listeners.getStore()?.());

/** Runs `work` and calls `onChange` after each change it commits, even if `work` fails later. */
export function withChangeListener<T>(onChange: () => void, work: () => Promise<T>): Promise<T> {
  return listeners.run(onChange, work);
}
