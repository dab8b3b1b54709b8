import type { AuditObject } from "#contract/audit.ts";
import { addPendingChange } from "./committed-changes.ts";
import type { Tx } from "./database.ts";

type Entry = {
  at: Date;
  actor: string | null;
  verb: string;
  object: AuditObject;
  objectId: string;
  detail?: Record<string, string | number | boolean | null>;
};

/** `tx` must be the transaction of the recorded change. */
export async function recordAudit(tx: Tx, entry: Entry): Promise<void> {
  await insertAudit(tx, entry).execute();
}

type OwnChange = Omit<Entry, "actor" | "object" | "objectId"> & { member: string };

/** Records what a member changed about their own account. */
export async function recordOwnChange(tx: Tx, { member, ...entry }: OwnChange): Promise<void> {
  await recordAudit(tx, { ...entry, actor: member, object: "member", objectId: member });
}

/** Like `recordAudit`, but returns the insert, to combine with others (`insertTogether`). */
export function insertAudit(tx: Tx, { at, actor, verb, object, objectId, detail = {} }: Entry) {
  addPendingChange(tx, { actor, verb, object, objectId });
  const row = { at, actor_id: actor, verb, object, object_id: objectId, detail };
  return tx.insertInto("audit_log").values(row);
}
