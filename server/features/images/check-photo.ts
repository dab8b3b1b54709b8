import type { Metadata } from "sharp";
import { maxImageBytes, maxImagePixels, maxImageSide, wrongImageType } from "#contract/images.ts";
import { AppError } from "../../errors.ts";

const maxDecodedBytes = 240_000_000;

/** Allows for color profiles for printing, which can take a few MB. */
const maxProfileBytes = 4 * 1024 * 1024;

/**
 * Checks an upload's size and first bytes, so that formats that we don't accept, such as SVG, reach
 * no decoder. Throws `NOT_AN_IMAGE`, `TOO_LARGE`.
 */
export function requireImageFile(upload: Buffer): void {
  if (upload.length > maxImageBytes) throw tooLarge();
  if (!hasImageSignature(upload)) throw notAnImage();
}

/** Throws `TOO_LARGE`, or `NOT_AN_IMAGE` for animations and unknown formats. */
export function requireDecodable(header: Metadata): void {
  if (!formats.has(header.format ?? "")) throw notAnImage();
  if ((header.pages ?? 1) > 1) throw isAnimated();
  const { width, height } = header;
  if (Math.max(width, height) > maxImageSide || width * height > maxImagePixels) throw tooLarge();
  if (decodedBytes(header) > maxDecodedBytes) throw tooMuchToDecode();
  if ((header.icc?.length ?? 0) > maxProfileBytes) throw tooMuchToDecode();
}

export function hasImageSignature(file: Buffer): boolean {
  const start = file.toString("latin1", 0, 16);
  return magicNumbers.some((magic) => magic.test(start));
}

const magicNumbers = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s, /^.{4}ftypavi[fs]/s];

/** libvips calls AVIF "heif". */
const formats = new Set(["jpeg", "png", "webp", "heif"]);

/** Estimates the memory that decoding takes, in bytes. */
function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const pixels = width * height;
  const bytesPerSample = depth === "uchar" ? 1 : 2;
  // The AV1 decoder holds several copies of the image.
  if (format === "heif") return pixels * (bytesPerSample === 1 ? 18 : 25);
  // A progressive JPEG is held as 16-bit coefficients until its last scan.
  const copies = format === "jpeg" && isProgressive ? 2 : 1;
  return pixels * channels * bytesPerSample * copies;
}

export function notAnImage(): AppError {
  return new AppError("NOT_AN_IMAGE", `That file is not a photo we can read. ${wrongImageType}`);
}

function isAnimated(): AppError {
  return new AppError(
    "NOT_AN_IMAGE",
    "That file is an animation. Use a still JPEG, PNG, WebP or AVIF.",
  );
}

function tooLarge(): AppError {
  return new AppError(
    "TOO_LARGE",
    "That photo is too large. Use one of at most 10 MB, 50 megapixels and 20,000 pixels a side.",
  );
}

export function tooMuchToDecode(): AppError {
  return new AppError(
    "TOO_LARGE",
    "That photo takes too much memory or time to process. Save a smaller copy as a JPEG and upload that.",
  );
}
