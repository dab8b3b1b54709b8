import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import { enqueue } from "../../db/job-queue.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { deleteFiles } from "./photo-files.ts";

/** Serializes uploading, listing and deleting one image. */
export async function lockImage(tx: Tx, sha256: string): Promise<void> {
  await lockImages(tx, [sha256]);
}

/** Locks several images in a fixed order, so that transactions can't deadlock. */
export async function lockImages(tx: Tx, hashes: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(sha256, 0))
    from unnest(${hashes.toSorted()}::text[]) as sha256`.execute(tx);
}

/** Whether any member has this image. The result can change unless the image is locked. */
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

/**
 * Deletes unused images uploaded before a time. Jobs delete the files. Looks only at images that
 * are marked for a check.
 */
export async function deleteUnusedImages(deps: Deps, before: Date): Promise<void> {
  for (let checked = batchSize; checked === batchSize; ) {
    const batch = await transact(deps.db, "checkImages", (tx) => checkImages(tx, before));
    for (const image of batch.unused) await deleteImage(deps, image, before);
    checked = batch.checked;
  }
}

/** Checks a batch of marked images. Unused images stay marked until they are deleted. */
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

/** Deletes an image uploaded before a time, unless the image is used. A job deletes the files. */
export async function deleteImage(
  { db, clock }: Deps,
  { id, sha256 }: { id: string; sha256: string },
  before: Date,
): Promise<void> {
  await transact(db, `deleteImage ${id}`, async (tx) => {
    await lockImage(tx, sha256);
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

/** Job `removeImage`: deletes a deleted image's files, unless a member still has the same image. */
export async function removeImage({ db, images }: Deps, sha256: string): Promise<void> {
  await transact(db, "removeImage", async (tx) => {
    await lockImage(tx, sha256);
    if (await isStored(tx, sha256)) return;
    await deleteFiles(images, sha256);
  });
}

const isKept = sql`(p.deleted_at is null
  or exists (select from bookings where product_id = p.id)
  or exists (select from reports where product_id = p.id))`;

/**
 * SQL condition on `images`: no profile or listing shows the image, and neither does a booking or
 * report of a deleted listing.
 */
export const isUnused = sql<boolean>`
  not exists (
    select from products p where p.img = '/images/' || images.sha256 || '.jpg' and ${isKept}
  )
  and not exists (
    select from products p
    where p.more_images @> array['/images/' || images.sha256 || '.jpg'] and p.more_images <> '{}' and ${isKept}
  )
  and not exists (select from members m where m.photo = '/images/' || images.sha256 || '.jpg')`;
