import { sql } from "kysely";
import type { z } from "zod";
import type { AuditEntry, AuditObject, listAuditLog } from "#contract/audit.ts";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../db/pagination.ts";

type Filter = z.output<(typeof listAuditLog)["query"]>;

/** Audit entries, newest first; optionally those by or about one member, or about one object. */
export async function readAuditLog(tx: Tx, filter: Filter): Promise<Page<AuditEntry>> {
  const members = filter.email === undefined ? undefined : await findMembers(tx, filter.email);
  const rows = await selectEntries(tx, filter, members)
    .orderBy("audit_log.id", "desc")
    .limit(filter.limit + 1)
    .execute();
  const items = rows.slice(0, filter.limit).map(toEntry);
  return { items, next: rows.length > filter.limit ? items.at(-1)?._id : undefined };
}

/** Members with this address, including deleted ones. */
async function findMembers(tx: Tx, email: string): Promise<string[]> {
  const members = await tx.selectFrom("members").select("id").where("email", "=", email).execute();
  return members.map(({ id }) => id);
}

function selectEntries(tx: Tx, { object, objectId, cursor }: Filter, members?: string[]) {
  let entries = tx
    .selectFrom("audit_log")
    .leftJoin("members as actor", "actor.id", "audit_log.actor_id")
    .select([
      "audit_log.id",
      "audit_log.at",
      "audit_log.verb",
      "audit_log.object",
      "audit_log.object_id",
    ])
    .select(["audit_log.detail", "audit_log.actor_id", "actor.name", "actor.email"])
    .select(nameOfObject.as("object_name"));
  if (members) {
    entries = entries.where(
      sql<boolean>`(audit_log.actor_id = any(${members}) or audit_log.object_id = any(${members}))`,
    );
  }
  if (object !== undefined) entries = entries.where("audit_log.object", "=", object);
  if (objectId !== undefined) entries = entries.where("audit_log.object_id", "=", objectId);
  return cursor === undefined ? entries : entries.where("audit_log.id", "<", cursor);
}

const nameOfObject = sql<string | null>`case audit_log.object
  when 'member' then (select name from members where id = audit_log.object_id)
  else (
    select product_name from products where id = case audit_log.object
      when 'product' then audit_log.object_id
      when 'booking' then (select product_id from bookings where id = audit_log.object_id)
      when 'report' then (select product_id from reports where id = audit_log.object_id)
      when 'payment' then (
        select b.product_id from payments p join bookings b on b.id = p.booking_id
        where p.id = audit_log.object_id
      )
    end
  )
end`;

type Row = Awaited<ReturnType<ReturnType<typeof selectEntries>["executeTakeFirstOrThrow"]>>;

function toEntry(row: Row): AuditEntry {
  const { actor_id: actor, name, email } = row;
  return {
    _id: row.id,
    at: row.at.toISOString(),
    actor: actor === null || name === null || email === null ? null : { _id: actor, name, email },
    verb: row.verb,
    object: row.object as AuditObject,
    objectId: row.object_id,
    objectName: row.object_name,
    detail: row.detail as AuditEntry["detail"],
  };
}
