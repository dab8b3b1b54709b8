import { sql } from "kysely";
import type { z } from "zod";
import type { AuditEntry, AuditObject, listAuditLog } from "#contract/audit.ts";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../db/pagination.ts";

type Filter = z.output<(typeof listAuditLog)["query"]>;

export async function readAuditLog(tx: Tx, filter: Filter): Promise<Page<AuditEntry>> {
  const members = filter.email === undefined ? undefined : await findMembers(tx, filter.email);
  const rows = await withNames(tx, selectEntries(tx, filter, members)).execute();
  const items = rows.slice(0, filter.limit).map(toEntry);
  return { items, next: rows.length > filter.limit ? items.at(-1)?._id : undefined };
}

/** Includes deleted members until their erasure. */
async function findMembers(tx: Tx, email: string): Promise<string[]> {
  const members = await tx.selectFrom("members").select("id").where("email", "=", email).execute();
  return members.map(({ id }) => id);
}

/** Selects one entry more than a page. The literal limit makes PostgreSQL plan for few rows. */
function selectEntries(tx: Tx, { object, objectId, cursor, limit }: Filter, members?: string[]) {
  let entries = tx
    .selectFrom("audit_log")
    .select(["id", "at", "verb", "object", "object_id", "detail", "actor_id"])
    .orderBy("id", "desc")
    .limit(sql.lit(limit + 1));
  if (members) {
    entries = entries.where(
      sql<boolean>`(actor_id = any(${members}) or object_id = any(${members}))`,
    );
  }
  if (object !== undefined) entries = entries.where("object", "=", object);
  if (objectId !== undefined) entries = entries.where("object_id", "=", objectId);
  return cursor === undefined ? entries : entries.where("id", "<", cursor);
}

function withNames(tx: Tx, entries: ReturnType<typeof selectEntries>) {
  return tx
    .selectFrom(entries.as("audit_log"))
    .leftJoin("members as actor", "actor.id", "audit_log.actor_id")
    .selectAll("audit_log")
    .select(["actor.name", "actor.email", "actor.is_admin"])
    .select(nameOfObject.as("object_name"))
    .orderBy("audit_log.id", "desc");
}

const nameOfObject = sql<string | null>`case audit_log.object
  when 'member' then (select name from members where id = audit_log.object_id)
  when 'category' then (select product_category from categories where id = audit_log.object_id)
  else (
    select product_name from products where id = case audit_log.object
      when 'product' then audit_log.object_id
      when 'booking' then (select product_id from bookings where id = audit_log.object_id)
      when 'report' then (select product_id from reports where id = audit_log.object_id)
      when 'offer' then (select product_id from offers where id = audit_log.object_id)
      when 'conversation' then (select product_id from conversations where id = audit_log.object_id)
      when 'review' then (
        select b.product_id from reviews r join bookings b on b.id = r.booking_id
        where r.id = audit_log.object_id
      )
      when 'payment' then (
        select b.product_id from payments p join bookings b on b.id = p.booking_id
        where p.id = audit_log.object_id
      )
    end
  )
end`;

type Row = Awaited<ReturnType<ReturnType<typeof withNames>["executeTakeFirstOrThrow"]>>;

function toEntry(row: Row): AuditEntry {
  const { actor_id: actor, name, email, is_admin: isAdmin } = row;
  return {
    _id: row.id,
    at: row.at.toISOString(),
    actor:
      actor === null || name === null || email === null || isAdmin === null
        ? null
        : { _id: actor, name, email, isAdmin },
    verb: row.verb,
    object: row.object as AuditObject,
    objectId: row.object_id,
    objectName: row.object_name,
    detail: row.detail as AuditEntry["detail"],
  };
}
