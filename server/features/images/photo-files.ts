import { imageWidths } from "#contract/images.ts";

/** A photo as we encoded it: its size in pixels, its JPEG's in bytes, the files it is kept in, its preview. */
export type Photo = {
  sha256: string;
  width: number;
  height: number;
  size: number;
  files: Map<string, Buffer>;
  preview: string;
};

/** The shapes a photo can be cut to: a listing's keeps its own, a member's own is a square. */
export type PhotoShape = "listing" | "profile";

/** The names of the files a photo is kept in. */
export function fileNames(sha256: string): string[] {
  return [...imageWidths.map((width) => webpName(sha256, width)), jpegName(sha256)];
}

export function jpegName(sha256: string): string {
  return `${sha256}.jpg`;
}

export function webpName(sha256: string, width: number): string {
  return `${sha256}-${width}.webp`;
}
