import { sql } from "kysely";
import type { photoSizes } from "#contract/private-photos.ts";
import { mayAct } from "#contract/roles.ts";
import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { mayStaffRead } from "../members/open-cases.ts";
import { privateNames } from "./photo-files.ts";

type Wanted = { id: string; size: (typeof photoSizes)[number] };

/**
 * Reads a private photo for its uploader, both sides of the conversation or complaint, and admins
 * with access. The audit log records admins' views of conversation photos. Throws `NOT_FOUND`.
 */
export async function readPrivatePhoto(
  deps: Deps,
  reader: Member,
  { id, size }: Wanted,
): Promise<{ bytes: Buffer; type: string }> {
  const photo = await findPhoto(deps, reader, id);
  if (!photo) throw new AppError("NOT_FOUND", "There is no such photo, or it isn't yours to see.");
  if (photo.conversation_id !== null && !photo.is_side) {
    const what = { object: "conversation", objectId: photo.conversation_id } as const;
    const by = { at: deps.clock.now(), actor: reader.id, verb: "read" };
    await transact(deps.db, "readPrivatePhoto", (tx) => recordAudit(tx, { ...by, ...what }));
  }
  const bytes = await deps.images.read(privateNames(photo.name)[size]);
  if (!bytes) throw new AppError("NOT_FOUND", "This photo was deleted.");
  return { bytes, type: size === "large" ? "image/jpeg" : "image/webp" };
}

async function findPhoto({ db }: Deps, { id: me, isAdmin, staffRole }: Member, id: string) {
  const isSide = sql<boolean>`(
    p.member_id = ${me}
    or exists (
      select from conversation_members own where own.conversation_id = c.id and own.member_id = ${me}
    )
    or exists (
      select from bookings join settlements on settlements.booking_id = bookings.id
      where bookings.id = p.complaint_id and ${me} in (bookings.buyer_id, settlements.seller_id)
    ))`;
  const forAdmin = sql<boolean>`(p.complaint_id is not null and ${mayAct(staffRole, "deals")}) or (c.id is not null and ${mayStaffRead(staffRole)})`;
  return await db
    .selectFrom("private_photos as p")
    .leftJoin("messages as m", "m.id", "p.message_id")
    .leftJoin("conversations as c", "c.id", "m.conversation_id")
    .select(["p.name", "c.id as conversation_id", isSide.as("is_side")])
    .where("p.id", "=", id)
    .where(isAdmin ? sql<boolean>`(${isSide} or ${forAdmin})` : isSide)
    .executeTakeFirst();
}
