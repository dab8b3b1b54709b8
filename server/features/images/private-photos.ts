import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import {
  maxPrivateBytesADay,
  maxUnsentPhotos,
  type PrivatePhoto,
  type photoSizes,
} from "#contract/private-photos.ts";
import { mayAct } from "#contract/roles.ts";
import { transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { mayStaffRead } from "../messages/shown-text.ts";
import { type Photo, privateNames, putFiles } from "./photo-files.ts";
import { receivePhoto, type Upload } from "./receive-photo.ts";

/**
 * Stores the photo under a random name (decisions/private-photos). Throws `TOO_MANY_PHOTOS`,
 * `UNAVAILABLE` and the errors of `receivePhoto`.
 */
export async function uploadPrivatePhoto(
  deps: Deps,
  member: Member,
  upload: Upload,
): Promise<PrivatePhoto> {
  await requireBelowLimits(deps, member);
  return await receivePhoto(member, { ...upload, shape: "private" }, async (photo) => {
    const name = randomBytes(32).toString("hex");
    const files = renamed(photo, name);
    const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    const stored = await insertPhoto(deps, { member, photo, name, bytes });
    // If storing fails, the clean-up deletes the row, as for any unsent photo.
    await putFiles(deps.images, files);
    return stored;
  });
}

/** Runs before the upload is read. Concurrent uploads may exceed the limits slightly. */
async function requireBelowLimits({ db, clock }: Deps, member: Member): Promise<void> {
  const aDayAgo = new Date(clock.now().getTime() - 24 * 3_600_000);
  // Older unsent photos are being deleted, so they don't count.
  const { unsent, bytes } = await db
    .selectFrom("private_photos")
    .select(({ fn, eb }) => [
      fn
        .countAll<string>()
        .filterWhere(eb.and([eb("message_id", "is", null), eb("complaint_id", "is", null)]))
        .as("unsent"),
      fn.sum<string | null>("bytes").as("bytes"),
    ])
    .where("member_id", "=", member.id)
    .where("uploaded_at", ">", aDayAgo)
    .executeTakeFirstOrThrow();
  if (Number(unsent) < maxUnsentPhotos && Number(bytes) < maxPrivateBytesADay) return;
  const message = "You have uploaded too many photos today. Send those you have, or try tomorrow.";
  throw new AppError("TOO_MANY_PHOTOS", message);
}

function renamed({ files, sha256 }: Photo, name: string): Map<string, Buffer> {
  const { large, small } = privateNames(name);
  return new Map(
    [...files].map(([file, bytes]) => [file === `${sha256}.jpg` ? large : small, bytes]),
  );
}

type NewPhoto = { member: Member; photo: Photo; name: string; bytes: number };

async function insertPhoto(
  { db, clock }: Deps,
  { member, photo: { width, height }, name, bytes }: NewPhoto,
): Promise<PrivatePhoto> {
  const at = clock.now();
  const id = newId(at);
  await transact(db, "keepPrivatePhoto", async (tx) => {
    const row = { id, member_id: member.id, name, width, height, bytes, uploaded_at: at };
    await tx.insertInto("private_photos").values(row).execute();
    await recordAudit(tx, { at, actor: member.id, verb: "upload", object: "image", objectId: id });
  });
  return { _id: id, width, height };
}

type Wanted = { id: string; size: (typeof photoSizes)[number] };

/** The audit log records admins' views of conversation photos. Throws `NOT_FOUND`. */
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
