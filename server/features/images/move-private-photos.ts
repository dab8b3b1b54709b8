import { sql } from "kysely";
import { type Move, type MoveResult, moveFile } from "./move-file.ts";
import { deletePrivateFiles, privateNames } from "./photo-files.ts";

const batchSize = 100;

/** Copies the files of photos of messages and complaints, like `moveImages`. */
export async function movePrivatePhotos(move: Move, result: MoveResult): Promise<void> {
  for (let last = "", batch = await photosAfter(move.db, last); batch.length > 0; ) {
    for (const photo of batch) await movePhoto(move, photo, result);
    last = batch.at(-1)?.name ?? last;
    batch = await photosAfter(move.db, last);
  }
}

type StoredPhoto = { name: string; sent: boolean };

async function photosAfter(db: Move["db"], last: string): Promise<StoredPhoto[]> {
  return await db
    .selectFrom("private_photos")
    .select("name")
    .select(sql<boolean>`num_nonnulls(message_id, complaint_id) > 0`.as("sent"))
    .where("name", ">", last)
    .orderBy("name")
    .limit(batchSize)
    .execute();
}

async function movePhoto({ db, from, to }: Move, { name, sent }: StoredPhoto, result: MoveResult) {
  const names = Object.values(privateNames(name));
  const ends = await Promise.all(names.map((file) => moveFile({ from, to }, file)));
  const kept = await db
    .selectFrom("private_photos")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirst();
  // The running shop has deleted the photo only from its own store.
  if (!kept) return await deletePrivateFiles(to, name);
  result.photos += 1;
  for (const [index, end] of ends.entries()) {
    if (end === "copied" || end === "present") result[end] += 1;
    // A failed upload leaves a photo without files.
    else if (end === "damaged" || sent) result[end].push(names[index] ?? "");
  }
}
