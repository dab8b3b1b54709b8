import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { sql } from "kysely";
import type { ImageHost } from "../../adapters/image-host/port.ts";
import type { ImageStore } from "../../adapters/images/port.ts";
import { type Database, type Tx, transact } from "../../db/database.ts";
import { recordAudit } from "../../db/record-audit.ts";
import { AppError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { jpegName, type Photo, putFiles } from "./photo-files.ts";
import { decodeReceived } from "./receive-photo.ts";
import { insertImage } from "./upload-photo.ts";

type Move = { db: Database["db"]; host: ImageHost; store: ImageStore; now: () => Date };

/** `missing` and `damaged`: the photos' URLs or paths. */
type HostedMoveResult = { moved: number; missing: string[]; damaged: string[] };

type ListedPhoto = { productId: string; sellerId: string; address: string };
type MovePhoto = (move: Move, photo: ListedPhoto) => Promise<"moved" | "missing" | "damaged">;

/** Copies photos from the host, encoded like uploads, and points the listings at the copies. */
export async function moveFromHost(move: Move): Promise<HostedMoveResult> {
  const prefixes = move.host.origins.map((origin) => `${origin}/`);
  return await movePhotos(move, prefixes, importPhoto);
}

/** Uploads photos to the host, and points the listings there. Doesn't delete our files. */
export async function moveToHost(move: Move): Promise<HostedMoveResult> {
  return await movePhotos(move, ["/images/"], exportPhoto);
}

const batchSize = 100;

/** The move ends after this many failures since the last moved photo. */
const maxFailures = 5;

/** Uses one transaction per photo, so a move can be stopped and rerun, even in an open shop. */
async function movePhotos(
  move: Move,
  prefixes: string[],
  moveOne: MovePhoto,
): Promise<HostedMoveResult> {
  const result: HostedMoveResult = { moved: 0, missing: [], damaged: [] };
  let failures = 0;
  for (let last: string | undefined; ; ) {
    const listings = await listingsAfter(move.db, prefixes, last);
    last = listings.at(-1)?.id;
    if (last === undefined) return result;
    for (const photo of listings.flatMap((listing) => photosOf(listing, prefixes))) {
      const end = await moveOne(move, photo).catch((error: unknown) => {
        failures += 1;
        if (!isUnavailable(error) || failures === maxFailures) throw error;
        return "missing" as const;
      });
      if (end === "moved") [result.moved, failures] = [result.moved + 1, 0];
      else result[end].push(photo.address);
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === "UNAVAILABLE";
}

type Listing = { id: string; seller_id: string; img: string; more_images: string[] };

/** Includes deleted listings, because their bookings and reports still show the photos. */
async function listingsAfter(tx: Tx, prefixes: string[], last?: string): Promise<Listing[]> {
  return await tx
    .selectFrom("products")
    .select(["id", "seller_id", "img", "more_images"])
    .where(
      sql<boolean>`exists (
        select from unnest(img || more_images) as address, unnest(${prefixes}::text[]) as prefix
        where starts_with(address, prefix)
      )`,
    )
    .$if(last !== undefined, (query) => query.where("id", ">", last ?? ""))
    .orderBy("id")
    .limit(batchSize)
    .execute();
}

function photosOf({ id, seller_id, img, more_images }: Listing, prefixes: string[]): ListedPhoto[] {
  const addresses = [img, ...more_images].filter((address) =>
    prefixes.some((prefix) => address.startsWith(prefix)),
  );
  return addresses.map((address) => ({ productId: id, sellerId: seller_id, address }));
}

async function importPhoto(move: Move, listed: ListedPhoto) {
  const file = await move.host.download(new URL(listed.address), "whole");
  if (file === "refused") return "missing";
  const photo = file === "too large" ? undefined : await decode(file.bytes);
  if (!photo) return "damaged";
  await transact(move.db, "moveImage", async (tx) => {
    await insertImage(tx, { memberId: listed.sellerId, photo, at: move.now() });
    await putFiles(move.store, photo.files);
    for (const [name, bytes] of photo.files)
      if (hashOf(await move.store.read(name)) !== hashOf(bytes))
        throw new Error(`${name} is not stored as it was written.`);
    const to = `/images/${jpegName(photo.sha256)}`;
    await listFrom(tx, move, { listed, to, preview: photo.preview });
    await enqueue(tx, "encodeAvif", { payload: { sha256: photo.sha256 } });
  });
  return "moved";
}

async function decode(bytes: Buffer): Promise<Photo | undefined> {
  const receive = (path: string) => writeFile(path, bytes);
  try {
    return await decodeReceived({ address: "move", receive, shape: "listing" });
  } catch (error) {
    if (error instanceof AppError && !isUnavailable(error)) return undefined;
    throw error;
  }
}

async function exportPhoto(move: Move, listed: ListedPhoto) {
  const name = listed.address.replace("/images/", "");
  const jpeg = await move.store.read(name);
  if (!jpeg) return "missing";
  if (name !== jpegName(hashOf(jpeg) ?? "")) return "damaged";
  const to = await move.host.upload(jpeg);
  const copy = await move.host.download(new URL(to), "whole");
  if (typeof copy === "string" || !copy.bytes.equals(jpeg)) return "damaged";
  await transact(move.db, "moveImage", (tx) => listFrom(tx, move, { listed, to, preview: null }));
  return "moved";
}

type NewAddress = { listed: ListedPhoto; to: string; preview: string | null };

/** Replaces the photo's URL, unless the seller has replaced the photo meanwhile. */
async function listFrom(tx: Tx, { now }: Move, { listed, to, preview }: NewAddress): Promise<void> {
  const { productId, address: from } = listed;
  const { numUpdatedRows } = await tx
    .updateTable("products")
    .set({
      img: sql<string>`case img when ${from} then ${to} else img end`,
      img_preview: sql<string | null>`case img when ${from} then ${preview} else img_preview end`,
      more_images: sql<string[]>`array_replace(more_images, ${from}, ${to})`,
    })
    .where("id", "=", productId)
    .where(sql<boolean>`${from} = any(img || more_images)`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const by = { at: now(), actor: null, verb: "move photo" };
  await recordAudit(tx, { ...by, object: "product", objectId: productId });
}

function hashOf(bytes: Buffer | undefined): string | undefined {
  return bytes && createHash("sha256").update(bytes).digest("hex");
}
