import type { Call, Resource } from "./call.ts";

/** The resources a call changes; none for a read. */
export function changesOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? [] : call.changes;
}

/** The resources in a call's answer; none for a write. */
export function readsOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? call.reads : [];
}

/** Whether a database replica, up to a second behind, may answer the call. */
export function mayReadReplica(call: Call): boolean {
  return call.method === "GET" && call.replica === true;
}

/** Changed by the identity library's second-factor routes, which are not calls of the contract. */
export const changedBySecondFactors: readonly Resource[] = ["secondFactors", "sessions"];
