import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { erasedDomain } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import { erasePrivatePhotos } from "../images/attach-photos.ts";
import { eraseMessages } from "../messages/conversations.ts";

const erasedName = "Former member";

/**
 * Erases personal data of members deleted before `before`. Bookings, payments and listings' cover
 * photos stay, because orders show them. `delete-member.ts` deletes the login immediately.
 */
export async function eraseDeletedMembers(tx: Tx, before: Date, at: Date): Promise<void> {
  const erased = await tx
    .updateTable("members")
    .set({
      name: erasedName,
      email: sql<string>`'former-' || id || ${erasedDomain}`,
      photo: null,
      verification_note: null,
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
    .set({ mobile_number: "", more_images: [], texts_with_contacts: null })
    .where("seller_id", "in", ids)
    .execute();
  await tx
    .deleteFrom("serial_numbers")
    .where("product_id", "in", (own) =>
      own.selectFrom("products").select("id").where("seller_id", "in", ids),
    )
    .execute();
  await tx.updateTable("meetings").set({ place: "" }).where("proposed_by", "in", ids).execute();
  await eraseMessages(tx, ids);
  await erasePrivatePhotos(tx, ids, at);
  for (const reports of ["reports", "conversation_reports", "review_reports"] as const)
    await tx.updateTable(reports).set({ comment: "" }).where("reporter_id", "in", ids).execute();
  await tx
    .updateTable("complaints")
    .set({ words: "" })
    .where("booking_id", "in", (own) =>
      own.selectFrom("bookings").select("id").where("buyer_id", "in", ids),
    )
    .execute();
  await tx
    .updateTable("complaints")
    .set({ answer_words: null })
    .where("booking_id", "in", (own) =>
      own.selectFrom("settlements").select("booking_id").where("seller_id", "in", ids),
    )
    .execute();
  // The member's `payouts` stay, but contain no account id.
  await tx.deleteFrom("payout_accounts").where("member_id", "in", ids).execute();
  for (const objectId of ids)
    await recordAudit(tx, { at, actor: null, verb: "erase", object: "member", objectId });
}
