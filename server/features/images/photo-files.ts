import { imageWidths } from "#contract/image-sources.ts";
import { type ImageStore, privateFolder } from "../../adapters/images/port.ts";

/** `width` and `height` in pixels. `size` of the JPEG in bytes. `files` by name. */
export type Photo = {
  sha256: string;
  width: number;
  height: number;
  size: number;
  files: Map<string, Buffer>;
  preview: string;
};

/** Listing and private photos keep their aspect ratio; a profile photo is a square. */
export type PhotoShape = "listing" | "profile" | "private";

export type StoredPhoto = { sha256: string; jpeg: Buffer };

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

/** Browsers request the AVIF version by the WebP version's name. */
export function avifName(sha256: string, width: number): string {
  return `${sha256}-${width}.avif`;
}

/** Matches whole JSON strings. A path within a text can't match, as quotes in JSON are escaped. */
const ownImage =
  /"(\/(?:images\/[0-9a-f]{64}\.jpg|brands\/[\w-]+\.\w+|shop\/categories\/[0-9a-f-]{36}\.png\?v=[\w-]{16}))"/g;

/** Makes image paths in a response's JSON absolute, for clients on another origin. */
export function withAbsoluteImageUrls(json: string, publicUrl: string): string {
  return json.replaceAll(ownImage, (_, path: string) => `"${publicUrl}${path}"`);
}

/** Shortens a URL of this shop to its path. Other URLs stay unchanged. */
export function imagePath(address: string, publicUrl: string): string {
  return address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;
}

/** The width of a private photo's WebP version, in pixels. */
export const privateWidth = 640;

/** `/images/` doesn't serve these names. */
export function privateNames(name: string): { large: string; small: string } {
  const path = privateFolder + name;
  return { large: `${path}.jpg`, small: `${path}-${privateWidth}.webp` };
}

export async function putFiles(store: ImageStore, files: Map<string, Buffer>): Promise<void> {
  await waitForAll([...files].map(([name, bytes]) => store.put(name, bytes)));
}

export async function deleteFiles(store: ImageStore, sha256: string): Promise<void> {
  await waitForAll(fileNames(sha256).map((name) => store.delete(name)));
}

export async function deletePrivateFiles(store: ImageStore, name: string): Promise<void> {
  await waitForAll(Object.values(privateNames(name)).map((file) => store.delete(file)));
}

/** Waits for all operations even if one fails, so that none outlives the image's lock. */
async function waitForAll(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
