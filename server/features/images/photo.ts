import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import sharp, { type ResizeOptions } from "sharp";
import { imageWidths, maxImageBytes, maxImagePixels, previewSize } from "#contract/images.ts";
import { Refusal } from "../../errors.ts";
import { turnstile } from "./turnstile.ts";

/** A photo made anew: its size in pixels, its JPEG's in bytes, the files it is kept in, and its preview. */
export type Photo = {
  sha256: string;
  width: number;
  height: number;
  size: number;
  files: Map<string, Buffer>;
  preview: string;
};

/** A decoded photo takes hundreds of megabytes and a core, so they are worked on two at a time. */
const takeTurn = turnstile(2);

/**
 * Makes a photo of the file that was uploaded: upright, of this size, and nothing left of what was sent but
 * its pixels. Refuses `NOT_AN_IMAGE`, `TOO_LARGE`.
 */
export async function makePhoto(path: string, size: ResizeOptions): Promise<Photo> {
  return await takeTurn(async () => {
    const { data: jpeg, info } = await reencode(await readFile(path), size);
    const sha256 = createHash("sha256").update(jpeg).digest("hex");
    const files = await toFiles(sha256, jpeg);
    const { width, height, size: bytes } = info;
    return { sha256, width, height, size: bytes, files, preview: await previewOf(jpeg) };
  });
}

async function reencode(upload: Buffer, size: ResizeOptions) {
  if (upload.length > maxImageBytes) throw tooLarge();
  await requirePhoto(upload);
  return await sharp(upload, { limitInputPixels: maxImagePixels, failOn: "error" })
    .timeout({ seconds: 20 })
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
    files.set(nameOf(sha256, width), await sized.webp({ quality: 78 }).toBuffer());
  }
  return files.set(`${sha256}.jpg`, jpeg);
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

/** The names of those files. */
export function fileNames(sha256: string): string[] {
  return [...imageWidths.map((width) => nameOf(sha256, width)), `${sha256}.jpg`];
}

function nameOf(sha256: string, width: number): string {
  return `${sha256}-${width}.webp`;
}

/** Reads the header alone: nothing is decoded before its format and size are known. */
async function requirePhoto(upload: Buffer): Promise<void> {
  // What begins otherwise reaches no decoder at all, such as SVG, which is a program of its own.
  if (!beginnings.some((begins) => begins.test(upload.toString("latin1", 0, 16)))) {
    throw notAnImage();
  }
  const { width, height } = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw notAnImage();
    });
  if (width * height > maxImagePixels) throw tooLarge();
}

/** What the files of cameras and browsers begin with: JPEG, PNG, GIF, WebP, AVIF. */
const beginnings = [
  /^\xff\xd8\xff/,
  /^\x89PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF.{4}WEBP/s,
  /^.{4}ftypavi[fs]/s,
];

function notAnImage(): Refusal {
  return new Refusal(
    "NOT_AN_IMAGE",
    "That file is not a photo we can read. Use a JPEG, PNG, WebP or AVIF.",
  );
}

function tooLarge(): Refusal {
  return new Refusal(
    "TOO_LARGE",
    "That photo is too large. Use one of at most 10 MB and 50 megapixels.",
  );
}
