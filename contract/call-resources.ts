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

/** The resources that the identity library's second-factor routes change. */
export const changedBySecondFactors: readonly Resource[] = ["secondFactors", "sessions"];
