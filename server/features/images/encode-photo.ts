import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import sharp, { type ResizeOptions } from "sharp";
import {
  imageWidths,
  maxImageBytes,
  maxImagePixels,
  previewSize,
  profilePhotoSize,
} from "#contract/images.ts";
import { jpegName, type Photo, type PhotoShape, webpName } from "./photo-files.ts";
import { notAnImage, requireDecodable, tooLarge } from "./photo-limits.ts";

const largest = Math.max(...imageWidths);
const shapes: Record<PhotoShape, ResizeOptions> = {
  listing: { width: largest, height: largest, fit: "inside", withoutEnlargement: true },
  profile: { width: profilePhotoSize, height: profilePhotoSize, fit: "cover" },
};

/**
 * Makes a photo of the file that was uploaded: upright, in this shape, and nothing left of what was sent but
 * its pixels. Refuses `NOT_AN_IMAGE`, `TOO_LARGE`. Runs in a process of its own (`decoder-process.ts`).
 */
export async function encodePhoto(path: string, shape: PhotoShape): Promise<Photo> {
  const { data: jpeg, info } = await reencode(await readFile(path), shapes[shape]);
  const sha256 = createHash("sha256").update(jpeg).digest("hex");
  const files = await toFiles(sha256, jpeg);
  const { width, height, size } = info;
  return { sha256, width, height, size, files, preview: await previewOf(jpeg) };
}

async function reencode(upload: Buffer, size: ResizeOptions) {
  if (upload.length > maxImageBytes) throw tooLarge();
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

/** The files an image is kept in: its JPEG, and WebP at the contract's widths. */
async function toFiles(sha256: string, jpeg: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const width of imageWidths) {
    const sized = sharp(jpeg).resize({ width, withoutEnlargement: true });
    files.set(webpName(sha256, width), await sized.webp({ quality: 78 }).toBuffer());
  }
  return files.set(jpegName(sha256), jpeg);
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

/** Reads the header alone: nothing is decoded before its format and size are known. */
async function requirePhoto(upload: Buffer): Promise<void> {
  // What begins otherwise reaches no decoder at all, such as SVG, which is a program of its own.
  if (!beginnings.some((begins) => begins.test(upload.toString("latin1", 0, 16)))) {
    throw notAnImage();
  }
  const header = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw notAnImage();
    });
  requireDecodable(header);
}

/** What the files of cameras and browsers begin with: JPEG, PNG, WebP, AVIF. */
const beginnings = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s, /^.{4}ftypavi[fs]/s];
