import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { deleteFiles } from "./photo-files.ts";

/**
 * Makes uploading, listing and deleting an image wait for each other. Locks in a fixed order, to
 * prevent deadlocks.
 */
export async function lockImages(tx: Tx, hashes: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(sha256, 0))
    from unnest(${hashes.toSorted()}::text[]) as sha256`.execute(tx);
}

/** Whether any member has the image. This can change unless the image is locked. */
export async function isStored(tx: Tx, sha256: string): Promise<boolean> {
  const image = await tx
    .selectFrom("images")
    .select("id")
    .where("sha256", "=", sha256)
    .limit(1)
    .executeTakeFirst();
  return image !== undefined;
}

const batchSize = 1_000;

/** Deletes unused images that are marked for a check and older than `before`. Jobs delete files. */
export async function deleteUnusedImages(deps: Deps, before: Date): Promise<void> {
  for (let checked = batchSize; checked === batchSize; ) {
    const batch = await transact(deps.db, "checkImages", (tx) => checkImages(tx, before));
    for (const image of batch.unused) await deleteImage(deps, image, before);
    checked = batch.checked;
  }
}

/** Unused images stay marked until they are deleted. */
async function checkImages(tx: Tx, before: Date) {
  // A concurrent deletion of a listing waits for this row lock, and then marks the image again.
  const claimed = await tx
    .updateTable("images")
    .set({ needs_check: false })
    .where("id", "in", (due) =>
      due
        .selectFrom("images")
        .select("id")
        .where("needs_check", "=", true)
        .where("created_at", "<", before)
        .orderBy("created_at")
        .limit(batchSize)
        .forUpdate()
        .skipLocked(),
    )
    .returning("id")
    .execute();
  const ids = claimed.map(({ id }) => id);
  const unused = await tx
    .updateTable("images")
    .set({ needs_check: true })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isUnused)
    .returning(["id", "sha256"])
    .execute();
  return { checked: ids.length, unused };
}

/** Does nothing if the image is used, or was uploaded after `before`. A job deletes the files. */
export async function deleteImage(
  { db, clock }: Deps,
  { id, sha256 }: { id: string; sha256: string },
  before: Date,
): Promise<void> {
  await transact(db, `deleteImage ${id}`, async (tx) => {
    await lockImages(tx, [sha256]);
    // The image may have been listed or uploaded again before the lock was taken.
    const gone = await tx
      .deleteFrom("images")
      .where("id", "=", id)
      .where("created_at", "<", before)
      .where(isUnused)
      .executeTakeFirst();
    if (gone.numDeletedRows === 0n) return;
    const at = clock.now();
    await recordAudit(tx, { at, actor: null, verb: "forget", object: "image", objectId: id });
    await enqueue(tx, "removeImage", { payload: { sha256 } });
  });
}

/** Job `removeImage`. Keeps the files if a member still has the same image. */
export async function removeImage({ db, images }: Deps, sha256: string): Promise<void> {
  await transact(db, "removeImage", async (tx) => {
    await lockImages(tx, [sha256]);
    if (await isStored(tx, sha256)) return;
    await deleteFiles(images, sha256);
  });
}

const isKept = sql`(p.deleted_at is null
  or exists (select from bookings where product_id = p.id)
  or exists (select from reports where product_id = p.id))`;

/** SQL on `images`: whether no profile, listing, booking or report needs the image. */
export const isUnused = sql<boolean>`
  not exists (
    select from products p where p.img = '/images/' || images.sha256 || '.jpg' and ${isKept}
  )
  and not exists (
    select from products p
    where p.more_images @> array['/images/' || images.sha256 || '.jpg'] and p.more_images <> '{}' and ${isKept}
  )
  and not exists (select from members m where m.photo = '/images/' || images.sha256 || '.jpg')`;

/** Expects paths. Throws `IMAGE_NOT_OURS` unless the member uploaded the photos here. */
export async function requireUploadedImages(
  tx: Tx,
  member: Member,
  sent: { field: string; address: string }[],
): Promise<{ img: string; img_preview: string | null }[]> {
  const named = sent.map(({ field, address }) => {
    const sha256 = pathOfImage.exec(address)?.[1];
    if (sha256 === undefined) throw notOurs(field);
    return { field, path: address, sha256 };
  });
  if (named.length === 0) return [];
  const hashes = named.map(({ sha256 }) => sha256);
  await lockImages(tx, hashes);
  const own = await tx
    .selectFrom("images")
    .select(["sha256", "preview"])
    .where("member_id", "=", member.id)
    .where("sha256", "in", hashes)
    .execute();
  const previews = new Map(own.map(({ sha256, preview }) => [sha256, preview]));
  return named.map(({ field, path, sha256 }) => {
    const preview = previews.get(sha256);
    if (preview === undefined) throw notOurs(field);
    return { img: path, img_preview: preview };
  });
}

/** Returns null for a photo that the member didn't upload here. */
export async function findPreview(tx: Tx, member: Member, path: string): Promise<string | null> {
  const sha256 = pathOfImage.exec(path)?.[1];
  if (sha256 === undefined) return null;
  const image = await tx
    .selectFrom("images")
    .select("preview")
    .where("member_id", "=", member.id)
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return image?.preview ?? null;
}

const pathOfImage = /^\/images\/([0-9a-f]{64})\.jpg$/;

function notOurs(field: string): AppError {
  const message = "Upload the photo here first; this URL is not one of your uploads.";
  return new AppError("IMAGE_NOT_OURS", message, { [field]: message });
}
