import { createHash } from "node:crypto";
import { sql } from "kysely";
import { DamagedFile, type ImageStore } from "../../adapters/images/port.ts";
import { type Database, transact } from "../../db/database.ts";
import {
  deleteFiles,
  deletePrivateFiles,
  fileNames,
  jpegName,
  privateNames,
} from "./photo-files.ts";
import { isStored, isUnused, lockImages } from "./unused-images.ts";

/** Small, so that a test of two batches needs few photos. Photos are copied one by one anyway. */
const batchSize = 25;

type Move = { db: Database["db"]; from: ImageStore; to: ImageStore };

/** `present`: files already at the destination. `missing` and `damaged`: file names. */
type MoveResult = {
  photos: number;
  copied: number;
  present: number;
  missing: string[];
  damaged: string[];
};

type End = "copied" | "present" | "missing" | "damaged";

/** `used`: whether the photo is shown or sent. An unused photo may lack files (failed upload). */
type StoredPhoto = { name: string; used: boolean };

/** Can be stopped and rerun, even while the shop is open. */
export async function moveImages(move: Move): Promise<MoveResult> {
  const result: MoveResult = { photos: 0, copied: 0, present: 0, missing: [], damaged: [] };
  for await (const batch of batchesOf((last) => imagesAfter(move.db, last))) {
    for (const photo of batch) await moveImage(move, photo, result);
    await deleteCopiesOfDeleted(move, batch);
  }
  for await (const batch of batchesOf((last) => privatePhotosAfter(move.db, last)))
    for (const photo of batch) await movePrivatePhoto(move, photo, result);
  return result;
}

async function* batchesOf(listAfter: (last: string) => Promise<StoredPhoto[]>) {
  for (let batch = await listAfter(""); batch.length > 0; ) {
    yield batch;
    batch = await listAfter(batch.at(-1)?.name ?? "");
  }
}

async function imagesAfter(db: Move["db"], last: string): Promise<StoredPhoto[]> {
  return await db
    .selectFrom("images")
    .select(["sha256 as name", sql<boolean>`bool_or(not (${isUnused}))`.as("used")])
    .where("sha256", ">", last)
    .groupBy("sha256")
    .orderBy("sha256")
    .limit(batchSize)
    .execute();
}

async function privatePhotosAfter(db: Move["db"], last: string): Promise<StoredPhoto[]> {
  return await db
    .selectFrom("private_photos")
    .select(["name", sql<boolean>`num_nonnulls(message_id, complaint_id) > 0`.as("used")])
    .where("name", ">", last)
    .orderBy("name")
    .limit(batchSize)
    .execute();
}

async function moveImage({ db, ...stores }: Move, photo: StoredPhoto, result: MoveResult) {
  await transact(db, "moveImage", async (tx) => {
    await lockImages(tx, [photo.name]);
    if (!(await isStored(tx, photo.name))) return;
    const names = fileNames(photo.name);
    const ends = await Promise.all(names.map((name) => moveFile(stores, name)));
    // AVIF versions may be missing, because a job makes them after the upload.
    count(result, names, { ends, isNeeded: (name) => photo.used && !name.endsWith(".avif") });
  });
}

async function movePrivatePhoto({ db, ...stores }: Move, photo: StoredPhoto, result: MoveResult) {
  const names = Object.values(privateNames(photo.name));
  const ends = await Promise.all(names.map((name) => moveFile(stores, name)));
  const kept = await db
    .selectFrom("private_photos")
    .select("id")
    .where("name", "=", photo.name)
    .executeTakeFirst();
  // If the running shop deletes a photo meanwhile, it deletes only the file in its own store.
  if (!kept) return await deletePrivateFiles(stores.to, photo.name);
  count(result, names, { ends, isNeeded: () => photo.used });
}

function count(
  result: MoveResult,
  names: string[],
  { ends, isNeeded }: { ends: End[]; isNeeded: (name: string) => boolean },
): void {
  result.photos += 1;
  for (const [index, end] of ends.entries()) {
    const name = names[index] ?? "";
    if (end === "copied" || end === "present") result[end] += 1;
    else if (end === "damaged" || isNeeded(name)) result[end].push(name);
  }
}

/** Deletes the copies of photos that the running shop has deleted meanwhile. */
async function deleteCopiesOfDeleted({ db, to }: Move, batch: StoredPhoto[]): Promise<void> {
  const names = batch.map(({ name }) => name);
  const rows = await db
    .selectFrom("images")
    .select("sha256")
    .where("sha256", "in", names)
    .execute();
  const stored = new Set(rows.map(({ sha256 }) => sha256));
  for (const name of names.filter((one) => !stored.has(one)))
    await transact(db, "deleteCopies", async (tx) => {
      await lockImages(tx, [name]);
      if (!(await isStored(tx, name))) await deleteFiles(to, name);
    });
}

async function moveFile({ from, to }: Omit<Move, "db">, name: string): Promise<End> {
  const [original, copy] = await Promise.all([readIntact(from, name), readIntact(to, name)]);
  if (typeof original === "string") return typeof copy === "string" ? original : "present";
  if (typeof copy !== "string" && copy.equals(original)) return "present";
  // In S3, `put` doesn't replace an existing file.
  if (copy !== "missing") await to.delete(name);
  await to.put(name, original);
  const written = await readIntact(to, name);
  return typeof written !== "string" && written.equals(original) ? "copied" : "damaged";
}

/** Matches JPEGs named by their own hash. Other files are named by the JPEG's hash or at random. */
const hashedName = /^[0-9a-f]{64}\.jpg$/;

async function readIntact(
  store: ImageStore,
  name: string,
): Promise<Buffer | "missing" | "damaged"> {
  try {
    const bytes = await store.read(name);
    if (bytes === undefined) return "missing";
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return hashedName.test(name) && name !== jpegName(sha256) ? "damaged" : bytes;
  } catch (error) {
    if (error instanceof DamagedFile) return "damaged";
    throw error;
  }
}
