import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { erasedDomain } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";

const erasedName = "Former member";

/**
 * Erases personal data of members deleted before a time: name, address, photo, phone numbers and meeting
 * places. Their bookings and payments stay, without them.
 */
export async function eraseDeletedMembers(tx: Tx, before: Date, at: Date): Promise<void> {
  const erased = await tx
    .updateTable("members")
    .set({
      name: erasedName,
      email: sql<string>`'former-' || id || ${erasedDomain}`,
      photo: null,
    })
    .where("deleted_at", "<", before)
    .where("email", "not like", sql.lit(`former-%${erasedDomain}`))
    .returning("id")
    .execute();
  const ids = erased.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable("bookings")
    .set({ phone: "", location: "" })
    .where("buyer_id", "in", ids)
    .execute();
  await tx
    .updateTable("products")
    .set({ mobile_number: "" })
    .where("seller_id", "in", ids)
    .execute();
  for (const objectId of ids)
    await recordAudit(tx, { at, actor: null, verb: "erase", object: "member", objectId });
}
