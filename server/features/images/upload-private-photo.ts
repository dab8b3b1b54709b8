import { randomBytes } from "node:crypto";
import {
  maxPrivateBytesADay,
  maxUnsentPhotos,
  type PrivatePhoto,
} from "#contract/private-photos.ts";
import { transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { type Photo, privateNames, putFiles } from "./photo-files.ts";
import { receivePhoto, type Upload } from "./receive-photo.ts";

/**
 * Stores a photo to send with a message or complaint, re-encoded without metadata, under a random
 * name (decisions/private-photos). Throws `NOT_AN_IMAGE`, `TOO_LARGE`, `TOO_MANY_PHOTOS`, and
 * `UNAVAILABLE` while the image store is down.
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
    // If storing fails, the row is deleted after a day, like the row of an unsent photo.
    await putFiles(deps.images, files);
    return stored;
  });
}

/** Runs before the upload is read. Concurrent uploads may exceed the limits slightly. */
async function requireBelowLimits({ db, clock }: Deps, member: Member): Promise<void> {
  const aDayAgo = new Date(clock.now().getTime() - 24 * 3_600_000);
  // Unsent photos are deleted after a day, so all older photos have been sent.
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
