import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import sharp, { type OutputInfo, type ResizeOptions, type Sharp } from "sharp";
import { imageWidths, previewSize } from "#contract/image-sources.ts";
import { maxImagePixels, profilePhotoSize } from "#contract/images.ts";
import { notAnImage, requireDecodable, requireImageFile } from "./check-photo.ts";
import {
  avifName,
  jpegName,
  type Photo,
  type PhotoShape,
  privateWidth,
  type StoredPhoto,
  webpName,
} from "./photo-files.ts";

const largest = Math.max(...imageWidths);
const whole = { width: largest, height: largest, fit: "inside", withoutEnlargement: true } as const;
const shapes: Record<PhotoShape, ResizeOptions> = {
  listing: whole,
  private: whole,
  profile: { width: profilePhotoSize, height: profilePhotoSize, fit: "cover" },
};

/** Decoded pixels: upright, resized, in sRGB without transparency. */
export type Pixels = { data: Buffer; info: OutputInfo };

/** Omits metadata. Throws `NOT_AN_IMAGE` or `TOO_LARGE`. Runs in `decoder-process.ts`. */
export async function encodePhoto(path: string, shape: PhotoShape): Promise<Photo> {
  const pixels = await decode(await readFile(path), shapes[shape]);
  const jpeg = await from(pixels).jpeg({ quality: 82 }).toBuffer();
  const sha256 = createHash("sha256").update(jpeg).digest("hex");
  const files = new Map<string, Buffer>();
  for (const width of shape === "private" ? [privateWidth] : imageWidths) {
    const sized = from(pixels).resize({ width, withoutEnlargement: true });
    // The default effort, 4, takes twice as long for 3% fewer bytes (decisions/photos).
    files.set(webpName(sha256, width), await sized.webp({ quality: 78, effort: 2 }).toBuffer());
  }
  files.set(jpegName(sha256), jpeg);
  const { width, height } = pixels.info;
  return { sha256, width, height, size: jpeg.length, files, preview: await previewOf(pixels) };
}

export async function encodeAvif({ sha256, jpeg }: StoredPhoto): Promise<Map<string, Buffer>> {
  const pixels = await decode(jpeg, shapes.listing);
  const files = new Map<string, Buffer>();
  for (const width of imageWidths) {
    const sized = from(pixels).resize({ width, withoutEnlargement: true });
    // Higher efforts take much longer.
    files.set(avifName(sha256, width), await sized.avif({ quality: 50, effort: 0 }).toBuffer());
  }
  return files;
}

/** Decodes an untrusted file after checking its header. Throws `NOT_AN_IMAGE`, `TOO_LARGE`. */
export async function decode(upload: Buffer, size: ResizeOptions): Promise<Pixels> {
  requireImageFile(upload);
  await requireHeader(upload);
  return await sharp(upload, { limitInputPixels: maxImagePixels, failOn: "error" })
    .rotate()
    .resize(size)
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw notAnImage();
    });
}

function from({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** Returns pixels in base64. Each is three bytes: blue, green, red. */
async function previewOf(pixels: Pixels): Promise<string> {
  const rgb = await from(pixels)
    .resize({ ...previewSize, fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  return Buffer.from(rgb.map((_, at) => rgb[at + 2 - 2 * (at % 3)] ?? 0)).toString("base64");
}

async function requireHeader(upload: Buffer): Promise<void> {
  const header = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw notAnImage();
    });
  requireDecodable(header);
}
