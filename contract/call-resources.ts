import type { Call, Resource } from "./call.ts";

export function changesOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? [] : call.changes;
}

export function readsOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? call.reads : [];
}

/** Whether the call may read a replica, which can be up to a second behind. */
export function mayReadReplica(call: Call): boolean {
  return call.method === "GET" && call.replica === true;
}

/** The identity library serves the second-factor routes, so no call declares these changes. */
export const changedBySecondFactors: readonly Resource[] = ["secondFactors", "sessions"];
