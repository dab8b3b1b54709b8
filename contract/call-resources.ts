import type { Call, Resource } from "./call.ts";

/** The resources a call changes; none for a read. */
export function changesOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? [] : call.changes;
}

/** The resources in a call's answer; none for a write. */
export function readsOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? call.reads : [];
}

/** Whether a call may be answered by a replica of the database, up to a second late. */
export function mayReadReplica(call: Call): boolean {
  return call.method === "GET" && call.replica === true;
}

/** What the identity library's routes for second factors change; they are no calls of the contract. */
export const changedBySecondFactors: readonly Resource[] = ["secondFactors", "sessions"];
