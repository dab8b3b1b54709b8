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

/** Inserts a row into `audit_log`, in the same transaction as the change that the row records. */
export async function recordAudit(tx: Tx, entry: Entry): Promise<void> {
  await insertAudit(tx, entry).execute();
}

/** Builds `recordAudit`'s insert, so that it can run in one statement with other inserts. */
export function insertAudit(tx: Tx, { at, actor, verb, object, objectId, detail = {} }: Entry) {
  addPendingChange(tx, { actor, verb, object, objectId });
  const row = { at, actor_id: actor, verb, object, object_id: objectId, detail };
  return tx.insertInto("audit_log").values(row);
}
