import { sql } from "kysely";
import { transact } from "../../db/database.ts";
import { type Move, type MoveResult, moveFile } from "./move-file.ts";
import { movePrivatePhotos } from "./move-private-photos.ts";
import { deleteFiles, fileNames } from "./photo-files.ts";
import { isStored, isUnused, lockImage } from "./unused-images.ts";

const batchSize = 100;

/**
 * Copies the files of every photo to another store, and compares each copy with the original. The
 * originals stay. A move can be stopped and rerun at any time, even while the shop is open.
 */
export async function moveImages(move: Move): Promise<MoveResult> {
  const result: MoveResult = { photos: 0, copied: 0, present: 0, missing: [], damaged: [] };
  for (let last = "", batch = await photosAfter(move.db, last); batch.length > 0; ) {
    for (const photo of batch) await moveImage(move, photo, result);
    await deleteCopiesOfDeleted(move, batch);
    last = batch.at(-1)?.sha256 ?? last;
    batch = await photosAfter(move.db, last);
  }
  await movePrivatePhotos(move, result);
  return result;
}

type StoredPhoto = { sha256: string; used: boolean };

async function photosAfter(db: Move["db"], last: string): Promise<StoredPhoto[]> {
  return await db
    .selectFrom("images")
    .select(["sha256", sql<boolean>`bool_or(not (${isUnused}))`.as("used")])
    .where("sha256", ">", last)
    .groupBy("sha256")
    .orderBy("sha256")
    .limit(batchSize)
    .execute();
}

async function moveImage({ db, ...stores }: Move, photo: StoredPhoto, result: MoveResult) {
  await transact(db, "moveImage", async (tx) => {
    await lockImage(tx, photo.sha256);
    if (!(await isStored(tx, photo.sha256))) return;
    const names = fileNames(photo.sha256);
    const ends = await Promise.all(names.map((name) => moveFile(stores, name)));
    result.photos += 1;
    for (const [index, end] of ends.entries()) {
      const name = names[index] ?? "";
      if (end === "copied" || end === "present") result[end] += 1;
      // A job makes the AVIF versions later. A failed upload leaves an unused photo without files.
      else if (end === "damaged" || (photo.used && !name.endsWith(".avif"))) result[end].push(name);
    }
  });
}

/** Deletes the copies of photos that the running shop has meanwhile deleted from its own store. */
async function deleteCopiesOfDeleted({ db, to }: Move, batch: StoredPhoto[]): Promise<void> {
  const rows = await db
    .selectFrom("images")
    .select("sha256")
    .where(
      "sha256",
      "in",
      batch.map(({ sha256 }) => sha256),
    )
    .execute();
  const stored = new Set(rows.map(({ sha256 }) => sha256));
  for (const { sha256 } of batch.filter((photo) => !stored.has(photo.sha256))) {
    await transact(db, "deleteCopies", async (tx) => {
      await lockImage(tx, sha256);
      if (!(await isStored(tx, sha256))) await deleteFiles(to, sha256);
    });
  }
}
