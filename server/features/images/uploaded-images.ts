import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { AppError } from "../../errors.ts";
import { lockImage } from "./unused-images.ts";

/** The URL of an image, and the shop's own: only its uploads are accepted. */
type ImageReference = { url: string; publicUrl: string };

/**
 * Returns the path and preview of the image a seller uses in a listing. Refuses `IMAGE_NOT_OURS` if they
 * did not upload it here.
 */
export async function requireUploadedImage(tx: Tx, seller: Member, image: ImageReference) {
  const upload = await findUpload(tx, seller, image);
  if (upload === undefined) throw notOurs("img");
  return { img: upload.path, img_preview: upload.preview };
}

/** Returns the path of a profile photo. Refuses `IMAGE_NOT_OURS` likewise. */
export async function requireUploadedPhoto(
  tx: Tx,
  member: Member,
  image: ImageReference,
): Promise<string> {
  const upload = await findUpload(tx, member, image);
  if (upload === undefined) throw notOurs("photoURL");
  return upload.path;
}

/** Accepts the URL returned by the upload, or its path. */
async function findUpload(tx: Tx, member: Member, { url, publicUrl }: ImageReference) {
  const path = url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url;
  const sha256 = /^\/images\/([0-9a-f]{64})\.jpg$/.exec(path)?.[1];
  if (sha256 === undefined) return undefined;
  await lockImage(tx, sha256);
  const image = await tx
    .selectFrom("images")
    .select("preview")
    .where("member_id", "=", member.id)
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return image && { path, preview: image.preview };
}

function notOurs(field: "img" | "photoURL"): AppError {
  const message = "Upload the photo here first; this URL is not one of your uploads.";
  return new AppError("IMAGE_NOT_OURS", message, { [field]: message });
}
