import { imageWidths } from "#contract/images.ts";

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

/** The names of a photo's files. */
export function fileNames(sha256: string): string[] {
  return [...imageWidths.map((width) => webpName(sha256, width)), jpegName(sha256)];
}

export function jpegName(sha256: string): string {
  return `${sha256}.jpg`;
}

export function webpName(sha256: string, width: number): string {
  return `${sha256}-${width}.webp`;
}
