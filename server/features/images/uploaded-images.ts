import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { AppError } from "../../errors.ts";
import { lockImages } from "./unused-images.ts";

/** `sent`: the URLs or paths of photos, by form field. `publicUrl`: the shop's URL. */
type ImageReferences = { sent: { field: string; address: string }[]; publicUrl: string };

/**
 * Returns the path and preview of each photo. Accepts the URL that the upload returned, or the
 * URL's path. Throws `IMAGE_NOT_OURS` if the member did not upload the photo to this shop.
 */
export async function requireUploadedImages(
  tx: Tx,
  member: Member,
  { sent, publicUrl }: ImageReferences,
): Promise<{ img: string; img_preview: string | null }[]> {
  const named = sent.map(({ field, address }) => {
    const path = imagePath(address, publicUrl);
    const sha256 = pathOfImage.exec(path)?.[1];
    if (sha256 === undefined) throw notOurs(field);
    return { field, path, sha256 };
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

/** The preview of a photo that a member uploaded here; null for a photo at the image host. */
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

/**
 * Matches only a whole JSON string. Quotes inside a member's text are escaped, so no part matches.
 */
const ownImage =
  /"(\/(?:images\/[0-9a-f]{64}\.jpg|brands\/[\w-]+\.\w+|shop\/categories\/[0-9a-f-]{36}\.png\?v=[\w-]{16}))"/g;

/**
 * Replaces image paths in a JSON response with absolute URLs, so that a client on another
 * origin can show the images. Runs on the whole JSON, because many responses contain images.
 */
export function withImageAddresses(json: string, publicUrl: string): string {
  return json.replaceAll(ownImage, (_, path: string) => `"${publicUrl}${path}"`);
}

/** The path of one of the shop's images, given its URL or path. Other URLs stay unchanged. */
export function imagePath(address: string, publicUrl: string): string {
  return address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;
}
