import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { maxImageBytesADay, maxUnusedImages } from "#contract/images.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { enqueue } from "../../db/job-queue.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Member } from "../members/members.ts";
import { decodePhoto } from "./decoder.ts";
import { fileNames, jpegName, type Photo, type PhotoShape } from "./photo-files.ts";
import { createUploadSemaphore } from "./upload-semaphore.ts";

/** An image as it is kept: its path below the site, its size in pixels, its JPEG's in bytes. */
export type StoredImage = { path: string; width: number; height: number; size: number };

const folder = "/images/";

/** A file somebody uploads: the network address it comes from, and what writes it to a path. */
export type Upload = { address: string; receive: (path: string) => Promise<void> };

const takePlace = createUploadSemaphore({ all: 48, perAddress: 12, perMember: 6 });

/**
 * Keeps a seller's photo: checked by its content, stripped of metadata, turned upright, and re-encoded
 * at our widths under the hash of the result. Refuses `NOT_AN_IMAGE`, `TOO_LARGE`, `TOO_MANY_PHOTOS`.
 */
export async function uploadListingPhoto(
  deps: Deps,
  seller: Member,
  upload: Upload,
): Promise<StoredImage> {
  return await keep(deps, seller, { ...upload, shape: "listing" });
}

/** Keeps a member's photo of themselves, as `uploadListingPhoto` does, cut to a square around its middle. */
export async function uploadProfilePhoto(
  deps: Deps,
  member: Member,
  upload: Upload,
): Promise<StoredImage> {
  return await keep(deps, member, { ...upload, shape: "profile" });
}

/**
 * Nothing is received from who has no room or no place. Between the row and its files nobody knows of the
 * image but us; a row whose files were never written is forgotten as unused.
 */
async function keep(
  deps: Deps,
  member: Member,
  { address, receive, shape }: Upload & { shape: PhotoShape },
): Promise<StoredImage> {
  await requireRoom(deps, member);
  return await takePlace({ memberId: member.id, address }, async () => {
    const path = join(tmpdir(), `secondlap-upload-${randomUUID()}`);
    try {
      await receive(path);
      const photo = await decodePhoto(address, { path, shape });
      await writeDown(deps, member, photo);
      for (const [name, bytes] of photo.files) await deps.images.keep(name, bytes);
      const { sha256, width, height, size: bytes } = photo;
      return { path: folder + jpegName(sha256), width, height, size: bytes };
    } finally {
      await rm(path, { force: true });
    }
  });
}

/** Looked at before anything is read; a few that come at the same moment may pass together. */
async function requireRoom({ db, clock }: Deps, member: Member): Promise<void> {
  const aDayAgo = new Date(clock.now().getTime() - 24 * 3_600_000);
  const { unused, bytes } = await db
    .selectFrom("images")
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere(isUnused).as("unused"),
      fn.sum<string | null>("bytes").filterWhere("created_at", ">", aDayAgo).as("bytes"),
    ])
    .where("member_id", "=", member.id)
    .executeTakeFirstOrThrow();
  if (Number(unused) >= maxUnusedImages || Number(bytes) >= maxImageBytesADay) {
    const message =
      "You have uploaded very many photos. Use them in your listings, or wait a day: unused ones go by themselves.";
    throw new AppError("TOO_MANY_PHOTOS", message);
  }
}

async function writeDown(
  { db, clock }: Deps,
  member: Member,
  { sha256, width, height, size: bytes, preview }: Photo,
): Promise<void> {
  await transact(db, "keepImage", async (tx) => {
    await waitForImage(tx, sha256);
    const at = clock.now();
    const id = newId(at);
    const image = { id, member_id: member.id, sha256, width, height, bytes, preview };
    const kept = await tx
      .insertInto("images")
      .values({ ...image, created_at: at })
      .onConflict((conflict) =>
        conflict.constraint("images_one_per_member").doUpdateSet({ created_at: at }),
      )
      .returning("id")
      .executeTakeFirstOrThrow();
    if (kept.id !== id) return;
    await recordAudit(tx, { at, actor: member.id, verb: "upload", object: "image", objectId: id });
  });
}

/** Nobody keeps, lists and forgets the same image at the same moment. */
async function waitForImage(tx: Tx, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`.execute(tx);
}

/** An address somebody names for an image, and where the shop is, whose uploads alone are taken. */
type NamedImage = { url: string; publicUrl: string };

/**
 * What to store for an image a seller names in a listing: its path and its preview. Refuses
 * `IMAGE_NOT_OURS` for one they did not upload here.
 */
export async function requireUploadedImage(tx: Tx, seller: Member, image: NamedImage) {
  const upload = await findUpload(tx, seller, image);
  if (upload === undefined) throw notOurs("img");
  return { img: upload.path, img_preview: upload.preview };
}

/** The same for the photo of a profile. */
export async function requireUploadedPhoto(
  tx: Tx,
  member: Member,
  image: NamedImage,
): Promise<string> {
  const upload = await findUpload(tx, member, image);
  if (upload === undefined) throw notOurs("photoURL");
  return upload.path;
}

/** By the address our upload answered, or its path alone, which is what is stored; by no other. */
async function findUpload(tx: Tx, member: Member, { url, publicUrl }: NamedImage) {
  const path = url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url;
  const sha256 = /^\/images\/([0-9a-f]{64})\.jpg$/.exec(path)?.[1];
  if (sha256 === undefined) return undefined;
  await waitForImage(tx, sha256);
  const image = await tx
    .selectFrom("images")
    .select("preview")
    .where("member_id", "=", member.id)
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return image && { path, preview: image.preview };
}

function notOurs(field: "img" | "photoURL"): AppError {
  const message = "Upload the photo here first; this address is not one of your uploads.";
  return new AppError("IMAGE_NOT_OURS", message, { [field]: message });
}

/** Forgets the images uploaded before a time that nothing shows; their files go by jobs. */
export async function deleteUnusedImages(deps: Deps, before: Date): Promise<void> {
  const unused = await deps.db
    .selectFrom("images")
    .select(["id", "sha256"])
    .where("created_at", "<", before)
    .where(isUnused)
    .limit(1_000)
    .execute();
  for (const image of unused) await forgetImage(deps, image, before);
}

async function forgetImage(
  { db, clock }: Deps,
  { id, sha256 }: { id: string; sha256: string },
  before: Date,
): Promise<void> {
  await transact(db, `forgetImage ${id}`, async (tx) => {
    await waitForImage(tx, sha256);
    // It may have been listed, or uploaded again, while we waited.
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

/** Removes the files of an image that was forgotten, unless somebody else has the same: a job. */
export async function removeImage({ db, images }: Deps, sha256: string): Promise<void> {
  await transact(db, "removeImage", async (tx) => {
    await waitForImage(tx, sha256);
    const kept = await tx.selectFrom("images").select("id").where("sha256", "=", sha256).execute();
    if (kept.length > 0) return;
    for (const name of fileNames(sha256)) await images.remove(name);
  });
}

/** Shown by no listing, no order or report of one that is gone, and no profile. */
const isUnused = sql<boolean>`
  not exists (
    select from products p where p.img = '/images/' || images.sha256 || '.jpg'
      and (p.deleted_at is null
        or exists (select from bookings where product_id = p.id)
        or exists (select from reports where product_id = p.id))
  )
  and not exists (select from members m where m.photo = '/images/' || images.sha256 || '.jpg')`;
