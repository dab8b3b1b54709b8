import { imageWidths } from "#contract/image-sources.ts";

/** An encoded photo. Width and height in pixels; `size` of the JPEG in bytes; `files` by name. */
export type Photo = {
  sha256: string;
  width: number;
  height: number;
  size: number;
  files: Map<string, Buffer>;
  preview: string;
};

/** A listing's photo keeps its aspect ratio; a profile photo is a square. */
export type PhotoShape = "listing" | "profile";

/** A photo's JPEG as it is stored. */
export type StoredPhoto = { sha256: string; jpeg: Buffer };

/** The names of a photo's files. */
export function fileNames(sha256: string): string[] {
  const sized = imageWidths.flatMap((width) => [webpName(sha256, width), avifName(sha256, width)]);
  return [...sized, jpegName(sha256)];
}

export function jpegName(sha256: string): string {
  return `${sha256}.jpg`;
}

export function webpName(sha256: string, width: number): string {
  return `${sha256}-${width}.webp`;
}

/** Sent under the name of the WebP version to browsers that accept AVIF. */
export function avifName(sha256: string, width: number): string {
  return `${sha256}-${width}.avif`;
}
