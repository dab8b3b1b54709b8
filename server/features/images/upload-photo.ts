import { maxImageBytesADay, maxUnusedImages } from "#contract/images.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { decodePhoto } from "./decoder.ts";
import { jpegName, type Photo, type PhotoShape, putFiles } from "./photo-files.ts";
import { receivePhoto, type Upload } from "./receive-photo.ts";
import { deleteImage, isStored, isUnused, lockImages } from "./unused-images.ts";

/** `width` and `height` in pixels. `size` of the JPEG in bytes. */
export type StoredImage = { path: string; width: number; height: number; size: number };

/**
 * Stores the row before the files. If storing the files fails, deletes a new row; after a crash,
 * the clean-up does. Throws `TOO_MANY_PHOTOS`, `UNAVAILABLE` and the errors of `receivePhoto`.
 */
export async function uploadPhoto(
  deps: Deps,
  member: Member,
  upload: Upload & { shape: PhotoShape },
): Promise<StoredImage> {
  await requireBelowPhotoLimits(deps, member);
  return await receivePhoto(member, upload, async (photo) => {
    const { sha256, width, height, size: bytes } = photo;
    const at = deps.clock.now();
    const id = await transact(deps.db, "keepImage", async (tx) => {
      const added = await insertImage(tx, { memberId: member.id, photo, at });
      const by = { at, actor: member.id, verb: "upload" };
      if (added) await recordAudit(tx, { ...by, object: "image", objectId: added });
      return added;
    });
    await putFiles(deps.images, photo.files).catch(async (error: unknown) => {
      // Doesn't delete a photo that the member already had, or has uploaded again since.
      if (id !== undefined) await deleteImage(deps, { id, sha256 }, new Date(at.getTime() + 1));
      throw error;
    });
    await enqueue(deps.db, "encodeAvif", { payload: { sha256 } });
    return { path: `/images/${jpegName(sha256)}`, width, height, size: bytes };
  });
}

/** Runs before the upload is read. Concurrent uploads may exceed the limits slightly. */
async function requireBelowPhotoLimits({ db, clock }: Deps, member: Member): Promise<void> {
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
      "You have uploaded too many photos. Use them in your listings, or wait a day: unused ones are deleted.";
    throw new AppError("TOO_MANY_PHOTOS", message);
  }
}

type NewImage = { memberId: string; photo: Photo; at: Date };

/** Locks the image. Returns the new row's id; undefined if the member has this photo already. */
export async function insertImage(
  tx: Tx,
  { memberId, photo, at }: NewImage,
): Promise<string | undefined> {
  const { sha256, size: bytes, preview } = photo;
  await lockImages(tx, [sha256]);
  const image = { id: newId(at), member_id: memberId, sha256, bytes, preview };
  const stored = await tx
    .insertInto("images")
    .values({ ...image, created_at: at })
    .onConflict((conflict) =>
      conflict.constraint("images_one_per_member").doUpdateSet({ created_at: at }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return stored.id === image.id ? image.id : undefined;
}

/** Job `encodeAvif`. Skips a photo that was deleted meanwhile. */
export async function storeAvifVersions({ db, images }: Deps, sha256: string): Promise<void> {
  const jpeg = await images.read(jpegName(sha256));
  if (jpeg === undefined) return;
  const files = await decodePhoto("encodeAvif", { sha256, jpeg });
  await transact(db, "storeAvifVersions", async (tx) => {
    await lockImages(tx, [sha256]);
    if (!(await isStored(tx, sha256))) return;
    await putFiles(images, files);
  });
}
