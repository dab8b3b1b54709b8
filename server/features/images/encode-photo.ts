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
 * Decodes an uploaded file and encodes it upright, in a shape, without metadata. Refuses `NOT_AN_IMAGE`,
 * `TOO_LARGE`. Runs in a separate process (`decoder-process.ts`).
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

/** The files of an image: its JPEG, and WebP at the contract's widths. */
async function toFiles(sha256: string, jpeg: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const width of imageWidths) {
    const sized = sharp(jpeg).resize({ width, withoutEnlargement: true });
    files.set(webpName(sha256, width), await sized.webp({ quality: 78 }).toBuffer());
  }
  return files.set(jpegName(sha256), jpeg);
}

/** The preview's pixels as bitmap rows (blue, green, red) in base64. */
async function previewOf(jpeg: Buffer): Promise<string> {
  const rgb = await sharp(jpeg)
    .resize({ ...previewSize, fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  return Buffer.from(rgb.map((_, at) => rgb[at + 2 - 2 * (at % 3)] ?? 0)).toString("base64");
}

/** Reads only the header: format and size are checked before anything is decoded. */
async function requirePhoto(upload: Buffer): Promise<void> {
  // Keeps other formats, such as SVG, away from every decoder.
  if (!magicNumbers.some((magic) => magic.test(upload.toString("latin1", 0, 16)))) {
    throw notAnImage();
  }
  const header = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw notAnImage();
    });
  requireDecodable(header);
}

/** Magic numbers of JPEG, PNG, WebP and AVIF. */
const magicNumbers = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s, /^.{4}ftypavi[fs]/s];
