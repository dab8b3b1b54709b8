import type { Call, Resource } from "./call.ts";

/** The resources that a call changes; none if the call only reads. */
export function changesOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? [] : call.changes;
}

/** The resources that a call reads; none if the call writes. */
export function readsOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? call.reads : [];
}

/** Whether the call may read a database replica, which can be up to a second behind. */
export function mayReadReplica(call: Call): boolean {
  return call.method === "GET" && call.replica === true;
}

/** The resources changed by second-factor routes, which the identity library serves. */
export const changedBySecondFactors: readonly Resource[] = ["secondFactors", "sessions"];
