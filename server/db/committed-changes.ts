import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";

/** A state change that is committed: who did what to what; nobody where the program acts by itself. */
export type Change = { actor: string | null; verb: string; object: string; objectId: string };

/** Where every change of this process is told of once it is committed. */
export const committedChanges = channel("secondlap.changes");

const noted = new WeakMap<object, Change[]>();

/** Notes a change made in a transaction, to be told of if that is committed. */
export function addPendingChange(tx: object, change: Change): void {
  noted.set(tx, [...(noted.get(tx) ?? []), change]);
}

/** What was changed in a transaction so far. */
export function pendingChanges(tx: object): Change[] {
  return noted.get(tx) ?? [];
}

const listeners = new AsyncLocalStorage<() => void>();
committedChanges.subscribe(() => listeners.getStore()?.());

/** Runs `work` and calls `onChange` after each change it commits, even if `work` fails later. */
export function withChangeListener<T>(onChange: () => void, work: () => Promise<T>): Promise<T> {
  return listeners.run(onChange, work);
}
