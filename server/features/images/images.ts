import { createHash } from "node:crypto";
import sharp, { type ResizeOptions } from "sharp";
import {
  imageWidths,
  maxImageBytes,
  maxImagePixels,
  portraitWidth,
  previewSize,
} from "#contract/images.ts";
import { record } from "../../audit.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { Refusal } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { Member } from "../members/members.ts";

/** An image as it is kept: its path below the site, its size in pixels, its JPEG's in bytes. */
export type KeptImage = { path: string; width: number; height: number; size: number };

const largest = Math.max(...imageWidths);
const wholePhoto = {
  width: largest,
  height: largest,
  fit: "inside",
  withoutEnlargement: true,
} as const;
const square = { width: portraitWidth, height: portraitWidth, fit: "cover" } as const;
const folder = "/images/";

/**
 * Keeps a seller's photo: checked by its content, stripped of metadata, turned upright, and re-encoded
 * at our widths under the hash of the result. Refuses `NOT_AN_IMAGE`, `TOO_LARGE`.
 */
export async function keepImage(deps: Deps, seller: Member, upload: Buffer): Promise<KeptImage> {
  return await keep(deps, seller, await reencode(upload, wholePhoto));
}

/** Keeps a member's photo of themselves, as `keepImage` does, cut to a square around its middle. */
export async function keepPortrait(deps: Deps, member: Member, upload: Buffer): Promise<KeptImage> {
  return await keep(deps, member, await reencode(upload, square));
}

type Jpeg = Awaited<ReturnType<typeof reencode>>;

async function keep(deps: Deps, member: Member, jpeg: Jpeg): Promise<KeptImage> {
  const sha256 = createHash("sha256").update(jpeg.data).digest("hex");
  await keepFiles(deps, sha256, jpeg.data);
  const preview = await previewOf(jpeg.data);
  const { width, height, size } = jpeg.info;
  await transact(deps.db, "keepImage", async (tx) => {
    const at = deps.clock.now();
    const id = newId(at);
    const kept = await tx
      .insertInto("images")
      .values({
        id,
        member_id: member.id,
        sha256,
        width,
        height,
        bytes: size,
        preview,
        created_at: at,
      })
      .onConflict((conflict) => conflict.constraint("images_one_per_member").doNothing())
      .executeTakeFirst();
    if (kept.numInsertedOrUpdatedRows === 0n) return;
    await record(tx, { at, actor: member.id, verb: "upload", object: "image", objectId: id });
  });
  return { path: `${folder}${sha256}.jpg`, width, height, size };
}

async function reencode(upload: Buffer, size: ResizeOptions) {
  if (upload.length > maxImageBytes) throw tooLarge();
  if (upload.length === 0) throw notAnImage();
  await requirePhoto(upload);
  return await sharp(upload, { limitInputPixels: maxImagePixels, failOn: "error" })
    .rotate()
    .resize(size)
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw notAnImage();
    });
}

/** Reads the header alone: nothing is decoded before its format and size are known. */
async function requirePhoto(upload: Buffer): Promise<void> {
  const { format, width, height } = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw notAnImage();
    });
  if (!photoFormats.has(format)) throw notAnImage();
  if (width * height > maxImagePixels) throw tooLarge();
}

/** What cameras and browsers make. Never SVG or PDF, which can carry more than a picture. */
const photoFormats = new Set<string>(["jpeg", "png", "webp", "avif", "heif", "gif", "tiff"]);

async function keepFiles(deps: Deps, sha256: string, jpeg: Buffer): Promise<void> {
  for (const width of imageWidths) {
    const webp = await sharp(jpeg)
      .resize({ width, withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer();
    await deps.images.keep(`${sha256}-${width}.webp`, webp);
  }
  await deps.images.keep(`${sha256}.jpg`, jpeg);
}

/** A photo's colours from far away, as the rows of a bitmap in base64: blue, green, red. */
async function previewOf(jpeg: Buffer): Promise<string> {
  const rgb = await sharp(jpeg)
    .resize({ ...previewSize, fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  return Buffer.from(rgb.map((_, at) => rgb[at + 2 - 2 * (at % 3)] ?? 0)).toString("base64");
}

/**
 * What to store for an image a seller names in a listing: its path and its preview. Refuses
 * `IMAGE_NOT_OURS` for one they did not upload here.
 */
export async function requireUploadedImage(tx: Tx, seller: Member, url: string) {
  const upload = await findUpload(tx, seller, url);
  if (upload === undefined) throw notOurs("img");
  return { img: upload.path, img_preview: upload.preview };
}

/** The same for the photo of a profile. */
export async function requireUploadedPhoto(tx: Tx, member: Member, url: string): Promise<string> {
  const upload = await findUpload(tx, member, url);
  if (upload === undefined) throw notOurs("photoURL");
  return upload.path;
}

async function findUpload(tx: Tx, member: Member, url: string) {
  const sha256 = /\/images\/([0-9a-f]{64})\.jpg$/.exec(url)?.[1];
  if (sha256 === undefined) return undefined;
  const image = await tx
    .selectFrom("images")
    .select("preview")
    .where("member_id", "=", member.id)
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return image && { path: `${folder}${sha256}.jpg`, preview: image.preview };
}

function notOurs(field: "img" | "photoURL"): Refusal {
  const message = "Upload the photo here first; this address is not one of your uploads.";
  return new Refusal("IMAGE_NOT_OURS", message, { [field]: message });
}

function notAnImage(): Refusal {
  return new Refusal(
    "NOT_AN_IMAGE",
    "That file is not a photo we can read. Use a JPEG, PNG, WebP or HEIC.",
  );
}

function tooLarge(): Refusal {
  return new Refusal(
    "TOO_LARGE",
    "That photo is too large. Use one of at most 10 MB and 50 megapixels.",
  );
}
