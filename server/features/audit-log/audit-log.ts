import { sql } from "kysely";
import type { z } from "zod";
import type { AuditEntry, AuditObject, listAuditLog } from "#contract/audit.ts";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../db/pagination.ts";

type Asked = z.output<(typeof listAuditLog)["query"]>;

/** What was done, newest first: all of it, or what one member did or had done to them, or what became of one thing. */
export async function readAuditLog(tx: Tx, asked: Asked): Promise<Page<AuditEntry>> {
  const members = asked.email === undefined ? undefined : await findMembers(tx, asked.email);
  const rows = await selectEntries(tx, asked, members)
    .orderBy("audit_log.id", "desc")
    .limit(asked.limit + 1)
    .execute();
  const items = rows.slice(0, asked.limit).map(toEntry);
  return { items, next: rows.length > asked.limit ? items.at(-1)?._id : undefined };
}

/** Who has this address, and who had it before they left. */
async function findMembers(tx: Tx, email: string): Promise<string[]> {
  const members = await tx.selectFrom("members").select("id").where("email", "=", email).execute();
  return members.map(({ id }) => id);
}

function selectEntries(tx: Tx, { object, objectId, cursor }: Asked, members?: string[]) {
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
